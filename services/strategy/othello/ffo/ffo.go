// Package ffo holds positions 1 to 49 of the FFO endgame suite for 8x8 Reversi with their published
// scores and best moves, for tests and benchmarks. FFO is the French Othello federation.
package ffo

import (
	_ "embed"
	"fmt"
	"strings"
)

// Endgame is a position of the suite.
type Endgame struct {
	// ID is the number of the position in the suite.
	ID int
	// Mover and Opponent are the discs of the side to move and of its opponent. Bit 0 is a1, bit 7
	// is h1, bit 63 is h8.
	Mover, Opponent uint64
	// Score is the score of best play for the side to move, in discs. The winner gets the empty
	// cells.
	Score int
	// Best holds the moves that lead to Score, such as "g8".
	Best []string
}

//go:embed ffo.tsv
var table string

// Suite returns the positions from first to last, both included.
func Suite(first, last int) (endgames []Endgame) {
	for line := range strings.Lines(table) {
		e, err := parse(strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		if err == nil && e.ID >= first && e.ID <= last {
			endgames = append(endgames, e)
		}
	}
	return endgames
}

// parse reads a line with the columns number, 64 cells, side to move, empty cells, score and best
// moves. It returns an error for a line that starts without a number: a comment or the head.
func parse(columns []string) (e Endgame, err error) {
	if _, err = fmt.Sscan(columns[0], &e.ID); err != nil {
		return e, err
	}
	_, err = fmt.Sscan(columns[4], &e.Score)
	for i, c := range columns[1] {
		switch string(c) {
		case columns[2]:
			e.Mover |= 1 << i
		case "X", "O":
			e.Opponent |= 1 << i
		}
	}
	e.Best = strings.Split(columns[5], ",")
	return e, err
}
