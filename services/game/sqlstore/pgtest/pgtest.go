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
	// urlVariable names a server on which databases may be created.
	urlVariable = "FLIPSIDE_TEST_DATABASE_URL"
	// requireVariable has tests fail that have no server, when it is 1; they are skipped otherwise.
	requireVariable = "FLIPSIDE_REQUIRE_POSTGRES"
)

// Database returns the address of a new and empty database, which is dropped when the test ends.
// The server that it is on is started by the first test of a program that needs it, stops with the
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

// Start returns a server of the test's own, to be stopped and started at will, and the address of a
// database on it.
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

// skip skips the test when there is no PostgreSQL and none is required.
func skip(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, ErrNotInstalled) && os.Getenv(requireVariable) != "1" {
		t.Skipf("%v; %s may name a server in its place", err, urlVariable)
	}
	t.Fatal(err)
}

var databases atomic.Int64

// sharedServer returns the address of the server that all tests of this program share.
var sharedServer = sync.OnceValues(func() (*url.URL, error) {
	address := os.Getenv(urlVariable)
	if address == "" {
		server, err := newServer(context.Background(), Server{
			settings: []string{"fsync=off", "shared_buffers=64MB"}, passing: true,
		})
		if err != nil {
			return nil, err
		}
		shared = server
		address = server.URL("postgres")
	}
	return url.Parse(address)
})

// shared is kept so that its server lives as long as this program.
var shared *Server

// administer runs a statement that is about whole databases.
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
