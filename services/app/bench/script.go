//go:build linux

package main

import (
	"encoding/json"
	"math/rand/v2"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// ply is one move of the script: how it is asked for, the event that it makes as stores keep it, and the position after.
type ply struct{ notation, event, position string }

// script returns the plies of a whole game of 8x8, the same each time.
func script() []ply {
	var plies []ply
	random := rand.New(rand.NewPCG(1, 1)) //nolint:gosec // The same game each time.
	for g := newGame("", game.Seats{{Player: "ann", Name: "Ann"}, {Player: "bob", Name: "Bob"}}, time.Now()).Game; !g.State.Over(); {
		legal := g.Position.Legal()
		d, err := g.Play(g.Seats.Of(g.Turn()).Player, legal[random.IntN(len(legal))], 0, time.Now())
		if err != nil {
			panic(err) // a legal move of the player on turn
		}
		event, err := json.Marshal(d.Events[0])
		if err != nil {
			panic(err) // events are made to be kept
		}
		plies = append(plies, ply{d.Events[0].MovePlayed.Notation, string(event), d.Game.Position.Notation()})
		g = d.Game
	}
	return plies
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
