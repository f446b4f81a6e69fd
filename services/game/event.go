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

	Created      *Created      `json:"created,omitempty"`
	SeatTaken    *SeatTaken    `json:"seatTaken,omitempty"`
	Started      *Started      `json:"started,omitempty"`
	MovePlayed   *MovePlayed   `json:"movePlayed,omitempty"`
	RobotChanged *RobotChanged `json:"robotChanged,omitempty"`
	Finished     *Finished     `json:"finished,omitempty"`
	Aborted      *Aborted      `json:"aborted,omitempty"`
}

// Created is the first event of every game.
type Created struct {
	Creator     string       `json:"creator"`
	Visibility  Visibility   `json:"visibility"`
	Setup       games.Setup  `json:"setup"`
	TimeControl *TimeControl `json:"timeControl,omitempty"`
	Seats       Seats        `json:"seats"`
	Rules       int          `json:"rules"`
	ForkedFrom  *ForkPoint   `json:"forked,omitempty"`
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

// Started records that no seat is open any more.
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
	// Automatic marks a move that the server chose, not a player or the robot's strategy.
	Automatic bool `json:"automatic,omitempty"`
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

// RobotChanged records that a robot plays another strategy, or that it replaced a player whose time
// was up.
type RobotChanged struct {
	Side  rules.Side `json:"side"`
	Robot Robot      `json:"robot"`
	// Replaced is the seat of the replaced player, nil if a robot had the seat before.
	Replaced *Seat `json:"replaced,omitempty"`
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
