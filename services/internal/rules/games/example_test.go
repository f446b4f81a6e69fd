package games_test

import (
	"fmt"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// A setup names a game. Resolve fills in the defaults and returns the position at the start.
func ExampleSetup_Resolve() {
	setup, start, err := games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 4}}.Resolve()
	if err != nil {
		panic(err)
	}
	fmt.Println(setup.Kind(), setup.Reversi.PassRule, setup.Reversi.MinFlips)
	fmt.Println(start.Notation())
	// Output:
	// reversi forced 1
	// reversi/square:4 ____/_OX_/_XO_/____ X 0
}

// Parse reads the notation of any game. Errors have a reason and a message.
func ExampleParse() {
	for _, notation := range []string{
		"reversi/hex:1 XO/O_X/XO X 0",
		"threetrios/_ R - default grid red a:1111 blue b:234A",
		"chess/8x8",
	} {
		p, err := games.Parse(notation)
		if err != nil {
			fmt.Println(fault.ReasonOf(err), err)
			continue
		}
		fmt.Println(p.Kind().SideName(p.Turn()), "to move")
	}
	// Output:
	// Black to move
	// Red to move
	// INVALID_NOTATION a notation starts with reversi/ or threetrios/
}
