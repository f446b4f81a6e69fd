package engine_test

import (
	"context"
	"fmt"

	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/engine"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// A depth limit makes the answer deterministic. Without any limit the search ends with the exact
// score.
func ExampleSearch_Analyze() {
	_, p, err := reversi.Setup{Shape: reversi.Square, Size: 4}.Resolve()
	if err != nil {
		panic(err)
	}
	search := engine.Search{Limits: limits.Limits{Depth: 4}}
	analyses, err := strategy.Analyze(context.Background(), search, p, 1)
	if err != nil {
		panic(err)
	}
	for a := range analyses {
		fmt.Printf("depth %d, score %+d, exact %v:", a.Depth, a.Best().Score, a.Exact)
		for _, m := range a.Best().Moves {
			fmt.Print(" ", p.MoveNotation(m))
		}
		fmt.Println()
	}
	// Output:
	// depth 1, score -16, exact false: b1
	// depth 2, score -16, exact false: b1 a1
	// depth 3, score -16, exact false: b1 a1 a2
	// depth 4, score -4, exact false: b1 a3 a4 a1
	// depth 4, score -4, exact false: b1 a3 a4 a1
}
