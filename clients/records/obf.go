package records

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// maxValue bounds the values of moves: no board has more cells.
const maxValue = maxSide * maxSide

// readProblem reads a line of OBF: a board row by row from a1, the side to move, then optional values
// of moves, each after a semicolon, and a comment after a percent sign. Its scores give the empty
// cells to the winner.
func (s *source) readProblem(line span) (*Record, error) {
	line, comment, _ := line.cut("%")
	position, rest, _ := line.cut(";")
	start, err := s.readBoard(position)
	if err != nil {
		return nil, err
	}
	start.Options = []string{emptiesToWinner}
	r := start.record()
	r.source, r.offset, r.Comment = s, line.offset, comment.trim().text
	for rest.text != "" {
		var part span
		part, rest, _ = rest.cut(";")
		if part = part.trim(); part.text == "" {
			continue
		}
		value, err := s.readValue(part, start.Side)
		if err != nil {
			return nil, err
		}
		r.Values = append(r.Values, value)
	}
	return r, nil
}

// readBoard reads a board in one word, and the side to move.
func (s *source) readBoard(text span) (Square, error) {
	board, rest := text.word()
	side := int(math.Sqrt(float64(len(board.text))))
	if side*side != len(board.text) || side%2 != 0 || side < minSide || side > maxSide {
		return Square{}, s.errorf(board.offset, "the board has %d cells: "+
			"write the cells of a square with %d to %d cells on each side, such as 64", len(board.text),
			minSide, maxSide)
	}
	start := Square{Side: side}
	var err error
	if start.Cells, err = s.readCells(board); err != nil {
		return start, err
	}
	start.Turn, err = s.readTurn(rest)
	return start, err
}

// readCells reads the letters of cells.
func (s *source) readCells(cells span) (string, error) {
	letters := make([]byte, len(cells.text))
	for i := range letters {
		letter, ok := letterOf(cells.text[i])
		if !ok {
			return "", s.errorf(cells.offset+i, "%q is not a cell: use %s", cells.text[i], allowedCells)
		}
		letters[i] = letter
	}
	return string(letters), nil
}

// readTurn reads the letter of the side to move.
func (s *source) readTurn(text span) (byte, error) {
	if len(text.text) == 1 {
		if letter, ok := letterOf(text.text[0]); ok && letter != '_' {
			return letter, nil
		}
	}
	return 0, s.errorf(text.offset, "%.20q is not the side to move: use X or O", text.text)
}

// readValue reads a move and its value, such as "g8:+18".
func (s *source) readValue(part span, side int) (Value, error) {
	move, number, found := part.cut(":")
	move, number = move.trim(), number.trim()
	notation, ok := parseSquareMove(move.text, side)
	if !ok {
		return Value{}, s.errorf(move.offset, "%.20q is not a move: %s", move.text, allowedMove(side))
	}
	value, err := strconv.Atoi(number.text)
	if !found || err != nil || max(value, -value) > maxValue {
		return Value{}, s.errorf(number.offset,
			"%.20q is not a value: use a number of discs such as +18", number.text)
	}
	return Value{Notation: notation, Value: value}, nil
}

// writeProblem writes the start of a record as a line of OBF.
func writeProblem(r *Record) (string, error) {
	start, ok := ParseSquare(r.Start)
	if !ok || start.Turn == '-' {
		return "", errUnfit(OBF, "positions on squares in which a side is to move")
	}
	var text strings.Builder
	text.WriteString(strings.ReplaceAll(start.Cells, "_", "-") + " " + string(rune(start.Turn)) + ";")
	for _, v := range r.Values {
		fmt.Fprintf(&text, " %s:%+d;", v.Notation, v.Value)
	}
	if r.Comment != "" {
		text.WriteString(" % " + oneLine(r.Comment))
	}
	return text.String() + "\n", nil
}
