package wire_test

import (
	"fmt"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/wire"
)

func ExampleReadMove() {
	position, err := games.Parse("reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0")
	if err != nil {
		panic(err)
	}
	move, err := wire.ReadMove(position, nil, "-2,1") // The request has the notation, not the message.
	if err != nil {
		panic(err)
	}
	hex := wire.Move(move).GetPlace().GetCell().GetHex()
	fmt.Println(hex.GetQ(), hex.GetR())

	_, err = wire.ReadMove(position, &rulesv1.Move{}, "-2,1")
	fmt.Println(err)
	// Output:
	// -2 1
	// set only one of: move, notation
}

func ExamplePosition() {
	position, err := games.Parse("reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0")
	if err != nil {
		panic(err)
	}
	message := wire.Position(position)
	fmt.Println(message.GetNotation())
	for _, row := range message.GetReversi().GetRows() {
		fmt.Println(row)
	}
	// Output:
	// reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0
	// ___
	// _XO_
	// _O_X_
	// _XO_
	// ___
}
