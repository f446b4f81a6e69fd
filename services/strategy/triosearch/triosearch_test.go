package triosearch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/trios"
)

// square returns a game on a square grid with a deck of random cards. If the number of cells is
// even, one corner is a hole.
func square(side int, seed uint64, on ...threetrios.Rule) threetrios.Setup {
	rows := strings.Repeat(strings.Repeat("C", side)+"\n", side)
	if side%2 == 0 {
		rows = "X" + rows[1:]
	}
	random := rand.New(rand.NewPCG(seed, 0))
	deck := ""
	for i := range side*side + 1 {
		deck += fmt.Sprintf("c%d", i)
		for range directions {
			deck += strings.Replace(fmt.Sprintf(" %d", 1+random.IntN(threetrios.Ace)), "10", "A", 1)
		}
		deck += "\n"
	}
	return threetrios.Setup{Grid: fmt.Sprintf("%d %d\n%s", side, side, rows), Deck: deck, Rules: on}
}

func TestTheBuiltInGameIsADraw(t *testing.T) {
	p := resolve(t, threetrios.Setup{})
	found := last(analyze(t, limits.Options{}, p, 1))
	if !found.Exact || found.Depth != 9 || found.Best().Score != 0 || len(found.Best().Moves) != 9 {
		t.Fatalf("found %+v", found)
	}
	checkLines(t, p, found)
}

func TestTheLineOfASolvedGameReachesItsScore(t *testing.T) {
	p := resolve(t, square(3, 1, threetrios.Reverse, threetrios.Same, threetrios.Plus))
	for p.Turn() != rules.NoSide {
		if len(p.EmptyCells()) < 8 {
			found := last(analyze(t, limits.Options{}, p, 3))
			if !found.Exact {
				t.Fatalf("%s is not solved: %+v", p.Notation(), found)
			}
			checkLines(t, p, found)
		}
		p = after(t, p, p.Legal()[0])
	}
}

// plainRoots returns the best roots by plainSearch: the highest value first, then in reading order.
func plainRoots(b *board, roots []root, depth, lines int) []root {
	all := slices.Clone(roots)
	for i, r := range all {
		undo := b.makeMove(r.move)
		all[i].value = -plainSearch(b, depth-1)
		b.unmakeMove(r.move, undo)
	}
	slices.SortStableFunc(all, func(a, b root) int { return b.value - a.value })
	return all[:min(lines, len(all))]
}

func TestSeveralLinesAreTheBestInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPosition(t, 5)
		if p.Turn() == rules.NoSide {
			return
		}
		w := newTestWorker(p)
		for depth := 1; depth <= min(3, w.board.left); depth++ {
			want := plainRoots(w.board, w.board.roots(p, p.Legal()), depth, 3)
			if w.searchRoots(depth, -infinity, infinity, 3); !slices.Equal(w.best, want) {
				t.Fatalf("the best of %s at depth %d are %v, not %v", p.Notation(), depth, w.best, want)
			}
		}
	})
}

// withoutTime clears the times, which differ from run to run.
func withoutTime(analyses []strategy.Analysis) []strategy.Analysis {
	for i := range analyses {
		analyses[i].Time = 0
	}
	return analyses
}

func TestOneThreadIsDeterministic(t *testing.T) {
	p := resolve(t, square(5, 2))
	for _, o := range []limits.Options{
		{Limits: limits.Limits{Depth: 3}}, {Limits: limits.Limits{Nodes: 5000}}, {Limits: limits.Limits{Depth: 2, Nodes: 100}},
	} {
		once, again := withoutTime(analyze(t, o, p, 2)), withoutTime(analyze(t, o, p, 2))
		if !reflect.DeepEqual(once, again) {
			t.Errorf("%+v found %+v and then %+v", o, once, again)
		}
	}
}

func TestTheSearchKeepsItsDepthAndNodeLimits(t *testing.T) {
	p := resolve(t, square(5, 3))
	if found := last(analyze(t, limits.Options{Limits: limits.Limits{Depth: 2}}, p, 1)); found.Depth != 2 || found.Exact {
		t.Errorf("with a depth of 2 it found %+v", found)
	}
	for _, most := range []int64{1, 10, 500, 5000} {
		if found := last(analyze(t, limits.Options{Limits: limits.Limits{Nodes: most}}, p, 1)); found.Nodes > most || len(found.Lines) == 0 {
			t.Errorf("with %d nodes it found %+v", most, found)
		}
	}
}

// endingContext is a context that ends after so many calls of Err.
type endingContext struct {
	context.Context
	left int
}

func (p *endingContext) Err() error {
	if p.left--; p.left < 0 {
		return context.Canceled
	}
	return nil
}

// The nodes between two checks take far less than 20 ms.
func TestASearchStopsSoonWithALegalMove(t *testing.T) {
	for _, side := range []int{3, 7, 16} {
		p := resolve(t, square(side, 4))
		for _, checks := range []int{0, 1, 5} {
			meter := limits.NewMeter(&endingContext{t.Context(), checks})
			found := slices.Collect(Analyze(meter, p, limits.Options{}))
			after(t, p, last(found).Best().Moves[0])
			interval := max(1, movesPerCheck/int64(len(p.Legal())))
			if nodes, _ := meter.Spent(); nodes > int64(checks+1)*min(interval, limits.Interval) {
				t.Errorf("%d by %d: %d checks take %d nodes", side, side, checks, nodes)
			}
		}
	}
}

func TestTheSearchKeepsItsTimeLimit(t *testing.T) {
	w := limits.NewMeter(t.Context())
	found := last(slices.Collect(Analyze(w, resolve(t, square(7, 5)), limits.Options{Limits: limits.Limits{Time: 30 * time.Millisecond}, Threads: 2})))
	if found.Exact || len(found.Lines) != 1 {
		t.Errorf("found %+v", found)
	}
}

func TestTheCallerMayBreakOff(t *testing.T) {
	meter := limits.NewMeter(t.Context())
	for found := range Analyze(meter, resolve(t, square(5, 6)), limits.Options{Threads: 2}) {
		if found.Depth == 2 {
			break
		}
	}
	if meter.TimeUp() {
		t.Error("the search has stopped the outer meter")
	}
}

func TestThreadsFindTheSameExactScore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPosition(t, 6)
		if p.Turn() == rules.NoSide {
			return
		}
		one := slices.Collect(Analyze(limits.NewMeter(t.Context()), p, limits.Options{}))
		three := slices.Collect(Analyze(limits.NewMeter(t.Context()), p, limits.Options{Threads: 3}))
		if a, b := last(one), last(three); a.Best().Score != b.Best().Score || !b.Exact {
			t.Fatalf("%s is worth %+v to one thread and %+v to three", p.Notation(), a, b)
		}
		checkLines(t, p, last(three))
	})
}

func TestTheSearchTriesOnlyTheFirstOfIdenticalCards(t *testing.T) {
	p := resolve(t, threetrios.Setup{Grid: "1 3\nCCC\n", Deck: "a 1 1 1 1\nb 2 2 2 2\nc 1 1 1 1\nd 3 3 3 3\n"})
	roots := newGame(p).roots(p, p.Legal())
	if len(roots) != 3 {
		t.Errorf("it tries %d moves, not one for each cell", len(roots))
	}
	if best := last(analyze(t, limits.Options{}, p, 1)).Best(); best.Moves[0].Card != "a" || best.Moves[2].Card != "c" {
		t.Errorf("the best line is %v", best.Moves)
	}
}

func TestASearchDoesNotAllocate(t *testing.T) {
	p := resolve(t, square(4, 8))
	w := newTestWorker(p)
	w.searchRoots(3, -infinity, infinity, 1)
	if n := testing.AllocsPerRun(1, func() { w.search(3, -infinity, infinity, 0) }); n > 0 {
		t.Errorf("a search allocates %v times", n)
	}
}

func TestNoTwoAnalysesInARowAreTheSame(t *testing.T) {
	p := resolve(t, square(5, 9))
	for most := int64(400); most < 4000; most += 97 {
		found := analyze(t, limits.Options{Limits: limits.Limits{Nodes: most}}, p, 1)
		for i := 1; i < len(found); i++ {
			a, b := found[i-1], found[i]
			if a.Depth == b.Depth && reflect.DeepEqual(a.Lines, b.Lines) {
				t.Errorf("with %d nodes it yields %+v twice", most, b)
			}
		}
	}
}

// Of moves with the same score, the search plays the one with the most expected points against the
// least exposed replies.
func TestTheSearchPlaysTheBestSwindle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPosition(t, 5)
		if p.Turn() == rules.NoSide {
			return
		}
		found := last(analyze(t, limits.Options{}, p, 1)).Best()
		if found.Score > 0 {
			return
		}
		chosen := swindleOf(t, p, found.Moves[0])
		for _, c := range strategy.Placements(p) {
			same := scoreOf(after(t, p, c.Move), p.Turn()) == found.Score
			if other := swindleOf(t, p, c.Move); same && other > chosen+1e-9 {
				t.Fatalf("on %s it plays %s for %v points; %s has the same score and %v points",
					p.Notation(), p.MoveNotation(found.Moves[0]), chosen, p.MoveNotation(c.Move), other)
			}
		}
	})
}

// swindleOf returns the expected points of a move by the rules, to the end of the game. Our moves
// keep the result, and of identical cards only one is a likely reply.
func swindleOf(t rapid.TB, p *threetrios.Position, m rules.Move) float64 {
	me, next := p.Turn(), after(t, p, m)
	if next.Turn() == rules.NoSide {
		return points(next.Score().Margin(me))
	}
	likely, err := trios.LeastExposed{}.Keep(limits.NewMeter(context.Background()), next, strategy.Placements(next))
	if err != nil {
		t.Fatal(err)
	}
	different := map[string]rules.Move{}
	for _, c := range likely {
		for _, card := range next.Hand(next.Turn()) {
			if card.Name == c.Move.Card {
				different[fmt.Sprint(card.Values(), c.Move.Cell)] = c.Move
			}
		}
	}
	sum := 0.0
	for _, reply := range different {
		sum += pointsOf(t, after(t, next, reply), me)
	}
	return sum / float64(len(different))
}

func pointsOf(t rapid.TB, p *threetrios.Position, me rules.Side) float64 {
	most := points(scoreOf(p, me))
	if p.Turn() == rules.NoSide {
		return most
	}
	for _, c := range strategy.Placements(p) {
		if points(scoreOf(after(t, p, c.Move), me)) == points(scoreOf(p, me)) {
			most = max(most, swindleOf(t, p, c.Move))
		}
	}
	return most
}

// scoreOf returns the minimax score of a position for a side.
func scoreOf(p *threetrios.Position, side rules.Side) int {
	if p.Turn() == rules.NoSide {
		return p.Score().Margin(side)
	}
	if p.Turn() == side {
		return minimax(p, map[string]int{})
	}
	return -minimax(p, map[string]int{})
}

func TestOnlyTheLeaderSwindles(t *testing.T) {
	p := resolve(t, square(3, 1)) // the side to move cannot win it
	leader, helper := newTestWorker(p), newTestWorker(p)
	leader.leads = true
	for _, w := range []*worker{leader, helper} {
		w.deepen(1, w.board.left, 1, func(result) bool { return true })
	}
	if helper.Nodes >= leader.Nodes || helper.Nodes == 0 {
		t.Errorf("a helper visits %d nodes, the leader %d", helper.Nodes, leader.Nodes)
	}
}
