package game

import (
	"encoding/json"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
)

// Event is one entry in the log of a game. Exactly one of its pointers is set. Stores persist its
// JSON form: fields may be added, but no field may change its meaning.
type Event struct {
	GameID  string    `json:"-"`
	Version int       `json:"-"`
	Time    time.Time `json:"-"`
	// Paused is [Game.Paused] at the time of the event.
	Paused time.Duration `json:"paused,omitempty"`

	Created        *Created        `json:"created,omitempty"`
	SeatTaken      *SeatTaken      `json:"seatTaken,omitempty"`
	Started        *Started        `json:"started,omitempty"`
	MovePlayed     *MovePlayed     `json:"movePlayed,omitempty"`
	RobotChanged   *RobotChanged   `json:"robotChanged,omitempty"`
	OfferMade      *OfferMade      `json:"offerMade,omitempty"`
	OfferDeclined  *OfferDeclined  `json:"offerDeclined,omitempty"`
	MovesTakenBack *MovesTakenBack `json:"movesTakenBack,omitempty"`
	RematchCreated *RematchCreated `json:"rematchCreated,omitempty"`
	Finished       *Finished       `json:"finished,omitempty"`
	Aborted        *Aborted        `json:"aborted,omitempty"`
}

// EventKind is the kind of an event: the name of its pointer in JSON.
type EventKind string

// The kinds that [Store.LastEvent] can be asked for.
const (
	KindCreated        EventKind = "created"
	KindStarted        EventKind = "started"
	KindMovePlayed     EventKind = "movePlayed"
	KindMovesTakenBack EventKind = "movesTakenBack"
	KindFinished       EventKind = "finished"
	KindAborted        EventKind = "aborted"
)

// Created is the first event of every game.
type Created struct {
	Creator     string       `json:"creator"`
	Visibility  Visibility   `json:"visibility"`
	Setup       games.Setup  `json:"setup"`
	TimeControl *TimeControl `json:"timeControl,omitempty"`
	Seats       Seats        `json:"seats"`
	Rules       int          `json:"rules"`
	Origin      Origin       `json:"origin,omitzero"`
	ForkedFrom  *ForkPoint   `json:"forked,omitempty"`
	RematchOf   string       `json:"rematchOf,omitempty"`
}

// Origin describes the call that created a game. The games of one origin share the slots of robots.
type Origin struct {
	// Service is the product that acted for the creator, "" for none.
	Service string `json:"service,omitempty"`
	// Address is a hash of the network address of the creator, 0 if it is unknown. It is short, so
	// that many addresses have the same hash and it identifies none of them.
	Address uint16 `json:"address,omitempty"`
}

// ForkPoint is the version of another game that a game was forked from.
type ForkPoint struct {
	GameID  string `json:"gameId"`
	Version int    `json:"version"`
}

// SeatTaken records that a player joined.
type SeatTaken struct {
	Side rules.Side `json:"side"`
	Seat Seat       `json:"seat"`
}

// Started records that every seat is filled.
type Started struct {
	Turn rules.Side `json:"turn"`
}

// MovePlayed records a move and its effect. The effect follows from the rules; it is stored so that
// readers of the log need not replay it.
type MovePlayed struct {
	Side     rules.Side   `json:"side"`
	Move     rules.Move   `json:"move"`
	Notation string       `json:"notation"`
	Flips    []rules.Flip `json:"flips,omitempty"`
	Position string       `json:"position"`
	Score    rules.Score  `json:"score"`
	// Left is [Game.Left] before the move, zero without a limit on all moves of a side.
	Left [2]time.Duration `json:"left,omitzero"`
	// Automatic marks a move that the server chose, not a player or the robot's strategy.
	Automatic bool `json:"automatic,omitempty"`
	// Substitute is set if the server chose the move because the robot's provider gave none. An
	// automatic pass has none.
	Substitute *Substitute `json:"substitute,omitempty"`
	// Analysis is the robot's analysis of its move, a document that this package does not read.
	Analysis json.RawMessage `json:"analysis,omitempty"`

	// decoded is the position after the move, nil if the event was read from a store.
	decoded rules.Position
}

// DecodePosition returns the position after the move. It parses Position only if the event was read
// from a store.
func (m *MovePlayed) DecodePosition() (rules.Position, error) {
	if m.decoded != nil {
		return m.decoded, nil
	}
	return games.Parse(m.Position)
}

// Substitute explains a move that the server played for a robot. Provider is the name of the
// Strategy service that was to choose the move, "" for the built-in one.
type Substitute struct {
	Provider string           `json:"provider,omitempty"`
	Reason   SubstituteReason `json:"reason"`
}

// SubstituteReason is the reason for which a provider gave no usable move.
type SubstituteReason string

// The reasons.
const (
	// NoAnswer means that the provider did not answer in time.
	NoAnswer SubstituteReason = "noAnswer"
	// Unavailable means that the provider could not be reached, or answered with an error.
	Unavailable SubstituteReason = "unavailable"
	// Rejected means that the provider rejected the strategy or the position.
	Rejected SubstituteReason = "rejected"
	// InvalidAnswer means that the answer of the provider has no move that can be read.
	InvalidAnswer SubstituteReason = "invalidAnswer"
	// IllegalMove means that the rules do not allow the move of the provider.
	IllegalMove SubstituteReason = "illegalMove"
	// Suspended means that the server did not ask the provider, because its last turns failed.
	Suspended SubstituteReason = "suspended"
)

// RobotChanged records that a robot plays another strategy, or that it replaced a player whose time
// was up.
type RobotChanged struct {
	Side  rules.Side `json:"side"`
	Robot Robot      `json:"robot"`
	// Replaced is the seat of the replaced player, nil if a robot had the seat before.
	Replaced *Seat `json:"replaced,omitempty"`
}

// OfferMade records an offer that the opponent has not accepted yet.
type OfferMade struct {
	Side rules.Side `json:"side"`
	Kind OfferKind  `json:"kind"`
}

// OfferDeclined records that a side declined the opponent's offer, or withdrew its own.
type OfferDeclined struct {
	Side rules.Side `json:"side"`
	Kind OfferKind  `json:"kind"`
}

// MovesTakenBack records that the game returned to an earlier version, on the offer of a side.
type MovesTakenBack struct {
	Side rules.Side `json:"side"`
	// Version is the version whose position and clocks are restored.
	Version  int              `json:"version"`
	Position string           `json:"position"`
	Score    rules.Score      `json:"score"`
	Moves    [2]int           `json:"moves"`
	LastCell *rules.Cell      `json:"lastCell,omitempty"`
	Left     [2]time.Duration `json:"left"`
	// Seats and Adjustments are those after the takeback, so that later versions can be
	// reconstructed without the log before it. Seats stay as they are.
	Seats       Seats `json:"seats"`
	Adjustments int   `json:"adjustments"`

	// decoded is the restored position, nil if the event was read from a store.
	decoded rules.Position
}

// DecodePosition returns the restored position. It parses Position only if the event was read from
// a store.
func (m *MovesTakenBack) DecodePosition() (rules.Position, error) {
	if m.decoded != nil {
		return m.decoded, nil
	}
	return games.Parse(m.Position)
}

// RematchCreated records that both sides agreed to a rematch.
type RematchCreated struct {
	GameID string `json:"gameId"`
}

// Finished records the result of a game.
type Finished struct {
	Outcome Outcome     `json:"outcome"`
	Score   rules.Score `json:"score"`
}

// Aborted records that a player aborted the game. Side is NoSide for a creator without a seat.
type Aborted struct {
	Side rules.Side `json:"side"`
}
