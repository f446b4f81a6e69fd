package flipside_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"

	flipside "github.com/flipside-games/flipside/clients/go"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/app"
)

// startServer starts a server until the test ends, and returns its addresses.
func startServer(t *testing.T) map[string]string {
	t.Helper()
	const free = "127.0.0.1:0"
	settings := app.DefaultSettings()
	settings.HTTPAddr, settings.GameAddr, settings.StrategyAddr, settings.MetricsAddr = free, free, free, ""
	settings.Data = filepath.Join(t.TempDir(), "games.db")
	running, err := app.Start(context.Background(), app.All, settings, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(running.Close)
	return running.Addrs
}

// newPlayer returns the client of a new player, and their id.
func newPlayer(t *testing.T, addrs map[string]string) (*flipside.Client, string) {
	t.Helper()
	c, err := flipside.New(flipside.Options{Address: addrs["game"], StrategyAddress: addrs["strategy"]})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	created, err := c.CreatePlayer(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	return c, created.GetPlayer().GetId()
}

// create creates a game on a small board and returns its id.
func create(t *testing.T, c *flipside.Client, seats ...*gamev1.Seat) string {
	t.Helper()
	square := &rulesv1.SquareBoard{Side: 4}
	setup := &rulesv1.Setup{Game: &rulesv1.Setup_Reversi{Reversi: &rulesv1.ReversiSetup{
		Board: &rulesv1.ReversiSetup_Square{Square: square},
	}}}
	created, err := c.Games.CreateGame(t.Context(), &gamev1.CreateGameRequest{Setup: setup, Seats: seats})
	if err != nil {
		t.Fatal(err)
	}
	return created.GetGame().GetId()
}

func caller() *gamev1.Seat {
	return &gamev1.Seat{Holder: &gamev1.Seat_Caller_{Caller: &gamev1.Seat_Caller{}}}
}

func playerSeat(id string) *gamev1.Seat {
	return &gamev1.Seat{Holder: &gamev1.Seat_Player{Player: &gamev1.Seat_SeatedPlayer{PlayerId: id}}}
}

func robot() *gamev1.Seat {
	easy := &strategyv1.Strategy{Kind: &strategyv1.Strategy_Level{Level: strategyv1.Level_LEVEL_EASY}}
	return &gamev1.Seat{Holder: &gamev1.Seat_Robot{Robot: &gamev1.Robot{Strategy: easy}}}
}

// first chooses the first move.
func first(
	_ context.Context, _ *gamev1.Game, moves []*rulesv1.LegalMove,
) (*rulesv1.LegalMove, error) {
	return moves[0], nil
}

func TestABotPlaysEveryGameThatWaitsForIt(t *testing.T) {
	t.Parallel()
	addrs := startServer(t)
	client, id := newPlayer(t, addrs)
	host, _ := newPlayer(t, addrs)
	games := map[string]bool{
		create(t, client, robot(), caller()):     true,
		create(t, client, caller(), caller()):    true,
		create(t, host, playerSeat(id), robot()): true,
	}
	bot := flipside.Bot{Client: client}
	for over, err := range bot.Play(t.Context(), first) {
		if err != nil {
			t.Fatal(err)
		}
		if !games[over.GetGameId()] {
			t.Errorf("game %s ends twice", over.GetGameId())
		}
		if delete(games, over.GetGameId()); len(games) == 0 {
			break
		}
	}
}

func TestABotReturnsTheErrorOfAnIllegalMove(t *testing.T) {
	t.Parallel()
	client, _ := newPlayer(t, startServer(t))
	create(t, client, caller(), robot())
	bot := flipside.Bot{Client: client}
	err := bot.Run(t.Context(), func(
		_ context.Context, _ *gamev1.Game, _ []*rulesv1.LegalMove,
	) (*rulesv1.LegalMove, error) {
		return &rulesv1.LegalMove{Notation: "b2"}, nil
	})
	if failed, ok := errors.AsType[*flipside.Error](err); !ok || failed.Reason != "CELL_TAKEN" {
		t.Errorf("the bot ends with %v, want CELL_TAKEN", err)
	}
}

func TestABotChoosesAgainWhenTheGameHasChanged(t *testing.T) {
	t.Parallel()
	addrs := startServer(t)
	client, id := newPlayer(t, addrs)
	opponent, _ := newPlayer(t, addrs)
	game := create(t, opponent, playerSeat(id), caller())
	var versions []int32
	bot := flipside.Bot{Client: client}
	for over, err := range bot.Play(t.Context(), func(
		ctx context.Context, g *gamev1.Game, moves []*rulesv1.LegalMove,
	) (*rulesv1.LegalMove, error) {
		versions = append(versions, g.GetVersion())
		if len(versions) == 1 {
			offer := &gamev1.OfferRequest{GameId: game, Kind: gamev1.OfferKind_OFFER_KIND_DRAW}
			_, err := opponent.Games.Offer(ctx, offer)
			return moves[0], err
		}
		_, err := opponent.Games.Resign(ctx, &gamev1.ResignRequest{GameId: game})
		return moves[0], err
	}) {
		if err != nil || over.GetGameId() != game {
			t.Errorf("%v, %v", over, err)
		}
		break
	}
	if len(versions) != 2 || versions[0] != 3 || versions[1] != 4 {
		t.Errorf("chooses at the versions %v, want 3 and 4", versions)
	}
}
