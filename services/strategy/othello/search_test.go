package othello

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/services/strategy/hashtable"
	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/othello/ffo"
)

// bruteForce returns the exact score by searching every variation.
func bruteForce(b Board, s Scoring) int {
	moves := b.Moves()
	if moves == 0 {
		if b.Pass().Moves() == 0 {
			return s.Final(b)
		}
		return -bruteForce(b.Pass(), s)
	}
	best := noScore
	for ; moves != 0; moves &= moves - 1 {
		best = max(best, -bruteForce(b.Play(first(moves)), s))
	}
	return best
}

func playAll(b Board, moves []Square) Board {
	for _, x := range moves {
		b = b.playOrPass(x)
	}
	return b
}

// signAfter returns -1 if the opponent is to move after these moves, else 1.
func signAfter(moves []Square) int { return 1 - len(moves)%2*2 }

// randomDiscs returns a board of random discs. No game reaches most of these boards; many have
// passes and early ends.
func randomDiscs(r *rand.Rand, empties int) Board {
	b := Board{Mover: r.Uint64() & r.Uint64()}
	if r.IntN(2) == 0 {
		b.Mover = r.Uint64()
	}
	b.Opponent = ^b.Mover
	for b.Empties() < empties {
		hole := uint64(1) << r.IntN(64)
		b.Mover, b.Opponent = b.Mover&^hole, b.Opponent&^hole
	}
	return b
}

func smallEngine(s Scoring) *Engine { return New(Options{TableBytes: 1 << 20, Scoring: s}) }

// search returns the results of a new engine.
func search(t *testing.T, s Scoring, b Board, o limits.Options) []Info {
	t.Helper()
	return smallEngine(s).Search(limits.NewMeter(t.Context()), b, o)
}

func toDepth(depth int) limits.Options {
	return limits.Options{Limits: limits.Limits{Depth: depth}}
}

func fullWidth(depth int) limits.Options {
	o := toDepth(depth)
	o.FullWidth = true
	return o
}

func TestSolverEqualsBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, scoring := range []Scoring{DiscDifference, EmptiesToWinner} {
		engine := smallEngine(scoring)
		for i := range 400 {
			b := randomGame(r, 1+i%8)
			if i%2 == 0 {
				b = randomDiscs(r, 1+i%8)
			}
			want := bruteForce(b, scoring)
			got := engine.Search(limits.NewMeter(t.Context()), b, limits.Options{})[0]
			if got.Score != want || !got.Exact {
				t.Fatalf("scoring %d, board %x: %+v, want %d", scoring, b, got, want)
			}
			pv := got.PrincipalVariation
			if end := playAll(b, pv); !end.Over() || scoring.Final(end)*signAfter(pv) != want {
				t.Fatalf("scoring %d, board %x: %v does not lead to %d", scoring, b, pv, want)
			}
		}
	}
}

// imageOf returns the image of a set under one of the eight symmetries.
func imageOf(set uint64, symmetry int) (image uint64) {
	for ; set != 0; set &= set - 1 {
		file, rank := int(first(set)%8), int(first(set)/8)
		if symmetry&1 != 0 {
			file = 7 - file
		}
		if symmetry&2 != 0 {
			rank = 7 - rank
		}
		if symmetry&4 != 0 {
			file, rank = rank, file
		}
		image |= 1 << (file + 8*rank)
	}
	return image
}

func TestSymmetricBoardsHaveTheSameScore(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 5 {
		endgame, midgame := randomGame(r, 11), randomGame(r, 40)
		solved := search(t, DiscDifference, endgame, limits.Options{})[0].Score
		searched := search(t, DiscDifference, midgame, fullWidth(3))[0].Score
		for symmetry := 1; symmetry < 8; symmetry++ {
			b := Board{imageOf(endgame.Mover, symmetry), imageOf(endgame.Opponent, symmetry)}
			if got := search(t, DiscDifference, b, limits.Options{})[0].Score; got != solved {
				t.Errorf("endgame %x, symmetry %d: %d, want %d", endgame, symmetry, got, solved)
			}
			b = Board{imageOf(midgame.Mover, symmetry), imageOf(midgame.Opponent, symmetry)}
			got := search(t, DiscDifference, b, fullWidth(3))[0].Score
			if got != searched {
				t.Errorf("midgame %x, symmetry %d: %d, want %d", midgame, symmetry, got, searched)
			}
		}
	}
}

// negamax is a plain negamax search with the same evaluation and the same definition of depth.
func negamax(w *worker, b Board, depth int) int {
	moves := b.Moves()
	if moves == 0 && depth > 0 {
		if b.Pass().Moves() == 0 {
			return w.scoring.Final(b)
		}
		return -negamax(w, b.Pass(), depth)
	}
	if depth == 0 {
		if b.Mover == 0 {
			return w.scoring.Final(b)
		}
		w.setContents(b)
		return w.evaluate(b.Empties())
	}
	best := noScore
	for ; moves != 0; moves &= moves - 1 {
		best = max(best, -negamax(w, b.Play(first(moves)), depth-1))
	}
	return best
}

func TestSearchEqualsNegamax(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for i := range 60 {
		b := randomGame(r, 14+i%45)
		engine := smallEngine(DiscDifference)
		depth := 1 + i%4
		want := negamax(newWorker(engine), b, depth)
		got := engine.Search(limits.NewMeter(t.Context()), b, fullWidth(depth))[0]
		if got.Score != want && !b.Over() {
			t.Errorf("board %x, depth %d: %+v, want %d", b, depth, got, want)
		}
	}
}

func TestLinesScoreTheBestMoves(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 20 {
		b := randomGame(r, 8)
		moves := b.Moves()
		if moves == 0 {
			continue
		}
		infos := search(t, DiscDifference, b, limits.Options{Lines: 64})
		if len(infos) != bits.OnesCount64(moves) {
			t.Fatalf("%d results for %d moves", len(infos), bits.OnesCount64(moves))
		}
		for i, info := range infos {
			move := info.PrincipalVariation[0]
			want := -bruteForce(b.Play(move), DiscDifference)
			if info.Score != want || !info.Exact {
				t.Errorf("board %x, move %v: %+v, want %d", b, move, info, want)
			}
			if i > 0 && info.Score > infos[i-1].Score {
				t.Errorf("move %d scores higher than the one before", i)
			}
		}
	}
}

// The evaluation likes few discs, so a selective search can miss that a side loses all of them.
func TestSearchFindsTheLossOfAllDiscs(t *testing.T) {
	b := Board{Mover: 0x08083668a8382800, Opponent: 0x0004081010000000}
	for _, nodes := range []int64{3_000, 30_000, 300_000} {
		o := limits.Options{Limits: limits.Limits{Nodes: nodes}}
		got := smallEngine(DiscDifference).Search(limits.NewMeter(t.Context()), b, o)[0]
		end := playAll(b, got.PrincipalVariation)
		if end.Mover != 0 {
			t.Errorf("%d nodes: %v does not win all discs, as b8 e2 e1 does", nodes, got.PrincipalVariation)
		}
	}
}

func TestSearchIsDeterministic(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for i := range 5 {
		b := randomGame(r, 20+8*i)
		for _, l := range []limits.Limits{{Depth: 6}, {Nodes: 10000}} {
			want := search(t, DiscDifference, b, limits.Options{Limits: l})[0]
			for range 2 {
				got := search(t, DiscDifference, b, limits.Options{Limits: l})[0]
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("board %x (-first run +later run):\n%s", b, diff)
				}
			}
		}
	}
}

// A better move of a stopped round is reported, unless the search is for several moves: their
// scores must come from the same round.
func TestBetterMoveOfStoppedRoundIsReported(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	stoppedRounds := 0
	for i := range 400 {
		b := randomGame(r, 30)
		if b.Over() {
			continue
		}
		for _, lines := range []int{1, 3} {
			var last []Info
			o := limits.Options{Limits: limits.Limits{Nodes: int64(2000 + 100*i)}, Lines: lines}
			meter := limits.NewMeter(t.Context())
			for infos := range smallEngine(DiscDifference).Analyze(meter, b, o) {
				best := infos[0]
				if last != nil && best.Depth == last[0].Depth && best.Percent == last[0].Percent {
					stoppedRounds++
				}
				last = infos
			}
			seen := map[Square]bool{}
			for _, info := range last {
				if seen[info.PrincipalVariation[0]] {
					t.Errorf("board %x: two of %+v begin with the same move", b, last)
				}
				seen[info.PrincipalVariation[0]] = true
			}
		}
	}
	if stoppedRounds == 0 {
		t.Error("no stopped round found a better move")
	}
}

func TestThreadsFindTheSameScore(t *testing.T) {
	for _, e := range ffo.Suite(9, 11) {
		for _, threads := range []int{1, 2, 4} {
			board := Board{Mover: e.Mover, Opponent: e.Opponent}
			got := search(t, EmptiesToWinner, board, limits.Options{Threads: threads})[0]
			if got.Score != e.Score {
				t.Errorf("position %d, %d threads: %+v, want %d", e.ID, threads, got, e.Score)
			}
		}
	}
}

func TestSearchStopsWithTheContext(t *testing.T) {
	for _, threads := range []int{1, 3} {
		ctx, cancel := context.WithCancel(t.Context())
		rounds := 0
		var got []Info
		o := limits.Options{Threads: threads}
		for got = range smallEngine(DiscDifference).Analyze(limits.NewMeter(ctx), Start(), o) {
			if rounds++; rounds == 8 {
				cancel()
			}
		}
		cancel()
		if rounds > 9 || len(got) != 1 || Start().Moves()>>got[0].PrincipalVariation[0]&1 == 0 {
			t.Errorf("%d threads: %d rounds, then %+v", threads, rounds, got)
		}
	}
}

func TestAnalyzeStopsWithItsReader(t *testing.T) {
	for _, threads := range []int{1, 3} {
		meter := limits.NewMeter(t.Context())
		o := limits.Options{Threads: threads}
		for range smallEngine(DiscDifference).Analyze(meter, Start(), o) {
			break
		}
	}
}

func TestSearchStopsAtTheDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	got := smallEngine(DiscDifference).Search(limits.NewMeter(ctx), Start(), limits.Options{})
	if len(got) != 1 || Start().Moves()>>got[0].PrincipalVariation[0]&1 == 0 || got[0].Exact {
		t.Errorf("%+v", got)
	}
}

func TestEndedContextGetsALegalMove(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := smallEngine(DiscDifference).Search(limits.NewMeter(ctx), Start(), limits.Options{})
	pv := got[0].PrincipalVariation
	if len(got) != 1 || len(pv) != 1 || Start().Moves()>>pv[0]&1 == 0 || got[0].Exact {
		t.Errorf("%+v", got)
	}
}

func TestPassAndFinishedGame(t *testing.T) {
	// Only the opponent can move: c1 flips the mover's last disc.
	forced := Board{Mover: 1 << 1, Opponent: 1 << 0}
	got := search(t, DiscDifference, forced, toDepth(64))[0]
	if got.Score != -3 || !got.Exact || !slices.Equal(got.PrincipalVariation, []Square{Pass, 2}) {
		t.Errorf("forced pass: %+v", got)
	}
	over := Board{Mover: 1, Opponent: 1 << 63}
	got = search(t, EmptiesToWinner, over, limits.Options{})[0]
	if got.Score != 0 || !got.Exact || len(got.PrincipalVariation) != 0 {
		t.Errorf("finished game: %+v", got)
	}
}

func TestTableDistinguishesBoards(t *testing.T) {
	// Each bucket of the smallest table gets many of the boards.
	table := newTable(0)
	r := rand.New(rand.NewPCG(7, 7))
	stored := map[Board]int{}
	for i := range 5000 {
		b := Board{Mover: r.Uint64()}
		b.Opponent = r.Uint64() &^ b.Mover
		stored[b] = i%129 - 64
		e := entry{depth: 5, moves: [2]Square{Square(i % 64), Pass}}
		table.store(keyOf(b.Mover, b.Opponent), window{-64, 64}, stored[b], e)
	}
	found := 0
	for b, score := range stored {
		e := table.probe(keyOf(b.Mover, b.Opponent))
		if e == noEntry {
			continue
		}
		found++
		if score > -64 && score < 64 && (int(e.lower) != score || int(e.upper) != score) {
			t.Errorf("board %x: %+v, want %d", b, e, score)
		}
	}
	const slots = len(hashtable.Bucket{})
	if all := table.Len() * slots; found < slots || found > all {
		t.Errorf("%d boards found in %d slots", found, all)
	}
}

func BenchmarkMidgame(b *testing.B) {
	r := rand.New(rand.NewPCG(8, 8))
	boards := make([]Board, 5)
	for i := range boards {
		boards[i] = randomGame(r, 44)
	}
	for _, depth := range []int{8, 12} {
		b.Run("depth="+strconv.Itoa(depth), func(b *testing.B) {
			var nodes int64
			for b.Loop() {
				for _, board := range boards {
					meter := limits.NewMeter(b.Context())
					nodes += New(Options{}).Search(meter, board, toDepth(depth))[0].Nodes
				}
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
		})
	}
}

// Package search has another two MiB of embedded weights and its own test.
func TestWeightsAreSmall(t *testing.T) {
	if n := len(weightFile); n == 0 || n > 7<<19 {
		t.Errorf("weights take %d bytes", n)
	}
}
