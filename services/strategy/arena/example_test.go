package arena_test

import (
	"context"
	"fmt"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy/alphabeta"
	"github.com/flipside-games/flipside/services/strategy/arena"
	"github.com/flipside-games/flipside/services/strategy/heuristic"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// The games of a pair have the same start and swapped seats.
func ExamplePlay() {
	match := arena.Match{
		Setup:  games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 6}},
		First:  arena.Strategy(alphabeta.Search{Limits: limits.Limits{Depth: 3}}),
		Second: arena.Strategy(heuristic.Greedy{}),
		Games:  4, OpeningPlies: 2, Seed: 1,
	}
	tally, err := arena.Play(context.Background(), match, func(g arena.Game, _ arena.Tally) error {
		side := rules.Reversi.SideName(g.FirstSide)
		fmt.Printf("game %d: alpha-beta plays %s and gets %g points\n", g.Number, side, g.Points())
		return nil
	})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d wins, %d draws, %d losses\n", tally.Wins, tally.Draws, tally.Losses)
	// Output:
	// game 1: alpha-beta plays Black and gets 0 points
	// game 2: alpha-beta plays White and gets 1 points
	// game 3: alpha-beta plays Black and gets 0 points
	// game 4: alpha-beta plays White and gets 1 points
	// 2 wins, 0 draws, 2 losses
}
