package threetrios_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

func TestNotationRoundTrip(t *testing.T) {
	for _, c := range []struct{ name, text, canonical string }{
		{"the start", "threetrios/_ R - default grid red a:1111 blue b:234A", ""},
		{"after a move", afterOne, ""},
		{"the end", "threetrios/R - 0,0 default grid a:1111 red blue b:234A", ""},
		{
			"every rule and option", "threetrios/_/. R - reverse,fallen-ace,same,plus count_own_cards=true " +
				"grid red a:1111 blue b:234A", "",
		},
		{
			"names like other fields",
			"threetrios/R_._ B 0,0 default grid grid:739A red red:5155 blue blue:2222 count_own_cards=true:6181", "",
		},
		{
			"names with separators",
			"threetrios/R_._ B 0,0 default grid -:739A red :::5155 blue @0,0:2222 a:1111/%20=,日本:6181", "",
		},
		{"an unknown last move", strings.Replace(afterOne, "0,0", "-", 1), ""},
		{
			"lower case, additional blanks, another order of rules",
			" threetrios/r_._  b\t0,0 same,same grid k1:739A red k3:5155 blue k2:2222 k4:6181\n", afterOne,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.canonical == "" {
				c.canonical = c.text
			}
			p, err := threetrios.Parse(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if p.Notation() != c.canonical {
				t.Errorf("Notation() =\n%s, want\n%s", p.Notation(), c.canonical)
			}
		})
	}
}

func TestNotationRoundTripOfEveryPosition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		everyMove(t, func(before, after *threetrios.Position, m rules.Move, _ []rules.Flip) {
			notation := after.Notation()
			if back, err := threetrios.Parse(notation); err != nil || back.Notation() != notation {
				t.Errorf("%s parses as %v, %v", notation, back, err)
			}
			cell, by, ok := after.LastMove()
			if !ok || cell != m.Cell || by != before.Turn() {
				t.Errorf("the last move is at %v by %v, want %v by %v", cell, by, m.Cell, before.Turn())
			}
		})
	})
}

// The longest notation must be well below the limit.
func TestLongestNotationRoundTrip(t *testing.T) {
	deck := ""
	for i := range 256 {
		deck += strings.Repeat(string(rune('ā'+i)), 32) + " 1 2 3 A\n"
	}
	p := start(t, threetrios.Setup{Grid: largest, Deck: deck, Rules: threetrios.AllRules()[1:], CountOwnCards: new(true)})
	if n := len(p.Notation()); n > threetrios.MaxNotationBytes/3 {
		t.Errorf("the longest notation has %d bytes", n)
	}
	if back, err := threetrios.Parse(p.Notation()); err != nil || back.Notation() != p.Notation() {
		t.Errorf("the longest notation parses as %v, %v", back, err)
	}
}

func TestParseErrors(t *testing.T) {
	// replaced returns afterOne with one part of it replaced.
	replaced := func(part, by string) string { return strings.Replace(afterOne, part, by, 1) }
	long := afterOne + strings.Repeat(" ", threetrios.MaxNotationBytes+1-len(afterOne))
	for _, c := range []struct{ name, text, problem, field string }{
		{"nothing", "", "missing", "1"},
		{"another game", "reversi/hex:2 ___ X 0", "game", "1"},
		{"too many bytes", long, "length", ""},
		{"no grid", replaced("R_._", ""), "size", "1"},
		{"too many columns", replaced("R_._", strings.Repeat("_", 17)), "size", "1"},
		{"too many rows", replaced("R_._", strings.Repeat("_/", 16)+"_"), "size", "1"},
		{"rows of different lengths", replaced("R_._", "R_/_"), "row", "1"},
		{"an empty row", replaced("R_._", "R_._/"), "row", "1"},
		{"an unknown letter", replaced("R_._", "RX._"), "letter", "1"},
		{"a letter of two bytes", replaced("R_._", "Ré._"), "letter", "1"},
		{"an even number of card cells", replaced("R_._", "R_.."), "even", "1"},
		{"no card cell", replaced("R_._", "...."), "even", "1"},
		{"no side", "threetrios/R_._", "missing", "2"},
		{"an unknown side", replaced(" B ", " X "), "side", "2"},
		{"the side that has just moved", replaced(" B ", " R "), "side", ""},
		{"Blue to move at the start", "threetrios/_ B - default grid red a:1111 blue b:234A", "side", ""},
		{"over before the end", replaced(" B ", " - "), "side", ""},
		{"not over at the end", "threetrios/R B 0,0 default grid a:1111 red blue b:234A", "side", ""},
		{"no last move", "threetrios/R_._ B", "missing", "3"},
		{"a malformed last move", replaced("0,0", "0"), "last_move", "3"},
		{"a last move off the grid", replaced("0,0", "0,4"), "last_move", ""},
		{"a last move before the grid", replaced("0,0", "-1,0"), "last_move", ""},
		{"a last move on an empty cell", replaced("0,0", "0,1"), "last_move", ""},
		{"a last move on a hole", replaced("0,0", "0,2"), "last_move", ""},
		{"a last move whose card flipped", replaced("R_._", "B_._"), "last_move", ""},
		{"a last move at the start", "threetrios/_ R 0,0 default grid red a:1111 blue b:234A", "last_move", ""},
		{"an unknown rule", replaced("same", "some"), "rules", "4"},
		{"a rule left empty", replaced("default,same", "default,"), "rules", "4"},
		{"rules in conflict", replaced("default", "default,reverse"), "rules", "4"},
		{"an unknown option", replaced(" grid ", " count_own_cards=false grid "), "unexpected", "5"},
		{"no cards", "threetrios/R_._ B 0,0 default", "missing", "5"},
		{"no hands", replaced("red k3:5155 blue k2:2222 k4:6181", ""), "missing", "7"},
		{"no hand of Blue", replaced("blue k2:2222 k4:6181", ""), "missing", "9"},
		{"a card without values", replaced("k3:5155", "k3"), "card", "8"},
		{"a card of three values", replaced("k3:5155", "k3:515"), "card", "8"},
		{"a card of five values", replaced("k3:5155", "k3:51555"), "card", "8"},
		{"a card without a name", replaced("k3:5155", ":5155"), "card", "8"},
		{"a name too long", replaced("k3:", strings.Repeat("k", 65)+":"), "card", "8"},
		{"a name with a control character", replaced("k3:", "k\x07:"), "card", "8"},
		{"a value of zero", replaced("5155", "5105"), "value", "8"},
		{"a lower-case ace", replaced("739A", "739a"), "value", "6"},
		{"a value of two bytes", replaced("5155", "51é"), "value", "8"},
		{"too few cards on the grid", replaced("k1:739A", ""), "cards", ""},
		{"too many cards on the grid", replaced("k1:739A", "k1:739A k5:1111"), "cards", ""},
		{"too few cards in Red's hand", replaced("k3:5155", ""), "cards", ""},
		{"too many cards in Red's hand", replaced("k3:5155", "k3:5155 k5:1111"), "cards", ""},
		{"too few cards in Blue's hand", replaced(" k4:6181", ""), "cards", ""},
		{"too many cards in Blue's hand", afterOne + " k5:1111", "cards", ""},
		{
			"hands as if Blue had moved first",
			"threetrios/B_._ R 0,0 default grid k2:2222 red k1:739A k3:5155 blue k4:6181", "cards", "",
		},
		{"a card twice in a hand", replaced("k4:6181", "k2:6181"), "duplicate", ""},
		{"a card on the grid and in a hand", replaced("k4:6181", "k1:6181"), "duplicate", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := threetrios.Parse(c.text)
			got, ok := errors.AsType[*fault.Error](err)
			if !ok || got.Reason != fault.InvalidNotation || p != nil {
				t.Fatalf("Parse returns %v, %v", p, err)
			}
			if got.Meta["problem"] != c.problem || got.Meta["field"] != c.field {
				t.Errorf("the problem is %s in field %q: %v; want %s in field %q",
					got.Meta["problem"], got.Meta["field"], err, c.problem, c.field)
			}
		})
	}
}

func TestParseAcceptsTheMostBytes(t *testing.T) {
	if _, err := threetrios.Parse(afterOne + strings.Repeat(" ", threetrios.MaxNotationBytes-len(afterOne))); err != nil {
		t.Error(err)
	}
}

func TestParseMove(t *testing.T) {
	p := start(t, threetrios.Setup{})
	for _, c := range []struct {
		text string
		want rules.Move
	}{
		{"k1@0,0", rules.Play("k1", rules.SquareCell(0, 0))},
		{" k1@15,15 ", rules.Play("k1", rules.SquareCell(15, 15))},
		{"@@1,2@3,4", rules.Play("@@1,2", rules.SquareCell(3, 4))},
		{"käse@-1,20", rules.Play("käse", rules.SquareCell(-1, 20))},
	} {
		t.Run(c.text, func(t *testing.T) {
			got, err := p.ParseMove(c.text)
			if err != nil || got != c.want || p.MoveNotation(got) != strings.TrimSpace(c.text) {
				t.Errorf("ParseMove returns %+v, %v", got, err)
			}
		})
	}
}

func TestParseMoveErrors(t *testing.T) {
	p := start(t, threetrios.Setup{})
	for _, c := range []struct{ text, problem string }{
		{"", "move"},
		{"pass", "move"},
		{"k1", "move"},
		{"@0,0", "card"},
		{"k 1@0,0", "card"},
		{"k\x00@0,0", "card"},
		{strings.Repeat("k", 65) + "@0,0", "card"},
		{"k1@", "cell"},
		{"k1@0", "cell"},
		{"k1@0,", "cell"},
		{"k1@,0", "cell"},
		{"k1@0,0,0", "cell"},
		{"k1@0, 0", "cell"},
		{"k1@a,0", "cell"},
		{"k1@00,0", "cell"},
		{"k1@+1,0", "cell"},
		{"k1@--1,0", "cell"},
	} {
		t.Run(c.text, func(t *testing.T) {
			m, err := p.ParseMove(c.text)
			got, ok := errors.AsType[*fault.Error](err)
			if !ok || got.Reason != fault.InvalidNotation || got.Meta["problem"] != c.problem {
				t.Errorf("ParseMove returns %+v, %#v", m, err)
			}
		})
	}
}

func TestParseCell(t *testing.T) {
	p := start(t, threetrios.Setup{})
	if c, err := p.ParseCell(" 3,14 "); err != nil || c != rules.SquareCell(3, 14) || p.CellNotation(c) != "3,14" {
		t.Errorf("ParseCell(3,14) = %v, %v", c, err)
	}
	if c, err := p.ParseCell("d3"); fault.ReasonOf(err) != fault.InvalidNotation {
		t.Errorf("ParseCell(d3) = %v, %v", c, err)
	}
}
