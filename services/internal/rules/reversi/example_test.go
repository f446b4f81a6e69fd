package reversi_test

import (
	"fmt"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// Play places a disc and returns the next position and the flips.
func ExamplePosition_Play() {
	_, start, err := reversi.Setup{Shape: reversi.Square, Size: 4}.Resolve()
	if err != nil {
		panic(err)
	}
	move, err := start.ParseMove("b1")
	if err != nil {
		panic(err)
	}
	next, flips, err := start.Play(move)
	if err != nil {
		panic(err)
	}
	for _, flip := range flips {
		fmt.Println("flips", start.CellNotation(flip.Cell))
	}
	fmt.Println(next.Text(rules.TextOptions{Selected: &move.Cell}))
	// Output:
	// flips b2
	// _ (X) _ _
	// _ X X _
	// _ X O _
	// _ _ _ _
}

// Legal lists the placements in reading order and pass last. Under the rule Voluntary, a pass is
// always legal.
func ExamplePosition_Legal() {
	_, start, err := reversi.Setup{Shape: reversi.Hexagon, Size: 2}.Resolve()
	if err != nil {
		panic(err)
	}
	for _, move := range start.Legal() {
		fmt.Println(start.MoveNotation(move))
	}
	// Output:
	// 1,-2
	// -1,-1
	// 2,-1
	// -2,1
	// 1,1
	// -1,2
	// pass
}

// Parse accepts letters in either case and options with their default value. Notation returns the
// canonical form.
func ExampleParse() {
	p, err := reversi.Parse("reversi/square:4 ____/_ox_/_xo_/____ x 0 pass_rule=voluntary min_flips=1")
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Notation())
	// Output: reversi/square:4 ____/_OX_/_XO_/____ X 0 pass_rule=voluntary
}
