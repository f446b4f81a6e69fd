package records

import (
	"strings"
)

// readTranscript reads a game on the usual board of Othello: moves one after the other, with or
// without blanks and move numbers, such as "f5d6c3" and "1. F5 d6 2. c3".
func (s *source) readTranscript(line span) (*Record, error) {
	start := StandardSquare(othelloSide)
	r := start.record()
	r.source, r.offset = s, line.offset
	for rest := line; rest.text != ""; {
		word, after := transcriptWord(rest)
		rest = after
		if strings.HasSuffix(word.text, ".") {
			continue // the number of a move
		}
		notation, ok := parseSquareMove(word.text, othelloSide)
		if !ok {
			return nil, s.errorf(word.offset, "%.20q is not a move: %s",
				word.text, allowedMove(othelloSide))
		}
		if len(r.Moves) == maxMoves {
			return nil, s.errorf(word.offset, "the game has more than %d moves", maxMoves)
		}
		r.Moves = append(r.Moves, Move{Notation: notation, offset: word.offset})
	}
	return r, nil
}

// transcriptWord cuts off a pass, a cell or the number of a move.
func transcriptWord(text span) (word, rest span) {
	n := 2
	number := len(text.text) - len(strings.TrimLeft(text.text, "0123456789"))
	switch {
	case number > 0 && strings.HasPrefix(text.text[number:], "."):
		n = number + 1
	case len(text.text) >= len(pass) && IsPass(text.text[:len(pass)]):
		n = len(pass)
	}
	n = min(n, len(text.text))
	return span{text.text[:n], text.offset}, span{text.text[n:], text.offset + n}.trim()
}

// writeTranscript writes the moves of a game without blanks.
func writeTranscript(r *Record) (string, error) {
	start, ok := ParseSquare(r.Start)
	if standard := StandardSquare(othelloSide); !ok || start.Cells != standard.Cells ||
		start.Turn != standard.Turn {
		return "", errUnfit(Transcript, "games from the usual start on 8x8")
	}
	var text strings.Builder
	for _, m := range r.Moves {
		if m.Notation == pass {
			text.WriteString("--")
		} else {
			text.WriteString(m.Notation)
		}
	}
	return text.String() + "\n", nil
}
