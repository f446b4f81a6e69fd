package faulttest

import (
	"context"
	"database/sql"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
)

// holdDatabase takes the database of a daemon away from it, as a tool would that writes to it, until release is called.
func holdDatabase(t *testing.T, path string) (release func()) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return func() {
		if _, err := conn.ExecContext(context.Background(), "ROLLBACK"); err != nil {
			t.Error(err)
		}
		conn.Close()
	}
}

func TestADatabaseThatGoesAwayIsSaidToBeAndComesBack(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		data := filepath.Join(t.TempDir(), "games.db")
		goesAway(t, startOn(t, data, "--heartbeat-interval", "100ms"), func() func() { return holdDatabase(t, data) })
	})
	for name, start := range map[string]func(*testing.T, string, ...string) *daemon{"PostgreSQL": startOn, "many processes": startApartOn} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			database, address := pgtest.Start(t)
			goesAway(t, start(t, address, "--heartbeat-interval", "100ms"), func() func() {
				if err := database.Stop(); err != nil {
					t.Fatal(err)
				}
				return func() {
					if err := database.Start(t.Context()); err != nil {
						t.Error(err)
					}
				}
			})
		})
	}
}

// goesAway takes the database of a server away until release is called.
func goesAway(t *testing.T, server *daemon, take func() (release func())) {
	t.Helper()
	ann := server.join(t)
	g := ann.create(t, hexagon(2), callers(), robotOf(""))
	rest := newREST(t, server.addrs["http"])
	server.awaitReady(t, http.StatusOK)
	moves, err := ann.legal(t.Context(), g.GetId())
	if err != nil {
		t.Fatal(err)
	}
	move := &gamev1.PlayMoveRequest{GameId: g.GetId(), Notation: moves[0], RequestId: uuid.NewString()}

	release := take()
	failed := make(chan error, 2)
	for _, via := range []caller{ann.via, rest} {
		go func() { failed <- via.call(t.Context(), ann.key, "PlayMove", move, &gamev1.PlayMoveResponse{}) }()
	}
	for range 2 {
		err := <-failed
		refuses(t, err, codes.Unavailable, "STORE_UNAVAILABLE")
		if retryDelay(err) <= 0 {
			t.Errorf("it is not said when to try again: %v", status.Convert(err).Details())
		}
	}
	server.awaitReady(t, http.StatusServiceUnavailable)

	release()
	server.awaitReady(t, http.StatusOK)
	if got := ann.get(t, g.GetId()); got.GetVersion() != g.GetVersion() {
		t.Errorf("what was not written is there: version %d", got.GetVersion())
	}
	watch, err := ann.games().WatchGame(ann.ctx(t.Context()), &gamev1.WatchGameRequest{GameId: g.GetId()})
	if err != nil {
		t.Fatal(err)
	}
	var out gamev1.PlayMoveResponse
	if err := ann.via.call(t.Context(), ann.key, "PlayMove", move, &out); err != nil || out.GetReplayed() {
		t.Errorf("%v, replayed %v", err, out.GetReplayed())
	}
	for version := int32(0); version < g.GetVersion()+2; { // the move and the robot's answer
		m, err := watch.Recv()
		if err != nil {
			t.Fatal(err)
		}
		version = m.GetVersion()
	}
}

// awaitReady waits until the daemon answers a probe with a status.
func (d *daemon) awaitReady(t testing.TB, want int) {
	t.Helper()
	rest := newREST(t, d.addrs["http"])
	got := 0
	for end := time.Now().Add(patience); got != want; {
		if time.Now().After(end) {
			t.Fatalf("/readyz says %d, not %d", got, want)
		}
		resp, err := rest.client.Get(rest.base + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		got = resp.StatusCode
		<-time.After(10 * time.Millisecond)
	}
}

// retryDelay is when an error says to try again.
func retryDelay(err error) time.Duration {
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.RetryInfo); ok {
			return info.GetRetryDelay().AsDuration()
		}
	}
	return 0
}
