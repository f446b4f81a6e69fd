package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// jsonVersion is the version of the JSON record. A later version can add fields to it.
const jsonVersion = 1

// jsonRecord is the JSON record; docs/files.md describes it.
type jsonRecord struct {
	Version int             `json:"flipsideRecord"`
	ID      string          `json:"id,omitempty"`
	Event   string          `json:"event,omitempty"`
	Place   string          `json:"place,omitempty"`
	Date    string          `json:"date,omitempty"`
	Comment string          `json:"comment,omitempty"`
	Players jsonPlayers     `json:"players"`
	Setup   json.RawMessage `json:"setup"`
	Start   string          `json:"start"`
	Moves   []jsonMove      `json:"moves"`
	Values  []Value         `json:"values,omitempty"`
	Result  *jsonResult     `json:"result,omitempty"`
}

type jsonPlayers struct {
	First  Player `json:"first"`
	Second Player `json:"second"`
}

type jsonMove struct {
	Side     string   `json:"side,omitempty"`
	Notation string   `json:"notation"`
	Value    *float64 `json:"value,omitempty"`
	Seconds  *float64 `json:"seconds,omitempty"`
}

type jsonResult struct {
	Winner     string  `json:"winner"`
	Ending     string  `json:"ending"`
	Difference float64 `json:"difference"`
}

// readJSON reads JSON records, one after the other.
func (s *source) readJSON() iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		decoder := json.NewDecoder(bytes.NewReader(s.content))
		decoder.DisallowUnknownFields()
		for {
			start := s.nextValue(int(decoder.InputOffset()))
			var record jsonRecord
			err := decoder.Decode(&record)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, s.jsonError(err, start))
				return
			}
			r, err := record.read()
			if err != nil {
				yield(nil, s.errorf(start, "%s", err))
				return
			}
			r.source, r.offset = s, start
			if !yield(r, nil) {
				return
			}
		}
	}
}

// nextValue returns the offset of the first character from an offset on that is not blank.
func (s *source) nextValue(offset int) int {
	return len(s.content) - len(bytes.TrimLeft(s.content[offset:], " \t\r\n"))
}

// jsonError returns an error of the decoder with its place, which is that of the record if the
// decoder does not name one.
func (s *source) jsonError(err error, start int) error {
	at := start
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = max(start, min(int(syntax.Offset)-1, len(s.content)))
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		at, err = len(s.content), errors.New("the record is incomplete")
	}
	return s.errorf(at, "%s", strings.TrimPrefix(err.Error(), "json: "))
}

// read converts the record. Its errors name a field.
func (j *jsonRecord) read() (*Record, error) {
	if j.Version != jsonVersion {
		return nil, fmt.Errorf("flipsideRecord is %d: this program reads version %d",
			j.Version, jsonVersion)
	}
	if j.Start == "" {
		return nil, errors.New("start is missing: it must be the notation of a position")
	}
	r := &Record{
		ID: j.ID, Event: j.Event, Place: j.Place, Date: j.Date, Comment: j.Comment,
		Players: [2]Player{j.Players.First, j.Players.Second},
		Setup:   &rulesv1.Setup{}, Start: j.Start, Values: j.Values,
	}
	if len(j.Setup) == 0 {
		return nil, errors.New("setup is missing: it must be the setup of a game")
	}
	if err := protojson.Unmarshal(j.Setup, r.Setup); err != nil {
		return nil, fmt.Errorf("setup is not a setup of a game: %s", oneLine(err.Error()))
	}
	var err error
	if r.Moves, err = readMoves(j.Moves); err != nil {
		return nil, err
	}
	r.Result, err = j.Result.read()
	return r, err
}

func readMoves(all []jsonMove) ([]Move, error) {
	if len(all) > maxMoves {
		return nil, fmt.Errorf("the game has %d moves: at most %d are allowed", len(all), maxMoves)
	}
	var moves []Move
	for i, m := range all {
		side, ok := readSide(m.Side)
		if !ok {
			return nil, fmt.Errorf("moves[%d].side is %.20q: use SIDE_FIRST or SIDE_SECOND", i, m.Side)
		}
		if m.Notation == "" {
			return nil, fmt.Errorf("moves[%d].notation is missing", i)
		}
		moves = append(moves, Move{
			Side: side, Notation: m.Notation, Value: m.Value, Seconds: m.Seconds, offset: noOffset,
		})
	}
	return moves, nil
}

// read converts the result, which may be nil.
func (j *jsonResult) read() (*Result, error) {
	if j == nil {
		return nil, nil
	}
	winner, ok := readSide(j.Winner)
	if !ok {
		return nil, fmt.Errorf("result.winner is %.20q: "+
			"use SIDE_FIRST, SIDE_SECOND, or \"\" for a draw", j.Winner)
	}
	ending, ok := gamev1.Ending_value[j.Ending]
	if !ok || ending == 0 {
		return nil, fmt.Errorf("result.ending is %.20q: use ENDING_SCORE, ENDING_RESIGNATION, "+
			"ENDING_TIME, ENDING_ABANDONMENT or ENDING_AGREEMENT", j.Ending)
	}
	return &Result{Winner: winner, Ending: gamev1.Ending(ending), Difference: j.Difference}, nil
}

// readSide reads the name of a side, "" for none.
func readSide(name string) (rulesv1.Side, bool) {
	if name == "" {
		return rulesv1.Side_SIDE_UNSPECIFIED, true
	}
	side, ok := rulesv1.Side_value[name]
	return rulesv1.Side(side), ok && side != 0
}

// sideName returns the name of a side, "" for none.
func sideName(side rulesv1.Side) string {
	if side == rulesv1.Side_SIDE_UNSPECIFIED {
		return ""
	}
	return side.String()
}

// writeJSON writes a record in one line.
func writeJSON(r *Record) (string, error) {
	setup, err := protojson.Marshal(r.Setup)
	if err != nil {
		return "", err
	}
	j := jsonRecord{
		Version: jsonVersion, ID: r.ID,
		Event: r.Event, Place: r.Place, Date: r.Date, Comment: r.Comment,
		Players: jsonPlayers{r.Players[0], r.Players[1]},
		Setup:   setup, Start: r.Start, Moves: []jsonMove{}, Values: r.Values,
	}
	for _, m := range r.Moves {
		j.Moves = append(j.Moves, jsonMove{sideName(m.Side), m.Notation, m.Value, m.Seconds})
	}
	if r.Result != nil {
		j.Result = &jsonResult{sideName(r.Result.Winner), r.Result.Ending.String(), r.Result.Difference}
	}
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(j)
	return line.String(), err
}

// Message returns a value that encoding/json encodes as the JSON record.
func Message(r *Record) json.Marshaler { return message{r} }

type message struct{ record *Record }

// MarshalJSON encodes the record.
func (m message) MarshalJSON() ([]byte, error) {
	text, err := writeJSON(m.record)
	return []byte(text), err
}
