package threetrios_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// rejected reports whether a text was rejected. It checks the reason, and that the message is short
// and valid UTF-8.
func rejected(t *testing.T, err error, reason fault.Reason) bool {
	t.Helper()
	if err != nil && (fault.ReasonOf(err) != reason || !utf8.ValidString(err.Error()) || len(err.Error()) > 500) {
		t.Errorf("the text is rejected with %s: %q", fault.ReasonOf(err), err)
	}
	return err != nil
}

func FuzzParseGrid(f *testing.F) {
	for _, text := range []string{"3 3\nCCC\nCXC\nCCX\n", "1 1\r\nC\r\n\r\n", "16 16\n", "0 -1\n\xff", "1 3\nCéC"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := threetrios.ParseGrid(text)
		if rejected(t, err, fault.InvalidGrid) {
			return
		}
		if back, err := threetrios.ParseGrid(g.String()); err != nil || back.String() != g.String() {
			t.Errorf("%q prints as %q, which parses as %v, %v", text, g, back, err)
		}
	})
}

func FuzzParseDeck(f *testing.F) {
	for _, text := range []string{"k 1 2 3 A\nl 10 9 8 7\n", "k 1 2 3 4\r\n\r\n", "k 0 11 -1 x", "\x00\xff 1 1 1 1", "k\u00a01 2 3 4"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cards, err := threetrios.ParseDeck(text)
		if rejected(t, err, fault.InvalidDeck) {
			return
		}
		var page strings.Builder
		for _, c := range cards {
			page.WriteString(c.String() + "\n")
		}
		if back, err := threetrios.ParseDeck(page.String()); err != nil || !slices.Equal(back, cards) {
			t.Errorf("%q prints as %q, which parses as %v, %v", text, page.String(), back, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{afterOne, middle, endgame, "threetrios/R - 0,0 default grid a:1111 red blue b:234A", "threetrios//"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := threetrios.Parse(text)
		if rejected(t, err, fault.InvalidNotation) {
			return
		}
		notation := p.Notation()
		if back, err := threetrios.Parse(notation); err != nil || back.Notation() != notation {
			t.Errorf("%q has the notation %q, which parses as %v, %v", text, notation, back, err)
		}
		if setup, q, err := (threetrios.Setup{StartFrom: notation}).Resolve(); err != nil || q.Notation() != notation {
			t.Errorf("the setup from %q resolves to %+v, %v", notation, setup, err)
		}
		playOut(t, p)
	})
}

// playOut plays the last legal move until the game is over. Then every card cell must have a card.
func playOut(t *testing.T, p *threetrios.Position) {
	t.Helper()
	for p.Turn() != rules.NoSide {
		cells := p.EmptyCells()
		p = p.PlayCard(len(p.Hand(p.Turn()))-1, cells[len(cells)-1])
	}
	if score := p.Score(); len(p.EmptyCells()) != 0 || len(p.Hand(rules.First))+len(p.Hand(rules.Second)) != 1 {
		t.Errorf("the game ends with %v at %s", score, p.Notation())
	}
}

func FuzzParseMove(f *testing.F) {
	for _, text := range []string{"k1@0,0", "@@1,2@3,4", "k1@-1,99999999999", "k1", "@0,0", "\xff@0,0", "k 1@0,0"} {
		f.Add(text)
	}
	_, p, err := threetrios.Setup{}.Resolve()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := p.ParseMove(text)
		if rejected(t, err, fault.InvalidNotation) {
			return
		}
		if back, err := p.ParseMove(p.MoveNotation(m)); err != nil || back != m {
			t.Errorf("%q has the notation %q, which parses as %v, %v", text, p.MoveNotation(m), back, err)
		}
	})
}
