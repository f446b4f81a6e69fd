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
func (b *bench) perft(ctx context.Context) []row {
	var rows []row
	for _, game := range []struct {
		what  string
		count func() (positions uint64)
		goal  float64 // in positions per second; 0 for none
	}{
		{"perft 8 of 8x8, general rules", countByRules(square8, 8), 10e6},
		{"perft 8 of the hexagon of 5 rings, general rules", countByRules(hexagon5, 8), 3e6},
		{"perft 5 of Three Trios, general rules", countByRules(trios, 5), 0},
		{"perft 10 of 8x8, the engine's board", countByEngine, 40e6},
	} {
		var speeds []float64
		for range b.rounds {
			begun := processorTime()
			positions := game.count()
			speeds = append(speeds, float64(positions)/(processorTime()-begun).Seconds())
		}
		fastest := slices.Max(speeds)
		r := row{what: game.what, unit: perSecond, median: sample{value: fastest}}
		if game.goal > 0 {
			r.ceiling, r.reach, r.limitMedian.value = "what is to be reached, a core", 1, game.goal
			r.low, r.high = quantile(speeds, 0.25)/game.goal, quantile(speeds, 0.75)/game.goal
			r.ratio = fastest / game.goal
		}
		rows = append(rows, r)
	}
	check(ctx.Err())
	return rows
}

// countByRules counts with the rules that the server uses.
func countByRules(setup games.Setup, depth int) func() uint64 {
	start := startOf(setup)
	return func() uint64 {
		_, positions := rules.Perft(start, depth)
		return positions
	}
}

func countByEngine() uint64 { return uint64(othello.Perft(othello.Start(), 10)) }

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
	midgames(ctx, &out)
	lateness(ctx, &out)
	b.wholeGames(ctx, &out)
	check(ctx.Err())
	return out.String()
}

// endgames solves the endgame suite with one thread and with two.
func endgames(ctx context.Context, out *bytes.Buffer) {
	var each bytes.Buffer
	fmt.Fprintln(out, "\n| endgame suite | nodes | one thread | at most | aim "+
		"| nodes, two threads | two threads | times as fast |")
	fmt.Fprintln(out, "| --- | ---: | ---: | --- | --- | ---: | ---: | ---: |")
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
			fmt.Fprintf(&each, "| %d | %d | %+d |", e.ID, board(e).Empties(), e.Score)
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
	fmt.Fprintln(out, "\n| position | empty cells | score | nodes | one thread "+
		"| nodes, two threads | two threads |")
	fmt.Fprintln(out, "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	out.Write(each.Bytes())
}

func board(e ffo.Endgame) othello.Board {
	return othello.Board{Mover: e.Mover, Opponent: e.Opponent}
}

func solve(ctx context.Context, e ffo.Endgame, threads int) cost {
	solver := othello.New(othello.Options{Scoring: othello.EmptiesToWinner})
	begun := time.Now()
	got := solver.Search(limits.NewMeter(ctx), board(e), limits.Options{Threads: threads})[0]
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

// midgames searches ten positions of random games to a depth, and ten to the end.
func midgames(ctx context.Context, out *bytes.Buffer) {
	fmt.Fprintln(out, "\n| one thread, ten positions | nodes | time | speed |")
	fmt.Fprintln(out, "| --- | ---: | ---: | ---: |")
	for _, game := range []struct {
		what         string
		setup        games.Setup
		plies, depth int
	}{
		{"8x8, 10 plies played, to depth 16", square8, 10, 16},
		{"8x8, 42 plies played, to the end", square8, 42, 0},
		{"hexagon of 5 rings, 10 plies played, to depth 10", hexagon5, 10, 10},
		{"hexagon of 5 rings, 46 plies played, to the end", hexagon5, 46, 0},
		{"hexagon of 12 rings, 100 plies played, to depth 4", hexagon12, 100, 4},
	} {
		var sum cost
		fmt.Fprintln(os.Stderr, "searching", game.what)
		for i := range uint64(10) {
			_, c := analyze(ctx, engine.Search{Limits: limits.Limits{Depth: game.depth}}, played(game.setup, game.plies, i))
			sum.add(c)
		}
		speed := float64(sum.nodes) / sum.time.Seconds() / 1e6
		fmt.Fprintf(out, "| %s | %s | %.1f M/s |\n", game.what, sum, speed)
	}
}

// analyze searches a position with the engine.
func analyze(ctx context.Context, s engine.Search, p rules.Position) (strategy.Analysis, cost) {
	return last(s.Analyze(limits.NewMeter(ctx), p, 1))
}

// last runs a search to its end and returns its last analysis.
func last(analyses iter.Seq[strategy.Analysis]) (last strategy.Analysis, c cost) {
	begun := time.Now()
	for last = range analyses {
	}
	return last, cost{last.Nodes, time.Since(begun)}
}

// played returns a position after random plies of a game that is not over.
func played(setup games.Setup, plies int, seed uint64) rules.Position {
	random := rand.New(rand.NewPCG(seed, uint64(plies))) //nolint:gosec // The same games each time.
	for {
		p := startOf(setup)
		for ply := 0; ply < plies && p.Turn() != rules.NoSide; ply++ {
			move := rules.Pass
			if placements := strategy.Placements(p); len(placements) > 0 {
				move = placements[random.IntN(len(placements))].Move
			}
			var err error
			p, _, err = p.Play(move)
			check(err)
		}
		if p.Turn() != rules.NoSide {
			return p
		}
	}
}

// lateness measures how long after a call's deadline the engine answers.
func lateness(ctx context.Context, out *bytes.Buffer) {
	fmt.Fprintln(out, "\n| answer after the call's deadline, 200 calls of 50 ms | median | p99 | at most |")
	fmt.Fprintln(out, "| --- | ---: | ---: | --- |")
	for _, game := range []struct {
		what  string
		setup games.Setup
	}{
		{"8x8", square8}, {"hexagon of 5 rings", hexagon5},
		{"hexagon of 12 rings", hexagon12}, {"Three Trios", trios},
	} {
		var late []float64
		for i := range uint64(200) {
			p := played(game.setup, 0, i)
			begun := time.Now()
			call, cancel := context.WithDeadline(ctx, begun.Add(50*time.Millisecond))
			_, err := strategy.Choose(call, engine.Search{}, p, 0)
			cancel()
			check(err)
			late = append(late, max(0, time.Since(begun).Seconds()*1e3-50))
		}
		fmt.Fprintf(out, "| %s | %.1f ms | %.1f ms | 20 ms |\n", game.what, median(late), quantile(late, 0.99))
	}
}

// wholeGames solves games from the first move.
func (b *bench) wholeGames(ctx context.Context, out *bytes.Buffer) {
	fmt.Fprintln(out, "\n| solved from the first move | score | nodes | one thread |")
	fmt.Fprintln(out, "| --- | ---: | ---: | ---: |")
	all := []struct {
		what  string
		setup games.Setup
		score int
	}{
		{"4x4", onBoard(reversi.Square, 4), -8},
		{"hexagon of 2 rings", onBoard(reversi.Hexagon, 2), -4},
		{"hexagon of 3 rings", onBoard(reversi.Hexagon, 3), -19},
		{"hexagon of 4 rings", onBoard(reversi.Hexagon, 4), -39},
		{"6x6", onBoard(reversi.Square, 6), -4}, // Takes hours.
	}
	if !b.overnight {
		all = all[:4]
	}
	for _, game := range all {
		fmt.Fprintln(os.Stderr, "solving", game.what)
		start := startOf(game.setup).(*reversi.Position)
		found, c := last(search.Analyze(limits.NewMeter(ctx), start, limits.Options{Table: 1 << 30}))
		check(ctx.Err())
		if score := found.Best().Score; !found.Exact || score != game.score {
			check(fmt.Errorf("%s: %d, exact: %v, want %d", game.what, score, found.Exact, game.score))
		}
		fmt.Fprintf(out, "| %s | %+d | %s |\n", game.what, game.score, c)
	}
	deals, slowest := solveTrios(ctx)
	fmt.Fprintf(out, "| Three Trios on three by three, slowest of %d deals |  | %s |\n", deals, slowest)
}

// solveTrios solves games on three by three from the empty grid: four deals without further rules,
// with each rule and with all of them.
func solveTrios(ctx context.Context) (deals int, slowest cost) {
	all := []threetrios.Rule{threetrios.Reverse, threetrios.FallenAce, threetrios.Same, threetrios.Plus}
	for _, rules := range [][]threetrios.Rule{nil, all[:1], all[1:2], all[2:3], all[3:], all} {
		for deal := range int64(4) {
			start := startOf(games.Setup{ThreeTrios: &threetrios.Setup{Rules: rules, ShuffleSeed: &deal}})
			found, c := analyze(ctx, engine.Search{}, start)
			check(ctx.Err())
			if !found.Exact {
				check(fmt.Errorf("deal %d of Three Trios with the rules %v is not solved", deal, rules))
			}
			if deals++; c.time > slowest.time {
				slowest = c
			}
		}
	}
	return deals, slowest
}
