package game_test

import (
	"fmt"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// newGame creates a game between Ann and Bob on a 4x4 board.
func newGame() (game.Decision, error) {
	setup := games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 4}}
	seats := game.Seats{{Player: "ann", Name: "Ann"}, {Player: "bob", Name: "Bob"}}
	created := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	return game.Create("id", game.Created{Creator: "ann", Setup: setup, Seats: seats}, created)
}

func ExampleCreate() {
	d, err := newGame()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Game.State, "at version", d.Game.Version)
	fmt.Println(d.Game.Seats.Of(d.Game.Turn()).Name, "moves first")
	// Output:
	// active at version 2
	// Ann moves first
}

func ExampleGame_Play() {
	d, err := newGame()
	if err != nil {
		fmt.Println(err)
		return
	}
	now := d.Game.Updated.Add(time.Second)
	if _, err := d.Game.Play("bob", rules.Pass, 0, now); err != nil {
		fmt.Println("Bob:", err)
	}
	move, err := d.Game.Position.ParseMove("b1")
	if err != nil {
		fmt.Println(err)
		return
	}
	played, err := d.Game.Play("ann", move, d.Game.Version, now)
	if err != nil {
		fmt.Println(err)
		return
	}
	event := played.Events[0].MovePlayed
	fmt.Println("Ann:", event.Notation, "flips", len(event.Flips))
	fmt.Println(played.Game.Position.Notation())
	// Output:
	// Bob: it is the turn of Black
	// Ann: b1 flips 1
	// reversi/square:4 _X__/_XX_/_XO_/____ O 0
}

// The log is the game: replaying it reconstructs every version.
func ExampleReplay() {
	d, err := newGame()
	if err != nil {
		fmt.Println(err)
		return
	}
	log := d.Events
	played, err := d.Game.Play("ann", d.Game.Position.Legal()[0], 0, d.Game.Updated)
	if err != nil {
		fmt.Println(err)
		return
	}
	log = append(log, played.Events...)
	for version := 1; version <= len(log); version++ {
		g, err := game.Replay(log[:version])
		fmt.Println(g.Version, g.State, g.Turn() == rules.Second, err)
	}
	// Output:
	// 1 waiting false <nil>
	// 2 active false <nil>
	// 3 active true <nil>
}
