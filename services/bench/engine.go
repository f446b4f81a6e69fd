package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
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

// perft counts positions per second of processor time. The fastest round counts, because every
// disturbance slows a processor. No simpler program does the same, so the ceiling is a goal.
func (b *bench) perft(context.Context) []string {
	counted := func(what string, goal float64, count func() (positions uint64)) row {
		r := row{what: what, unit: perSecond, fastest: true, figure: func() sample {
			begun := processorTime()
			positions := count()
			return sample{value: float64(positions) / (processorTime() - begun).Seconds()}
		}}
		if goal > 0 {
			r.ceiling, r.reach, r.limit = "the goal for a core", 1, fixed(goal)
		}
		return r
	}
	byRules := func(setup games.Setup, depth int) func() uint64 {
		start := startOf(setup)
		return func() uint64 { _, positions := rules.Perft(start, depth); return positions }
	}
	byEngine := func() uint64 { return uint64(othello.Perft(othello.Start(), 10)) }
	return b.compare(
		counted("perft 8 of 8x8, general rules", 10e6, byRules(square8, 8)),
		counted("perft 8 of the hexagon of 5 rings, general rules", 3e6, byRules(hexagon5, 8)),
		counted("perft 5 of Three Trios, general rules", 0, byRules(trios, 5)),
		counted("perft 10 of 8x8, the engine's board", 40e6, byEngine))
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

func (c cost) plus(o cost) cost { return cost{c.nodes + o.nodes, c.time + o.time} }

func (c cost) String() string {
	return fmt.Sprintf("%s | %.2f s", count(float64(c.nodes)), c.time.Seconds())
}

// endgames solves the endgame suite with one thread and with two.
func endgames(ctx context.Context) string {
	groups := heading("endgame suite", "nodes:", "one thread:", "at most", "aim",
		"nodes, two threads:", "two threads:", "times as fast:")
	positions := heading("position:", "empty cells:", "score:", "nodes:", "one thread:",
		"nodes, two threads:", "two threads:")
	var all1, all2 cost
	addGroup := func(name string, one cost, atMost, aim string, two cost) {
		faster := fmt.Sprintf("%.2f", one.time.Seconds()/two.time.Seconds())
		groups += line(name, one, atMost, aim, two, faster)
	}
	solveGroup := func(from, to int, atMost, aim string) {
		var sum1, sum2 cost
		for _, e := range ffo.Suite(from, to) {
			board := othello.Board{Mover: e.Mover, Opponent: e.Opponent}
			one, two := solve(ctx, e, board, 1), solve(ctx, e, board, 2)
			sum1, sum2 = sum1.plus(one), sum2.plus(two)
			positions += line(e.ID, board.Empties(), fmt.Sprintf("%+d", e.Score), one, two)
		}
		all1, all2 = all1.plus(sum1), all2.plus(sum2)
		addGroup(fmt.Sprintf("%d to %d", from, to), sum1, atMost, aim, sum2)
	}
	solveGroup(1, 19, "2.0 M, 0.11 s", "")
	solveGroup(20, 39, "166 M, 10 s", "100 M, 3 s")
	solveGroup(40, 49, "1,260 M, 78 s", "600 M, 22 s")
	addGroup("all", all1, "", "", all2)
	return groups + positions
}

func solve(ctx context.Context, e ffo.Endgame, board othello.Board, threads int) cost {
	solver := othello.New(othello.Options{Scoring: othello.EmptiesToWinner})
	begun := time.Now()
	got := solver.Search(limits.NewMeter(ctx), board, limits.Options{Threads: threads})[0]
	c := cost{got.Nodes, time.Since(begun)}
	if !got.Exact || got.Score != e.Score {
		check(fmt.Errorf("position %d: %+v, want an exact score of %d", e.ID, got, e.Score))
	}
	return c
}

// perft11 counts the games of eleven plies on 8x8.
func perft11() string {
	best := time.Hour
	for range 3 {
		begun := processorTime()
		if leaves := othello.Perft(othello.Start(), 11); leaves != 212_258_800 {
			check(fmt.Errorf("perft 11 is %d, want 212258800", leaves))
		}
		best = min(best, processorTime()-begun)
	}
	const text = "\nPerft 11 of 8x8: %.2f s of a processor (at most 0.8 s, aim 0.46 s).\n"
	return fmt.Sprintf(text, best.Seconds())
}

// searches measures searches with one thread: of random positions to a depth and to the end, and of
// whole games from the first move, which have a known score.
func searches(ctx context.Context) string {
	table := heading("one thread", "positions:", "score:", "nodes:", "time:", "speed:")
	measure := func(what string, depth int, score string, positions ...rules.Position) {
		fmt.Fprintln(os.Stderr, "searching", what)
		var sum cost
		for _, p := range positions {
			sum = sum.plus(searchOne(ctx, p, depth, score))
		}
		speed := fmt.Sprintf("%.1f M/s", float64(sum.nodes)/sum.time.Seconds()/1e6)
		table += line(what, len(positions), score, sum, speed)
	}
	measure("8x8, 10 plies played, to depth 16", 16, "", played(square8, 10)...)
	measure("8x8, 42 plies played, to the end", 0, "", played(square8, 42)...)
	measure("hexagon of 5 rings, 10 plies played, to depth 10", 10, "", played(hexagon5, 10)...)
	measure("hexagon of 5 rings, 46 plies played, to the end", 0, "", played(hexagon5, 46)...)
	measure("hexagon of 12 rings, 100 plies played, to depth 4", 4, "", played(hexagon12, 100)...)
	measure("Three Trios on three by three, whole game", 0, "", deals()...)
	measure("4x4, whole game", 0, "-8", startOf(onBoard(reversi.Square, 4)))
	measure("hexagon of 2 rings, whole game", 0, "-4", startOf(onBoard(reversi.Hexagon, 2)))
	measure("hexagon of 3 rings, whole game", 0, "-19", startOf(onBoard(reversi.Hexagon, 3)))
	measure("hexagon of 4 rings, whole game", 0, "-39", startOf(onBoard(reversi.Hexagon, 4)))
	return table
}

// searchOne searches a position to a depth, or to the end if depth is 0, and checks the result. If
// score is not "", it searches a whole game with the general engine and a large table.
func searchOne(ctx context.Context, p rules.Position, depth int, score string) cost {
	analyses := engine.Search{Limits: limits.Limits{Depth: depth}}.
		Analyze(limits.NewMeter(ctx), p, 1)
	if score != "" {
		options := limits.Options{Table: 1 << 30}
		analyses = search.Analyze(limits.NewMeter(ctx), p.(*reversi.Position), options)
	}
	var last strategy.Analysis
	begun := time.Now()
	for last = range analyses {
	}
	c := cost{last.Nodes, time.Since(begun)}
	check(ctx.Err())
	found := fmt.Sprintf("%+d", last.Best().Score)
	if depth == 0 && !last.Exact || score != "" && found != score {
		check(fmt.Errorf("found %s, exact: %t, want %s", found, last.Exact, score))
	}
	return c
}

// played returns ten positions after random plies of games that are not over.
func played(setup games.Setup, plies int) (positions []rules.Position) {
	for seed := range uint64(10) {
		random := rand.New(rand.NewPCG(seed, uint64(plies))) //nolint:gosec // The same games each time.
		p := startOf(setup)
		for ply := 0; ply < plies; ply++ {
			p, _ = playRandom(p, random)
			if p.Turn() == rules.NoSide {
				p, ply = startOf(setup), -1
			}
		}
		positions = append(positions, p)
	}
	return positions
}

// playRandom plays a random move, and a pass only if no other move is legal.
func playRandom(p rules.Position, random *rand.Rand) (next rules.Position, notation string) {
	move := rules.Pass
	if placements := strategy.Placements(p); len(placements) > 0 {
		move = placements[random.IntN(len(placements))].Move
	}
	next, _, err := p.Play(move)
	check(err)
	return next, p.MoveNotation(move)
}

// deals returns the first positions of Three Trios on three by three: four deals without further
// rules, with each rule and with all of them.
func deals() (positions []rules.Position) {
	all := []threetrios.Rule{
		threetrios.Reverse, threetrios.FallenAce, threetrios.Same, threetrios.Plus,
	}
	for _, rules := range [][]threetrios.Rule{nil, all[:1], all[1:2], all[2:3], all[3:], all} {
		for deal := range int64(4) {
			setup := games.Setup{ThreeTrios: &threetrios.Setup{Rules: rules, ShuffleSeed: &deal}}
			positions = append(positions, startOf(setup))
		}
	}
	return positions
}

// lateness measures how long after a call's deadline the engine answers.
func lateness(ctx context.Context) string {
	measure := func(what string, setup games.Setup) string {
		var late []float64
		for range 200 {
			begun := time.Now()
			call, cancel := context.WithDeadline(ctx, begun.Add(50*time.Millisecond))
			_, err := strategy.Choose(call, engine.Search{}, startOf(setup), 0)
			cancel()
			check(err)
			late = append(late, max(0, time.Since(begun).Seconds()*1e3-50))
		}
		return line(what, fmt.Sprintf("%.1f ms", median(late)),
			fmt.Sprintf("%.1f ms", quantile(late, 0.99)), "20 ms")
	}
	return heading("answer after the call's deadline, 200 calls of 50 ms",
		"median:", "p99:", "at most") +
		measure("8x8", square8) + measure("hexagon of 5 rings", hexagon5) +
		measure("hexagon of 12 rings", hexagon12) + measure("Three Trios", trios)
}
