package othello_test

import (
	"context"
	"fmt"

	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/othello"
	"github.com/flipside-games/flipside/services/strategy/othello/ffo"
)

// The first position of the endgame suite has 14 empty cells.
func ExampleEngine_Search() {
	position := ffo.Suite(1, 1)[0]
	board := othello.Board{Mover: position.Mover, Opponent: position.Opponent}
	engine := othello.New(othello.Options{Scoring: othello.EmptiesToWinner})
	best := engine.Search(limits.NewMeter(context.Background()), board, limits.Options{})[0]
	fmt.Println(best.PrincipalVariation[0], "wins by", best.Score, "discs, exact:", best.Exact)
	// Output: g8 wins by 18 discs, exact: true
}

func ExamplePerft() {
	for depth := range 7 {
		fmt.Print(othello.Perft(othello.Start(), depth), " ")
	}
	// Output: 1 4 12 56 244 1396 8200
}
