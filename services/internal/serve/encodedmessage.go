package serve

import (
	"fmt"
	"sync"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// EncodedMessage is a message with a shared encoding: a server that sends it to many clients
// encodes it once. Handlers and streams send it in place of the message. It is safe for concurrent
// use; the message must not change.
type EncodedMessage struct {
	message proto.Message
	bytes   func() ([]byte, error)
}

// NewEncodedMessage returns m with an encoding that is made when it is first sent.
func NewEncodedMessage(m proto.Message) *EncodedMessage {
	return &EncodedMessage{m, sync.OnceValues(func() ([]byte, error) { return proto.Marshal(m) })}
}

// inProcessCloner passes messages between parts of this process. It copies the outermost message
// only: neither side changes a message after it was sent.
type inProcessCloner struct{}

// Clone returns the message itself.
func (inProcessCloner) Clone(m any) (any, error) { return m, nil }

// Copy sets the fields of an empty message to those of another one of the same type.
func (inProcessCloner) Copy(out, in any) error {
	if m, ok := in.(*EncodedMessage); ok {
		in = m.message
	}
	to, ok := out.(proto.Message)
	from, alsoOK := in.(proto.Message)
	if !ok || !alsoOK {
		return fmt.Errorf("cannot copy %T to %T: both must be messages", in, out)
	}
	m := to.ProtoReflect()
	from.ProtoReflect().Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		m.Set(field, value)
		return true
	})
	return nil
}
