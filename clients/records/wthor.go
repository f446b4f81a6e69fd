package records

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
	"path/filepath"
	"strings"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// The sizes of WTHOR files in bytes, as in the description of the French Othello federation
// (https://www.ffothello.org/wthor/Format_WThor.pdf). All numbers are little-endian.
const (
	wthorHeader     = 16
	wthorGame       = 68
	wthorMoves      = 8 // where the moves of a game start
	wthorPlayer     = 20
	wthorTournament = 26
)

// Names are the players and the tournaments to which the games of a database refer by number.
type Names struct {
	Players, Tournaments []string
}

// IsNames reports whether a file holds names of a WTHOR database, by the end of its name: .jou for
// players, .trn for tournaments.
func IsNames(name string) bool {
	extension := strings.ToLower(filepath.Ext(name))
	return extension == ".jou" || extension == ".trn"
}

// Add reads a file for which [IsNames] is true. An error is an *[Error].
func (n *Names) Add(name string, content []byte) error {
	s := &source{name: name, content: content, database: true}
	list, size := &n.Players, wthorPlayer
	if strings.EqualFold(filepath.Ext(name), ".trn") {
		list, size = &n.Tournaments, wthorTournament
	}
	if len(content) < wthorHeader {
		return s.errorf(0, "the header has %d bytes: it must have %d", len(content), wthorHeader)
	}
	count := int(binary.LittleEndian.Uint16(content[8:]))
	if want := wthorHeader + count*size; len(content) != want {
		return s.errorf(8, "the file has %d bytes: with %d names it must have %d",
			len(content), count, want)
	}
	*list = nil
	for entry := content[wthorHeader:]; len(entry) > 0; entry = entry[size:] {
		name, _, _ := bytes.Cut(entry[:size], []byte{0})
		*list = append(*list, latin1(name))
	}
	return nil
}

// latin1 converts a text in ISO 8859-1.
func latin1(text []byte) string {
	runes := make([]rune, len(text))
	for i, b := range text {
		runes[i] = rune(b)
	}
	return strings.TrimSpace(string(runes))
}

// readWTHOR reads the games of a database. They start from the usual position and contain no passes.
func (s *source) readWTHOR(names *Names) iter.Seq2[*Record, error] {
	if names == nil {
		names = &Names{}
	}
	if err := s.checkWTHOR(); err != nil {
		return s.failed(err)
	}
	year := fmt.Sprint(binary.LittleEndian.Uint16(s.content[10:]))
	return func(yield func(*Record, error) bool) {
		for offset := wthorHeader; offset < len(s.content); offset += wthorGame {
			r, err := s.wthorGame(offset, names)
			if r != nil {
				r.Date = year
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// checkWTHOR checks the header of a database.
func (s *source) checkWTHOR() error {
	if len(s.content) < wthorHeader {
		return s.errorf(0, "the header has %d bytes: it must have %d", len(s.content), wthorHeader)
	}
	if side := s.content[12]; side != 0 && side != othelloSide {
		return s.errorf(12, "the board has %d cells on each side: only 8 is supported", side)
	}
	if s.content[13] != 0 {
		return s.errorf(13, "the file holds endgame problems: only games are supported")
	}
	count := int64(binary.LittleEndian.Uint32(s.content[4:]))
	if want := wthorHeader + count*wthorGame; int64(len(s.content)) != want {
		return s.errorf(4, "the file has %d bytes: with %d games it must have %d",
			len(s.content), count, want)
	}
	return nil
}

// wthorGame reads the game at an offset: the numbers of the tournament and of both players, the score
// of Black with the empty cells, the theoretical score, and 60 moves.
func (s *source) wthorGame(offset int, names *Names) (*Record, error) {
	game := s.content[offset : offset+wthorGame]
	start := StandardSquare(othelloSide)
	start.Options = []string{emptiesToWinner}
	r := start.record()
	r.source, r.offset = s, offset
	var err error
	for _, field := range []struct {
		at    int
		into  *string
		names []string
		what  string
	}{
		{0, &r.Event, names.Tournaments, "tournament"},
		{2, &r.Players[0].Name, names.Players, "player"},
		{4, &r.Players[1].Name, names.Players, "player"},
	} {
		number := int(binary.LittleEndian.Uint16(game[field.at:]))
		if *field.into, err = nameOf(field.names, number, field.what); err != nil {
			return nil, r.Errorf("%s", err)
		}
	}
	score := int(game[6])
	if score > othelloSide*othelloSide {
		return nil, r.Errorf("Black has %d discs: there are only 64 cells", score)
	}
	difference := float64(2*score - othelloSide*othelloSide)
	r.Result = &Result{winnerOf(difference), gamev1.Ending_ENDING_SCORE, difference}
	r.Moves, err = s.wthorMoves(offset + wthorMoves)
	return r, err
}

// nameOf returns the name with a number. Without a list of names it is the number.
func nameOf(names []string, number int, what string) (string, error) {
	switch {
	case names == nil:
		return fmt.Sprintf("%s %d", what, number), nil
	case number >= len(names):
		return "", fmt.Errorf("%s %d has no name: the file of names has %d", what, number, len(names))
	}
	return names[number], nil
}

// wthorMoves reads moves, each 10 times the row plus the column from 1, up to the first 0.
func (s *source) wthorMoves(offset int) ([]Move, error) {
	var moves []Move
	ended := false
	for at := offset; at < offset+wthorGame-wthorMoves; at++ {
		number := s.content[at]
		row, column := int(number/10), int(number%10)
		switch {
		case number == 0:
			ended = true
			continue
		case ended:
			return nil, s.errorf(at, "a move follows the end of the game")
		case row < 1 || row > othelloSide || column < 1 || column > othelloSide:
			return nil, s.errorf(at,
				"%d is not a move: use 10 times the row plus the column, 11 to 88", number)
		}
		notation := fmt.Sprintf("%c%d", 'a'+column-1, row)
		moves = append(moves, Move{Notation: notation, offset: at})
	}
	return moves, nil
}
