package commands

import (
	"path/filepath"
	"testing"

	"google.golang.org/grpc/codes"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// An import waits when the server limits its calls, and continues.
func TestImportWaitsForTheRateLimit(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	on(f, func(q *strategyv1.ListPositionMovesRequest) (*strategyv1.ListPositionMovesResponse, error) {
		return &strategyv1.ListPositionMovesResponse{Position: q.GetPosition()}, nil
	})
	limited := 2
	on(f, func(*gamev1.CreateGameRequest) (*gamev1.CreateGameResponse, error) {
		if limited--; limited >= 0 {
			return nil, withDelay(serverError(codes.ResourceExhausted, "RATE_LIMITED", "too many calls"))
		}
		return &gamev1.CreateGameResponse{Game: hexGame()}, nil
	})
	file := filepath.Join(t.TempDir(), "game.obf")
	write(t, file, "-----OX--XO----- X;\n")
	got := f.run("import", file)
	if got.code != 0 || got.out != "01hex  0 moves\n" || got.waits != 2 {
		t.Errorf("exit %d after %d waits: %s%s", got.code, got.waits, got.out, got.err)
	}
	ids := map[string]bool{}
	for _, request := range requestsOf[*gamev1.CreateGameRequest](f) {
		ids[request.GetRequestId()] = true
	}
	if len(ids) != 1 {
		t.Errorf("the request ids are %v", ids)
	}
}

// The calls that end games as their files do wait for the rate limit too.
func TestImportWaitsToEndGames(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	on(f, func(q *strategyv1.ListPositionMovesRequest) (*strategyv1.ListPositionMovesResponse, error) {
		return &strategyv1.ListPositionMovesResponse{Position: q.GetPosition()}, nil
	})
	reply(f, &gamev1.CreateGameRequest{}, &gamev1.CreateGameResponse{Game: hexGame()})
	limited := func(calls int) error {
		if calls == 1 {
			return withDelay(serverError(codes.ResourceExhausted, "RATE_LIMITED", "too many calls"))
		}
		return nil
	}
	on(f, func(*gamev1.ResignRequest) (*gamev1.ResignResponse, error) {
		return &gamev1.ResignResponse{}, limited(len(requestsOf[*gamev1.ResignRequest](f)))
	})
	on(f, func(*gamev1.OfferRequest) (*gamev1.OfferResponse, error) {
		return &gamev1.OfferResponse{}, limited(len(requestsOf[*gamev1.OfferRequest](f)))
	})
	file := filepath.Join(t.TempDir(), "games.ggf")
	const board = "(;GM[Othello]BO[4 ---- -O*- -*O- ---- *]"
	write(t, file, board+"RE[+2:r];)\n"+board+"RE[0:s];)\n")
	if got := f.run("import", file); got.code != 0 || got.waits != 2 {
		t.Fatalf("exit %d after %d waits: %s", got.code, got.waits, got.err)
	}
	resigned, offered := requestsOf[*gamev1.ResignRequest](f), requestsOf[*gamev1.OfferRequest](f)
	if len(resigned) != 2 || resigned[0].GetRequestId() != resigned[1].GetRequestId() {
		t.Errorf("the calls to resign are %v", resigned)
	}
	if len(offered) != 2 || offered[0].GetRequestId() != offered[1].GetRequestId() {
		t.Errorf("the calls to offer are %v", offered)
	}
}
