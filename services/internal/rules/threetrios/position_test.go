package threetrios_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/golden"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/rulestest"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

func parse(notation string) (rules.Position, error) { return threetrios.Parse(notation) }

// everyRule is a game with most rules, holes, and few different values.
var everyRule = threetrios.Setup{
	Grid:  "3 4\nCCXC\nCCCX\nCCCX",
	Deck:  "a 1 2 3 A\nb 2 2 A 3\nc 3 1 2 2\nd A 3 1 2\ne 2 3 2 1\nf 3 2 A 2\ng 1 A 2 3\nh 2 1 3 3\ni 3 2 1 A\nj 2 3 3 2\n",
	Rules: []threetrios.Rule{threetrios.FallenAce, threetrios.Same, threetrios.Plus},
}

// middle is a position of a game with these rules.
const middle = "threetrios/BR._/B__./_R_. R 1,0 default,fallen-ace,same,plus grid falcon:9354 iris:6195 drum:3675 goblet:54A2 " +
	"red anchor:5A33 candle:6186 ember:51A5 blue bell:4782 harp:18A2 juniper:4854"

func TestSuite(t *testing.T) {
	setups := map[string]threetrios.Setup{
		"the built-in game":            {},
		"every rule, with holes":       everyRule,
		"reverse, counting own cards":  {Rules: []threetrios.Rule{threetrios.Reverse, threetrios.Plus}, CountOwnCards: new(true)},
		"one cell":                     {Grid: "1 1\nC"},
		"five in a row":                {Grid: "1 5\nCCCCC"},
		"cells that are not connected": {Grid: "3 5\nCXCXC\nXXXXX\nCXXXC"},
		"from the middle of a game":    {StartFrom: endgame},
		"from an unknown last move":    {StartFrom: "threetrios/R_._ B - default,same grid k1:739A red k3:5155 blue k2:2222 k4:6181"},
		"from a game that is over":     {StartFrom: "threetrios/R - 0,0 default grid a:1111 red blue b:234A"},
	}
	starts := map[string]rules.Position{}
	for name, setup := range setups {
		starts[name] = start(t, setup)
	}
	rulestest.Suite(t, starts, parse)
}

func TestPlaythroughs(t *testing.T) {
	for _, c := range []struct {
		name  string
		setup threetrios.Setup
		seed  uint64
	}{
		{"built-in", threetrios.Setup{}, 1},
		{"every-rule", everyRule, 198},
	} {
		t.Run(c.name, func(t *testing.T) {
			first := start(t, c.setup)
			_, moves := rulestest.RandomGame(t, first, c.seed)
			rulestest.Playthrough(t, c.name, first, moves)
		})
	}
}

func TestText(t *testing.T) {
	p := start(t, threetrios.Setup{StartFrom: middle})
	hints := map[rules.Cell]string{rules.SquareCell(0, 3): "2", rules.SquareCell(1, 0): "x", rules.SquareCell(2, 0): "0"}
	wide := map[rules.Cell]string{rules.SquareCell(0, 3): "-12"}
	for _, c := range []struct {
		name    string
		options rules.TextOptions
	}{
		{"plain", rules.TextOptions{}},
		{"labels", rules.TextOptions{Labels: true}},
		{"selected-card", rules.TextOptions{Selected: new(rules.SquareCell(1, 0)), Hints: hints}},
		{"selected-hint", rules.TextOptions{Selected: new(rules.SquareCell(0, 3)), Hints: hints, Labels: true}},
		{"selected-hole", rules.TextOptions{Selected: new(rules.SquareCell(0, 2))}},
		{"wide-hint", rules.TextOptions{Selected: new(rules.SquareCell(0, 3)), Hints: wide, Labels: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			golden.Check(t, "text/"+c.name+".txt", []byte(p.Text(c.options)+"\n"))
		})
	}
}

// A selected cell of another kind of board changes nothing.
func TestTextIgnoresCellsOfOtherBoards(t *testing.T) {
	p := start(t, threetrios.Setup{})
	odd := rules.HexCell(0, 0)
	if diff := cmp.Diff(p.Text(rules.TextOptions{}), p.Text(rules.TextOptions{Selected: &odd})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestIllegalMoves(t *testing.T) {
	middle := start(t, threetrios.Setup{StartFrom: middle})
	over := start(t, threetrios.Setup{StartFrom: "threetrios/R. - 0,0 default grid a:1111 red blue b:234A"})
	hex, off := rules.HexCell(0, 0), rules.SquareCell(3, 0)
	hole, taken := rules.SquareCell(0, 2), rules.SquareCell(0, 0)
	for _, c := range []struct {
		name   string
		p      *threetrios.Position
		move   rules.Move
		reason fault.Reason
		meta   map[string]string
	}{
		{"a disc", over, rules.Place(off), fault.InvalidField, map[string]string{"game": "threetrios"}},
		{"a pass", middle, rules.Pass, fault.InvalidField, map[string]string{"game": "threetrios"}},
		{"an empty move", middle, rules.Move{}, fault.InvalidField, map[string]string{"game": "threetrios"}},
		{"a hexagonal cell", over, rules.Play("no card", hex), fault.InvalidField, nil},
		{"any card once the game is over", over, rules.Play("no card", off), fault.GameOver, nil},
		{"off the grid", middle, rules.Play("no card", off), fault.OffBoard, map[string]string{"cell": "3,0"}},
		{"left of the grid", middle, rules.Play("ember", rules.SquareCell(0, -1)), fault.OffBoard, map[string]string{"cell": "0,-1"}},
		{"an unknown card", middle, rules.Play("no card", hole), fault.CardNotInHand, map[string]string{"card": "no card"}},
		{"a card of the other hand", middle, rules.Play("harp", hole), fault.CardNotInHand, map[string]string{"card": "harp"}},
		{"a card that was played", middle, rules.Play("iris", taken), fault.CardNotInHand, map[string]string{"card": "iris"}},
		{"a hole", middle, rules.Play("ember", hole), fault.Hole, map[string]string{"cell": "0,2"}},
		{"a taken cell", middle, rules.Play("ember", taken), fault.CellTaken, map[string]string{"cell": "0,0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := c.p.Play(c.move)
			got, ok := errors.AsType[*fault.Error](err)
			if !ok || got.Reason != c.reason {
				t.Fatalf("the error is %v, want %s", err, c.reason)
			}
			if diff := cmp.Diff(c.meta, got.Meta); diff != "" {
				t.Errorf("metadata (-want +got):\n%s", diff)
			}
		})
	}
}

// Several turns in a row, which only WithTurn allows, empty a hand before the grid is full.
func TestWithTurnOfASideWithoutCards(t *testing.T) {
	p := start(t, threetrios.Setup{Grid: row3, Deck: deck4})
	for column := range 2 {
		p = p.WithTurn(rules.First).(*threetrios.Position).PlayCard(0, rules.SquareCell(0, column))
	}
	if p.Turn() != rules.Second || len(p.Legal()) != 2 {
		t.Errorf("side %d has the moves %v", p.Turn(), p.Legal())
	}
	noCards := p.WithTurn(rules.First)
	if _, _, err := noCards.Play(rules.Play("a", rules.SquareCell(0, 2))); fault.ReasonOf(err) != fault.GameOver {
		t.Errorf("a side without cards gets %v", err)
	}
	if noCards.Turn() != rules.NoSide || len(noCards.Legal()) != 0 || noCards.Score() != p.Score() {
		t.Errorf("side %d has the moves %v with %v", noCards.Turn(), noCards.Legal(), noCards.Score())
	}
}

func TestAt(t *testing.T) {
	p := start(t, threetrios.Setup{StartFrom: middle})
	falcon := threetrios.Card{Name: "falcon", North: 9, South: 3, East: 5, West: 4}
	for _, c := range []struct {
		row, column int
		want        threetrios.GridCell
	}{
		{0, 0, threetrios.GridCell{Owner: rules.Second, Card: falcon}},
		{0, 2, threetrios.GridCell{Hole: true}},
		{1, 1, threetrios.GridCell{}},
		{-1, 0, threetrios.GridCell{Hole: true}},
		{0, 4, threetrios.GridCell{Hole: true}},
	} {
		if got := p.At(c.row, c.column); got != c.want {
			t.Errorf("At(%d, %d) = %+v, want %+v", c.row, c.column, got, c.want)
		}
	}
	if p.Rows() != 3 || p.Columns() != 4 || p.CountOwnCards() || p.FinalScore() != p.Score() {
		t.Errorf("%d rows and %d columns, counting own cards: %v", p.Rows(), p.Columns(), p.CountOwnCards())
	}
}

func TestNeighbours(t *testing.T) {
	p := start(t, everyRule)
	for _, c := range []struct {
		name   string
		of     rules.Cell
		to     threetrios.Direction
		want   rules.Cell
		exists bool
	}{
		{"north", rules.SquareCell(1, 1), threetrios.North, rules.SquareCell(0, 1), true},
		{"south", rules.SquareCell(1, 1), threetrios.South, rules.SquareCell(2, 1), true},
		{"east", rules.SquareCell(1, 1), threetrios.East, rules.SquareCell(1, 2), true},
		{"west", rules.SquareCell(1, 1), threetrios.West, rules.SquareCell(1, 0), true},
		{"beyond the edge", rules.SquareCell(0, 0), threetrios.North, rules.Cell{}, false},
		{"a hole", rules.SquareCell(0, 1), threetrios.East, rules.Cell{}, false},
		{"of a cell off the grid", rules.SquareCell(9, 9), threetrios.East, rules.Cell{}, false},
		{"of a cell of another board", rules.HexCell(1, 1), threetrios.East, rules.Cell{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, ok := p.Neighbour(c.of, c.to); got != c.want || ok != c.exists {
				t.Errorf("Neighbour returns %v, %v", got, ok)
			}
			if c.exists {
				if back, _ := p.Neighbour(c.want, c.to.Opposite()); back != c.of {
					t.Errorf("the opposite direction leads to %v", back)
				}
			}
		})
	}
}

func TestPlayCardRejectsIllegalMoves(t *testing.T) {
	p := start(t, threetrios.Setup{StartFrom: middle})
	over := start(t, threetrios.Setup{StartFrom: "threetrios/R - 0,0 default grid a:1111 red blue b:234A"})
	empty := rules.SquareCell(1, 1)
	for _, c := range []struct {
		name string
		p    *threetrios.Position
		hand int
		cell rules.Cell
	}{
		{"no such card", p, 3, empty},
		{"a negative index", p, -1, empty},
		{"a hole", p, 0, rules.SquareCell(0, 2)},
		{"a taken cell", p, 0, rules.SquareCell(0, 0)},
		{"off the grid", p, 0, rules.SquareCell(3, 0)},
		{"another kind of cell", p, 0, rules.HexCell(1, 1)},
		{"a game that is over", over, 0, rules.SquareCell(0, 0)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if n, next := c.p.FlipCount(c.hand, c.cell), c.p.PlayCard(c.hand, c.cell); n != 0 || next != nil {
				t.Errorf("FlipCount = %d, PlayCard = %v", n, next)
			}
		})
	}
}

func TestFlipCountDoesNotAllocate(t *testing.T) {
	p := start(t, threetrios.Setup{StartFrom: middle})
	cell := rules.SquareCell(1, 1)
	if n := testing.AllocsPerRun(100, func() { p.FlipCount(0, cell) }); n != 0 {
		t.Errorf("FlipCount allocates %v times", n)
	}
}
