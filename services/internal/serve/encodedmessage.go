package serve

import (
	"sync"

	"google.golang.org/protobuf/proto"
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

// ReceivedMessage is a message received from a stream. Receivers of an [EncodedMessage] in the same
// process share the message, which must not change, and its encodings.
type ReceivedMessage struct {
	proto.Message
	sent *EncodedMessage // nil for a message that is not shared
}

// Encode returns encode(m.Message). Receivers that share the message share the result for a format,
// which must be comparable.
func (m ReceivedMessage) Encode(
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
