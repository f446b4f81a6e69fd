package rules_test

import (
	"fmt"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

func ExamplePerft() {
	_, start, err := reversi.Setup{Shape: reversi.Square}.Resolve()
	if err != nil {
		panic(err)
	}
	for depth := 1; depth <= 4; depth++ {
		exact, _ := rules.Perft(start, depth)
		fmt.Println(depth, exact)
	}
	// Output:
	// 1 4
	// 2 12
	// 3 56
	// 4 244
}
