package faulttest

import (
	"path/filepath"
	"testing"
	"time"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/app"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/sqlstore"
)

// The operator bounds the time of robots, analyses and choices. Their strategies allow a minute.
func TestThinkingTimeIsBounded(t *testing.T) {
	server := start(t, "--robot-time", "200ms", "--analysis-time", "400ms")
	ann := server.join(t)
	slow := &gamev1.Robot{Strategy: deep(time.Minute)}
	g := ann.create(t, square(16), &gamev1.Seat{Holder: &gamev1.Seat_Robot{Robot: slow}}, callerSeat())
	move := ann.awaitEvent(t, g.GetId(), g.GetVersion()).GetMovePlayed()
	thought := move.GetAnalysis().GetTime().AsDuration()
	if move.GetAutomatic() || thought < 150*time.Millisecond || thought > 390*time.Millisecond {
		t.Errorf("the robot thought for %v, automatic %v", thought, move.GetAutomatic())
	}
	for name, call := range map[string]func() error{
		"analysis": func() error { return server.analyze(t.Context(), t) },
		"choice":   func() error { return server.choose(t.Context(), t, time.Minute) },
	} {
		began := time.Now()
		if err := call(); err != nil || time.Since(began) > waitTimeout {
			t.Errorf("%s: %v after %v", name, err, time.Since(began))
		}
	}
}

// The log records a hash of the creator's address, by which games share the slots of robots. A
// client has the same hash over gRPC and over REST.
func TestOriginOfGames(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "games.db")
	app := startRole(t, app.All, arguments(data))
	server := &daemon{addrs: app.Addrs}
	ann := server.join(t)
	overGRPC := ann.create(t, square(4), callerSeat(), callerSeat()).GetId()
	created := server.curl(t, ann.key, "POST", "/v1/games", `{"setup":{"reversi":{}},"seats":[{"caller":{}},{"caller":{}}]}`)
	app.Close()
	store, err := sqlstore.Open(t.Context(), data, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	origin := map[string]game.Origin{}
	for _, id := range []string{overGRPC, at(t, created, "game", "id").(string)} {
		events, err := store.Events(t.Context(), id, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		origin[id] = events[0].Created.Origin
		if origin[id].Address == 0 || origin[id] != origin[overGRPC] {
			t.Errorf("the origins are %v", origin)
		}
	}
}
