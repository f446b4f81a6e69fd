package serve

import (
	"bytes"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// codec reads and writes messages like any server, but bytes that are no message become one that says so, for the
// interceptors to refuse. grpc-go would answer at once that the server has failed, in the words of its parser.
type codec struct{ encoding.CodecV2 }

func (c codec) Unmarshal(data mem.BufferSlice, v any) error {
	err := c.CodecV2.Unmarshal(data, v)
	if m, ok := v.(proto.Message); ok && err != nil {
		proto.Reset(m)
		m.ProtoReflect().SetUnknown(unreadable)
		return nil
	}
	return err
}

// unreadable is a field that no message has.
var unreadable = protowire.AppendVarint(protowire.AppendTag(nil, protowire.MaxValidNumber, protowire.VarintType), 1)

func isUnreadable(m proto.Message) bool {
	return bytes.Equal(m.ProtoReflect().GetUnknown(), unreadable)
}
