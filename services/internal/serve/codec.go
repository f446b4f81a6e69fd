package serve

import (
	"bytes"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// codec encodes and decodes protobuf messages. It decodes invalid bytes to a marked message, which
// the interceptors reject: grpc-go itself would answer them with INTERNAL and the text of its
// parser.
type codec struct{ encoding.CodecV2 }

// Marshal implements encoding.CodecV2. An [EncodedMessage] is encoded once.
func (c codec) Marshal(v any) (mem.BufferSlice, error) {
	if m, ok := v.(*EncodedMessage); ok {
		encoded, err := m.bytes()
		return mem.BufferSlice{mem.SliceBuffer(encoded)}, err
	}
	return c.CodecV2.Marshal(v)
}

// Unmarshal implements encoding.CodecV2. It drops unknown fields, which calls would otherwise keep
// in memory.
func (c codec) Unmarshal(data mem.BufferSlice, v any) error {
	m, ok := v.(proto.Message)
	if !ok {
		return c.CodecV2.Unmarshal(data, v)
	}
	buffer := data.MaterializeToBuffer(mem.DefaultBufferPool())
	defer buffer.Free()
	encoded := buffer.ReadOnlyData()
	switch {
	case (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(encoded, m) != nil:
		proto.Reset(m)
		m.ProtoReflect().SetUnknown(invalidMark)
	case bytes.IndexByte(encoded, 0) >= 0:
		m.ProtoReflect().SetUnknown(zeroMark)
	}
	return nil
}

// invalidMark and zeroMark encode a field that no message defines. They mark a message that stands
// for bytes that could not be decoded, and one with a zero byte in its encoding.
var invalidMark, zeroMark = mark(1), mark(2)

func mark(value uint64) []byte {
	tag := protowire.AppendTag(nil, protowire.MaxValidNumber, protowire.VarintType)
	return protowire.AppendVarint(tag, value)
}

// takeMark removes the mark of a message and returns it.
func takeMark(m proto.Message) []byte {
	mark := m.ProtoReflect().GetUnknown()
	if mark != nil {
		m.ProtoReflect().SetUnknown(nil)
	}
	return mark
}
