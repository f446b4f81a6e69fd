// Package records reads and writes game files: Othello transcripts, OBF, GGF, WTHOR databases and
// Flipside's own JSON record. It knows notations but no rules: the server, on which a caller replays
// a record, decides whether its moves are legal.
package records

import (
	"strings"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// Record is a game in a file. A position is a record without moves.
type Record struct {
	ID, Event, Place, Date, Comment string // "" if unknown

	Players [2]Player // of the first and the second side
	Setup   *rulesv1.Setup
	Start   string // the notation of the position at the start
	Moves   []Move
	Values  []Value // of moves in the position at the start, in a set of problems
	Result  *Result // nil if unknown

	source *source
	offset int
}

// Player is a player as a file names them.
type Player struct {
	Name   string  `json:"name,omitempty"`
	Rating float64 `json:"rating,omitempty"`
}

// Move is a move of a record.
type Move struct {
	Side     rulesv1.Side // SIDE_UNSPECIFIED if the file does not name it
	Notation string
	Value    *float64 // the player's own evaluation in discs, nil if unknown
	Seconds  *float64 // the time that the player needed, nil if unknown

	offset int // in the source, or noOffset
}

// noOffset is the offset of a move whose place in the source is not known.
const noOffset = -1

// Value is the value of a move in discs, for the side to move.
type Value struct {
	Notation string `json:"notation"`
	Value    int    `json:"value"`
}

// Result is the end of a game.
type Result struct {
	Winner rulesv1.Side // SIDE_UNSPECIFIED for a draw
	Ending gamev1.Ending
	// Difference is the score of the first side minus that of the second side.
	Difference float64
}

// Name returns the id of the game or, without one, its place in its file.
func (r *Record) Name() string {
	if r.ID != "" || r.source == nil {
		return r.ID
	}
	return r.source.name + ": " + r.source.place(r.offset)
}

// Errorf returns an error at the start of the record.
func (r *Record) Errorf(format string, args ...any) *Error {
	return r.source.errorf(r.offset, format, args...)
}

// MoveErrorf returns an error at a move of the record, counted from 0.
func (r *Record) MoveErrorf(move int, format string, args ...any) *Error {
	at := r.Moves[move].offset
	if at == noOffset {
		return r.Errorf("moves[%d]: "+format, append([]any{move}, args...)...)
	}
	return r.source.errorf(at, format, args...)
}

// winnerOf returns the winner by the difference in score.
func winnerOf(difference float64) rulesv1.Side {
	switch {
	case difference > 0:
		return rulesv1.Side_SIDE_FIRST
	case difference < 0:
		return rulesv1.Side_SIDE_SECOND
	}
	return rulesv1.Side_SIDE_UNSPECIFIED
}

// Turn returns the side to move in a position by its notation, and SIDE_UNSPECIFIED once the game is
// over.
func Turn(notation string) rulesv1.Side {
	words := strings.Fields(notation)
	turn := 1
	if strings.HasPrefix(notation, "reversi/") {
		turn = 2
	}
	if len(words) <= turn {
		return rulesv1.Side_SIDE_UNSPECIFIED
	}
	return map[string]rulesv1.Side{
		"X": rulesv1.Side_SIDE_FIRST, "O": rulesv1.Side_SIDE_SECOND, // Reversi
		"R": rulesv1.Side_SIDE_FIRST, "B": rulesv1.Side_SIDE_SECOND, // Three Trios
	}[words[turn]]
}
