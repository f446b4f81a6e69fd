package catalogue_test

import (
	"context"
	"fmt"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/catalogue"
	"github.com/flipside-games/flipside/services/strategy/heuristic"
)

// Levels are strategies, and strategies can be composed.
func Example() {
	p, err := games.Parse(
		"reversi/square:8 _OX_____/________/________/________/__OOOX__/________/_OX_____/________ X 0")
	if err != nil {
		panic(err)
	}
	composed := heuristic.TryTwo{
		First: heuristic.TakeCorners{}, Second: catalogue.Easy.In(rules.Reversi),
	}
	for _, player := range []struct {
		name     string
		strategy strategy.Strategy
	}{
		{"easy", catalogue.Easy.In(rules.Reversi)},
		{"expert", catalogue.Expert.In(rules.Reversi)},
		{"composed", composed},
	} {
		choice, err := strategy.Choose(context.Background(), player.strategy, p, 0)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s plays %s\n", player.name, p.MoveNotation(choice.Chosen.Move))
	}
	// Output:
	// easy plays b5
	// expert plays a1
	// composed plays a1
}
