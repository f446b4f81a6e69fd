//go:build linux

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
	byRules := func(setup games.Setup, depth int) func() uint64 {
		start := startOf(setup)
		return func() uint64 { _, positions := rules.Perft(start, depth); return positions }
	}
	byEngine := func() uint64 { return uint64(othello.Perft(othello.Start(), 10)) }
	const ceiling = "the goal for a core"
	var rows []row
	for _, game := range []struct {
		what, ceiling string
		count         func() (positions uint64)
		goal          float64 // in positions per second
	}{
		{"perft 8 of 8x8, general rules", ceiling, byRules(square8, 8), 10e6},
		{"perft 8 of the hexagon of 5 rings, general rules", ceiling, byRules(hexagon5, 8), 3e6},
		{"perft 5 of Three Trios, general rules", "", byRules(trios, 5), 0},
		{"perft 10 of 8x8, the engine's board", ceiling, byEngine, 40e6},
	} {
		rows = append(rows, row{
			what: game.what, ceiling: game.ceiling, unit: perSecond, reach: 1, fastest: true,
			figure: func() sample {
				begun := processorTime()
				positions := game.count()
				return sample{value: float64(positions) / (processorTime() - begun).Seconds()}
			},
			limit: func() sample { return sample{value: game.goal} },
		})
	}
	return b.compare(rows...)
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

// speedup formats how many times as fast as c the search o is.
func (c cost) speedup(o cost) string {
	return fmt.Sprintf("%.2f", c.time.Seconds()/o.time.Seconds())
}

// engineTables measures the engine in this process and returns tables in Markdown. The ceilings are
// goals.
func (b *bench) engineTables(ctx context.Context) string {
	tables := endgames(ctx) + perft11() + b.searches(ctx) + lateness(ctx)
	check(ctx.Err())
	return tables
}

// endgames solves the endgame suite with one thread and with two.
func endgames(ctx context.Context) string {
	groups := heading("endgame suite", "nodes:", "one thread:", "at most", "aim",
		"nodes, two threads:", "two threads:", "times as fast:")
	positions := heading("position:", "empty cells:", "score:", "nodes:", "one thread:",
		"nodes, two threads:", "two threads:")
	var all1, all2 cost
	for _, group := range []struct {
		from, to    int
		atMost, aim string
	}{
		{1, 19, "2.0 M, 0.11 s", ""},
		{20, 39, "166 M, 10 s", "100 M, 3 s"},
		{40, 49, "1,260 M, 78 s", "600 M, 22 s"},
	} {
		var sum1, sum2 cost
		for _, e := range ffo.Suite(group.from, group.to) {
			board := othello.Board{Mover: e.Mover, Opponent: e.Opponent}
			one, two := solve(ctx, e, board, 1), solve(ctx, e, board, 2)
			sum1.add(one)
			sum2.add(two)
			positions += line(e.ID, board.Empties(), fmt.Sprintf("%+d", e.Score), one, two)
		}
		groups += line(fmt.Sprintf("%d to %d", group.from, group.to),
			sum1, group.atMost, group.aim, sum2, sum1.speedup(sum2))
		all1.add(sum1)
		all2.add(sum2)
	}
	return groups + line("all", all1, "", "", all2, all1.speedup(all2)) + positions
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
// whole games from the first move.
func (b *bench) searches(ctx context.Context) string {
	table := heading("one thread", "positions:", "score:", "nodes:", "time:", "speed:")
	whole := func(shape reversi.Shape, size int) []rules.Position {
		return []rules.Position{startOf(onBoard(shape, size))}
	}
	for _, s := range []solving{
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
			sum.add(s.run(ctx, p))
		}
		speed := fmt.Sprintf("%.1f M/s", float64(sum.nodes)/sum.time.Seconds()/1e6)
		table += line(s.what, len(s.positions), s.score, sum, speed)
	}
	return table
}

// solving is a row of searches.
type solving struct {
	what      string
	positions []rules.Position
	depth     int    // 0 for a search to the end
	score     string // of a whole game; "" for other positions
}

// run searches a position and checks the result.
func (s solving) run(ctx context.Context, p rules.Position) cost {
	analyses := engine.Search{Limits: limits.Limits{Depth: s.depth}}.
		Analyze(limits.NewMeter(ctx), p, 1)
	if s.score != "" {
		options := limits.Options{Table: 1 << 30}
		analyses = search.Analyze(limits.NewMeter(ctx), p.(*reversi.Position), options)
	}
	var last strategy.Analysis
	begun := time.Now()
	for last = range analyses {
	}
	c := cost{last.Nodes, time.Since(begun)}
	check(ctx.Err())
	score := fmt.Sprintf("%+d", last.Best().Score)
	if s.depth == 0 && !last.Exact || s.score != "" && score != s.score {
		check(fmt.Errorf("%s: %s, exact: %t, want %s", s.what, score, last.Exact, s.score))
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
	table := heading("answer after the call's deadline, 200 calls of 50 ms",
		"median:", "p99:", "at most")
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
		table += line(game.what, fmt.Sprintf("%.1f ms", median(late)),
			fmt.Sprintf("%.1f ms", quantile(late, 0.99)), "20 ms")
	}
	return table
}
