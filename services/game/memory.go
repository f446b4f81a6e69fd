package game

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
)

// Sizes in bytes of the parts of games and events, for their estimated memory.
const (
	gameBytes  = 800
	eventBytes = 768
	offerBytes = 40
	flipBytes  = 32
	robotBytes = 64
)

// Bytes estimates the memory of the game with everything that it refers to. It counts the parts
// that callers can make large exactly.
func (g Game) Bytes() int {
	return gameBytes + offerBytes*len(g.Offers) + setupBytes(g.Setup) + g.TimeControl.bytes() +
		g.Seats.bytes() + positionBytes(g.Position)
}

// Bytes estimates the memory of the event like [Game.Bytes].
func (e Event) Bytes() int {
	bytes := eventBytes + len(e.GameID)
	switch {
	case e.Created != nil:
		bytes += setupBytes(e.Created.Setup) + e.Created.TimeControl.bytes() + e.Created.Seats.bytes()
	case e.SeatTaken != nil:
		bytes += e.SeatTaken.Seat.bytes()
	case e.MovePlayed != nil:
		m := e.MovePlayed
		bytes += len(m.Notation) + len(m.Move.Card) + flipBytes*len(m.Flips) + len(m.Analysis) +
			len(m.Position) + positionBytes(m.decoded)
	case e.RobotChanged != nil:
		bytes += e.RobotChanged.Robot.bytes()
		if e.RobotChanged.Replaced != nil {
			bytes += e.RobotChanged.Replaced.bytes()
		}
	case e.MovesTakenBack != nil:
		m := e.MovesTakenBack
		bytes += len(m.Position) + m.Seats.bytes() + positionBytes(m.decoded)
	}
	return bytes
}

func setupBytes(s games.Setup) int {
	bytes := 0
	if s.Reversi != nil {
		bytes += len(s.Reversi.StartFrom)
	}
	if s.ThreeTrios != nil {
		bytes += len(s.ThreeTrios.Grid) + len(s.ThreeTrios.Deck) + len(s.ThreeTrios.StartFrom)
	}
	return bytes
}

func (c *TimeControl) bytes() int {
	if c == nil || c.Robot == nil {
		return 0
	}
	return c.Robot.bytes()
}

func (s Seats) bytes() int { return s[0].bytes() + s[1].bytes() }

func (s Seat) bytes() int {
	bytes := len(s.Player) + len(s.Name)
	if s.Robot != nil {
		bytes += s.Robot.bytes()
	}
	return bytes
}

func (r Robot) bytes() int {
	return robotBytes + len(r.Provider) + len(r.Strategy) + len(r.Options)
}

func positionBytes(p rules.Position) int {
	if p == nil {
		return 0
	}
	return p.Bytes()
}
