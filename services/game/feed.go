package game

import (
	"context"
	"encoding/json"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// Feed notifies the processes of a Game service that something changed. It only wakes subscribers,
// which then read the store. A wake-up may arrive twice, late, or merged with others. It may also
// be lost: subscribers read the store at regular intervals too. A feed that may have lost wake-ups
// wakes all its subscribers with Missed set. It is safe for concurrent use. Every sentence with
// "must" is the name of a subtest in package feedtest.
type Feed interface {
	// Publish wakes the subscribers of a topic in every process that shares the feed, and no
	// others. It must not wait for subscribers or for other processes.
	Publish(ctx context.Context, wake Wake)

	// Subscribe returns a subscription to a topic. The caller closes it. A wake-up that is
	// published after Subscribe returns must wake the subscriber. Subscribers must receive wake-ups
	// of their own and of other processes alike.
	Subscribe(topic string) Subscription
}

// Subscription receives the wake-ups of a topic.
type Subscription interface {
	// C must hold at most one wake-up. A wake-up that arrives while another one waits must be
	// merged into it.
	C() <-chan Wake
	// Close ends the subscription. It must be safe to call twice.
	Close()
}

// Wake is a wake-up: a notification that its topic changed. Processes exchange it as JSON and may
// run different versions of this program.
type Wake struct {
	Topic string `json:"topic,omitempty"`
	// Version is the version of the game in a game's topic, 0 in other topics.
	Version int `json:"version,omitempty"`
	// Delayed is set when the robot to move is late. It is not stored in the log, so watchers may
	// miss it.
	Delayed *Delayed `json:"delayed,omitempty"`
	// Thinking is set when the robot to move reports progress. It is not stored either.
	Thinking *Thinking `json:"thinking,omitempty"`
	// Missed reports that earlier wake-ups of the topic may be lost, so that subscribers must read
	// the store.
	Missed bool `json:"missed,omitempty"`
}

// Merge returns one wake-up for two of the same topic. It has the higher version, the last delay at
// that version, the last progress after that delay, and Missed if either has.
func (w Wake) Merge(later Wake) Wake {
	missed := w.Missed || later.Missed
	switch {
	case later.Version > w.Version:
		w = later
	case later.Version == w.Version && later.Delayed != nil:
		w.Delayed, w.Thinking = later.Delayed, later.Thinking
	case later.Version == w.Version && later.Thinking != nil:
		w.Thinking = later.Thinking
	}
	w.Missed = missed
	return w
}

// Delayed notifies watchers that an attempt of a robot failed and when it is retried.
type Delayed struct {
	Side    rules.Side `json:"side"`
	Attempt int        `json:"attempt"`
	Retry   time.Time  `json:"retry"`
}

// Thinking notifies watchers of the progress of a robot that chooses a move.
type Thinking struct {
	Side     rules.Side      `json:"side"`
	Analysis json.RawMessage `json:"analysis"`
}

// GameTopic is the topic of the changes of a game.
func GameTopic(id string) string { return "game." + id }

// PlayerTopic is the topic of the changes of a player's games.
func PlayerTopic(id string) string { return "player." + id }

// KeyTopic is the topic of the rotations of a player's key.
func KeyTopic(player string) string { return "key." + player }

// RobotTopic is the topic of robots' turns that no process has a lease on.
const RobotTopic = "robots"
