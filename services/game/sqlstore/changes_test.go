//go:build !race

package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
)

// follower reads the turns of a player like a stream: it continues after the settled change.
type follower struct {
	*Store
	player string
	after  int64
	// seen maps a game to the greatest number of a change that was read.
	seen map[string]int64
}

func (f *follower) read(t *testing.T) {
	t.Helper()
	found, settled, err := f.Turns(t.Context(), f.player, 0, f.after, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range found {
		f.seen[c.Game.ID] = max(f.seen[c.Game.ID], c.Change)
	}
	f.after = max(f.after, settled)
}

// touch is a change of a game, as far as Turns is concerned.
const touch = `UPDATE games SET last_change = ` + changeNumber + ` WHERE id = $1 RETURNING last_change`

// TestTurnsOfTransactionsInAnyOrder begins, commits and rolls back transactions in random orders,
// and loses some of their connections, while a follower reads. It must read every committed change.
func TestTurnsOfTransactionsInAnyOrder(t *testing.T) {
	const orders, transactions = 1000, 4
	address := pgtest.Database(t)
	s := openStoreAt(t, address)
	f := &follower{Store: s, player: "ann", seen: map[string]int64{}}
	conns := make([]*pgx.Conn, transactions)
	for i := range conns {
		commitNew(t, s, fmt.Sprintf("game-%d", i))
		conns[i] = connectTo(t, address)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for order := range orders {
		changes := make([]int64, transactions)
		want := map[string]int64{}
		for _, i := range random.Perm(transactions) {
			id := fmt.Sprintf("game-%d", i)
			if _, err := conns[i].Exec(t.Context(), "BEGIN"); err != nil {
				t.Fatal(err)
			}
			if err := conns[i].QueryRow(t.Context(), touch, id).Scan(&changes[i]); err != nil {
				t.Fatal(err)
			}
		}
		f.read(t)
		for _, i := range random.Perm(transactions) {
			end := "COMMIT"
			switch n := random.IntN(20); {
			case n == 0 && order%10 == 0: // The process dies.
				conns[i].Close(t.Context())
				conns[i] = connectTo(t, address)
				continue
			case n < 4:
				end = "ROLLBACK"
			default:
				want[fmt.Sprintf("game-%d", i)] = changes[i]
			}
			if _, err := conns[i].Exec(t.Context(), end); err != nil {
				t.Fatal(err)
			}
			if random.IntN(2) == 0 {
				f.read(t)
			}
		}
		f.read(t)
		for id, change := range want {
			if f.seen[id] < change {
				t.Fatalf("order %d: change %d of %s was missed; the last one read is %d", order, change, id, f.seen[id])
			}
		}
	}
}

func connectTo(t *testing.T, address string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// TestChangesContinueOnAnotherServer opens a database that was restored on a server whose
// transactions have smaller ids.
func TestChangesContinueOnAnotherServer(t *testing.T) {
	address := pgtest.Database(t)
	s := openStoreAt(t, address)
	commitNew(t, s, "old")
	s.Close()
	executePostgres(t, address, "UPDATE games SET last_change = 1000000000000", "UPDATE changes SET server = 7")
	s = openStoreAt(t, address)
	before, err := s.settled(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if before < 1000000000000 {
		t.Errorf("change %d is settled, but game old changed after it", before)
	}
	commitNew(t, s, "new")
	found, _, err := s.Turns(t.Context(), "ann", 0, before, 10)
	if err != nil || len(found) != 1 || found[0].Game.ID != "new" {
		t.Errorf("after change %d: %v, %v; want the new game", before, found, err)
	}
}

// TestCountersAreMerged creates more games than counters has rows for, and counts them.
func TestCountersAreMerged(t *testing.T) {
	address := pgtest.Database(t)
	s := openStoreAt(t, address)
	const created = 300
	for i := range created {
		commitNew(t, s, fmt.Sprint("game-", i))
	}
	if err := s.heartbeat(t.Context()); err != nil {
		t.Fatal(err)
	}
	var rows int
	if err := connectTo(t, address).QueryRow(t.Context(), "SELECT count(*) FROM counters").Scan(&rows); err != nil {
		t.Fatal(err)
	}
	stats, err := s.Stats(t.Context())
	if err != nil || stats.Games[game.StateActive] != created || rows > 10 {
		t.Errorf("%d active games in %d rows, %v; want %d in a few rows", stats.Games[game.StateActive], rows, err, created)
	}
}

// TestConcurrentRequestIsSeen commits two changes with the same request on different games at the
// same time. One must be rejected as a whole.
func TestConcurrentRequestIsSeen(t *testing.T) {
	address := pgtest.Database(t)
	one, two := openStoreAt(t, address), openStoreAt(t, address)
	for i := range 50 {
		errs := make(chan error, 2)
		for k, s := range []*Store{one, two} {
			change := newGame(t, fmt.Sprintf("game-%d-%d", i, k), "ann")
			change.Request = &game.Request{Caller: "ann", ID: fmt.Sprint(i), GameID: change.Game.ID, First: 1, Last: 1}
			go func() { errs <- s.Commit(t.Context(), change) }()
		}
		first, second := <-errs, <-errs
		if first != nil {
			first, second = second, first
		}
		if first != nil || !errors.Is(second, game.ErrRequestSeen) {
			t.Fatalf("commits %d returned %v and %v, want one success and %v", i, first, second, game.ErrRequestSeen)
		}
	}
	found, err := one.Games(t.Context(), game.Filter{Limit: 1000})
	if err != nil || len(found) != 50 {
		t.Errorf("%d games, %v; want 50", len(found), err)
	}
	for problem, err := range one.Verify(t.Context()) {
		t.Error(problem, err)
	}
}
