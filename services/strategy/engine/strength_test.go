package engine_test

import (
	"testing"

	"github.com/flipside-games/flipside/services/strategy"
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
