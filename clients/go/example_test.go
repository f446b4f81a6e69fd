package flipside_test

import (
	"context"
	"fmt"
	"log"

	flipside "github.com/flipside-games/flipside/clients/go"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// A bot creates a player and plays every game that invites it.
func Example() {
	ctx := context.Background()
	client, err := flipside.New(flipside.Options{Address: "127.0.0.1:9090"})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	created, err := client.CreatePlayer(ctx, "Ada")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Pass this key next time:", created.GetKey())
	bot := flipside.Bot{Client: client}
	log.Fatal(bot.Run(ctx, func(
		_ context.Context, _ *gamev1.Game, moves []*rulesv1.LegalMove,
	) (*rulesv1.LegalMove, error) {
		return moves[0], nil
	}))
}

// A stream yields every event of a game once, also across a restart of the server.
func ExampleClient_Watch() {
	ctx := context.Background()
	client, err := flipside.New(flipside.Options{Key: "the key of the player"})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	request := &gamev1.WatchGameRequest{GameId: "the id of the game", AfterVersion: new(int32)}
	for message, err := range client.Watch(ctx, request) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(message.GetEvent().GetMovePlayed().GetNotation())
	}
}
