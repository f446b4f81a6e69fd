package rules_test

import (
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules"
)

func TestCellTextRoundTrip(t *testing.T) {
	for text, cell := range map[string]rules.Cell{
		"q-1r2":  rules.HexCell(-1, 2),
		"q12r-7": rules.HexCell(12, -7),
		"r0c0":   rules.SquareCell(0, 0),
		"r15c3":  rules.SquareCell(15, 3),
	} {
		got, err := cell.MarshalText()
		if err != nil || string(got) != text {
			t.Errorf("MarshalText of %v = %s, %v; want %s", cell, got, err, text)
		}
		var back rules.Cell
		if err := back.UnmarshalText([]byte(text)); err != nil || back != cell {
			t.Errorf("UnmarshalText of %s = %v, %v; want %v", text, back, err, cell)
		}
	}
}

func TestCellTextRejectsOtherForms(t *testing.T) {
	for _, text := range []string{
		"", "d3", "q1", "r1", "q1c2", "r1q2", "q1r", "qr", "q1r2x", "x1y2",
	} {
		var cell rules.Cell
		if err := cell.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("UnmarshalText accepts %q as %v", text, cell)
		}
	}
}
