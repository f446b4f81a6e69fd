package reversi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

func TestNotationRoundTrip(t *testing.T) {
	for _, c := range []struct{ name, text, canonical string }{
		{"two rings at the start", "reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0", ""},
		{"the usual start", usualStart, ""},
		{"letters in either case", "Reversi/HEX:1 xo/O_x/XO - 2 Pass_Rule=VOLUNTARY", "reversi/hex:1 XO/O_X/XO - 2"},
		{"a default written out", "reversi/hex:1 XO/O_X/XO x 1 pass_rule=voluntary min_flips=1 empties_to_winner=false", "reversi/hex:1 XO/O_X/XO X 1"},
		{"a default of squares written out", "reversi/square:4 OX__/____/____/____ X 0 pass_rule=forced", blackPasses},
		{"additional blanks", "  reversi/hex:1  XO/O_X/XO\tX 0\n", "reversi/hex:1 XO/O_X/XO X 0"},
		{"every option", squareOfEveryOption, ""},
		{"a forced pass", "reversi/square:4 OX__/____/____/____ O 1", ""},
		{"a forced game that is over", "reversi/square:4 OOO_/____/____/____ - 0", ""},
		{"a forced game with no discs at all", "reversi/hex:1 __/___/__ - 0 pass_rule=forced", ""},
		{"a voluntary game without placements", "reversi/hex:1 XO/O_X/XO O 0", ""},
		{"the largest min_flips", "reversi/hex:1 XO/O_X/XO O 0 min_flips=66", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.canonical == "" {
				c.canonical = c.text
			}
			if got := position(t, c.text).Notation(); got != c.canonical {
				t.Errorf("Notation() = %s, want %s", got, c.canonical)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	const discs = "____/_OX_/_XO_/____"
	for _, c := range []struct {
		name, text, problem string
		meta                string // expected metadata, as key=value
	}{
		{"nothing", "", "fields", "parts=0"},
		{"too few parts", "reversi/square:4 " + discs + " X", "fields", "parts=3"},
		{"too long", usualStart + strings.Repeat(" ", 1025-len(usualStart)), "length", "max=1024"},
		{"another game", "threetrios/square:4 " + discs + " X 0", "game", ""},
		{"no game", "hex:1 XO/O_X/XO X 0", "game", ""},
		{"no board", "reversi/ " + discs + " X 0", "board", ""},
		{"an unknown board", "reversi/cube:4 " + discs + " X 0", "board", ""},
		{"no size", "reversi/square " + discs + " X 0", "size", ""},
		{"a size that is no number", "reversi/square:four " + discs + " X 0", "size", ""},
		{"a size with a leading zero", "reversi/square:04 " + discs + " X 0", "size", ""},
		{"no ring", "reversi/hex:0 X X 0", "size", "size=0"},
		{"too many rings", "reversi/hex:13 X X 0", "size", "size=13"},
		{"an odd side", "reversi/square:5 X X 0", "size", "size=5"},
		{"too short a side", "reversi/square:2 XO/OX X 0", "size", "size=2"},
		{"too long a side", "reversi/square:18 X X 0", "size", "size=18"},
		{"too few rows", "reversi/square:4 ____/_OX_/_XO_ X 0", "rows", "rows=3 want=4"},
		{"too many rows", "reversi/square:4 " + discs + "/____ X 0", "rows", "rows=5 want=4"},
		{"a short row", "reversi/square:4 ____/_OX/_XO_/____ X 0", "row_length", "row=2 cells=3 want=4"},
		{"a long row", "reversi/hex:1 XO/O_X/XOX X 0", "row_length", "row=3 cells=3 want=2"},
		{"an unknown letter", "reversi/square:4 ____/_OX_/_XZ_/____ X 0", "letter", "row=3 column=3"},
		{"a letter of many bytes", "reversi/square:4 ____/_OXé/_XO_/____ X 0", "letter", "row=2 column=4"},
		{"a row of an unknown letter", "reversi/square:4 ...._/_OX_/_XO_/____ X 0", "row_length", "row=1"},
		{"the letter for cells off the board", "reversi/square:4 .___/_OX_/_XO_/____ X 0", "letter", "row=1 column=1"},
		{"an unknown side", "reversi/square:4 " + discs + " Y 0", "side", ""},
		{"passes that are not a number", "reversi/square:4 " + discs + " X one", "passes", ""},
		{"negative passes", "reversi/hex:1 XO/O_X/XO X -1", "passes", ""},
		{"three passes", "reversi/hex:1 XO/O_X/XO - 3", "passes", ""},
		{"an unknown option", "reversi/square:4 " + discs + " X 0 komi=6", "option", ""},
		{"options out of order", "reversi/square:4 " + discs + " X 0 min_flips=2 pass_rule=voluntary", "option_order", "option=pass_rule"},
		{"an option twice", "reversi/square:4 " + discs + " X 0 min_flips=2 min_flips=2", "option_order", "option=min_flips"},
		{"an unknown pass rule", "reversi/square:4 " + discs + " X 0 pass_rule=never", "option_value", "option=pass_rule"},
		{"no flips", "reversi/square:4 " + discs + " X 0 min_flips=0", "option_value", "option=min_flips"},
		{"too many flips", "reversi/square:4 " + discs + " X 0 min_flips=67", "option_value", "option=min_flips"},
		{"neither true nor false", "reversi/square:4 " + discs + " X 0 empties_to_winner=yes", "option_value", "option=empties_to_winner"},
		{"a voluntary game goes on after two passes", "reversi/hex:1 XO/O_X/XO X 2", "over", ""},
		{"a voluntary game is over after one pass", "reversi/hex:1 XO/O_X/XO - 1", "not_over", ""},
		{"a voluntary game is over after no pass", "reversi/hex:1 XO/O_X/XO - 0", "not_over", ""},
		{"a forced game goes on without placements", "reversi/square:4 XXXX/____/____/____ X 0", "over", ""},
		{"a forced game is over with a placement", "reversi/square:4 " + discs + " - 0", "not_over", ""},
		{"a forced game is over with a placement for one side", "reversi/square:4 OX__/____/____/____ - 0", "not_over", ""},
		{"a forced game ends on a pass", "reversi/square:4 XXXX/____/____/____ - 1", "passes_unreachable", "passes=1"},
		{"a forced game ends on two passes", "reversi/square:4 XXXX/____/____/____ - 2", "passes_unreachable", "passes=2"},
		{"two passes in a row in a forced game", "reversi/square:4 OX__/____/____/____ O 2", "passes_unreachable", "passes=2"},
		{"a pass of White with a placement", "reversi/square:4 OX__/____/____/____ X 1", "passes_unreachable", "passes=1"},
		{"a pass of Black with a placement", "reversi/square:4 " + discs + " O 1", "passes_unreachable", "passes=1"},
		{"a pass of White with enough flips", "reversi/square:4 XO__/____/____/OXX_ X 1 min_flips=2", "passes_unreachable", "passes=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := reversi.Parse(c.text)
			if err == nil {
				t.Fatalf("Parse accepts it as %s", p.Notation())
			}
			got := wantFault(t, err, fault.InvalidNotation, "")
			if got.Meta["problem"] != c.problem {
				t.Errorf("the problem is %s (%s), want %s", got.Meta["problem"], got.Message, c.problem)
			}
			for pair := range strings.FieldsSeq(c.meta) {
				if key, value, _ := strings.Cut(pair, "="); got.Meta[key] != value {
					t.Errorf("%s is %q, want %q", key, got.Meta[key], value)
				}
			}
		})
	}
}

// The longest notation must be shorter than the limit.
func TestParseAcceptsTheLongestNotation(t *testing.T) {
	p := start(t, reversi.Setup{Size: reversi.MaxRings, PassRule: reversi.Forced, MinFlips: 10, EmptiesToWinner: new(true)})
	position(t, p.Notation())
	padded := usualStart + strings.Repeat(" ", 1024-len(usualStart))
	position(t, padded)
}

func TestParseMessages(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"reversi/hex:13 X X 0", "rings must be 1 to 12, not 13"},
		{"reversi/square:4 ____/_OX/_XO_/____ X 0", "row 2 of square:4 must have 4 cells, not 3"},
		{"reversi/square:4 ____/_OX_/_XZ_/____ X 0", "row 3, letter 3 must be X, O or _, not 'Z'"},
		{"reversi/square:4 OX__/____/____/____ X 1", "White can place a disc, so it cannot have passed"},
		{
			"reversi/square:4 OX__/____/____/____ X 0 komi=6",
			`unknown option "komi": use pass_rule, min_flips, empties_to_winner`,
		},
	} {
		if _, err := reversi.Parse(c.text); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %q", c.text, err, c.want)
		}
	}
}

func TestParseMove(t *testing.T) {
	for _, c := range []struct {
		name, board, text string
		move              rules.Move
		written           string
	}{
		{"a square cell", usualStart, "d3", rules.Place(rules.SquareCell(2, 3)), "d3"},
		{"in upper case", usualStart, "D3", rules.Place(rules.SquareCell(2, 3)), "d3"},
		{"with surrounding blanks", usualStart, " d3\n", rules.Place(rules.SquareCell(2, 3)), "d3"},
		{"the last cell of the widest board", "reversi/square:4 " + "OX__/____/____/____ X 0", "p16", rules.Place(rules.SquareCell(15, 15)), "p16"},
		{"off the board but well formed", usualStart, "z99", rules.Place(rules.SquareCell(98, 25)), "z99"},
		{"a pass", usualStart, "pass", rules.Pass, "pass"},
		{"a pass in upper case", usualStart, "PASS", rules.Pass, "pass"},
		{"PA on a square", usualStart, "PA", rules.Pass, "pass"},
		{"ps on a square", usualStart, " ps", rules.Pass, "pass"},
		{"hyphens on a square", usualStart, "--", rules.Pass, "pass"},
		{"at signs on a square", usualStart, "@@", rules.Pass, "pass"},
		{"a hexagonal cell", "reversi/hex:1 XO/O_X/XO X 0", "-1,2", rules.Place(rules.HexCell(-1, 2)), "-1,2"},
		{"a pass on a hexagon", "reversi/hex:1 XO/O_X/XO X 0", "Pass", rules.Pass, "pass"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := position(t, c.board)
			got, err := p.ParseMove(c.text)
			if err != nil || got != c.move {
				t.Errorf("ParseMove returns %+v, %v, want %+v", got, err, c.move)
			}
			if text := p.MoveNotation(c.move); text != c.written {
				t.Errorf("MoveNotation returns %s, want %s", text, c.written)
			}
		})
	}
}

func TestParseMoveErrors(t *testing.T) {
	for board, texts := range map[string][]string{
		usualStart:                    {"", "d", "3", "3d", "d0", "d-1", "d03", "d+3", "aa1", "é1", "2,3", "d3 d4", "pas", "passs"},
		"reversi/hex:1 XO/O_X/XO X 0": {"", "1", "1,", ",1", "1,2,-3", "+1,2", "01,2", "-0,1", "1, 2", "d3", "1.0,2", "q,r"},
	} {
		p := position(t, board)
		for _, text := range texts {
			t.Run(fmt.Sprintf("%s of %s", text, board), func(t *testing.T) {
				_, err := p.ParseMove(text)
				if got := wantFault(t, err, fault.InvalidNotation, ""); got.Meta["problem"] != "move" {
					t.Errorf("the problem is %s", got.Meta["problem"])
				}
				_, err = p.ParseCell(text)
				if got := wantFault(t, err, fault.InvalidNotation, ""); got.Meta["problem"] != "cell" {
					t.Errorf("the problem is %s", got.Meta["problem"])
				}
			})
		}
	}
}
