// Package game is the domain of the Game service: games between people and robots as a log of
// events, and the decisions that append to it. It is pure and declares the interfaces that the
// service needs ([Store], [Feed]). The rules of a move are in package rules; use cases, robots,
// storage and the wire format are in the packages below this one.
package game

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
)

// RulesVersion is stored with each game, so that a later version of the rules can recognize games
// played by older rules.
const RulesVersion = 1

// State is the lifecycle state of a game.
type State string

// A game goes from waiting to active to finished. It can be aborted while it is waiting or active.
const (
	StateWaiting  State = "waiting"
	StateActive   State = "active"
	StateFinished State = "finished"
	StateAborted  State = "aborted"
)

// Over reports whether the game can no longer change.
func (s State) Over() bool { return s == StateFinished || s == StateAborted }

// Visibility controls access to a game.
type Visibility string

// Public games are listed for everyone. Anyone with the id can open a Link game. Private games are
// open to their players and creator only.
const (
	Public  Visibility = "public"
	Link    Visibility = "link"
	Private Visibility = "private"
)

// WiderThan reports whether v admits callers that other does not.
func (v Visibility) WiderThan(other Visibility) bool {
	order := []Visibility{Private, Link, Public}
	return slices.Index(order, v) > slices.Index(order, other)
}

// Robot is a strategy that plays a seat. The strategy and the options for its provider are documents
// that this package does not read.
type Robot struct {
	Strategy json.RawMessage `json:"strategy"`
	Provider string          `json:"provider,omitempty"`
	Seed     int64           `json:"seed,omitempty"`
	Options  json.RawMessage `json:"options,omitempty"`
}

// Seat is one side of a game with its player or robot. The zero value is an open seat.
type Seat struct {
	Player string `json:"player,omitempty"`
	Name   string `json:"name,omitempty"`
	// Service is [Player.Service].
	Service string `json:"service,omitempty"`
	Robot   *Robot `json:"robot,omitempty"`
	// Invited marks a seat that is reserved for its player, who has not accepted yet.
	Invited bool `json:"invited,omitempty"`
}

// Open reports whether the seat has neither a player nor a robot.
func (s Seat) Open() bool { return s.Player == "" && s.Robot == nil }

// vacant reports whether the game waits for a player of this seat.
func (s Seat) vacant() bool { return s.Open() || s.Invited }

// Seats holds the seat of rules.First, then that of rules.Second.
type Seats [2]Seat

// Of returns the seat of a side, which must not be NoSide.
func (s Seats) Of(side rules.Side) Seat { return s[side-rules.First] }

// with returns the seats with another seat on a side.
func (s Seats) with(side rules.Side, seat Seat) Seats {
	s[side-rules.First] = seat
	return s
}

// sides returns the sides whose seats match.
func (s Seats) sides(match func(Seat) bool) []rules.Side {
	var matching []rules.Side
	for _, side := range []rules.Side{rules.First, rules.Second} {
		if match(s.Of(side)) {
			matching = append(matching, side)
		}
	}
	return matching
}

// open returns the sides with an open seat.
func (s Seats) open() []rules.Side { return s.sides(Seat.Open) }

// Invitations returns the number of reserved seats whose players have not accepted yet.
func (s Seats) Invitations() int {
	return len(s.sides(func(seat Seat) bool { return seat.Invited }))
}

// of returns the sides that a player has a seat on, reserved seats included.
func (s Seats) of(player string) []rules.Side {
	return s.sides(func(seat Seat) bool { return player != "" && seat.Player == player })
}

// Ending is the way a game ended, apart from the winner.
type Ending string

// The endings.
const (
	ByScore       Ending = "score"
	ByResignation Ending = "resignation"
	ByTime        Ending = "time"
	ByAbandonment Ending = "abandonment"
	ByAgreement   Ending = "agreement"
)

// Outcome is the result of a finished game. Winner is NoSide for a draw.
type Outcome struct {
	Winner rules.Side `json:"winner"`
	Ending Ending     `json:"ending"`
}

// Game is a game after Version events. It is a value: a change returns another game.
type Game struct {
	ID         string
	Creator    string
	Origin     Origin
	Visibility Visibility
	Setup      games.Setup
	// TimeControl is nil if moves have no time limit.
	TimeControl *TimeControl
	Seats       Seats
	State       State
	Version     int
	Position    rules.Position
	// Moves counts the moves of each side, passes included.
	Moves [2]int
	// LastCell is the cell of the last disc or card; nil before the first.
	LastCell *rules.Cell
	// TurnSince is the start of the turn, the zero time without a time control or a turn. Left is
	// the time that each side had left then for all its remaining moves.
	TurnSince time.Time
	Left      [2]time.Duration
	// Paused is the part of the current turn in which no process served. It does not count on the
	// clock. The store sets it.
	Paused time.Duration
	// Offers are the open offers, and the declined ones that cannot be repeated yet.
	Offers []Offer
	// Replaced has the player of each side whose seat a robot took in their absence, "" for none.
	Replaced [2]string
	// Adjustments counts the robot changes, offers and takebacks so far. A game has at most
	// [MaxAdjustments].
	Adjustments int
	// Rematch is the id of the rematch, and RematchOf that of the game that this game is a rematch
	// of; "" for none.
	Rematch   string
	RematchOf string
	// Outcome is nil unless the game is finished.
	Outcome *Outcome
	Created time.Time
	Updated time.Time
}

// Turn returns the side to move, NoSide unless the game is active.
func (g Game) Turn() rules.Side {
	if g.State != StateActive {
		return rules.NoSide
	}
	return g.Position.Turn()
}

// RobotToMove returns the robot to move, nil if it is not a robot's turn.
func (g Game) RobotToMove() *Robot {
	if turn := g.Turn(); turn != rules.NoSide {
		return g.Seats.Of(turn).Robot
	}
	return nil
}

// WaitsFor returns the side on which the game waits for a player to move or to accept an
// invitation, else NoSide.
func (g Game) WaitsFor(player string) rules.Side {
	for _, side := range g.Seats.of(player) {
		if side == g.Turn() || g.State == StateWaiting && g.Seats.Of(side).Invited {
			return side
		}
	}
	return rules.NoSide
}

// VisibleTo reports whether a player may see the game. Someone whom a robot replaced can still follow
// it.
func (g Game) VisibleTo(player string) bool {
	return g.Visibility != Private || g.involves(player) ||
		player != "" && slices.Contains(g.Replaced[:], player)
}

// involves reports whether the player created the game or has a seat in it.
func (g Game) involves(player string) bool {
	return player != "" && (g.Creator == player || len(g.Seats.of(player)) > 0)
}
