package webhooks_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"go.uber.org/goleak"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/game/webhooks"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	giveUp = 20 * time.Minute
	secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
)

// fixture is a store with processes that deliver to a receiver. It runs in a bubble of
// testing/synctest: tests that wait for hours take no time.
type fixture struct {
	*testing.T
	path  string
	store *sqlstore.Store
	ids   int

	mu sync.Mutex
	// status is the status of all responses; 0 breaks the connection.
	status   int
	received []string // the ids of the messages in the requests
	unsigned int      // requests with an invalid signature
}

func run(t *testing.T, test func(f *fixture)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := &fixture{T: t, path: filepath.Join(t.TempDir(), "games.db"), status: http.StatusOK}
		f.open()
		defer func() { f.check(f.store.Close()) }()
		test(f)
	})
}

func (f *fixture) check(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) open() {
	f.Helper()
	var err error
	f.store, err = sqlstore.Open(f.Context(), f.path, sqlstore.Options{Heartbeat: time.Hour})
	f.check(err)
}

// RoundTrip is the receiver.
func (f *fixture) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	verifier, err := standardwebhooks.NewWebhook(secret)
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil || verifier.Verify(body, r.Header) != nil {
		f.unsigned++
	}
	f.received = append(f.received, r.Header.Get("webhook-id"))
	if f.status == 0 {
		return nil, errors.New("connection refused")
	}
	return &http.Response{StatusCode: f.status, Body: io.NopCloser(bytes.NewReader(nil))}, nil
}

// answer sets the status of later responses and forgets the requests.
func (f *fixture) answer(status int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.status, f.received = status, nil
}

// start starts a process. It stops with the returned function.
func (f *fixture) start() (stop func()) {
	d := webhooks.New(f.store, 1, slog.New(slog.DiscardHandler), webhooks.Settings{
		Client: &http.Client{Transport: f, Timeout: 10 * time.Second}, GiveUp: giveUp,
		Encode: func(n webhooks.Notice) ([]byte, error) { return []byte(n.Game.ID), nil },
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.Run(ctx)
	}()
	return func() { cancel(); <-done }
}

// set sets the webhook of an owner, which gets later changes.
func (f *fixture) set(owner game.WebhookOwner) {
	f.Helper()
	f.check(f.store.SetWebhook(f.Context(), game.Webhook{
		Owner: owner, URL: "https://hooks.example/", Secret: secret, Updated: time.Now(),
	}))
}

func (f *fixture) stored(owner game.WebhookOwner) game.Webhook {
	f.Helper()
	found, err := f.store.Webhooks(f.Context(), owner)
	f.check(err)
	return found[0]
}

// create creates a game in which the first player is to move.
func (f *fixture) create(first, second game.Seat) game.Game {
	f.Helper()
	f.ids++
	d, err := game.Create(fmt.Sprintf("game%04d", f.ids), game.Created{
		Creator: "cat", Visibility: game.Public, Seats: game.Seats{first, second},
		Setup: games.Setup{Reversi: &reversi.Setup{Shape: reversi.Hexagon, Size: 2}},
	}, time.Now())
	f.check(err)
	return f.commit(d)
}

func (f *fixture) commit(d game.Decision) game.Game {
	f.Helper()
	f.check(f.store.Commit(f.Context(), d.Change()))
	return d.Game
}

// move plays a legal move.
func (f *fixture) move(g game.Game) game.Game {
	f.Helper()
	d, err := g.Play(g.Seats.Of(g.Turn()).Player, g.Position.Legal()[0], 0, time.Now())
	f.check(err)
	return f.commit(d)
}

func (f *fixture) resign(g game.Game, player string) game.Game {
	f.Helper()
	d, err := g.Resign(player, 0, time.Now())
	f.check(err)
	return f.commit(d)
}

func id(g game.Game, player string) string {
	text := fmt.Sprintf("%s.%d", g.ID, g.Version)
	if player != "" {
		text += "." + player
	}
	return text
}

// want fails the test unless the receiver has got exactly these messages, in any order.
func (f *fixture) want(ids ...string) {
	f.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	got := slices.Sorted(slices.Values(f.received))
	slices.Sort(ids)
	if !slices.Equal(got, ids) || f.unsigned > 0 {
		f.Errorf("received %q, want %q; %d have an invalid signature", got, ids, f.unsigned)
	}
	f.received = nil
}

var (
	ann     = game.Seat{Player: "ann", Name: "Ann"}
	bob     = game.Seat{Player: "bob", Name: "Bob"}
	invited = game.Seat{Player: "ann", Name: "Ann", Invited: true}
	hook    = game.WebhookOwner{Player: "ann"}
)

func TestAPlayerGetsTurnsInvitationsAndEnds(t *testing.T) {
	t.Parallel()
	run(t, func(f *fixture) {
		defer f.start()()
		f.create(ann, bob) // It is older than the webhook.
		f.set(hook)
		turn := f.create(ann, bob)
		f.create(bob, game.Seat{})
		invitation := f.create(bob, invited)
		time.Sleep(2 * time.Second)
		f.want(id(turn, "ann"), id(invitation, "ann"))

		turn = f.move(turn) // It is the turn of bob.
		time.Sleep(2 * time.Second)
		f.want()
		over := f.resign(turn, "bob")
		f.resign(f.create(bob, game.Seat{Player: "eve"}), "eve")
		time.Sleep(2 * time.Second)
		f.want(id(over, ""))
	})
}

func TestAServiceGetsTheNoticesOfItsUsers(t *testing.T) {
	t.Parallel()
	run(t, func(f *fixture) {
		users := game.Seats{
			game.Player{ID: "sam", Service: "shop"}.Seat(), game.Player{ID: "sue", Service: "shop"}.Seat(),
		}
		owner := game.WebhookOwner{Service: "shop"}
		f.set(owner)
		defer f.start()()
		own, mixed := f.create(users[0], users[1]), f.create(ann, users[1])
		f.create(ann, bob)
		time.Sleep(2 * time.Second)
		f.want(id(own, "sam"))
		own, mixed = f.move(own), f.move(mixed)
		time.Sleep(2 * time.Second)
		f.want(id(own, "sue"), id(mixed, "sue"))
		over := f.resign(own, "sue")
		time.Sleep(2 * time.Second)
		f.want(id(over, ""))
	})
}

// While the receiver is down, and across a restart, the turns of all games wait.
func TestNoTurnIsLostWhenTheReceiverIsDown(t *testing.T) {
	t.Parallel()
	run(t, func(f *fixture) {
		f.set(hook)
		stop := f.start()
		f.answer(0)
		first := f.create(ann, bob)
		time.Sleep(time.Minute)
		if w := f.stored(hook); w.Failures < 2 || w.LastFailure != "the connection failed" {
			f.Errorf("state %+v", w.Delivery)
		}
		stop()
		f.check(f.store.Close())
		second := f.reopened().create(ann, bob)
		over := f.resign(f.create(ann, bob), "bob")
		for range 20 {
			f.create(bob, ann)
		}
		defer f.start()()
		f.answer(http.StatusNoContent)
		time.Sleep(5 * time.Minute)
		f.want(id(first, "ann"), id(second, "ann"), id(over, ""))
		if w := f.stored(hook); w.Failures != 0 || w.LastFailure != "" || !w.FailingSince.IsZero() {
			f.Errorf("state after a success: %+v", w.Delivery)
		}
	})
}

// reopened opens the store again.
func (f *fixture) reopened() *fixture {
	f.Helper()
	f.open()
	return f
}

func TestRetriesBackOffAndThenTheWebhookIsDisabled(t *testing.T) {
	t.Parallel()
	run(t, func(f *fixture) {
		f.set(hook)
		defer f.start()()
		f.answer(http.StatusInternalServerError)
		g := f.create(ann, bob)
		time.Sleep(2 * giveUp)
		w := f.stored(hook)
		if !w.Disabled || w.LastFailure != "HTTP 500" {
			f.Errorf("state %+v, want disabled", w.Delivery)
		}
		f.mu.Lock()
		attempts := len(f.received)
		f.mu.Unlock()
		if attempts < 8 || attempts > 10 {
			f.Errorf("%d attempts, want about 9 with doubled delays", attempts)
		}
		f.answer(http.StatusOK)
		time.Sleep(10 * time.Minute)
		f.want() // It stays disabled until its owner sets it again.
		f.set(hook)
		time.Sleep(2 * time.Second)
		f.want(id(g, "ann"))
	})
}

func TestGoneDisablesAtOnce(t *testing.T) {
	t.Parallel()
	run(t, func(f *fixture) {
		f.set(hook)
		defer f.start()()
		f.answer(http.StatusGone)
		f.create(ann, bob)
		time.Sleep(2 * time.Second)
		if w := f.stored(hook); !w.Disabled || w.Failures != 1 {
			f.Errorf("state %+v, want disabled", w.Delivery)
		}
	})
}

func TestOneOfSeveralProcessesDelivers(t *testing.T) {
	t.Parallel()
	run(t, func(f *fixture) {
		f.set(hook)
		defer f.start()()
		defer f.start()()
		var want []string
		for range 20 {
			want = append(want, id(f.create(ann, bob), "ann"))
		}
		time.Sleep(5 * time.Second)
		f.want(want...)
	})
}
