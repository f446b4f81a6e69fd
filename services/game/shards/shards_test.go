package shards_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/shards"
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// failing is a shard that reports a failure while err is not nil.
type failing struct {
	*sqlstore.Store
	err error
}

func (f *failing) Failing() error { return f.err }

// open returns a store over two databases, and its second shard.
func open(t *testing.T) (*shards.Store, *failing) {
	t.Helper()
	folder := t.TempDir()
	var opened []shards.Shard
	var last *failing
	for i := range 2 {
		s, err := sqlstore.Open(t.Context(), filepath.Join(folder, fmt.Sprint(i)),
			sqlstore.Options{Shard: sqlstore.Shard{Number: i, Count: 2}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		last = &failing{Store: s}
		opened = append(opened, last)
	}
	return shards.New(opened), last
}

// create commits a game with a robot on the move and an invitation of ann, and returns its id.
func create(t *testing.T, s game.Store, id string) {
	t.Helper()
	d, err := game.Create(id, game.Created{
		Creator: "ann", Visibility: game.Public,
		Setup: games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 4}},
		Seats: game.Seats{{Robot: &game.Robot{Strategy: []byte(`{}`)}}, {Player: "ann"}},
	}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(t.Context(), d.Change()); err != nil {
		t.Fatal(err)
	}
}

func TestShardsGetAboutAsManyGames(t *testing.T) {
	for count := 2; count <= shards.MaxShards; count++ {
		counts := make([]int, count)
		all := make([]shards.Shard, count)
		for i := range all {
			all[i] = counter{games: &counts[i]}
		}
		s := shards.New(all)
		const games = 20000
		random := rand.NewChaCha8([32]byte{byte(count)})
		for created := range uint64(games) { // one each millisecond, so that each id is random
			id := strings.ToLower(ulid.MustNew(created, random).String())
			if _, err := s.Game(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		for _, n := range counts {
			if mean := games / count; n < mean*3/4 || n > mean*5/4 {
				t.Errorf("%d shards have %v games", count, counts)
				break
			}
		}
	}
}

// counter counts the calls of Game.
type counter struct {
	shards.Shard
	games *int
}

func (c counter) Game(context.Context, string) (game.Game, error) {
	*c.games++
	return game.Game{}, nil
}

// TestUnavailableShardStopsOnlyItsGames makes one of two shards report that it is unavailable.
func TestUnavailableShardStopsOnlyItsGames(t *testing.T) {
	s, second := open(t)
	const there, away = "b0", "a0" // ids whose partition keys select the first and the second shard
	create(t, s, there)
	create(t, s, away)
	if _, err := second.Game(t.Context(), away); err != nil {
		t.Fatalf("the second shard has not its game: %v", err)
	}
	now := time.Now().Add(time.Second)
	dueRobots := func() int {
		due, err := s.DueRobots(t.Context(), now, 10)
		if err != nil {
			t.Error(err)
		}
		return len(due)
	}
	if n := dueRobots(); n != 2 {
		t.Errorf("%d robots are due, want 2", n)
	}

	second.err = game.ErrUnavailable
	if n := dueRobots(); n != 1 {
		t.Errorf("%d robots are due in the available shard, want 1", n)
	}
	if _, err := s.Game(t.Context(), there); err != nil {
		t.Errorf("a game of the available shard: %v", err)
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Errorf("ping with an available shard: %v", err)
	}
	stats, err := s.Stats(t.Context())
	if err != nil || stats.Games[game.StateActive] != 1 {
		t.Errorf("stats %v, %v; want one active game", stats, err)
	}
	for name, call := range map[string]func() error{
		"Games":   func() error { _, err := s.Games(t.Context(), game.Filter{Limit: 10}); return err },
		"Settled": func() error { _, err := s.Settled(t.Context()); return err },
		"Turns":   func() error { _, _, err := s.Turns(t.Context(), "ann", 1, 0, 10); return err },
	} {
		if err := call(); !errors.Is(err, game.ErrUnavailable) {
			t.Errorf("%s returned %v, want %v", name, err, game.ErrUnavailable)
		}
	}
}

// TestWebhooksAreInAllShards sets a webhook while one of two shards is unavailable, and again.
func TestWebhooksAreInAllShards(t *testing.T) {
	s, second := open(t)
	owner := game.WebhookOwner{Player: "ann"}
	set := func(url string, updated int64) error {
		return s.SetWebhook(t.Context(),
			game.Webhook{Owner: owner, URL: url, Updated: time.Unix(updated, 0)})
	}
	want := func(urls ...string) {
		t.Helper()
		found, err := s.Webhooks(t.Context(), owner)
		var got []string
		for _, w := range found {
			got = append(got, w.URL)
		}
		if err != nil || !slices.Equal(got, urls) {
			t.Errorf("webhooks %q, %v; want %q", got, err, urls)
		}
	}
	if err := set("first", 1); err != nil {
		t.Fatal(err)
	}
	want("first", "first")
	second.err = game.ErrUnavailable
	if err := set("second", 2); !errors.Is(err, game.ErrUnavailable) {
		t.Errorf("error %v, want %v", err, game.ErrUnavailable)
	}
	if _, err := s.DueWebhooks(t.Context(), 1, time.Now(), 1); !errors.Is(err, game.ErrUnavailable) {
		t.Errorf("error %v, want %v", err, game.ErrUnavailable)
	}
	second.err = nil
	want("second", "first")
	if err := set("second", 3); err != nil {
		t.Fatal(err)
	}
	want("second", "second")
	if err := s.DeleteWebhook(t.Context(), owner); err != nil {
		t.Fatal(err)
	}
	want()
}
