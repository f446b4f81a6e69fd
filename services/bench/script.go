//go:build linux

package main

import (
	"math/rand/v2"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// script returns the moves of a whole game of 8x8, the same each time.
func script() []string {
	var moves []string
	random := rand.New(rand.NewPCG(1, 1)) //nolint:gosec // The same game each time.
	for g := newGame("", game.Seats{{Player: "ann"}, {Player: "bob"}}, time.Now()).Game; !g.State.Over(); {
		legal := g.Position.Legal()
		move := legal[random.IntN(len(legal))]
		moves = append(moves, g.Position.MoveNotation(move))
		d, err := g.Play(g.Seats.Of(g.Turn()).Player, move, 0, time.Now())
		if err != nil {
			panic(err) // a legal move of the player on turn
		}
		g = d.Game
	}
	return moves
}

// newGame is a new game of 8x8.
func newGame(id string, seats game.Seats, at time.Time) game.Decision {
	d, err := game.Create(id, game.Created{
		Visibility: game.Public,
		Setup:      games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 8}},
		Seats:      seats,
	}, at)
	if err != nil {
		panic(err) // a setup that is well formed
	}
	return d
}
