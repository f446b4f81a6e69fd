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
func Replay(log []Event) (Game, error) {
	versions, err := replay(log)
	return versions[len(versions)-1], err
}

// LastTurn replays a log and returns the game at the start of the last turn in which a side chose a
// move that was not taken back. ok is false if there is none.
func LastTurn(log []Event, side rules.Side) (g Game, ok bool, err error) {
	versions, err := replay(log)
	if err != nil {
		return Game{}, false, err
	}
	var turns []int
	for _, e := range log {
		switch {
		case e.MovePlayed != nil && e.MovePlayed.Side == side && !e.MovePlayed.Automatic:
			turns = append(turns, e.Version-1)
		case e.MovesTakenBack != nil:
			for len(turns) > 0 && turns[len(turns)-1] >= e.MovesTakenBack.Version {
				turns = turns[:len(turns)-1]
			}
		}
	}
	if len(turns) == 0 {
		return Game{}, false, nil
	}
	return versions[turns[len(turns)-1]], true, nil
}

// replay returns the game at every version, from the empty game of version 0 on. After an error the
// last one is the last valid version.
func replay(log []Event) ([]Game, error) {
	versions := []Game{{}}
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
	if len(log) == 0 {
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
		to := e.MovesTakenBack.Version
		if to < 1 || to >= len(versions) {
			return nil, fmt.Errorf("there is no version %d to return to", to)
		}
		return versions[to].Position, nil
	}
	return nil, nil
}

// At returns the game at an earlier version, without a replay of the log. state is the last event up
// to the version that created, started, finished or aborted the game; position is the last one that
// set its position, and cell the last one that set the last cell. Fields that follow from other
// events, such as seats, clocks and offers, are those of g.
func (g Game) At(version int, state, position, cell Event) (Game, error) {
	g.Version, g.LastCell, g.Outcome = version, nil, nil
	switch {
	case state.Created != nil:
		g.State = StateWaiting
	case state.Started != nil:
		g.State = StateActive
	case state.Finished != nil:
		g.State, g.Outcome = StateFinished, &state.Finished.Outcome
	case state.Aborted != nil:
		g.State = StateAborted
	}
	switch {
	case cell.MovePlayed != nil:
		g.LastCell = &cell.MovePlayed.Move.Cell
	case cell.MovesTakenBack != nil:
		g.LastCell = cell.MovesTakenBack.LastCell
	}
	var err error
	switch {
	case position.Created != nil:
		_, g.Position, err = position.Created.Setup.Resolve()
	case position.MovePlayed != nil:
		g.Position, err = position.MovePlayed.DecodePosition()
	case position.MovesTakenBack != nil:
		g.Position, err = position.MovesTakenBack.DecodePosition()
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
