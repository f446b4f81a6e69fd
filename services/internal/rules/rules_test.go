package rules_test

import (
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules"
)

func TestCellsReadBackAsTheyAreStored(t *testing.T) {
	for text, cell := range map[string]rules.Cell{
		"q-1r2":  rules.HexCell(-1, 2),
		"q12r-7": rules.HexCell(12, -7),
		"r0c0":   rules.SquareCell(0, 0),
		"r15c3":  rules.SquareCell(15, 3),
	} {
		written, err := cell.MarshalText()
		if err != nil || string(written) != text {
			t.Errorf("%v is written %s, %v; want %s", cell, written, err, text)
		}
		var read rules.Cell
		if err := read.UnmarshalText([]byte(text)); err != nil || read != cell {
			t.Errorf("%s reads %v, %v; want %v", text, read, err, cell)
		}
	}
	for _, text := range []string{"", "d3", "q1", "r1", "q1c2", "r1q2", "q1r", "qr", "q1r2x", "x1y2"} {
		var read rules.Cell
		if err := read.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q reads %v", text, read)
		}
	}
}
