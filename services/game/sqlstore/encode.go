package sqlstore

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
)

// gameRow holds the columns of a game, except for its lease. It is comparable. The function encode
// leaves the number of the last change 0.
type gameRow struct {
	id, creator             string
	visibility              game.Visibility
	seats                   string
	state                   game.State
	version                 int
	position                string
	firstMoves, secondMoves int
	lastCell                string
	winner                  rules.Side
	ending                  game.Ending
	created, updated        int64
	turnSince, deadline     int64
	firstLeft, secondLeft   time.Duration
	extras                  string
	lastChange              int64
}

// fields returns the destinations for a scan of gameColumns.
func (r *gameRow) fields() []any {
	return []any{
		&r.id, &r.creator, &r.visibility, &r.seats, &r.state, &r.version, &r.position,
		&r.firstMoves, &r.secondMoves, &r.lastCell, &r.winner, &r.ending,
		&r.created, &r.updated, &r.turnSince, &r.deadline,
		&r.firstLeft, &r.secondLeft, &r.extras, &r.lastChange,
	}
}

func encode(g game.Game) (gameRow, error) {
	seats, err := toJSON(g.Seats)
	if err != nil {
		return gameRow{}, fmt.Errorf("encode seats: %w", err)
	}
	r := gameRow{
		id: g.ID, creator: g.Creator, visibility: g.Visibility, seats: seats,
		state: g.State, version: g.Version, position: g.Position.Notation(),
		firstMoves: g.Moves[0], secondMoves: g.Moves[1],
		created: nanoseconds(g.Created), updated: nanoseconds(g.Updated),
		turnSince: nanoseconds(g.TurnSince), deadline: nanoseconds(g.Deadline()),
		firstLeft: g.Left[0], secondLeft: g.Left[1],
	}
	if g.Outcome != nil {
		r.winner, r.ending = g.Outcome.Winner, g.Outcome.Ending
	}
	if g.LastCell != nil {
		cell, err := g.LastCell.MarshalText()
		if err != nil {
			return gameRow{}, fmt.Errorf("encode cell: %w", err)
		}
		r.lastCell = string(cell)
	}
	if x := (extras{g.Offers, g.Adjustments, g.Rematch, g.Replaced}); x.Adjustments > 0 || x.Rematch != "" {
		if r.extras, err = toJSON(x); err != nil {
			return gameRow{}, fmt.Errorf("encode extras: %w", err)
		}
	}
	return r, nil
}

// extras has the fields that most games do not use. They share a column, which is empty then.
type extras struct {
	Offers      []game.Offer `json:"offers,omitempty"`
	Adjustments int          `json:"adjustments,omitempty"`
	Rematch     string       `json:"rematch,omitempty"`
	Replaced    [2]string    `json:"replaced,omitzero"`
}

// decode returns the game of a row. Its setup and time control come from the first event.
func (r gameRow) decode(c creation) (game.Game, error) {
	g := game.Game{
		ID: r.id, Creator: r.creator, Visibility: r.visibility,
		Setup: c.Setup, TimeControl: c.TimeControl, Origin: c.Origin, RematchOf: c.RematchOf,
		State: r.state, Version: r.version, Moves: [2]int{r.firstMoves, r.secondMoves},
		Created: timeOf(r.created), Updated: timeOf(r.updated),
		TurnSince: timeOf(r.turnSince), Left: [2]time.Duration{r.firstLeft, r.secondLeft},
	}
	var err error
	if g.Position, err = games.Parse(r.position); err != nil {
		return g, fmt.Errorf("decode position: %w", err)
	}
	if err := json.Unmarshal([]byte(r.seats), &g.Seats); err != nil {
		return g, fmt.Errorf("decode seats: %w", err)
	}
	if r.extras != "" {
		var x extras
		if err := json.Unmarshal([]byte(r.extras), &x); err != nil {
			return g, fmt.Errorf("decode extras: %w", err)
		}
		g.Offers, g.Adjustments, g.Rematch, g.Replaced = x.Offers, x.Adjustments, x.Rematch, x.Replaced
	}
	if r.ending != "" {
		g.Outcome = &game.Outcome{Winner: r.winner, Ending: r.ending}
	}
	if r.lastCell != "" {
		g.LastCell = new(rules.Cell)
		if err := g.LastCell.UnmarshalText([]byte(r.lastCell)); err != nil {
			return g, fmt.Errorf("decode cell: %w", err)
		}
	}
	return g, nil
}

// creation has the fields of a game that never change and that only its first event stores.
type creation struct {
	Setup       games.Setup       `json:"setup"`
	TimeControl *game.TimeControl `json:"timeControl"`
	Origin      game.Origin       `json:"origin"`
	RematchOf   string            `json:"rematchOf"`
}

// creationOf returns the fields of a game that never change.
func creationOf(g game.Game) creation {
	return creation{g.Setup, g.TimeControl, g.Origin, g.RematchOf}
}

// decodeCreation decodes the first event of a game.
func decodeCreation(event string) (creation, error) {
	var first struct {
		Created creation `json:"created"`
	}
	if err := json.Unmarshal([]byte(event), &first); err != nil {
		return creation{}, fmt.Errorf("decode the first event: %w", err)
	}
	return first.Created, nil
}

// eventRow holds the columns of an event, except for the id of its game.
type eventRow struct {
	version int
	time    int64
	data    string
}

func encodeEvents(events []game.Event) ([]eventRow, error) {
	rows := make([]eventRow, len(events))
	for i, e := range events {
		data, err := toJSON(e)
		if err != nil {
			return nil, fmt.Errorf("encode event: %w", err)
		}
		rows[i] = eventRow{version: e.Version, time: nanoseconds(e.Time), data: data}
	}
	return rows, nil
}

func (r eventRow) decode(gameID string) (game.Event, error) {
	e := game.Event{GameID: gameID, Version: r.version, Time: timeOf(r.time)}
	if err := json.Unmarshal([]byte(r.data), &e); err != nil {
		return e, fmt.Errorf("decode event: %w", err)
	}
	return e, nil
}

// toJSON encodes a value without escaping HTML, because embedded documents must stay as they are.
func toJSON(v any) (string, error) {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimSuffix(text.String(), "\n"), nil
}

// nanoseconds returns a time as it is stored: nanoseconds since 1970, or 0 for the zero time.
func nanoseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func timeOf(nanoseconds int64) time.Time {
	if nanoseconds == 0 {
		return time.Time{}
	}
	return time.Unix(0, nanoseconds).UTC()
}
