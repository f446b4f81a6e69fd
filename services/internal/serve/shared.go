package serve

import (
	"fmt"
	"sync"

	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Shared is a message of which a part goes to many, so that this part is encoded only once. On the wire a message is
// its parts one after the other: Own, which may be nil, and Part are of one type, and no field is set in both.
type Shared struct {
	Own  proto.Message
	Part *Part
}

// Part is what messages share. It may be used from many goroutines; its message must not be changed.
type Part struct {
	message proto.Message
	encode  sync.Once
	encoded []byte
	err     error
}

// NewPart returns a part that is encoded when it is sent first.
func NewPart(m proto.Message) *Part { return &Part{message: m} }

func (p *Part) bytes() ([]byte, error) {
	p.encode.Do(func() { p.encoded, p.err = proto.Marshal(p.message) })
	return p.encoded, p.err
}

// Marshal writes a message to the network.
func (c codec) Marshal(v any) (mem.BufferSlice, error) {
	shared, ok := v.(*Shared)
	if !ok {
		return c.CodecV2.Marshal(v)
	}
	part, err := shared.Part.bytes()
	if err != nil {
		return nil, err
	}
	buffers := mem.BufferSlice{mem.SliceBuffer(part)}
	if shared.Own == nil {
		return buffers, nil
	}
	own, err := c.CodecV2.Marshal(shared.Own)
	return append(buffers, own...), err
}

// handover passes messages between parts of this process. What has been sent is not changed any more, by neither
// side, so that nothing but the outermost message is copied.
type handover struct{}

// Clone returns the message itself.
func (handover) Clone(m any) (any, error) { return m, nil }

// Copy puts a message into an empty one.
func (handover) Copy(out, in any) error {
	into, ok := out.(proto.Message)
	if !ok {
		return fmt.Errorf("%T is no message", out)
	}
	switch in := in.(type) {
	case *Shared:
		if in.Own != nil {
			set(into, in.Own)
		}
		set(into, in.Part.message)
	case proto.Message:
		set(into, in)
	default:
		return fmt.Errorf("%T is no message", in)
	}
	return nil
}

// set sets in one message the fields that are set in another.
func set(into, from proto.Message) {
	m := into.ProtoReflect()
	from.ProtoReflect().Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		m.Set(field, value)
		return true
	})
}
