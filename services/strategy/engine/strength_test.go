//go:build !race

package engine_test

import (
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/alphabeta"
	"github.com/flipside-games/flipside/services/strategy/arena"
	"github.com/flipside-games/flipside/services/strategy/engine"
	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/trios"
)

// The grid is large, so that the end is far.
func TestAShortSearchBeatsTheSimpleStrategies(t *testing.T) {
	for name, opponent := range map[string]strategy.Strategy{
		"corners": trios.Corners{}, "most flips": trios.MostFlips{}, "least exposed": trios.LeastExposed{},
	} {
		tally, err := arena.Play(t.Context(), arena.Match{
			Setup: boards["cards, 5x5"], First: arena.Strategy(engine.Search{Limits: limits.Limits{Nodes: 2000}}), Second: arena.Strategy(opponent),
			Games: 10, Seed: 1, Parallel: 2,
		}, func(arena.Game, arena.Tally) error { return nil })
		if err != nil || tally.Wins < 9 {
			t.Errorf("against %s it won %d and lost %d of ten games (%v)", name, tally.Wins, tally.Losses, err)
		}
	}
}

// The weights favour few discs, and a weak player who takes many can take all.
func TestAWeakPlayerDoesNotTakeAllDiscs(t *testing.T) {
	t.Parallel()
	losses := 0
	_, err := arena.Play(t.Context(), arena.Match{
		Setup:  games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 12}},
		First:  arena.Strategy(engine.Search{Limits: limits.Limits{Nodes: 2000}}),
		Second: arena.Strategy(alphabeta.Search{Limits: limits.Limits{Depth: 3}}),
		Games:  40, Seed: 1, OpeningPlies: 4, Parallel: 2,
	}, func(g arena.Game, _ arena.Tally) error {
		if g.Points() == 0 {
			losses++
		}
		return nil
	})
	if err != nil || losses > 1 {
		t.Errorf("it loses %d of 40 games (%v)", losses, err)
	}
}
