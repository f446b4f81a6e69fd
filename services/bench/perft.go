//go:build linux

package main

import (
	"context"
	"slices"
	"syscall"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy/othello"
)

// perft counts positions for each second of a processor. There is nothing simpler that does the same, so the ceiling is
// what is to be reached.
func (b *bench) perft(ctx context.Context) ([]row, error) {
	square := games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 8}}
	hexagon := games.Setup{Reversi: &reversi.Setup{Shape: reversi.Hexagon, Size: 5, PassRule: reversi.Forced}}
	trios := games.Setup{ThreeTrios: &threetrios.Setup{}}
	var rows []row
	for _, game := range []struct {
		what  string
		count func() (positions uint64)
		reach float64 // positions a second; 0 where the figure is only told
	}{
		{"perft 8 of 8x8, general rules", byRules(square, 8), 10e6},
		{"perft 8 of the hexagon of 5 rings, general rules", byRules(hexagon, 8), 3e6},
		{"perft 5 of Three Trios, general rules", byRules(trios, 5), 0},
		{"perft 10 of 8x8, the engine's board", func() uint64 { return uint64(othello.Perft(othello.Start(), 10)) }, 40e6},
	} {
		var speeds []float64
		for range b.rounds {
			begun := processorTime()
			positions := game.count()
			speeds = append(speeds, float64(positions)/(processorTime()-begun).Seconds())
		}
		r := row{what: game.what, unit: perSecond, figures: comparison{figure: sample{value: slices.Max(speeds)}}}
		if game.reach > 0 {
			r.ceiling, r.reach = "what is to be reached, a core", atLeast(1)
			r.figures.ceiling.value = game.reach
			r.figures.ratio = slices.Max(speeds) / game.reach
			r.figures.low, r.figures.high = quantile(speeds, 0.25)/game.reach, quantile(speeds, 0.75)/game.reach
		}
		rows = append(rows, r)
	}
	return rows, ctx.Err()
}

// byRules counts with the rules that the server plays by.
func byRules(setup games.Setup, depth int) func() uint64 {
	_, start, err := setup.Resolve()
	if err != nil {
		panic(err) // a setup that is well formed
	}
	return func() uint64 {
		_, positions := rules.Perft(start, depth)
		return positions
	}
}

// processorTime is what this process has taken of the processors.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
