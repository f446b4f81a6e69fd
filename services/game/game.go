// Package game is the Game service: games between people and robots, from creation to outcome, kept as a
// log of events in a Store. It decides who may do what and when; what a move does is up to package rules, and
// what travels over the wire to package grpcapi. It never imports the Strategy service: robots are asked through
// the Opponent interface.
package game

import (
	"encoding/json"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
)

// RulesVersion is stored with each game, so that a later change of the rules can tell which games were played by the older ones.
const RulesVersion = 1

// State is the stage of life of a game.
type State string

// The states. A game goes from Waiting to Active to Finished; it may be Aborted from the first two.
const (
	Waiting  State = "waiting"
	Active   State = "active"
	Finished State = "finished"
	Aborted  State = "aborted"
)

// Over reports whether nothing more can happen.
func (s State) Over() bool { return s == Finished || s == Aborted }

// Visibility says who may see a game.
type Visibility string

// Public games are listed for everybody, Link ones found by who knows the id, Private ones by their players and creator.
const (
	Public  Visibility = "public"
	Link    Visibility = "link"
	Private Visibility = "private"
)

// Robot is a strategy that holds a seat. To this package the strategy is a document that only the Opponent reads.
type Robot struct {
	Strategy json.RawMessage `json:"strategy"`
	Provider string          `json:"provider,omitempty"`
	Seed     int64           `json:"seed,omitempty"`
}

// Seat is one side of a game and who holds it: a player, a robot, or, in the zero value, nobody yet.
type Seat struct {
	Player string `json:"player,omitempty"`
	Name   string `json:"name,omitempty"`
	Robot  *Robot `json:"robot,omitempty"`
}

// Open reports whether nobody holds the seat.
func (s Seat) Open() bool { return s.Player == "" && s.Robot == nil }

// Seats holds the seat of rules.First, then that of rules.Second.
type Seats [2]Seat

// Of returns the seat of a side, which must not be NoSide.
func (s Seats) Of(side rules.Side) Seat { return s[side-rules.First] }

// with returns the seats with one of them replaced.
func (s Seats) with(side rules.Side, seat Seat) Seats {
	s[side-rules.First] = seat
	return s
}

// firstOpen returns the first side with an open seat, or NoSide.
func (s Seats) firstOpen() rules.Side {
	for _, side := range sides {
		if s.Of(side).Open() {
			return side
		}
	}
	return rules.NoSide
}

// heldBy returns the sides a player sits on.
func (s Seats) heldBy(player string) []rules.Side {
	var held []rules.Side
	for _, side := range sides {
		if player != "" && s.Of(side).Player == player {
			held = append(held, side)
		}
	}
	return held
}

var sides = [...]rules.Side{rules.First, rules.Second}

// Ending is how a game ended, apart from who won.
type Ending string

// The endings.
const (
	ByScore       Ending = "score"
	ByResignation Ending = "resignation"
	ByTime        Ending = "time"
	ByAbandonment Ending = "abandonment"
	ByAgreement   Ending = "agreement"
)

// Outcome is who won, NoSide for a draw, and how the game ended.
type Outcome struct {
	Winner rules.Side `json:"winner"`
	Ending Ending     `json:"ending"`
}

// Game is a game as it stands after Version events. It is a value: what changes it returns another one.
type Game struct {
	ID         string
	Creator    string
	Visibility Visibility
	Setup      games.Setup
	// TimeControl is nil where nobody has to move by any time.
	TimeControl *TimeControl
	Seats       Seats
	State       State
	Version     int
	Position    rules.Position
	// Moves counts the moves of each side, passes included.
	Moves [2]int
	// LastCell is where the last disc or card was laid; nil before the first.
	LastCell *rules.Cell
	// TurnSince is when the turn began, zero without a time control or a turn. Left is what each side had then of a time for all
	// its moves.
	TurnSince time.Time
	Left      [2]time.Duration
	// Outcome is nil unless the game is finished.
	Outcome *Outcome
	Created time.Time
	Updated time.Time
}

// Turn returns the side to move; NoSide unless the game is active.
func (g Game) Turn() rules.Side {
	if g.State != Active {
		return rules.NoSide
	}
	return g.Position.Turn()
}

// RobotToMove returns the robot whose turn it is, or nil.
func (g Game) RobotToMove() *Robot {
	if turn := g.Turn(); turn != rules.NoSide {
		return g.Seats.Of(turn).Robot
	}
	return nil
}

// VisibleTo reports whether a player may see the game.
func (g Game) VisibleTo(player string) bool {
	return g.Visibility != Private || g.involves(player)
}

// involves reports whether the player created the game or sits in it.
func (g Game) involves(player string) bool {
	return player != "" && (g.Creator == player || len(g.Seats.heldBy(player)) > 0)
}
