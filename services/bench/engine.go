//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/engine"
	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/othello"
	"github.com/flipside-games/flipside/services/strategy/othello/ffo"
	"github.com/flipside-games/flipside/services/strategy/search"
)

// The games that searches play.
var (
	square8   = onBoard(reversi.Square, 8)
	hexagon5  = onBoard(reversi.Hexagon, 5)
	hexagon12 = onBoard(reversi.Hexagon, 12)
	trios     = games.Setup{ThreeTrios: &threetrios.Setup{}}
)

func onBoard(shape reversi.Shape, size int) games.Setup {
	return games.Setup{Reversi: &reversi.Setup{Shape: shape, Size: size, PassRule: reversi.Forced}}
}

// perft counts positions per second of processor time. No simpler program does the same, so the
// ceiling is a goal.
func (b *bench) perft(ctx context.Context) (rows []row) {
	byRules := func(setup games.Setup, depth int) func() uint64 {
		start := startOf(setup)
		return func() uint64 { _, positions := rules.Perft(start, depth); return positions }
	}
	for _, game := range []struct {
		what  string
		count func() (positions uint64)
		goal  float64 // in positions per second; 0 for none
	}{
		{"perft 8 of 8x8, general rules", byRules(square8, 8), 10e6},
		{"perft 8 of the hexagon of 5 rings, general rules", byRules(hexagon5, 8), 3e6},
		{"perft 5 of Three Trios, general rules", byRules(trios, 5), 0},
		{"perft 10 of 8x8, the engine's board",
			func() uint64 { return uint64(othello.Perft(othello.Start(), 10)) }, 40e6},
	} {
		var speeds []float64
		for range b.rounds {
			begun := processorTime()
			positions := game.count()
			speeds = append(speeds, float64(positions)/(processorTime()-begun).Seconds())
		}
		r := row{what: game.what, unit: perSecond, median: sample{value: slices.Max(speeds)}}
		if goal := game.goal; goal > 0 {
			r.ceiling, r.reach, r.limitMedian.value = "the goal for a core", 1, goal
			r.low, r.ratio, r.high = quantile(speeds, 0.25)/goal, r.median.value/goal, quantile(speeds, 0.75)/goal
		}
		rows = append(rows, r)
	}
	check(ctx.Err())
	return rows
}

// startOf returns the first position of a game.
func startOf(setup games.Setup) rules.Position {
	_, start, err := setup.Resolve()
	check(err)
	return start
}

// processorTime returns the processor time that this process has used.
func processorTime() time.Duration {
	var used syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// cost is the nodes and the time of a search.
type cost struct {
	nodes int64
	time  time.Duration
}

func (c *cost) add(o cost) { c.nodes, c.time = c.nodes+o.nodes, c.time+o.time }

func (c cost) String() string {
	return fmt.Sprintf("%s | %.2f s", count(float64(c.nodes)), c.time.Seconds())
}

// engineTables measures the engine in this process and returns tables in Markdown. The ceilings are
// goals.
func (b *bench) engineTables(ctx context.Context) string {
	var out bytes.Buffer
	endgames(ctx, &out)
	perft11(&out)
	b.searches(ctx, &out)
	lateness(ctx, &out)
	check(ctx.Err())
	return out.String()
}

// endgames solves the endgame suite with one thread and with two.
func endgames(ctx context.Context, out *bytes.Buffer) {
	var each bytes.Buffer
	heading(out, "endgame suite", "nodes:", "one thread:", "at most", "aim",
		"nodes, two threads:", "two threads:", "times as fast:")
	var all [3]cost // by threads
	speedup := func(c [3]cost) float64 { return c[1].time.Seconds() / c[2].time.Seconds() }
	for _, group := range []struct {
		from, to    int
		atMost, aim string
	}{
		{1, 19, "2.0 M, 0.11 s", ""},
		{20, 39, "166 M, 10 s", "100 M, 3 s"},
		{40, 49, "1,260 M, 78 s", "600 M, 22 s"},
	} {
		var sum [3]cost
		for _, e := range ffo.Suite(group.from, group.to) {
			fmt.Fprintf(&each, "| %d | %d | %+d |", e.ID, othello.Board{Mover: e.Mover, Opponent: e.Opponent}.Empties(), e.Score)
			for threads := 1; threads <= 2; threads++ {
				c := solve(ctx, e, threads)
				sum[threads].add(c)
				all[threads].add(c)
				fmt.Fprintf(&each, " %s |", c)
			}
			fmt.Fprintln(&each)
		}
		fmt.Fprintf(out, "| %d to %d | %s | %s | %s | %s | %.2f |\n",
			group.from, group.to, sum[1], group.atMost, group.aim, sum[2], speedup(sum))
	}
	fmt.Fprintf(out, "| all | %s |  |  | %s | %.2f |\n", all[1], all[2], speedup(all))
	heading(out, "position:", "empty cells:", "score:", "nodes:", "one thread:",
		"nodes, two threads:", "two threads:")
	out.Write(each.Bytes())
}

func solve(ctx context.Context, e ffo.Endgame, threads int) cost {
	solver := othello.New(othello.Options{Scoring: othello.EmptiesToWinner})
	begun := time.Now()
	board := othello.Board{Mover: e.Mover, Opponent: e.Opponent}
	got := solver.Search(limits.NewMeter(ctx), board, limits.Options{Threads: threads})[0]
	c := cost{got.Nodes, time.Since(begun)}
	if !got.Exact || got.Score != e.Score {
		check(fmt.Errorf("position %d: %+v, want an exact score of %d", e.ID, got, e.Score))
	}
	return c
}

// perft11 counts the games of eleven plies on 8x8.
func perft11(out *bytes.Buffer) {
	best := time.Hour
	for range 3 {
		begun := processorTime()
		if leaves := othello.Perft(othello.Start(), 11); leaves != 212_258_800 {
			check(fmt.Errorf("perft 11 is %d, want 212258800", leaves))
		}
		best = min(best, processorTime()-begun)
	}
	fmt.Fprintf(out, "\nPerft 11 of 8x8: %.2f s of a processor (at most 0.8 s, aim 0.46 s).\n", best.Seconds())
}

// searches measures searches with one thread: of random positions to a depth and to the end, and of
// whole games from the first move.
func (b *bench) searches(ctx context.Context, out *bytes.Buffer) {
	heading(out, "one thread", "positions:", "score:", "nodes:", "time:", "speed:")
	whole := func(shape reversi.Shape, size int) []rules.Position {
		return []rules.Position{startOf(onBoard(shape, size))}
	}
	for _, s := range []struct {
		what      string
		positions []rules.Position
		depth     int    // 0 for a search to the end
		score     string // of a whole game; "" for other positions
	}{
		{"8x8, 10 plies played, to depth 16", played(square8, 10), 16, ""},
		{"8x8, 42 plies played, to the end", played(square8, 42), 0, ""},
		{"hexagon of 5 rings, 10 plies played, to depth 10", played(hexagon5, 10), 10, ""},
		{"hexagon of 5 rings, 46 plies played, to the end", played(hexagon5, 46), 0, ""},
		{"hexagon of 12 rings, 100 plies played, to depth 4", played(hexagon12, 100), 4, ""},
		{"Three Trios on three by three, whole game", deals(), 0, ""},
		{"4x4, whole game", whole(reversi.Square, 4), 0, "-8"},
		{"hexagon of 2 rings, whole game", whole(reversi.Hexagon, 2), 0, "-4"},
		{"hexagon of 3 rings, whole game", whole(reversi.Hexagon, 3), 0, "-19"},
		{"hexagon of 4 rings, whole game", whole(reversi.Hexagon, 4), 0, "-39"},
		{"6x6, whole game", whole(reversi.Square, 6), 0, "-4"}, // Takes hours.
	} {
		if s.what == "6x6, whole game" && !b.overnight {
			continue
		}
		fmt.Fprintln(os.Stderr, "searching", s.what)
		var sum cost
		for _, p := range s.positions {
			analyses := engine.Search{Limits: limits.Limits{Depth: s.depth}}.Analyze(limits.NewMeter(ctx), p, 1)
			if s.score != "" {
				table := limits.Options{Table: 1 << 30}
				analyses = search.Analyze(limits.NewMeter(ctx), p.(*reversi.Position), table)
			}
			found, c := last(analyses)
			check(ctx.Err())
			score := fmt.Sprintf("%+d", found.Best().Score)
			if s.depth == 0 && !found.Exact || s.score != "" && score != s.score {
				check(fmt.Errorf("%s: %s, exact: %t, want %s", s.what, score, found.Exact, s.score))
			}
			sum.add(c)
		}
		fmt.Fprintf(out, "| %s | %d | %s | %s | %.1f M/s |\n", s.what, len(s.positions), s.score,
			sum, float64(sum.nodes)/sum.time.Seconds()/1e6)
	}
}

// last runs a search to its end and returns its last analysis.
func last(analyses iter.Seq[strategy.Analysis]) (last strategy.Analysis, c cost) {
	begun := time.Now()
	for last = range analyses {
	}
	return last, cost{last.Nodes, time.Since(begun)}
}

// played returns ten positions after random plies of games that are not over.
func played(setup games.Setup, plies int) (positions []rules.Position) {
	for seed := range uint64(10) {
		random := rand.New(rand.NewPCG(seed, uint64(plies))) //nolint:gosec // The same games each time.
		p := startOf(setup)
		for ply := 0; ply < plies; ply++ {
			move := rules.Pass
			if placements := strategy.Placements(p); len(placements) > 0 {
				move = placements[random.IntN(len(placements))].Move
			}
			var err error
			p, _, err = p.Play(move)
			check(err)
			if p.Turn() == rules.NoSide {
				p, ply = startOf(setup), -1
			}
		}
		positions = append(positions, p)
	}
	return positions
}

// deals returns the first positions of Three Trios on three by three: four deals without further
// rules, with each rule and with all of them.
func deals() (positions []rules.Position) {
	all := []threetrios.Rule{threetrios.Reverse, threetrios.FallenAce, threetrios.Same, threetrios.Plus}
	for _, rules := range [][]threetrios.Rule{nil, all[:1], all[1:2], all[2:3], all[3:], all} {
		for deal := range int64(4) {
			setup := games.Setup{ThreeTrios: &threetrios.Setup{Rules: rules, ShuffleSeed: &deal}}
			positions = append(positions, startOf(setup))
		}
	}
	return positions
}

// lateness measures how long after a call's deadline the engine answers.
func lateness(ctx context.Context, out *bytes.Buffer) {
	heading(out, "answer after the call's deadline, 200 calls of 50 ms", "median:", "p99:", "at most")
	for _, game := range []struct {
		what  string
		setup games.Setup
	}{
		{"8x8", square8}, {"hexagon of 5 rings", hexagon5},
		{"hexagon of 12 rings", hexagon12}, {"Three Trios", trios},
	} {
		var late []float64
		for range 200 {
			begun := time.Now()
			call, cancel := context.WithDeadline(ctx, begun.Add(50*time.Millisecond))
			_, err := strategy.Choose(call, engine.Search{}, startOf(game.setup), 0)
			cancel()
			check(err)
			late = append(late, max(0, time.Since(begun).Seconds()*1e3-50))
		}
		fmt.Fprintf(out, "| %s | %.1f ms | %.1f ms | 20 ms |\n", game.what, median(late), quantile(late, 0.99))
	}
}
