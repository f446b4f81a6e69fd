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
