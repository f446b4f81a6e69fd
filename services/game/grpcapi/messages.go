package grpcapi

import (
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/flipside-games/flipside/services/internal/serve"
)

// messageKind is a kind of cached message.
type messageKind uint8

// The kinds: parts of answers, and messages to watchers.
const (
	gameMessage messageKind = iota
	eventMessage
	watchedSnapshot
	watchedEvent
)

// messageKey identifies a cached message. A message for a game at a version changes only by its time
// and by outages.
type messageKey struct {
	kind    messageKind
	game    string
	version int
	// first marks the first message to a watcher, which has more fields.
	first bool
}

// cachedMessage is a message that many callers read. It must not be changed.
type cachedMessage struct {
	message proto.Message
	// encoded is the answer that contains the message; nil if the message is only part of other
	// messages.
	encoded *serve.EncodedMessage
	// created is the time in a message to watchers.
	created time.Time
	// paused is the field Paused of the game in the message.
	paused time.Duration
}

// messagesWeight is the weight of the message cache in the budget of the process.
const messagesWeight = 4

// messageBytes estimates the memory of a cached message.
func messageBytes(key messageKey, m cachedMessage) int {
	// A decoded message takes several times the size of its encoding. A gateway in this process adds
	// encodings in JSON to a message to watchers.
	const fixed, decoded, json = 512, 6, 6
	size := proto.Size(m.message)
	bytes := fixed + len(key.game) + decoded*size
	if m.encoded != nil {
		bytes += size
	}
	if key.kind == watchedSnapshot || key.kind == watchedEvent {
		bytes += json * size
	}
	return bytes
}
