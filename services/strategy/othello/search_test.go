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

	"github.com/flipside-games/flipside/services/strategy/othello/ffo"
)

// bruteForce is the exact score by trying everything.
func bruteForce(b Board, s Scoring) int {
	moves := b.Moves()
	if moves == 0 {
		if b.Pass().Moves() == 0 {
			return s.Final(b)
		}
		return -bruteForce(b.Pass(), s)
	}
	best := none
	for ; moves != 0; moves &= moves - 1 {
		best = max(best, -bruteForce(b.Play(first(moves)), s))
	}
	return best
}

func playLine(b Board, line []Square) Board {
	for _, x := range line {
		b = b.played(x)
	}
	return b
}

// sideAfter is the sign of the side to move after a line.
func sideAfter(line []Square) int { return 1 - len(line)%2*2 }

// scatter is a board of arbitrary discs: positions no game reaches, with many passes and early ends.
func scatter(r *rand.Rand, empties int) Board {
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

func engineFor(s Scoring) *Engine { return New(Options{TableBytes: 1 << 20, Scoring: s}) }

func TestSolverEqualsBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, scoring := range []Scoring{DiscDifference, EmptiesToWinner} {
		engine := engineFor(scoring)
		for i := range 400 {
			b := randomGame(r, 1+i%8)
			if i%2 == 0 {
				b = scatter(r, 1+i%8)
			}
			want := bruteForce(b, scoring)
			got := engine.Search(t.Context(), b, Limits{}, nil)[0]
			if got.Score != want || !got.Exact || got.Lower != want || got.Upper != want {
				t.Fatalf("scoring %d, board %x: %+v, want %d", scoring, b, got, want)
			}
			if end := playLine(b, got.Line); !end.Over() || scoring.Final(end)*sideAfter(got.Line) != want {
				t.Fatalf("scoring %d, board %x: line %v does not lead to %d", scoring, b, got.Line, want)
			}
		}
	}
}

// turned is the board under one of the eight symmetries.
func turned(set uint64, symmetry int) (image uint64) {
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

func TestSymmetricBoardsAreWorthTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 5 {
		ending, midgame := randomGame(r, 11), randomGame(r, 40)
		solved := engineFor(DiscDifference).Search(t.Context(), ending, Limits{}, nil)[0].Score
		searched := engineFor(DiscDifference).Search(t.Context(), midgame, Limits{Depth: 3, FullWidth: true}, nil)[0].Score
		for symmetry := 1; symmetry < 8; symmetry++ {
			b := Board{turned(ending.Mover, symmetry), turned(ending.Opponent, symmetry)}
			if got := engineFor(DiscDifference).Search(t.Context(), b, Limits{}, nil)[0].Score; got != solved {
				t.Errorf("ending %x turned by %d: %d, want %d", ending, symmetry, got, solved)
			}
			b = Board{turned(midgame.Mover, symmetry), turned(midgame.Opponent, symmetry)}
			got := engineFor(DiscDifference).Search(t.Context(), b, Limits{Depth: 3, FullWidth: true}, nil)[0].Score
			if got != searched {
				t.Errorf("midgame %x turned by %d: %d, want %d", midgame, symmetry, got, searched)
			}
		}
	}
}

// plain is the search without anything: negamax to the depth, with the same evaluation and the same idea of a ply.
func plain(w *worker, b Board, depth int) int {
	moves := b.Moves()
	if moves == 0 && depth > 0 {
		if b.Pass().Moves() == 0 {
			return w.scoring.Final(b)
		}
		return -plain(w, b.Pass(), depth)
	}
	if depth == 0 {
		if b.Mover == 0 {
			return w.scoring.Final(b)
		}
		w.place(b)
		return w.evaluate(b.Empties())
	}
	best := none
	for ; moves != 0; moves &= moves - 1 {
		best = max(best, -plain(w, b.Play(first(moves)), depth-1))
	}
	return best
}

func TestSearchEqualsPlainSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for i := range 60 {
		b := randomGame(r, 14+i%45)
		engine := engineFor(DiscDifference)
		depth := 1 + i%4
		want := plain(newWorker(engine), b, depth)
		got := engine.Search(t.Context(), b, Limits{Depth: depth, FullWidth: true}, nil)[0]
		if got.Score != want && !b.Over() {
			t.Errorf("board %x, depth %d: %+v, want %d", b, depth, got, want)
		}
	}
}

func TestLinesRankTheMoves(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 20 {
		b := randomGame(r, 8)
		moves := b.Moves()
		if moves == 0 {
			continue
		}
		infos := engineFor(DiscDifference).Search(t.Context(), b, Limits{Lines: 64}, nil)
		if len(infos) != bits.OnesCount64(moves) {
			t.Fatalf("%d lines for %d moves", len(infos), bits.OnesCount64(moves))
		}
		for i, info := range infos {
			if want := -bruteForce(b.Play(info.Line[0]), DiscDifference); info.Score != want || !info.Exact {
				t.Errorf("board %x, move %v: %+v, want %d", b, info.Line[0], info, want)
			}
			if i > 0 && info.Score > infos[i-1].Score {
				t.Errorf("line %d is better than the one before", i)
			}
		}
	}
}

func TestSameAnswerOnEveryRun(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for i := range 5 {
		b := randomGame(r, 20+8*i)
		for _, limits := range []Limits{{Depth: 6}, {Nodes: 10000}} {
			want := engineFor(DiscDifference).Search(t.Context(), b, limits, nil)[0]
			for range 2 {
				got := engineFor(DiscDifference).Search(t.Context(), b, limits, nil)[0]
				if got.Score != want.Score || got.Depth != want.Depth || got.Line[0] != want.Line[0] {
					t.Errorf("board %x: %+v, then %+v", b, want, got)
				}
			}
		}
	}
}

// A move that a round cut short has found better is reported, unless several lines are wanted: then those of the last
// finished round stay together.
func TestWhatARoundCutShortHasFoundIsReported(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	cutShort := 0
	for i := range 60 {
		b := randomGame(r, 30)
		for _, lines := range []int{1, 3} {
			var reported []Info
			reports := 0
			limits := Limits{Nodes: int64(3000 + 500*i), Lines: lines}
			found := engineFor(DiscDifference).Search(t.Context(), b, limits, func(infos []Info) {
				if reports > 0 && infos[0].Depth == reported[0].Depth && infos[0].Percent == reported[0].Percent {
					cutShort++
				}
				reported = infos
				reports++
			})
			if diff := cmp.Diff(reported, found); diff != "" {
				t.Errorf("board %x, %d lines (-reported +returned):\n%s", b, lines, diff)
			}
			seen := map[Square]bool{}
			for _, info := range found {
				if seen[info.Line[0]] {
					t.Errorf("board %x: the lines %+v begin with the same move", b, found)
				}
				seen[info.Line[0]] = true
			}
		}
	}
	if cutShort == 0 {
		t.Error("no round that was cut short had found a better move")
	}
}

func TestThreadsFindTheSameScore(t *testing.T) {
	for _, e := range ffo.Suite(9, 11) {
		for _, threads := range []int{1, 2, 4} {
			board := Board{Mover: e.Mover, Opponent: e.Opponent}
			got := engineFor(EmptiesToWinner).Search(t.Context(), board, Limits{Threads: threads}, nil)[0]
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
		got := engineFor(DiscDifference).Search(ctx, Start(), Limits{Threads: threads}, func([]Info) {
			if rounds++; rounds == 8 {
				cancel()
			}
		})
		if rounds > 20 || len(got) != 1 || Start().Moves()>>got[0].Line[0]&1 == 0 {
			t.Errorf("%d threads: %d rounds, then %+v", threads, rounds, got)
		}
	}
}

func TestSearchKeepsTheDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	got := engineFor(DiscDifference).Search(ctx, Start(), Limits{}, nil)
	if len(got) != 1 || Start().Moves()>>got[0].Line[0]&1 == 0 || got[0].Exact {
		t.Errorf("%+v", got)
	}
}

func TestEndedContextStillGetsAMove(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := engineFor(DiscDifference).Search(ctx, Start(), Limits{}, nil)
	if len(got) != 1 || len(got[0].Line) != 1 || Start().Moves()>>got[0].Line[0]&1 == 0 || got[0].Exact {
		t.Errorf("%+v", got)
	}
}

func TestPassAndEndAreAnswered(t *testing.T) {
	// Only the opponent can move: c1 takes the mover's last disc.
	forced := Board{Mover: 1 << 1, Opponent: 1 << 0}
	got := engineFor(DiscDifference).Search(t.Context(), forced, Limits{Depth: 64}, nil)[0]
	if got.Score != -3 || !got.Exact || !slices.Equal(got.Line, []Square{Pass, 2}) {
		t.Errorf("forced pass: %+v", got)
	}
	over := Board{Mover: 1, Opponent: 1 << 63}
	got = engineFor(EmptiesToWinner).Search(t.Context(), over, Limits{}, nil)[0]
	if got.Score != 0 || !got.Exact || len(got.Line) != 0 {
		t.Errorf("finished game: %+v", got)
	}
}

func TestTableKeepsBoardsApart(t *testing.T) {
	// So many boards that each group of the smallest table has had many of them.
	table := newTable(0)
	r := rand.New(rand.NewPCG(7, 7))
	stored := map[Board]int{}
	for i := range 5000 {
		b := Board{Mover: r.Uint64()}
		b.Opponent = r.Uint64() &^ b.Mover
		stored[b] = i%129 - 64
		table.store(b, -64, 64, stored[b], bound{depth: 5, moves: [2]Square{Square(i % 64), Pass}})
	}
	found := 0
	for b, score := range stored {
		known := table.probe(b.Mover, b.Opponent)
		if known == unknown {
			continue
		}
		found++
		if score > -64 && score < 64 && (int(known.lower) != score || int(known.upper) != score) {
			t.Errorf("board %x: %+v, want %d", b, known, score)
		}
	}
	if found < ways || found > len(table.slots) {
		t.Errorf("%d boards found in %d slots", found, len(table.slots))
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
					nodes += New(Options{}).Search(b.Context(), board, Limits{Depth: depth}, nil)[0].Nodes
				}
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
		})
	}
}

// All weights together take at most 4 MiB: half a MiB is for those of package search, which tests that.
func TestWeightsAreSmall(t *testing.T) {
	if n := len(trainedFile); n == 0 || n > 7<<19 {
		t.Errorf("weights take %d bytes", n)
	}
}
