package trios_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/rulestest"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/trios"
)

var byName = map[string]strategy.Strategy{
	"strategy1": trios.Corners{}, "strategy2": trios.MostFlips{},
	"strategy3": trios.LeastExposed{}, "strategy4": trios.SmallestReply{},
}

func deal(t testing.TB, s threetrios.Setup) rules.Position {
	t.Helper()
	_, p, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// play plays moves in notation, separated by spaces.
func play(t testing.TB, p rules.Position, moves string) rules.Position {
	t.Helper()
	for text := range strings.FieldsSeq(moves) {
		m, err := p.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		p = rulestest.Replay(t, p, []rules.Move{m})
	}
	return p
}

func choose(t testing.TB, s strategy.Strategy, p rules.Position) strategy.Choice {
	t.Helper()
	choice, err := strategy.Choose(t.Context(), s, p, 0)
	if err != nil {
		t.Fatal(err)
	}
	return choice
}

func TestTheStrategiesMakeThePublishedPicks(t *testing.T) {
	picks := 0
	for _, v := range rulestest.ThreeTriosVectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			setup := threetrios.Setup{Grid: v.Grid, Deck: v.Deck, CountOwnCards: &v.CountOwnCards}
			for _, name := range v.Rules {
				setup.Rules = append(setup.Rules, threetrios.Rule(name))
			}
			start := deal(t, setup)
			for _, before := range v.Picks {
				p := start
				for _, m := range v.Moves[:before.BeforeMove] {
					p = play(t, p, m.Move)
				}
				for name, want := range before.Picks {
					picks++
					if got := p.MoveNotation(choose(t, byName[name], p).Chosen.Move); got != want {
						t.Errorf("before move %d %s picks %s, want %s", before.BeforeMove, name, got, want)
					}
				}
			}
		})
	}
	if picks == 0 {
		t.Error("the vectors have no picks")
	}
}

const (
	threeByThree = "3 3\nCCC\nCCC\nCCC\n"
	// Red holds a, b, c, d, e and Blue v, w, x, y, z. The values are north, south, east, west.
	plainDeck = "a 1 5 5 1\nv 3 3 3 3\nb 5 1 1 5\nw 3 3 3 3\nc 2 2 2 2\nx 3 3 3 3\nd 2 2 2 2\ny 3 3 3 3\ne 2 2 2 2\nz 3 3 3 3\n"
)

var measures = map[strategy.Measure]string{
	strategy.NoMeasure: "nothing", strategy.Flips: "flips", strategy.Exposure: "exposure", strategy.Replies: "replies",
	strategy.Strength: "strength",
}

func TestTheMovesThatStrategiesHoldEquallyGood(t *testing.T) {
	row := "1 5\nCCCCC\n"
	for _, test := range []struct {
		name             string
		strategy         strategy.Strategy
		grid, deck, game string
		want             string
	}{
		{
			"corners adds up the values on open sides", trios.Corners{}, threeByThree, plainDeck, "",
			"a@0,0=10 b@2,2=10 strength",
		},
		{
			"corners leaves out the sides that touch cards", trios.Corners{}, threeByThree, plainDeck, "c@0,1 v@1,0",
			"b@2,2=10 strength",
		},
		{
			"corners leaves out the sides that touch holes", trios.Corners{}, "3 3\nCXC\nXCC\nCCC\n", plainDeck, "",
			"b@2,2=10 strength",
		},
		{
			"corners of one row are two", trios.Corners{}, row, plainDeck, "",
			"a@0,0=5 b@0,4=5 strength",
		},
		{
			"corners without a free corner plays the first legal move",
			trios.Corners{}, "1 3\nCCC\n", plainDeck, "a@0,0 v@0,2", "b@0,1=0 nothing",
		},
		{
			"most flips counts the chain", trios.MostFlips{}, row, "a 1 1 4 1\nv 1 1 5 2\nb 1 1 1 3\nw 1 1 1 1\nc 1 1 1 9\nx 1 1 1 1\n",
			"a@0,4 v@0,1 b@0,3 w@0,0", "c@0,2=2 flips",
		},
		{
			"most flips keeps all moves if none flips any", trios.MostFlips{}, "1 1\nC\n", "a 1 1 1 1\nb 1 1 1 1\n", "",
			"a@0,0=0 flips",
		},
		{
			"least exposed counts the cards that beat it", trios.LeastExposed{}, row,
			"a 1 1 2 9\nv 1 1 1 3\nb 1 1 9 2\nw 1 1 3 1\nc 1 1 2 2\nx 1 1 1 1\n", "",
			"b@0,0=0 a@0,4=0 exposure",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := play(t, deal(t, threetrios.Setup{Grid: test.grid, Deck: test.deck}), test.game)
			choice := choose(t, test.strategy, p)
			var words []string
			for _, c := range choice.Candidates {
				words = append(words, fmt.Sprintf("%s=%d", p.MoveNotation(c.Move), c.Value))
			}
			words = append(words, measures[choice.Chosen.Measure])
			if got := strings.Join(words, " "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// drawPosition draws a position of a random game on a small grid with random cards.
func drawPosition(t *rapid.T) *threetrios.Position {
	value := rapid.IntRange(1, 10)
	var deck strings.Builder
	for i := range 10 {
		fmt.Fprintln(&deck, fmt.Sprint("k", i), value.Draw(t, "north"), value.Draw(t, "south"), value.Draw(t, "east"), value.Draw(t, "west"))
	}
	on := rapid.SliceOfDistinct(rapid.SampledFrom(threetrios.AllRules()[1:]), rapid.ID[threetrios.Rule]).Draw(t, "rules")
	grid := rapid.SampledFrom([]string{threeByThree, "3 3\nCXC\nXCC\nCCC\n", "1 5\nCCCCC\n"}).Draw(t, "grid")
	_, p, err := threetrios.Setup{Grid: grid, Deck: deck.String(), Rules: on}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	for range rapid.IntRange(0, 6).Draw(t, "plies") {
		moves := p.Legal()
		if len(moves) <= 1 {
			break
		}
		next, _, _ := p.Play(rapid.SampledFrom(moves).Draw(t, "move"))
		if next.Turn() == rules.NoSide {
			break
		}
		p = next.(*threetrios.Position)
	}
	return p
}

// The test computes the rule without any shortcut.
func TestSmallestReplyFollowsItsRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPosition(t)
		choice, err := strategy.Choose(context.Background(), trios.SmallestReply{}, p, 0)
		if err != nil {
			t.Fatal(err)
		}
		var want string
		fewest, most := 1000, 0
		reply := guessOpponent(p)
		for _, m := range p.Legal() {
			next, flips, _ := p.Play(m)
			f := 0
			if next.Turn() != rules.NoSide {
				f = flipsOf(next, reply(next))
			}
			if f < fewest || f == fewest && len(flips) > most {
				want, fewest, most = "", f, len(flips)
			}
			if f == fewest && len(flips) == most {
				want += p.MoveNotation(m) + " "
			}
		}
		got := ""
		for _, c := range choice.Candidates {
			got += p.MoveNotation(c.Move) + " "
		}
		if got != want || choice.Chosen.Value != fewest {
			t.Errorf("in %s got %swith %d, want %swith %d", p.Notation(), got, choice.Chosen.Value, want, fewest)
		}
	})
}

// guessOpponent returns the assumed reply of the opponent.
func guessOpponent(p *threetrios.Position) func(rules.Position) rules.Move {
	by := func(s strategy.Strategy) func(rules.Position) rules.Move {
		return func(p rules.Position) rules.Move {
			choice, err := strategy.Choose(context.Background(), s, p, 0)
			if err != nil {
				panic(err)
			}
			return choice.Chosen.Move
		}
	}
	opponent := p.Turn().Other()
	for _, row := range []int{0, p.Rows() - 1} {
		for _, column := range []int{0, p.Columns() - 1} {
			if p.At(row, column).Owner == opponent {
				return by(trios.Corners{})
			}
		}
	}
	if p.Score().Margin(opponent) > 0 {
		return by(trios.MostFlips{})
	}
	if last, _, ok := p.LastMove(); ok {
		now := exposureAt(p, last, p.At(last.RowColumn()).Card)
		least := true
		for _, c := range p.EmptyCells() {
			for _, card := range p.Hand(opponent) {
				least = least && now <= exposureAt(p, c, card)
			}
		}
		if least {
			return by(trios.LeastExposed{})
		}
	}
	return fewestAnswers
}

// exposureAt counts the cards of the side to move that can beat an opposing card on a cell.
func exposureAt(p *threetrios.Position, c rules.Cell, card threetrios.Card) int {
	n := 0
	row, column := c.RowColumn()
	for _, side := range []struct {
		down, right int
		towards     threetrios.Direction
	}{{-1, 0, threetrios.North}, {1, 0, threetrios.South}, {0, 1, threetrios.East}, {0, -1, threetrios.West}} {
		if beside := p.At(row+side.down, column+side.right); beside.Hole || beside.Owner != rules.NoSide {
			continue
		}
		for _, attacker := range p.Hand(p.Turn()) {
			if p.Beats(attacker.Value(side.towards.Opposite()), card.Value(side.towards)) {
				n++
			}
		}
	}
	return n
}

// fewestAnswers returns the first reply after which the other side can flip the fewest cards.
func fewestAnswers(p rules.Position) rules.Move {
	var first rules.Move
	fewest := 1000
	for _, m := range p.Legal() {
		next, _, _ := p.Play(m)
		answer := 0
		for _, a := range next.Legal() {
			answer = max(answer, flipsOf(next, a))
		}
		if answer < fewest {
			first, fewest = m, answer
		}
	}
	return first
}

func flipsOf(p rules.Position, m rules.Move) int {
	_, flips, err := p.Play(m)
	if err != nil {
		panic(err)
	}
	return len(flips)
}

// large returns a full grid with random cards.
func large(t testing.TB, rows, columns int) rules.Position {
	random := rand.New(rand.NewPCG(1, 1))
	value := func() int { return 1 + random.IntN(10) }
	var deck strings.Builder
	for i := range rows*columns + 1 {
		fmt.Fprintln(&deck, fmt.Sprint("k", i), value(), value(), value(), value())
	}
	grid := fmt.Sprintf("%d %d\n%s", rows, columns, strings.Repeat(strings.Repeat("C", columns)+"\n", rows))
	return deal(t, threetrios.Setup{Grid: grid, Deck: deck.String()})
}

func TestSmallestReplyRejectsLargeGrids(t *testing.T) {
	if _, err := strategy.Choose(t.Context(), trios.SmallestReply{}, large(t, 3, 9), 0); fault.ReasonOf(err) != fault.BudgetExceeded {
		t.Errorf("on 27 card cells the error is %v", err)
	}
	if _, err := strategy.Choose(&endsAfter{Context: t.Context()}, trios.SmallestReply{}, large(t, 5, 5), 0); err != nil {
		t.Errorf("on 25 card cells the error is %v", err)
	}
}

// endsAfter is a context that ends after limit calls of Err.
type endsAfter struct {
	context.Context
	calls, limit int
}

func (e *endsAfter) Err() error {
	if e.calls++; e.calls > e.limit {
		return context.DeadlineExceeded
	}
	return nil
}

func TestSmallestReplyKeepsTheBestMovesSoFar(t *testing.T) {
	p := large(t, 5, 5)
	for _, visits := range []int{0, 1, 1000} {
		ctx := &endsAfter{Context: context.Background(), limit: visits}
		choice, err := strategy.Choose(ctx, trios.SmallestReply{}, p, 0)
		if err != nil {
			t.Fatal(err)
		}
		if choice.Analysis.Nodes > int64(visits)+1 {
			t.Errorf("with time for %d nodes it visits %d", visits, choice.Analysis.Nodes)
		}
		if measured := choice.Chosen.Measure == strategy.Replies; measured != (visits >= 1000) {
			t.Errorf("with time for %d nodes it chooses %+v", visits, choice.Chosen)
		}
	}
}

// In the opening the strategy tries all replies and all answers to them.
func BenchmarkSmallestReply(b *testing.B) {
	for _, size := range []int{3, 5} {
		b.Run(fmt.Sprintf("opening %dx%d", size, size), func(b *testing.B) {
			p := large(b, size, size)
			for b.Loop() {
				choose(b, trios.SmallestReply{}, p)
			}
		})
	}
}
