package serve

import (
	"fmt"
	"sync"

	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// EncodedMessage is a message that many are sent, so that it is encoded only once. It stands for its message wherever a server
// sends one. It may be used from many goroutines; its message must not be changed.
type EncodedMessage struct {
	message proto.Message
	encode  sync.Once
	encoded []byte
	err     error
}

// NewEncodedMessage returns a message to be encoded when it is sent first.
func NewEncodedMessage(m proto.Message) *EncodedMessage { return &EncodedMessage{message: m} }

// Marshal writes a message to the network.
func (c codec) Marshal(v any) (mem.BufferSlice, error) {
	shared, ok := v.(*EncodedMessage)
	if !ok {
		return c.CodecV2.Marshal(v)
	}
	shared.encode.Do(func() { shared.encoded, shared.err = proto.Marshal(shared.message) })
	return mem.BufferSlice{mem.SliceBuffer(shared.encoded)}, shared.err
}

// handover passes messages between parts of this process. What has been sent is not changed any more, by neither
// side, so that nothing but the outermost message is copied.
type handover struct{}

// Clone returns the message itself.
func (handover) Clone(m any) (any, error) { return m, nil }

// Copy puts a message into an empty one.
func (handover) Copy(out, in any) error {
	if shared, ok := in.(*EncodedMessage); ok {
		in = shared.message
	}
	into, ok := out.(proto.Message)
	from, alike := in.(proto.Message)
	if !ok || !alike {
		return fmt.Errorf("cannot hand %T over as %T", in, out)
	}
	m := into.ProtoReflect()
	from.ProtoReflect().Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		m.Set(field, value)
		return true
	})
	return nil
}
