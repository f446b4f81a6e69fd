package game

import (
	"errors"
	"fmt"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// Replay replays a log from its first event and returns the game after the last. It reconstructs
// earlier versions of a game and verifies stored games: it returns an error for a gap in the log
// and for a move that the rules do not allow.
func Replay(log []Event) (Game, error) {
	var g Game
	for _, e := range log {
		if e.Version != g.Version+1 {
			return g, fmt.Errorf("replay: version %d follows version %d", e.Version, g.Version)
		}
		position, err := g.positionAfter(e)
		if err != nil {
			return g, fmt.Errorf("replay version %d: %w", e.Version, err)
		}
		g = g.apply(e, position)
	}
	if g.Version == 0 {
		return g, errors.New("replay: the log is empty")
	}
	return g, nil
}

// positionAfter returns the position that an event leads to by the rules, nil if the event does not
// change it.
func (g Game) positionAfter(e Event) (rules.Position, error) {
	switch {
	case e.Created != nil:
		_, start, err := e.Created.Setup.Resolve()
		return start, err
	case e.MovePlayed != nil:
		next, _, err := g.Position.Play(e.MovePlayed.Move)
		return next, err
	}
	return nil, nil
}

// apply returns the game after an event, new or replayed. All changes of a game are here. p is the
// position after the event, nil if the event does not change it.
func (g Game) apply(e Event, p rules.Position) Game {
	before := g
	g.Version, g.Updated = e.Version, e.Time
	if p != nil {
		g.Position = p
	}
	switch {
	case e.Created != nil:
		c := e.Created
		g.ID, g.State, g.Created = e.GameID, StateWaiting, e.Time
		g.Creator, g.Origin, g.Visibility, g.Setup = c.Creator, c.Origin, c.Visibility, c.Setup
		g.TimeControl, g.Seats = c.TimeControl, c.Seats
	case e.SeatTaken != nil:
		g.Seats = g.Seats.with(e.SeatTaken.Side, e.SeatTaken.Seat)
	case e.Started != nil:
		g.State = StateActive
	case e.MovePlayed != nil:
		g.Moves[e.MovePlayed.Side-rules.First]++
		if m := e.MovePlayed.Move; m.Kind != rules.PassTurn {
			g.LastCell = &m.Cell
		}
	case e.RobotChanged != nil:
		g.Seats = g.Seats.with(e.RobotChanged.Side, Seat{Robot: &e.RobotChanged.Robot})
	case e.Finished != nil:
		g.State, g.Outcome = StateFinished, &e.Finished.Outcome
	case e.Aborted != nil:
		g.State = StateAborted
	}
	return g.updateClocks(before, e)
}
