// Package webhooks delivers turns, invitations and the ends of games to the URLs that players and
// services have set. It has no queue of its own: a webhook stores the number of the change up to
// which all notices are delivered, and a lease keeps other processes off the webhook. Each shard of
// the store delivers the notices of its games.
package webhooks

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules"
)

const (
	// pollInterval is the interval between two searches of the store for due webhooks.
	pollInterval = time.Second
	// maxWebhooks is the number of webhooks that a process serves at the same time in each shard.
	maxWebhooks = 32
	// leaseTime is the time after which another process takes over a webhook from a process that
	// has died. It is longer than a delivery: runTime and the requests for one more game.
	leaseTime = time.Minute
	// saveTimeout limits the time to store the progress when the process stops.
	saveTimeout = 2 * time.Second
)

// Store loads changed games and stores the progress of webhooks. A [game.Store] does.
type Store interface {
	Now() time.Time
	InSync() bool
	Turns(ctx context.Context, player string, shard int, after int64, limit int) (
		found []game.ChangedGame, settled int64, err error)
	ServiceTurns(ctx context.Context, service string, shard int, after int64, limit int) (
		found []game.ChangedGame, settled int64, err error)
	game.WebhookStore
}

// Notice is one message: a game waits for a player on a side, or is over. Then Player is "" and
// Side is NoSide.
type Notice struct {
	Game   *game.Game
	Player string
	Side   rules.Side
}

// Settings configure the deliveries. All fields must be set.
type Settings struct {
	// Client sends the requests; see [NewClient].
	Client *http.Client
	// Encode returns the body of the request with a notice.
	Encode func(Notice) ([]byte, error)
	// GiveUp is the time after which a webhook without a successful request is disabled.
	GiveUp time.Duration
}

// Deliverer delivers notices to webhooks. Several processes may run one on the same store.
type Deliverer struct {
	store    Store
	log      *slog.Logger
	settings Settings
	metrics  metrics
	shards   []*shard
}

// shard delivers the notices of the games in one shard of the store.
type shard struct {
	*Deliverer
	number int
	// working waits for the webhooks in progress, slots holds a value for each of them, and freed
	// has a value after the end of one of them.
	working sync.WaitGroup
	slots   chan struct{}
	freed   chan struct{}
}

// New returns a deliverer for a store with a number of shards. It works once Run runs.
func New(store Store, shards int, log *slog.Logger, settings Settings) *Deliverer {
	d := &Deliverer{store: store, log: log, settings: settings, metrics: newMetrics()}
	for number := range shards {
		d.shards = append(d.shards, &shard{
			Deliverer: d, number: number,
			slots: make(chan struct{}, maxWebhooks), freed: make(chan struct{}, 1),
		})
	}
	return d
}

// now returns the shared time at the precision of the store.
func (d *Deliverer) now() time.Time { return d.store.Now().UTC().Truncate(time.Microsecond) }

// Run delivers until ctx ends. Then it cancels the requests in flight, stores the progress, and
// returns. It may be called once.
func (d *Deliverer) Run(ctx context.Context) {
	var running sync.WaitGroup
	for _, s := range d.shards {
		running.Go(func() { s.run(ctx) })
	}
	running.Wait()
	d.settings.Client.CloseIdleConnections()
}

// run delivers until ctx ends.
func (s *shard) run(ctx context.Context) {
	poll := time.NewTicker(pollInterval)
	defer poll.Stop()
	for ctx.Err() == nil {
		var freed chan struct{}
		if more := s.startDue(ctx); more {
			freed = s.freed
		}
		select {
		case <-poll.C:
		case <-freed:
		case <-ctx.Done():
		}
	}
	s.working.Wait()
}

// startDue starts to serve due webhooks while there are free slots. It reports whether more
// webhooks may be due.
func (s *shard) startDue(ctx context.Context) (more bool) {
	free := cap(s.slots) - len(s.slots)
	if free == 0 || !s.store.InSync() {
		return free == 0
	}
	due, err := s.store.DueWebhooks(ctx, s.number, s.now(), free)
	if err != nil {
		s.warn(ctx, "cannot read the due webhooks", err)
		return false
	}
	for _, w := range due {
		holder, now := rand.Text(), s.now()
		granted, err := s.store.LeaseWebhook(ctx, s.number, w, holder, now.Add(leaseTime), now)
		if err != nil {
			s.warn(ctx, "cannot lease a webhook", err)
			return false
		}
		if granted {
			s.slots <- struct{}{}
			s.working.Go(func() { s.serve(ctx, w, holder) })
		}
	}
	return len(due) == free
}

// serve delivers the notices of a leased webhook and stores the progress.
func (s *shard) serve(ctx context.Context, w game.Webhook, holder string) {
	defer func() {
		<-s.slots
		select {
		case s.freed <- struct{}{}:
		default:
		}
	}()
	r := &run{shard: s, webhook: w, progress: w.Delivery, end: s.now().Add(runTime)}
	r.deliver(ctx)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTimeout)
	defer cancel()
	saved, err := s.store.EndDelivery(ctx, s.number, w.Owner, holder, r.progress)
	if err != nil {
		s.warn(ctx, "cannot store the progress of a webhook", err)
	}
	if saved && r.progress.Disabled {
		s.metrics.disabled.Inc()
		s.log.Warn("webhook disabled", "player", w.Owner.Player, "service", w.Owner.Service,
			"failure", r.progress.LastFailure, "since", r.progress.FailingSince)
	}
}

// warn logs an error. It ignores errors that follow from the end of ctx, and those of an
// unavailable store, which logs them itself.
func (d *Deliverer) warn(ctx context.Context, text string, err error) {
	if ctx.Err() == nil && !errors.Is(err, game.ErrUnavailable) {
		d.log.Warn(text, "error", err)
	}
}
