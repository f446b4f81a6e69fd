// Package ffo holds positions 1 to 49 of the usual endgame suite for 8x8, with their published scores, for tests and
// benchmarks.
package ffo

import (
	_ "embed"
	"fmt"
	"strings"
)

// Ending is a position to be solved.
type Ending struct {
	// ID is its number in the suite.
	ID int
	// Mover and Opponent are the discs of the side to move and of the other: bit 0 is a1, bit 7 is h1, bit 63 is h8.
	Mover, Opponent uint64
	// Score is that of best play for the side to move, in discs, with the empty cells given to the winner.
	Score int
	// Best are the moves that lead to it, such as "g8".
	Best []string
}

//go:embed ffo.tsv
var table string

// Suite returns the positions numbered from first to last.
func Suite(first, last int) (endings []Ending) {
	for line := range strings.Lines(table) {
		e, err := parse(strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		if err == nil && e.ID >= first && e.ID <= last {
			endings = append(endings, e)
		}
	}
	return endings
}

// parse reads the columns of a line: number, 64 cells, side to move, empty cells, score and best moves. Lines that
// begin with no number are about the table.
func parse(columns []string) (e Ending, err error) {
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
