package grpcapi

import (
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/flipside-games/flipside/services/game"
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
	watchedThinking
)

// messageKey identifies a cached message. A message for a game at a version changes only by its
// time and by outages.
type messageKey struct {
	kind    messageKind
	game    string
	version int
	// first marks the first message to a watcher, which has more fields.
	first bool
	// thinking identifies a report of a robot, which all watchers of this process share.
	thinking *game.Thinking
}

// cachedMessage is a message that many callers read. It must not be changed.
type cachedMessage struct {
	message proto.Message
	// bytes estimates the memory of the message, without parts that it shares with other messages.
	bytes int
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

// messageBytes estimates the memory of a cached message. A gateway in this process adds encodings
// in JSON to a message to watchers.
func messageBytes(key messageKey, m cachedMessage) int {
	const fixed, json = 512, 6
	bytes := fixed + len(key.game) + m.bytes
	if m.encoded == nil {
		return bytes
	}
	size := proto.Size(m.message)
	if key.kind == watchedSnapshot || key.kind == watchedEvent || key.kind == watchedThinking {
		bytes += json * size
	}
	return bytes + size
}

const (
	// decodedFactor estimates the memory of a message as a multiple of that of its game or event.
	decodedFactor = 2
	// strategyFactor estimates the memory of the message of a strategy as a multiple of its JSON. A
	// message takes more than a hundred bytes for each nested strategy.
	strategyFactor = 8
	// optionsFactor does so for options, whose shortest value, an empty list, takes three bytes.
	optionsFactor = 48
)

// gameBytes estimates the memory of the message of a game.
func gameBytes(g game.Game) int { return decodedFactor*g.Bytes() + seatsBytes(g.Seats) }

// eventBytes estimates the memory of the message of an event.
func eventBytes(e *game.Event) int {
	bytes := decodedFactor * e.Bytes()
	switch {
	case e.Created != nil:
		bytes += seatsBytes(e.Created.Seats)
	case e.RobotChanged != nil:
		bytes += robotBytes(e.RobotChanged.Robot)
	}
	return bytes
}

func seatsBytes(seats game.Seats) (bytes int) {
	for _, seat := range seats {
		if seat.Robot != nil {
			bytes += robotBytes(*seat.Robot)
		}
	}
	return bytes
}

func robotBytes(r game.Robot) int {
	return strategyFactor*len(r.Strategy) + optionsFactor*len(r.Options)
}
