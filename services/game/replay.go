package game

import (
	"errors"
	"fmt"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// Replay plays a log from its first event on and returns the game it leads to. It is how a game of an earlier
// version is had, and how a stored game is checked against its log: an event the rules do not allow is an error.
func Replay(log []Event) (Game, error) {
	var g Game
	for _, e := range log {
		if e.Version != g.Version+1 {
			return g, fmt.Errorf("replay: version %d follows version %d", e.Version, g.Version)
		}
		board, err := g.boardAfter(e)
		if err != nil {
			return g, fmt.Errorf("replay version %d: %w", e.Version, err)
		}
		g = g.after(e, board)
	}
	if g.Version == 0 {
		return g, errors.New("replay: the log is empty")
	}
	return g, nil
}

// boardAfter returns the position that an event leads to by the rules, nil where it leaves the board alone.
func (g Game) boardAfter(e Event) (rules.Position, error) {
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

// after returns the game after one more event. It is the only place where a game changes, whether the event is new
// or read from a log. board is the position the event leads to; nil leaves it.
func (g Game) after(e Event, board rules.Position) Game {
	was := g
	g.Version, g.Updated = e.Version, e.Time
	if board != nil {
		g.Position = board
	}
	switch {
	case e.Created != nil:
		c := e.Created
		g.ID, g.State, g.Created = e.GameID, Waiting, e.Time
		g.Creator, g.Visibility, g.Setup, g.TimeControl, g.Seats = c.Creator, c.Visibility, c.Setup, c.TimeControl, c.Seats
	case e.SeatTaken != nil:
		g.Seats = g.Seats.with(e.SeatTaken.Side, e.SeatTaken.Seat)
	case e.Started != nil:
		g.State = Active
	case e.MovePlayed != nil:
		g.Moves[e.MovePlayed.Side-rules.First]++
		if m := e.MovePlayed.Move; m.Kind != rules.PassTurn {
			g.LastCell = &m.Cell
		}
	case e.RobotChanged != nil:
		g.Seats = g.Seats.with(e.RobotChanged.Side, Seat{Robot: &e.RobotChanged.Robot})
	case e.Finished != nil:
		g.State, g.Outcome = Finished, &e.Finished.Outcome
	case e.Aborted != nil:
		g.State = Aborted
	}
	return g.runClocks(was, e)
}
