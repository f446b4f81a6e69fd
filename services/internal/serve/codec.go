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

// Unmarshal implements encoding.CodecV2.
func (c codec) Unmarshal(data mem.BufferSlice, v any) error {
	err := c.CodecV2.Unmarshal(data, v)
	if m, ok := v.(proto.Message); ok && err != nil {
		proto.Reset(m)
		m.ProtoReflect().SetUnknown(invalidMark)
		return nil
	}
	return err
}

// invalidMark encodes a field that no message defines.
var invalidMark = protowire.AppendVarint(
	protowire.AppendTag(nil, protowire.MaxValidNumber, protowire.VarintType), 1)

// isInvalid reports whether m stands for bytes that could not be decoded.
func isInvalid(m proto.Message) bool { return bytes.Equal(m.ProtoReflect().GetUnknown(), invalidMark) }
