package reversi_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/rulestest"
)

// wantFault checks the reason and the field of an error, and returns it as a fault.
func wantFault(t *testing.T, err error, reason fault.Reason, field string) *fault.Error {
	t.Helper()
	got, ok := errors.AsType[*fault.Error](err)
	if !ok {
		t.Fatalf("got %v, want %s", err, reason)
	}
	if got.Reason != reason || got.Field != field {
		t.Errorf("got %s at %q (%s), want %s at %q", got.Reason, got.Field, got.Message, reason, field)
	}
	return got
}

func position(t testing.TB, notation string) *reversi.Position {
	t.Helper()
	p, err := reversi.Parse(notation)
	if err != nil {
		t.Fatalf("%s: %v", notation, err)
	}
	return p
}

// after returns the position after moves in notation.
func after(t testing.TB, p rules.Position, moves ...string) rules.Position {
	t.Helper()
	var parsed []rules.Move
	for _, text := range moves {
		m, err := p.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, m)
	}
	return rulestest.Replay(t, p, parsed)
}

func discs(black, white int) rules.Score { return rules.Score{First: black, Second: white} }

func legal(p rules.Position) string {
	var all []string
	for _, m := range p.Legal() {
		all = append(all, p.MoveNotation(m))
	}
	return strings.Join(all, " ")
}

const (
	usualStart = "reversi/square:8 ________/________/________/___OX___/___XO___/________/________/________ X 0"
	// blackPasses is a forced game in which Black must pass and White has a placement.
	blackPasses = "reversi/square:4 OX__/____/____/____ X 0"
	noPlacement = "reversi/square:4 XXXX/____/____/____ - 0"
)

func TestStarts(t *testing.T) {
	for _, c := range []struct {
		name     string
		setup    reversi.Setup
		notation string
		legal    string
	}{
		{
			"hexagon", reversi.Setup{Size: 2},
			"reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0", "1,-2 -1,-1 2,-1 -2,1 1,1 -1,2 pass",
		},
		{"square", reversi.Setup{Shape: reversi.Square}, usualStart, "d3 c4 f5 e6"},
		{
			"mirrored square", reversi.Setup{Shape: reversi.Square, Size: 4, Start: reversi.Mirrored},
			"reversi/square:4 ____/_XO_/_OX_/____ X 0", "c1 d2 a3 b4",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := start(t, c.setup)
			if p.Notation() != c.notation || legal(p) != c.legal {
				t.Errorf("got %s with %s, want %s with %s", p.Notation(), legal(p), c.notation, c.legal)
			}
		})
	}
}

func TestPlacementFlipsRunsInAllDirectionsAndNothingElse(t *testing.T) {
	for _, c := range []struct{ name, before, move, flips, after string }{
		{
			"several directions; runs that end at the edge or an empty cell stay",
			"reversi/square:4 _X_X/OOO_/__O_/OO__ X 0", "b3", "b2 c2",
			"reversi/square:4 _X_X/OXX_/_XO_/OO__ O 0",
		},
		{
			"a long run; flipped discs flip no others",
			"reversi/square:4 _OOX/_O__/_O__/_X__ X 0", "a1", "b1 c1",
			"reversi/square:4 XXXX/_O__/_O__/_X__ O 0",
		},
		{
			"along all three lines of a hexagon",
			"reversi/hex:2 X_X/_OO_/XO_OX/_OO_/X_X X 0", "0,0", "0,-1 1,-1 -1,0 1,0 -1,1 0,1",
			"reversi/hex:2 X_X/_XX_/XXXXX/_XX_/X_X O 0",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := position(t, c.before)
			m, err := p.ParseMove(c.move)
			if err != nil {
				t.Fatal(err)
			}
			next, flips, err := p.Play(m)
			if err != nil {
				t.Fatal(err)
			}
			if got := flipNames(p, flips); got != c.flips || next.Notation() != c.after {
				t.Errorf("%s flips %s and leads to %s, want %s and %s", c.move, got, next.Notation(), c.flips, c.after)
			}
		})
	}
}

func flipNames(p rules.Position, flips []rules.Flip) string {
	var names []string
	for _, f := range flips {
		names = append(names, p.CellNotation(f.Cell))
	}
	return strings.Join(names, " ")
}

func TestIllegalMoves(t *testing.T) {
	const over = "reversi/square:4 XXXX/____/____/____ - 0"
	d3 := rules.Place(rules.SquareCell(2, 3))
	for _, c := range []struct {
		name, position string
		move           rules.Move
		reason         fault.Reason
		message        string
	}{
		{
			"a card, even after the end", over, rules.Play("k3", rules.SquareCell(0, 0)),
			fault.InvalidField, "a move in Reversi places a disc or passes",
		},
		{
			"no kind of move", usualStart, rules.Move{},
			fault.InvalidField, "a move in Reversi places a disc or passes",
		},
		{
			"a cell of another shape, even after the end", over, rules.Place(rules.HexCell(0, 0)),
			fault.InvalidField, "a cell of this board is a letter and a number such as d3",
		},
		{
			"a placement after the end", over, rules.Place(rules.SquareCell(9, 9)),
			fault.GameOver, "the game is over",
		},
		{
			"a pass after the end", over, rules.Pass,
			fault.GameOver, "the game is over",
		},
		{
			"off the board", usualStart, rules.Place(rules.SquareCell(8, 0)),
			fault.OffBoard, "a9 is off the board",
		},
		{
			"far off the board", usualStart, rules.Place(rules.SquareCell(-1, 1<<40)),
			fault.OffBoard, "row -1, column 2147483647 is off the board",
		},
		{
			"a cell with a disc", usualStart, rules.Place(rules.SquareCell(3, 3)),
			fault.CellTaken, "d4 already has a disc",
		},
		{
			"no flips", usualStart, rules.Place(rules.SquareCell(0, 0)),
			fault.FlipsNothing, "a1 flips nothing",
		},
		{
			"too few flips", usualStart + " pass_rule=voluntary min_flips=2", d3,
			fault.FlipsNothing, "d3 flips only 1: a placement must flip at least 2",
		},
		{
			"a pass instead of a placement", usualStart, rules.Pass,
			fault.MustPlace, "Black must place a disc: a pass is legal only without a placement",
		},
		{
			"a pass of White instead of a placement", "reversi/square:4 XO__/____/____/OX__ O 0", rules.Pass,
			fault.MustPlace, "White must place a disc: a pass is legal only without a placement",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := position(t, c.position)
			_, _, err := p.Play(c.move)
			if got := wantFault(t, err, c.reason, ""); got.Message != c.message {
				t.Errorf("the message is %q, want %q", got.Message, c.message)
			}
			if flips := p.Flips(c.move); flips != nil {
				t.Errorf("an illegal move flips %v", flips)
			}
		})
	}
}

func TestIllegalMoveMetadata(t *testing.T) {
	p := position(t, usualStart+" pass_rule=voluntary min_flips=2")
	_, _, err := p.Play(rules.Place(rules.SquareCell(2, 3)))
	got := wantFault(t, err, fault.FlipsNothing, "").Meta
	if want := (map[string]string{"cell": "d3", "flips": "1", "minFlips": "2"}); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the metadata is %v, want %v", got, want)
	}
}

func TestVoluntaryPassing(t *testing.T) {
	p := rules.Position(start(t, reversi.Setup{Size: 2}))
	t.Run("two in a row end the game", func(t *testing.T) {
		once := after(t, p, "pass")
		if once.Turn() != rules.Second || !strings.HasSuffix(once.Notation(), " O 1") {
			t.Errorf("one pass leads to %s", once.Notation())
		}
		twice := after(t, once, "pass")
		if twice.Turn() != rules.NoSide || legal(twice) != "" || !strings.HasSuffix(twice.Notation(), " - 2") {
			t.Errorf("two passes lead to %s with %s", twice.Notation(), legal(twice))
		}
	})
	t.Run("a placement clears the count", func(t *testing.T) {
		between := after(t, p, "pass", "-1,-1", "pass")
		if between.Turn() == rules.NoSide || between.(*reversi.Position).Passes() != 1 {
			t.Errorf("pass, placement, pass lead to %s", between.Notation())
		}
	})
	t.Run("an illegal placement does not clear the count", func(t *testing.T) {
		once := after(t, p, "pass")
		if _, _, err := once.Play(rules.Place(rules.HexCell(0, 0))); fault.ReasonOf(err) != fault.FlipsNothing {
			t.Errorf("got %v, want FLIPS_NOTHING", err)
		}
		if twice := after(t, once, "pass"); twice.Turn() != rules.NoSide {
			t.Errorf("pass, illegal placement, pass lead to %s", twice.Notation())
		}
	})
	t.Run("a full board does not end the game", func(t *testing.T) {
		full := position(t, "reversi/square:4 XXXX/XXXX/OOOO/OOOO X 0 pass_rule=voluntary")
		if legal(full) != "pass" || !rules.MustPass(full) {
			t.Errorf("a full board has the moves %q, want pass", legal(full))
		}
	})
}

func TestForcedPassing(t *testing.T) {
	t.Run("pass is the only move without a placement", func(t *testing.T) {
		p := position(t, blackPasses)
		if legal(p) != "pass" {
			t.Errorf("the moves are %q, want pass", legal(p))
		}
		if next := after(t, p, "pass"); next.Notation() != "reversi/square:4 OX__/____/____/____ O 1" || legal(next) != "c1" {
			t.Errorf("the pass leads to %s with %s", next.Notation(), legal(next))
		}
	})
	t.Run("the game ends as soon as neither side has a placement", func(t *testing.T) {
		end := after(t, position(t, blackPasses), "pass", "c1")
		if end.Notation() != "reversi/square:4 OOO_/____/____/____ - 0" || legal(end) != "" {
			t.Errorf("the last placement leads to %s with %q", end.Notation(), legal(end))
		}
	})
	t.Run("a placement needs enough flips", func(t *testing.T) {
		p := position(t, "reversi/square:4 XO__/____/____/OXX_ X 0 min_flips=2")
		if legal(p) != "pass" || legal(p.WithTurn(rules.Second)) != "d4" {
			t.Errorf("the moves are %q for Black and %q for White", legal(p), legal(p.WithTurn(rules.Second)))
		}
	})
}

// A board of one ring has no placements.
func TestOneRing(t *testing.T) {
	forced := start(t, reversi.Setup{Size: 1, PassRule: reversi.Forced})
	if forced.Turn() != rules.NoSide || forced.Score() != discs(3, 3) {
		t.Errorf("a forced game starts as %s", forced.Notation())
	}
	if end := after(t, start(t, reversi.Setup{Size: 1}), "pass", "pass"); end.Score() != discs(3, 3) {
		t.Errorf("a voluntary game ends as %s", end.Notation())
	}
}

func TestFinalScore(t *testing.T) {
	for _, c := range []struct {
		name, position string
		score, final   rules.Score
	}{
		{"empty cells count for neither side", "reversi/square:4 XXXX/____/____/____ - 0", discs(4, 0), discs(4, 0)},
		{"to the winner, Black", "reversi/square:4 XXXX/____/____/____ - 0 empties_to_winner=true", discs(4, 0), discs(16, 0)},
		{"to the winner, White", "reversi/square:4 OOO_/____/____/___X - 0 empties_to_winner=true", discs(1, 3), discs(1, 15)},
		{"shared in a draw", "reversi/square:4 OO__/____/____/__XX - 0 empties_to_winner=true", discs(2, 2), discs(8, 8)},
		{"an odd empty cell counts for neither side", "reversi/hex:1 XO/O_X/XO - 0 pass_rule=forced empties_to_winner=true", discs(3, 3), discs(3, 3)},
		{"a full board", "reversi/square:4 XXXX/XXXX/XOOO/OOOO - 0 empties_to_winner=true", discs(9, 7), discs(9, 7)},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := position(t, c.position)
			if p.Score() != c.score || p.FinalScore() != c.final {
				t.Errorf("the scores are %v and %v, want %v and %v", p.Score(), p.FinalScore(), c.score, c.final)
			}
		})
	}
}

func TestWithTurn(t *testing.T) {
	p := after(t, start(t, reversi.Setup{Size: 2}), "pass")
	if other := p.WithTurn(rules.First); other.Notation() != "reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0" {
		t.Errorf("after a pass, WithTurn(Black) returns %s", other.Notation())
	}
	if p.WithTurn(rules.Second) != p || p.WithTurn(rules.NoSide) != p {
		t.Error("WithTurn returns another position for the side to move or for NoSide")
	}
	end := position(t, noPlacement)
	if end.WithTurn(rules.First) != rules.Position(end) || end.WithTurn(rules.Second) != rules.Position(end) {
		t.Error("a finished game does not stay finished")
	}
}

func TestPlacements(t *testing.T) {
	p := position(t, "reversi/square:6 ______/OX____/_XXOO_/_XOO__/X__O__/___O__ X 0")
	var got []string
	for _, at := range p.Placements() {
		m := rules.Place(at.Cell)
		got = append(got, fmt.Sprintf("%s=%d:%s", p.CellNotation(at.Cell), at.Flips, flipNames(p, p.Flips(m))))
	}
	want := "f3=2:d3 e3 e4=2:c4 d4 c5=1:c4 e5=1:d4 e6=2:c4 d5"
	if strings.Join(got, " ") != want {
		t.Errorf("the placements are %v, want %s", got, want)
	}
	if p.CountPlacements() != 5 || p.CountLegal() != 5 {
		t.Errorf("CountPlacements() = %d, CountLegal() = %d, want 5 and 5", p.CountPlacements(), p.CountLegal())
	}
}

func TestCountLegalAgreesWithLegal(t *testing.T) {
	for _, setup := range []reversi.Setup{
		{Size: 3}, {Size: 3, PassRule: reversi.Forced}, {StartFrom: hexagonOfTwoFlips}, {StartFrom: squareOfEveryOption},
	} {
		for seed := range uint64(5) {
			positions, _ := rulestest.RandomGame(t, start(t, setup), seed)
			for _, each := range positions {
				p := each.(*reversi.Position)
				if p.CountLegal() != len(p.Legal()) || p.CountPlacements() != len(p.Placements()) {
					t.Errorf("%s: counted %d and %d, listed %d and %d", p.Notation(),
						p.CountLegal(), p.CountPlacements(), len(p.Legal()), len(p.Placements()))
				}
			}
		}
	}
}

func TestAccessors(t *testing.T) {
	p := position(t, "reversi/square:4 OX__/____/____/____ O 1 min_flips=1 empties_to_winner=true")
	if got := strings.Join(p.Rows(), " "); got != "OX__ ____ ____ ____" {
		t.Errorf("the rows are %s", got)
	}
	if p.PassRule() != reversi.Forced || p.MinFlips() != 1 || !p.EmptiesToWinner() || p.Passes() != 1 {
		t.Errorf("the options are %s, %d, %v and the passes %d", p.PassRule(), p.MinFlips(), p.EmptiesToWinner(), p.Passes())
	}
	for _, c := range []struct {
		cell rules.Cell
		want rules.Side
	}{
		{rules.SquareCell(0, 0), rules.Second},
		{rules.SquareCell(0, 1), rules.First},
		{rules.SquareCell(0, 2), rules.NoSide},
		{rules.SquareCell(0, 4), rules.NoSide},
		{rules.HexCell(0, 0), rules.NoSide},
	} {
		if got := p.At(c.cell); got != c.want {
			t.Errorf("At(%+v) = %d, want %d", c.cell, got, c.want)
		}
	}
}
