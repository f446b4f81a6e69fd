package serve

import (
	"fmt"
	"sync"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// EncodedMessage is a message with shared encodings: a server that sends it to many clients encodes
// it once. Handlers and streams send it in place of the message. It is safe for concurrent use; the
// message must not change.
type EncodedMessage struct {
	message proto.Message
	bytes   func() ([]byte, error)
	// formats contains the encodings of [ReceivedMessage.Encode] by format.
	formats sync.Map
}

// NewEncodedMessage returns m with an encoding that is made when it is first sent.
func NewEncodedMessage(m proto.Message) *EncodedMessage {
	return &EncodedMessage{
		message: m, bytes: sync.OnceValues(func() ([]byte, error) { return proto.Marshal(m) }),
	}
}

// ReceivedMessage is a message to receive from a stream. If an [EncodedMessage] arrives from the
// same process, the receivers of it share the message, which must not change, and its encodings.
type ReceivedMessage struct {
	proto.Message
	sent *EncodedMessage // nil for a message that is not shared
}

// Encode returns encode(m.Message). Receivers that share the message share the result for a format,
// which must be comparable.
func (m *ReceivedMessage) Encode(
	format any, encode func(proto.Message) ([]byte, error),
) ([]byte, error) {
	if m.sent == nil {
		return encode(m.Message)
	}
	encoded, ok := m.sent.formats.Load(format)
	if !ok {
		encoded, _ = m.sent.formats.LoadOrStore(format, sync.OnceValues(func() ([]byte, error) {
			return encode(m.Message)
		}))
	}
	return encoded.(func() ([]byte, error))()
}

// inProcessCloner passes messages between parts of this process. It copies the outermost message
// only: neither side changes a message after it was sent.
type inProcessCloner struct{}

// Clone returns the message itself.
func (inProcessCloner) Clone(m any) (any, error) { return m, nil }

// Copy sets the fields of an empty message to those of another one of the same type. It sets a
// ReceivedMessage to the message itself.
func (inProcessCloner) Copy(out, in any) error {
	if sent, ok := in.(*EncodedMessage); ok {
		if received, ok := out.(*ReceivedMessage); ok {
			received.Message, received.sent = sent.message, sent
			return nil
		}
		in = sent.message
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
