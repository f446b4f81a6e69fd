// Command play lets two players play Reversi on 4x4 squares to its end and prints the score.
//
// Usage: play http://HOST:PORT
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	flipside "example.com/flipside/flipside"
)

func main() {
	score, err := play(context.Background(), os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d:%d\n", score.First, score.Second)
}

func play(ctx context.Context, url string) (*flipside.Score, error) {
	config := flipside.NewConfiguration()
	config.Servers = flipside.ServerConfigurations{{URL: url}}
	client := flipside.NewAPIClient(config)
	ann, err := player(ctx, client, "Ann")
	if err != nil {
		return nil, err
	}
	bob, err := player(ctx, client, "Bob")
	if err != nil {
		return nil, err
	}
	board := flipside.SquareBoardInput{Side: flipside.PtrInt32(4)}
	created, _, err := client.GameServiceAPI.CreateGame(ann).CreateGameRequest(flipside.CreateGameRequest{
		Setup: flipside.SetupInput{Reversi: &flipside.ReversiSetupInput{Square: &board}},
		Seats: []flipside.SeatInput{{Caller: map[string]any{}}},
	}).Execute()
	if err != nil {
		return nil, err
	}
	id := created.Game.Id
	joined, _, err := client.GameServiceAPI.JoinGame(bob, id).JoinGameRequest(flipside.JoinGameRequest{}).Execute()
	if err != nil {
		return nil, err
	}
	game := joined.Game
	for game.State == flipside.GAME_STATE_ACTIVE {
		mover := bob
		if game.Turn.Side == flipside.SIDE_FIRST {
			mover = ann
		}
		legal, _, err := client.GameServiceAPI.ListLegalMoves(mover, id).Execute()
		if err != nil {
			return nil, err
		}
		played, _, err := client.GameServiceAPI.PlayMove(mover, id).PlayMoveRequest(flipside.PlayMoveRequest{
			Notation: &legal.Moves[0].Notation, ExpectedVersion: &legal.Version,
		}).Execute()
		if err != nil {
			return nil, err
		}
		game = played.Game
	}
	return &game.Score, nil
}

// player creates a player and returns a context with their key.
func player(ctx context.Context, client *flipside.APIClient, name string) (context.Context, error) {
	request := flipside.CreatePlayerRequest{DisplayName: &name}
	created, _, err := client.PlayerServiceAPI.CreatePlayer(ctx).CreatePlayerRequest(request).Execute()
	if err != nil {
		return nil, err
	}
	return context.WithValue(ctx, flipside.ContextAccessToken, created.Key), nil
}
