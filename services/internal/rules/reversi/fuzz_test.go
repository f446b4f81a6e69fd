package reversi_test

import (
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// wantReadableFault checks that an error is a fault with a reason, in valid UTF-8.
func wantReadableFault(t *testing.T, err error) {
	t.Helper()
	got, ok := errors.AsType[*fault.Error](err)
	if !ok || got.Reason == "" || !utf8.ValidString(got.Message) {
		t.Fatalf("the error is %#v", err)
	}
	for key, value := range got.Meta {
		if !utf8.ValidString(value) {
			t.Fatalf("%s is %q", key, value)
		}
	}
}

// FuzzParse checks that Parse does not panic and that a notation it accepts survives a round trip.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0", usualStart, blackPasses, noPlacement,
		hexagonOfTwoFlips, squareOfEveryOption,
		"Reversi/HEX:1 xo/O_x/XO - 2 pass_rule=voluntary", "reversi/hex:1 XO/O_X/XO X 1 min_flips=2",
		"reversi/square:4 OX__/____/____/____ O 1",
		"", "reversi/", "reversi/hex:13 X X 0", "reversi/square:4 ____/_OX_/_XZ_/____ X 0",
		"reversi/hex:1 \xff\xff/O_X/XO X 0", "reversi/hex:1 XO/O_X/XO X 0 \xff=1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := reversi.Parse(text)
		if err != nil {
			wantReadableFault(t, err)
			return
		}
		back, err := reversi.Parse(p.Notation())
		if err != nil || *back != *p || legal(back) != legal(p) {
			t.Fatalf("%q has the notation %q, which parses as %v, %v", text, p.Notation(), back, err)
		}
		if (p.Turn() == rules.NoSide) != (len(p.Legal()) == 0) {
			t.Fatalf("%s has %d legal moves", p.Notation(), len(p.Legal()))
		}
	})
}

// FuzzParseMove checks that ParseMove does not panic, that a move it accepts survives a round trip,
// and that Play either accepts the move or returns a readable fault.
func FuzzParseMove(f *testing.F) {
	for _, seed := range []string{"d3", "D3", "p16", "z99", "a0", "-1,2", "0,-1", "99999999999,0",
		"1,2,-3", "pass", "PASS", "", ",", "\xff1", "d99999999999999999999"} {
		f.Add(seed)
	}
	positions := []*reversi.Position{position(f, usualStart), position(f, "reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0")}
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range positions {
			m, err := p.ParseMove(text)
			if err != nil {
				wantReadableFault(t, err)
				continue
			}
			if back, err := p.ParseMove(p.MoveNotation(m)); err != nil || back != m {
				t.Fatalf("%q has the notation %q, which parses as %+v, %v", text, p.MoveNotation(m), back, err)
			}
			if _, _, err := p.Play(m); err != nil {
				wantReadableFault(t, err)
			}
		}
	})
}
