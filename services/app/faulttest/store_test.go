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
	"github.com/flipside-games/flipside/services/internal/freeaddr"
)

// lockDatabase locks the database of a daemon for writing until release is called.
func lockDatabase(t *testing.T, path string) (release func()) {
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

func TestDatabaseOutage(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		data := filepath.Join(t.TempDir(), "games.db")
		testOutage(t, startOn(t, data, "--heartbeat-interval", "100ms"), func() func() { return lockDatabase(t, data) })
	})
	for name, start := range map[string]func(*testing.T, string, ...string) *daemon{"PostgreSQL": startOn, "cluster": startClusterOn} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			database, address := pgtest.Start(t)
			testOutage(t, start(t, address, "--heartbeat-interval", "100ms"), func() func() {
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

// A process that starts while PostgreSQL is away waits for it.
func TestStartWhilePostgresIsAway(t *testing.T) {
	t.Parallel()
	database, address := pgtest.Start(t)
	if err := database.Stop(); err != nil {
		t.Fatal(err)
	}
	metrics := freeaddr.New(t)
	server := launch(t, programs.path(t, "flipsided"), arguments(address, "--metrics-addr", metrics)...)
	server.addrs = map[string]string{"metrics": metrics}
	for end := time.Now().Add(waitTimeout); len(server.log.containing("waiting for the database")) == 0; {
		if time.Now().After(end) {
			t.Fatalf("the process does not wait: %s %s", server.log, server.stderr)
		}
		<-time.After(10 * time.Millisecond)
	}
	<-time.After(2500 * time.Millisecond) // More than two attempts.
	for path, want := range map[string]string{"/livez": "ok", "/readyz": "503 Service Unavailable"} {
		if got := server.probe(t, "metrics", path); got != want {
			t.Errorf("%s returns %s, want %s", path, got, want)
		}
	}
	if lines := server.log.containing("database"); len(lines) != 1 {
		t.Errorf("the log has %d lines: %s", len(lines), lines)
	}
	if err := database.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	server.awaitListening(t)
	server.awaitReady(t, http.StatusOK)
	server.join(t).create(t, hexagon(2), callerSeat(), callerSeat())
}

// testOutage makes the database of a server unavailable until release is called.
func testOutage(t *testing.T, server *daemon, block func() (release func())) {
	t.Helper()
	ann := server.join(t)
	g := ann.create(t, hexagon(2), callerSeat(), robotSeat(""))
	rest := newREST(t, server.addrs["http"])
	server.awaitReady(t, http.StatusOK)
	moves, err := ann.legal(t.Context(), g.GetId())
	if err != nil {
		t.Fatal(err)
	}
	move := &gamev1.PlayMoveRequest{GameId: g.GetId(), Notation: moves[0], RequestId: uuid.NewString()}

	release := block()
	failed := make(chan error, 2)
	for _, via := range []caller{ann.via, rest} {
		go func() { failed <- via.call(t.Context(), ann.key, "PlayMove", move, &gamev1.PlayMoveResponse{}) }()
	}
	for range 2 {
		err := <-failed
		checkError(t, err, codes.Unavailable, "STORE_UNAVAILABLE")
		if retryDelay(err) <= 0 {
			t.Errorf("the error has no RetryInfo: %v", status.Convert(err).Details())
		}
	}
	server.awaitReady(t, http.StatusServiceUnavailable)
	err = ann.via.call(t.Context(), ann.key, "PlayMove", move, &gamev1.PlayMoveResponse{})
	checkError(t, err, codes.Unavailable, "STORE_UNAVAILABLE")
	if got := metadataOf(err)["sent"]; got != "false" {
		t.Errorf("sent is %q for a change that was not sent: %v", got, err)
	}

	release()
	server.awaitReady(t, http.StatusOK)
	if got := ann.get(t, g.GetId()); got.GetVersion() != g.GetVersion() {
		t.Errorf("the store has the failed move at version %d", got.GetVersion())
	}
	watch, err := ann.games().WatchGame(ann.ctx(t.Context()), &gamev1.WatchGameRequest{GameId: g.GetId()})
	if err != nil {
		t.Fatal(err)
	}
	var out gamev1.PlayMoveResponse
	if err := ann.via.call(t.Context(), ann.key, "PlayMove", move, &out); err != nil || out.GetReplayed() {
		t.Errorf("%v, replayed %v", err, out.GetReplayed())
	}
	for version := int32(0); version < g.GetVersion()+2; { // The move and the move of the robot.
		m, err := watch.Recv()
		if err != nil {
			t.Fatal(err)
		}
		version = m.GetVersion()
	}
}

// awaitReady waits until the readiness probe returns a status.
func (d *daemon) awaitReady(t testing.TB, want int) {
	t.Helper()
	rest := newREST(t, d.addrs["http"])
	got := 0
	for end := time.Now().Add(waitTimeout); got != want; {
		if time.Now().After(end) {
			t.Fatalf("/readyz returns %d, want %d", got, want)
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

// metadataOf returns the metadata in the ErrorInfo of an error.
func metadataOf(err error) map[string]string {
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok {
			return info.GetMetadata()
		}
	}
	return nil
}

// retryDelay returns the delay in the RetryInfo of an error.
func retryDelay(err error) time.Duration {
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.RetryInfo); ok {
			return info.GetRetryDelay().AsDuration()
		}
	}
	return 0
}
