package game

import (
	"encoding/json"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
)

// Event is one entry in the log of a game. Exactly one of the pointers is set. Its JSON form is what stores keep:
// fields may be added, none may change its meaning.
type Event struct {
	GameID  string    `json:"-"`
	Version int       `json:"-"`
	Time    time.Time `json:"-"`

	Created      *Created      `json:"created,omitempty"`
	SeatTaken    *SeatTaken    `json:"seatTaken,omitempty"`
	Started      *Started      `json:"started,omitempty"`
	MovePlayed   *MovePlayed   `json:"movePlayed,omitempty"`
	RobotChanged *RobotChanged `json:"robotChanged,omitempty"`
	Finished     *Ended        `json:"finished,omitempty"`
	Aborted      *Called       `json:"aborted,omitempty"`
}

// Created is the first event of every game: all that is needed to begin.
type Created struct {
	Creator     string       `json:"creator"`
	Visibility  Visibility   `json:"visibility"`
	Setup       games.Setup  `json:"setup"`
	TimeControl *TimeControl `json:"timeControl,omitempty"`
	Seats       Seats        `json:"seats"`
	Rules       int          `json:"rules"`
	Forked      *Origin      `json:"forked,omitempty"`
}

// Origin is the point in another game that a game was forked off.
type Origin struct {
	GameID  string `json:"gameId"`
	Version int    `json:"version"`
}

// SeatTaken says that a player joined.
type SeatTaken struct {
	Side rules.Side `json:"side"`
	Seat Seat       `json:"seat"`
}

// Started says that the last seat was filled.
type Started struct {
	Turn rules.Side `json:"turn"`
}

// MovePlayed says what a move did. All but the move follows from the rules and is kept so that a reader of the log
// need not replay it.
type MovePlayed struct {
	Side     rules.Side   `json:"side"`
	Move     rules.Move   `json:"move"`
	Notation string       `json:"notation"`
	Flips    []rules.Flip `json:"flips,omitempty"`
	Position string       `json:"position"`
	Score    rules.Score  `json:"score"`
	// Automatic marks a move that neither a player nor the robot's own strategy chose.
	Automatic bool `json:"automatic,omitempty"`
	// Analysis is the robot's evidence, a document that only the Opponent reads.
	Analysis json.RawMessage `json:"analysis,omitempty"`
}

// RobotChanged says that a robot plays another strategy, or took the seat of a player who did not move in time.
type RobotChanged struct {
	Side  rules.Side `json:"side"`
	Robot Robot      `json:"robot"`
	// Replaced is the seat of that player; nil where a robot sat there before.
	Replaced *Seat `json:"replaced,omitempty"`
}

// Ended says how the game ended.
type Ended struct {
	Outcome Outcome     `json:"outcome"`
	Score   rules.Score `json:"score"`
}

// Called says who called the game off: NoSide for a creator without a seat.
type Called struct {
	Side rules.Side `json:"side"`
}
