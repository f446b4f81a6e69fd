package game

import (
	"errors"
	"fmt"
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// Replay replays a log from its first event and returns the game after the last. It reconstructs
// earlier versions of a game and verifies stored games: it returns an error for a gap in the log
// and for a move that the rules do not allow.
func Replay(log []Event) (Game, error) { return Game{}.ReplayNext(log) }

// ReplayNext replays the events that follow g in its log and returns the game after the last, like
// [Replay].
func (g Game) ReplayNext(log []Event) (Game, error) {
	versions, err := g.replay(log)
	return versions[len(versions)-1], err
}

// LastTakeback returns the game right after the last takeback up to an earlier version, or the
// empty game of version 0 if there is none. The game, unlike that of [Game.At], is exactly as it
// was.
func (g Game) LastTakeback(version int, last FindLast) (Game, error) {
	e, err := last(version, KindMovesTakenBack)
	switch {
	case errors.Is(err, ErrNotFound):
		return Game{}, nil
	case err != nil:
		return Game{}, err
	case e.MovesTakenBack.Adjustments == 0: // An earlier program stored neither them nor the seats.
		return Game{}, nil
	}
	position, err := e.MovesTakenBack.DecodePosition()
	if err != nil {
		return Game{}, err
	}
	g.State, g.Outcome, g.Rematch = StateActive, nil, ""
	g.Seats, g.Adjustments = e.MovesTakenBack.Seats, e.MovesTakenBack.Adjustments-1
	return g.apply(e, position), nil
}

// FindLast returns the last event of a game up to a version that is of one of the kinds, at most
// four, or [ErrNotFound].
type FindLast func(version int, kinds ...EventKind) (Event, error)

// LastTurn returns the game at the start of the last turn in which a side chose a move that was not
// taken back, like [Game.At]; its clocks and its number of moves are those of that turn. It returns
// nil if there is none. It reads a few events, however long the log is.
func (g Game) LastTurn(side rules.Side, last FindLast) (*Game, error) {
	moves := g.Moves
	for version := g.Version; ; {
		e, err := last(version, KindMovePlayed, KindMovesTakenBack)
		switch {
		case errors.Is(err, ErrNotFound):
			return nil, nil
		case err != nil:
			return nil, err
		case e.MovesTakenBack != nil:
			moves, version = e.MovesTakenBack.Moves, e.MovesTakenBack.Version
			continue
		}
		moves[e.MovePlayed.Side-rules.First]--
		version = e.Version - 1
		if e.MovePlayed.Side == side && !e.MovePlayed.Automatic {
			before, err := g.At(version, last)
			before.Moves, before.Left = moves, e.MovePlayed.Left
			return &before, err
		}
	}
}

// replay returns the game at every version, from g on. After an error the last one is the last
// valid version.
func (g Game) replay(log []Event) ([]Game, error) {
	versions := []Game{g}
	for _, e := range log {
		g := versions[len(versions)-1]
		if e.Version != g.Version+1 {
			return versions, fmt.Errorf("replay: version %d follows version %d", e.Version, g.Version)
		}
		position, err := positionAfter(versions, e)
		if err != nil {
			return versions, fmt.Errorf("replay version %d: %w", e.Version, err)
		}
		versions = append(versions, g.apply(e, position))
	}
	if len(log) == 0 && g.Version == 0 {
		return versions, errors.New("replay: the log is empty")
	}
	return versions, nil
}

// positionAfter returns the position that an event leads to by the rules, nil if the event does not
// change it. versions are the games before the event.
func positionAfter(versions []Game, e Event) (rules.Position, error) {
	switch {
	case e.Created != nil:
		_, start, err := e.Created.Setup.Resolve()
		return start, err
	case e.MovePlayed != nil:
		next, _, err := versions[len(versions)-1].Position.Play(e.MovePlayed.Move)
		return next, err
	case e.MovesTakenBack != nil:
		to, from := e.MovesTakenBack.Version, versions[0].Version
		switch {
		case to < 1 || to-from >= len(versions):
			return nil, fmt.Errorf("there is no version %d to return to", to)
		case to < from:
			return e.MovesTakenBack.DecodePosition()
		}
		return versions[to-from].Position, nil
	}
	return nil, nil
}

// The kinds of events that set the position and the state of a game.
var (
	positionKinds = []EventKind{KindCreated, KindMovePlayed, KindMovesTakenBack}
	stateKinds    = []EventKind{KindCreated, KindStarted, KindFinished, KindAborted}
)

// At returns the game at an earlier version. It reads a few events, however long the log is. Fields
// that do not follow from the state and the position, such as seats, clocks and offers, are those
// of g.
func (g Game) At(version int, last FindLast) (Game, error) {
	state, err := last(version, stateKinds...)
	if err != nil {
		return Game{}, err
	}
	position, err := last(version, positionKinds...)
	cell := position
	for err == nil && cell.MovePlayed != nil && cell.MovePlayed.Move.Kind == rules.PassTurn {
		cell, err = last(cell.Version-1, positionKinds...)
	}
	if err != nil {
		return Game{}, err
	}
	g.Version = version
	return g.withState(state).withPosition(position, cell)
}

// withState returns the game with the state that an event has set.
func (g Game) withState(e Event) Game {
	g.Outcome = nil
	switch {
	case e.Created != nil:
		g.State = StateWaiting
	case e.Started != nil:
		g.State = StateActive
	case e.Finished != nil:
		g.State, g.Outcome = StateFinished, &e.Finished.Outcome
	case e.Aborted != nil:
		g.State = StateAborted
	}
	return g
}

// withPosition returns the game with the position that an event has set. cell is the last event
// that set the last cell.
func (g Game) withPosition(e, cell Event) (_ Game, err error) {
	g.LastCell = nil
	switch {
	case cell.MovePlayed != nil:
		g.LastCell = &cell.MovePlayed.Move.Cell
	case cell.MovesTakenBack != nil:
		g.LastCell = cell.MovesTakenBack.LastCell
	}
	switch {
	case e.Created != nil:
		_, g.Position, err = e.Created.Setup.Resolve()
	case e.MovePlayed != nil:
		g.Position, err = e.MovePlayed.DecodePosition()
	case e.MovesTakenBack != nil:
		g.Position, err = e.MovesTakenBack.DecodePosition()
	}
	return g, err
}

// apply returns the game after an event, new or replayed. All changes of a game are here. p is the
// position after the event, nil if the event does not change it.
func (g Game) apply(e Event, p rules.Position) Game {
	g.Paused = e.Paused
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
		g.RematchOf = c.RematchOf
	case e.SeatTaken != nil:
		g.Seats = g.Seats.with(e.SeatTaken.Side, e.SeatTaken.Seat)
	case e.Started != nil:
		g.State = StateActive
	case e.MovePlayed != nil:
		g.Moves[e.MovePlayed.Side-rules.First]++
		if m := e.MovePlayed.Move; m.Kind != rules.PassTurn {
			g.LastCell = &m.Cell
		}
		g.Offers = nil
	case e.RobotChanged != nil:
		g.Seats = g.Seats.with(e.RobotChanged.Side, Seat{Robot: &e.RobotChanged.Robot})
		if e.RobotChanged.Replaced != nil {
			g.Replaced[e.RobotChanged.Side-rules.First] = e.RobotChanged.Replaced.Player
		}
		g.Adjustments++
	case e.OfferMade != nil:
		g.Offers = append(slices.Clone(g.Offers), Offer{Side: e.OfferMade.Side, Kind: e.OfferMade.Kind})
		g.Adjustments++
	case e.OfferDeclined != nil:
		g = g.applyDecline(*e.OfferDeclined)
		g.Adjustments++
	case e.MovesTakenBack != nil:
		g.Moves, g.LastCell, g.Offers = e.MovesTakenBack.Moves, e.MovesTakenBack.LastCell, nil
		g.Adjustments++
	case e.RematchCreated != nil:
		g.Rematch, g.Offers = e.RematchCreated.GameID, nil
	case e.Finished != nil:
		g.State, g.Outcome, g.Offers = StateFinished, &e.Finished.Outcome, nil
	case e.Aborted != nil:
		g.State = StateAborted
	}
	return g.updateClocks(before, e)
}
