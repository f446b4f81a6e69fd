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

// searched is what a search took.
type searched struct {
	nodes int64
	time  time.Duration
}

func (s searched) plus(o searched) searched { return searched{s.nodes + o.nodes, s.time + o.time} }

func (s searched) String() string {
	return fmt.Sprintf("%s | %.2f s", count(float64(s.nodes)), s.time.Seconds())
}

func (s searched) speed() string {
	return fmt.Sprintf("%.1f M/s", float64(s.nodes)/s.time.Seconds()/1e6)
}

// engineTables measures the engine by itself: there is no ceiling to compare it with but what is to be reached.
func (b *bench) engineTables(ctx context.Context) (string, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s\n", machine(ctx))
	for _, part := range []func(context.Context, *bytes.Buffer) error{
		endgames, perft11, midgames, lateness, b.wholeGames,
	} {
		if err := part(ctx, &out); err != nil {
			return "", err
		}
	}
	return out.String(), ctx.Err()
}

// endgames solves the endgame suite with one thread and with two.
func endgames(ctx context.Context, out *bytes.Buffer) error {
	var each bytes.Buffer
	fmt.Fprintln(out, "\n| endgame suite | nodes | one thread | at most | aim "+
		"| nodes, two threads | two threads | times as fast |")
	fmt.Fprintln(out, "| --- | ---: | ---: | --- | --- | ---: | ---: | ---: |")
	var all [3]searched
	for _, group := range []struct {
		from, to    int
		atMost, aim string
	}{{1, 19, "2.0 M, 0.11 s", ""}, {20, 39, "166 M, 10 s", "100 M, 3 s"}, {40, 49, "1,260 M, 78 s", "600 M, 22 s"}} {
		var sum [3]searched
		for _, e := range ffo.Suite(group.from, group.to) {
			fmt.Fprintf(&each, "| %d | %d | %+d |", e.ID, board(e).Empties(), e.Score)
			for threads := 1; threads <= 2; threads++ {
				took, err := solve(ctx, e, threads)
				if err != nil {
					return err
				}
				sum[threads], all[threads] = sum[threads].plus(took), all[threads].plus(took)
				fmt.Fprintf(&each, " %s |", took)
			}
			fmt.Fprintln(&each)
		}
		fmt.Fprintf(out, "| %d to %d | %s | %s | %s | %s | %.2f |\n", group.from, group.to, sum[1], group.atMost, group.aim,
			sum[2], sum[1].time.Seconds()/sum[2].time.Seconds())
	}
	fmt.Fprintf(out, "| all | %s |  |  | %s | %.2f |\n", all[1], all[2], all[1].time.Seconds()/all[2].time.Seconds())
	fmt.Fprintln(out, "\n| position | empty cells | score | nodes | one thread | nodes, two threads | two threads |")
	fmt.Fprintln(out, "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	out.Write(each.Bytes())
	return nil
}

func board(e ffo.Endgame) othello.Board { return othello.Board{Mover: e.Mover, Opponent: e.Opponent} }

func solve(ctx context.Context, e ffo.Endgame, threads int) (searched, error) {
	solver := othello.New(othello.Options{Scoring: othello.EmptiesToWinner})
	begun := time.Now()
	got := solver.Search(limits.NewMeter(ctx), board(e), limits.Options{Threads: threads})[0]
	took := searched{got.Nodes, time.Since(begun)}
	if !got.Exact || got.Score != e.Score {
		return took, fmt.Errorf("position %d: %+v, want an exact score of %d", e.ID, got, e.Score)
	}
	return took, nil
}

// perft11 counts all games of eleven plies on 8x8.
func perft11(_ context.Context, out *bytes.Buffer) error {
	best := time.Hour
	for range 3 {
		begun := processorTime()
		if leaves := othello.Perft(othello.Start(), 11); leaves != 212_258_800 {
			return fmt.Errorf("perft 11 is %d, want 212258800", leaves)
		}
		best = min(best, processorTime()-begun)
	}
	fmt.Fprintf(out, "\nPerft 11 of 8x8: %.2f s of a processor (at most 0.8 s, aim 0.46 s).\n", best.Seconds())
	return nil
}

// The boards that searches are measured on.
var (
	usual   = onBoard(reversi.Square, 8)
	hexagon = onBoard(reversi.Hexagon, 5)
	large   = onBoard(reversi.Hexagon, 12)
	cards   = games.Setup{ThreeTrios: &threetrios.Setup{}}
)

// midgames searches ten positions of random games to a depth, and ten to the end.
func midgames(ctx context.Context, out *bytes.Buffer) error {
	fmt.Fprintln(out, "\n| one thread, ten positions | nodes | time | speed |\n| --- | ---: | ---: | ---: |")
	for _, game := range []struct {
		what         string
		setup        games.Setup
		plies, depth int
	}{
		{"8x8, 10 plies played, to depth 16", usual, 10, 16},
		{"8x8, 42 plies played, to the end", usual, 42, 0},
		{"hexagon of 5 rings, 10 plies played, to depth 10", hexagon, 10, 10},
		{"hexagon of 5 rings, 46 plies played, to the end", hexagon, 46, 0},
		{"hexagon of 12 rings, 100 plies played, to depth 4", large, 100, 4},
	} {
		var sum searched
		fmt.Fprintln(os.Stderr, "searching", game.what)
		for i := range uint64(10) {
			p, err := played(game.setup, game.plies, i)
			if err != nil {
				return err
			}
			_, took := look(ctx, engine.Search{Limits: limits.Limits{Depth: game.depth}}, p)
			sum = sum.plus(took)
		}
		fmt.Fprintf(out, "| %s | %s | %s |\n", game.what, sum, sum.speed())
	}
	return ctx.Err()
}

// look searches with the engine.
func look(ctx context.Context, s engine.Search, p rules.Position) (strategy.Analysis, searched) {
	return last(s.Analyze(limits.NewMeter(ctx), p, 1))
}

// last runs a search, and returns the last it tells and what it took.
func last(found iter.Seq[strategy.Analysis]) (last strategy.Analysis, took searched) {
	begun := time.Now()
	for last = range found {
	}
	return last, searched{last.Nodes, time.Since(begun)}
}

// played returns the position after so many random plies, of a game that is not over then.
func played(setup games.Setup, plies int, seed uint64) (rules.Position, error) {
	random := rand.New(rand.NewPCG(seed, uint64(plies))) //nolint:gosec // The same games each time.
	for {
		_, p, err := setup.Resolve()
		for ply := 0; ply < plies && err == nil && p.Turn() != rules.NoSide; ply++ {
			move := rules.Pass
			if placements := strategy.Placements(p); len(placements) > 0 {
				move = placements[random.IntN(len(placements))].Move
			}
			p, _, err = p.Play(move)
		}
		if err != nil || p.Turn() != rules.NoSide {
			return p, err
		}
	}
}

// lateness tells how long after the end of a call's time its answer is there.
func lateness(ctx context.Context, out *bytes.Buffer) error {
	fmt.Fprintln(out, "\n| answer after the call's deadline, 200 calls of 50 ms | median | p99 | at most |")
	fmt.Fprintln(out, "| --- | ---: | ---: | --- |")
	for _, game := range []struct {
		what  string
		setup games.Setup
	}{{"8x8", usual}, {"hexagon of 5 rings", hexagon}, {"hexagon of 12 rings", large}, {"Three Trios", cards}} {
		var late []float64
		for i := range 200 {
			p, err := played(game.setup, 0, uint64(i))
			if err != nil {
				return err
			}
			begun := time.Now()
			call, cancel := context.WithDeadline(ctx, begun.Add(50*time.Millisecond))
			_, err = strategy.Choose(call, engine.Search{}, p, 0)
			cancel()
			if err != nil {
				return err
			}
			late = append(late, max(0, time.Since(begun).Seconds()*1e3-50))
		}
		fmt.Fprintf(out, "| %s | %.1f ms | %.1f ms | 20 ms |\n", game.what, median(late), quantile(late, 0.99))
	}
	return nil
}

// wholeGames solves boards from the first move.
func (b *bench) wholeGames(ctx context.Context, out *bytes.Buffer) error {
	fmt.Fprintln(out, "\n| solved from the first move | score | nodes | one thread |\n| --- | ---: | ---: | ---: |")
	for _, game := range []struct {
		what      string
		setup     games.Setup
		score     int
		overnight bool
	}{
		{"4x4", onBoard(reversi.Square, 4), -8, false},
		{"hexagon of 2 rings", onBoard(reversi.Hexagon, 2), -4, false},
		{"hexagon of 3 rings", onBoard(reversi.Hexagon, 3), -19, false},
		{"hexagon of 4 rings", onBoard(reversi.Hexagon, 4), -39, false},
		{"6x6", onBoard(reversi.Square, 6), -4, true},
	} {
		if game.overnight && !b.overnight {
			continue
		}
		_, p, err := game.setup.Resolve()
		if err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, "solving the", game.what)
		found, took := last(search.Analyze(limits.NewMeter(ctx), p.(*reversi.Position), limits.Options{Table: 1 << 30}))
		if ctx.Err() == nil && (!found.Exact || found.Best().Score != game.score) {
			return fmt.Errorf("%s: %d, exact: %v, want %d", game.what, found.Best().Score, found.Exact, game.score)
		}
		fmt.Fprintf(out, "| %s | %+d | %s |\n", game.what, found.Best().Score, took)
	}
	return trios(ctx, out)
}

func onBoard(shape reversi.Shape, size int) games.Setup {
	return games.Setup{Reversi: &reversi.Setup{Shape: shape, Size: size, PassRule: reversi.Forced}}
}

// trios solves games on three by three from the empty grid under each rule and under all, four deals each.
func trios(ctx context.Context, out *bytes.Buffer) error {
	all := []threetrios.Rule{threetrios.Reverse, threetrios.FallenAce, threetrios.Same, threetrios.Plus}
	var each []searched
	for _, on := range [][]threetrios.Rule{nil, all[:1], all[1:2], all[2:3], all[3:], all} {
		for deal := range int64(4) {
			_, p, err := games.Setup{ThreeTrios: &threetrios.Setup{Rules: on, ShuffleSeed: &deal}}.Resolve()
			if err != nil {
				return err
			}
			found, took := look(ctx, engine.Search{}, p)
			if ctx.Err() == nil && !found.Exact {
				return fmt.Errorf("deal %d of Three Trios with the rules %v is not solved", deal, on)
			}
			each = append(each, took)
		}
	}
	slowest := slices.MaxFunc(each, func(a, b searched) int { return int(a.time - b.time) })
	fmt.Fprintf(out, "| Three Trios on three by three, slowest of %d deals |  | %s |\n", len(each), slowest)
	return ctx.Err()
}
