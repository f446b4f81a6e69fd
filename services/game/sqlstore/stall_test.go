//go:build !race

package sqlstore

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
)

// stallTime can be longer: go test ./services/game/sqlstore -run Hurts -stall 60s -timeout 10m
var stallTime = flag.Duration("stall", 2*time.Second, "duration of a fault of a connection")

// link is a TCP proxy for connections to a database server.
type link struct {
	// each is called for every piece of a request before it is passed on. It returns the number of
	// bytes to pass on at once; the rest follows when held is closed.
	each atomic.Pointer[func(piece []byte) int]
	held chan struct{}
}

// newLink returns a link and the address of a database behind it.
func newLink(t *testing.T, address string) (*link, string) {
	t.Helper()
	location, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	network, server := "tcp", location.Host
	if folder := location.Query().Get("host"); folder != "" {
		network, server = "unix", folder+"/.s.PGSQL.5432"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &link{held: make(chan struct{})}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go l.pass(client, network, server)
		}
	}()
	query := location.Query()
	query.Del("host")
	location.Host, location.RawQuery = listener.Addr().String(), query.Encode()
	return l, location.String()
}

func (l *link) pass(client net.Conn, network, server string) {
	defer client.Close()
	conn, err := net.Dial(network, server)
	if err != nil {
		return
	}
	defer conn.Close()
	go func() { _, _ = io.Copy(client, conn); client.Close() }()
	buffer := make([]byte, 64<<10)
	for {
		n, err := client.Read(buffer)
		if err != nil {
			return
		}
		piece := buffer[:n]
		if each := l.each.Load(); each != nil {
			now := (*each)(piece)
			if _, err := conn.Write(piece[:now]); err != nil {
				return
			}
			if now < n {
				<-l.held
			}
			piece = piece[now:]
		}
		if _, err := conn.Write(piece); err != nil {
			return
		}
	}
}

// longestGap commits new games of a store by several callers for a while and returns the longest
// time between two commits.
func longestGap(t *testing.T, s *Store, name string, duration time.Duration) (longest time.Duration, commits int) {
	var mu sync.Mutex
	var callers sync.WaitGroup
	start := time.Now()
	last := start
	for i := range 8 {
		callers.Go(func() {
			for n := 0; time.Since(start) < duration; n++ {
				err := s.Commit(context.Background(), newGame(t, fmt.Sprintf("%s-%d-%d", name, i, n), name))
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				now := time.Now()
				longest, last, commits = max(longest, now.Sub(last)), now, commits+1
				mu.Unlock()
			}
		})
	}
	callers.Wait()
	return max(longest, time.Since(last)), commits
}

// TestSlowConnectionHurtsOnlyItsProcess lets two stores write, one of them over a bad link, and
// checks that the other one is not delayed.
func TestSlowConnectionHurtsOnlyItsProcess(t *testing.T) {
	for name, each := range map[string]func(piece []byte) int{
		"a batch stops in the middle": func(piece []byte) int { return len(piece) / 2 },
		"a batch lacks its last byte": func(piece []byte) int { return len(piece) - 1 },
		"each packet takes 200 ms": func(piece []byte) int {
			time.Sleep(200 * time.Millisecond)
			return len(piece)
		},
	} {
		t.Run(name, func(t *testing.T) {
			address := pgtest.Database(t)
			l, slowAddress := newLink(t, address)
			slow, healthy := openStoreAt(t, slowAddress), openStoreAt(t, address)
			longestGap(t, slow, "warm", 100*time.Millisecond)
			l.each.Store(&each)
			var late sync.WaitGroup
			for i := range 16 {
				late.Go(func() { _ = slow.Commit(context.Background(), newGame(t, fmt.Sprint("slow-", i), "slow")) })
			}
			gap, commits := longestGap(t, healthy, "healthy", *stallTime)
			t.Logf("%d commits, the longest gap is %v", commits, gap)
			if gap > time.Second {
				t.Errorf("the healthy process wrote nothing for %v", gap)
			}
			l.each.Store(nil)
			close(l.held)
			late.Wait()
		})
	}
}

// TestStoppedBackendHurtsOnlyItsProcess stops the PostgreSQL backend of a writer with SIGSTOP
// within a transaction that holds locks, and checks that another store is not delayed.
func TestStoppedBackendHurtsOnlyItsProcess(t *testing.T) {
	_, address := pgtest.Start(t) // A server of its own: its processes run on this machine.
	slow, healthy := openStoreAt(t, address+"&lock_timeout=60000"), openStoreAt(t, address)
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	blocker, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const block = "INSERT INTO players (id, name, created) VALUES ('blocked', '', 0)"
	if _, err := blocker.Exec(t.Context(), block); err != nil {
		t.Fatal(err)
	}

	release := hold(slow)
	enqueue(t.Context(), slow)
	const commits = 8
	var late sync.WaitGroup
	for i := range commits {
		g := newGame(t, fmt.Sprint("slow-", i), "slow")
		late.Go(func() { _ = slow.Commit(context.Background(), g) })
	}
	await(t, "the commits are not queued", func() bool { return len(slow.writer.queue) == commits })
	late.Go(func() { _, _ = slow.writer.do(context.Background(), jobOf(player("blocked"))) })
	await(t, "the last job is not queued", func() bool { return len(slow.writer.queue) == commits+1 })
	release()
	var backend int
	await(t, "no backend waits for the lock", func() bool {
		const waiting = `SELECT pid FROM pg_stat_activity
			WHERE wait_event_type = 'Lock' AND application_name = 'flipsided'`
		return blocker.QueryRow(t.Context(), waiting).Scan(&backend) == nil
	})
	if err := syscall.Kill(backend, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer late.Wait()
	defer syscall.Kill(backend, syscall.SIGCONT)
	if err := blocker.Rollback(t.Context()); err != nil {
		t.Error(err)
	}
	gap, n := longestGap(t, healthy, "healthy", *stallTime)
	t.Logf("%d commits, the longest gap is %v", n, gap)
	if gap > time.Second {
		t.Errorf("the healthy process wrote nothing for %v", gap)
	}
}

// TestSilentServerIsUnavailable opens a connection to a server that does not answer. The timeout of
// the connection is not the deadline of the caller.
func TestSilentServerIsUnavailable(t *testing.T) {
	t.Setenv("PGCONNECT_TIMEOUT", "1")
	l, address := newLink(t, pgtest.Database(t))
	s := openStoreAt(t, address)
	silent := func([]byte) int { return 0 }
	l.each.Store(&silent)
	s.db.(monitored).database.(*postgres).readers.Reset()
	if _, err := s.Player(t.Context(), "ann"); !errors.Is(err, game.ErrUnavailable) {
		t.Errorf("got %v, want %v", err, game.ErrUnavailable)
	}
	l.each.Store(nil)
	close(l.held)
	if _, err := s.Player(t.Context(), "ann"); !errors.Is(err, game.ErrNotFound) {
		t.Errorf("got %v, want %v", err, game.ErrNotFound)
	}
}

// await waits until a condition holds.
func await(t *testing.T, missing string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !condition(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(missing)
		}
	}
}
