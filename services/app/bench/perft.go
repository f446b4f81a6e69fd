//go:build linux

package main

import (
	"context"
	"syscall"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// perft counts positions for each second of a processor. The ceiling is what is to be reached, since there is
// nothing simpler than the rules that does the same.
func (b *bench) perft(ctx context.Context) ([]row, error) {
	var rows []row
	for _, game := range []struct {
		what  string
		setup games.Setup
		depth int
		reach float64 // positions a second; 0 where it is only told
	}{
		{"perft 8x8, the general rules", games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 8}}, 8, 10e6},
		{"perft hexagon of 5 rings", games.Setup{Reversi: &reversi.Setup{Size: 5, PassRule: reversi.Forced}}, 8, 3e6},
		{"perft Three Trios 3x3", games.Setup{ThreeTrios: &threetrios.Setup{}}, 5, 0},
	} {
		_, start, err := game.setup.Resolve()
		if err != nil {
			return nil, err
		}
		var speeds []float64
		for range b.rounds {
			begun := processorTime()
			_, positions := rules.Perft(start, game.depth)
			speeds = append(speeds, float64(positions)/(processorTime()-begun).Seconds())
		}
		r := row{what: game.what, unit: perSecond, figures: comparison{figure: sample{value: median(speeds)}}}
		if game.reach > 0 {
			r.ceiling, r.reach = "what is to be reached, a core", atLeast(1)
			r.figures.ceiling.value = game.reach
			r.figures.ratio = median(speeds) / game.reach
			r.figures.low, r.figures.high = quantile(speeds, 0.25)/game.reach, quantile(speeds, 0.75)/game.reach
		}
		rows = append(rows, r)
	}
	return rows, ctx.Err()
}

// processorTime is what this process has taken of the processors.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
