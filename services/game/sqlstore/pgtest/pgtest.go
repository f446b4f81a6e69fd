package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
)

const (
	// urlVariable is the environment variable with the URL of a server that can create databases.
	urlVariable = "FLIPSIDE_TEST_DATABASE_URL"
	// requireVariable set to 1 makes tests without a server fail. By default they are skipped.
	requireVariable = "FLIPSIDE_REQUIRE_POSTGRES"
)

// Database returns the URL of a new, empty database, which is dropped at the end of the test. All
// tests of a program share one server. It starts with the first test that needs it, stops with the
// program, and does not wait for the disk.
func Database(t testing.TB) string {
	t.Helper()
	server, err := sharedServer()
	if err != nil {
		skip(t, err)
	}
	name := fmt.Sprintf("flipside_test_%d_%d", os.Getpid(), databases.Add(1))
	administer(t, server, "CREATE DATABASE "+name)
	t.Cleanup(func() { administer(t, server, "DROP DATABASE "+name+" WITH (FORCE)") })
	location := *server
	location.Path = "/" + name
	return location.String()
}

// Start starts a server for one test, which can stop and restart it. It returns the server and the
// URL of a database on it.
func Start(t testing.TB) (server *Server, address string) {
	t.Helper()
	server, err := NewServer(t.Context(), "fsync=off", "shared_buffers=32MB")
	if err != nil {
		skip(t, err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server, server.URL("postgres")
}

// skip skips the test if PostgreSQL is neither installed nor required. Other errors fail the test.
func skip(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, ErrNotInstalled) && os.Getenv(requireVariable) != "1" {
		t.Skipf("%v; or set %s to the URL of a server", err, urlVariable)
	}
	t.Fatal(err)
}

var databases atomic.Int64

// sharedServer returns the URL of the server that all tests of this program share.
var sharedServer = sync.OnceValues(func() (*url.URL, error) {
	address := os.Getenv(urlVariable)
	if address == "" {
		server, err := newServer(context.Background(), Server{
			settings: []string{"fsync=off", "shared_buffers=64MB"}, temporary: true,
		})
		if err != nil {
			return nil, err
		}
		shared = server
		address = server.URL("postgres")
	}
	return url.Parse(address)
})

// shared keeps the server reachable, so that its pipe stays open until the program ends.
var shared *Server

// administer runs a statement on the server, outside of a transaction.
func administer(t testing.TB, server *url.URL, statement string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, server.String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, statement); err != nil {
		t.Error(err)
	}
}
