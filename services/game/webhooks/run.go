package webhooks

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules"
)

const (
	// pageSize is the number of changed games in one read.
	pageSize = 8
	// maxInFlight is the number of requests that one webhook gets at the same time. A failing
	// webhook gets one, so that a retry repeats no other request.
	maxInFlight = pageSize
	// runTime is the time after which a run starts no more requests, so that others get the slot.
	runTime = 30 * time.Second
	// firstRetry is the delay after the first failure. It doubles with each further one, up to
	// lastRetry.
	firstRetry = 5 * time.Second
	lastRetry  = time.Hour
)

// run delivers the notices of one webhook while it has the lease.
type run struct {
	*shard
	webhook  game.Webhook
	progress game.Delivery
	end      time.Time
}

// delivery is a changed game and its notices.
type delivery struct {
	change  int64
	notices []Notice
}

// deliver delivers pages until there are no more changes, a request fails, or the time is up.
func (r *run) deliver(ctx context.Context) {
	for more := true; more && r.inTime(ctx); {
		var err error
		if more, err = r.deliverPage(ctx); err != nil {
			r.warn(ctx, "cannot read the changed games of a webhook", err)
		}
	}
}

func (r *run) inTime(ctx context.Context) bool { return ctx.Err() == nil && r.now().Before(r.end) }

// deliverPage delivers the next changed games and moves the cursor. The store returns a game again
// until its last change is settled, so it waits for that. An error comes from the store.
func (r *run) deliverPage(ctx context.Context) (more bool, err error) {
	found, settled, err := r.changes(ctx)
	if err != nil {
		return false, err
	}
	full := len(found) >= pageSize
	if i := slices.IndexFunc(found, func(c game.ChangedGame) bool { return c.Change > settled }); i >= 0 {
		found, full = found[:i], false
	}
	deliveries := make([]delivery, len(found))
	for i := range found {
		deliveries[i].change = found[i].Change
		deliveries[i].notices = r.notices(&found[i].Game)
	}
	done, sent, failure := r.sendAll(ctx, deliveries)
	switch {
	case done < len(found): // Games with the same change are delivered together.
		r.progress.Cursor = max(r.progress.Cursor, found[done].Change-1)
	case full:
		r.progress.Cursor = found[done-1].Change
	default:
		r.progress.Cursor = max(r.progress.Cursor, settled)
	}
	r.record(ctx, sent, failure)
	return full && done == len(found), nil
}

// changes returns the games of the owner that changed after the cursor, and the settled number.
func (r *run) changes(ctx context.Context) ([]game.ChangedGame, int64, error) {
	if owner := r.webhook.Owner; owner.Service != "" {
		return r.store.ServiceTurns(ctx, owner.Service, r.number, r.progress.Cursor, pageSize)
	}
	return r.store.Turns(ctx, r.webhook.Owner.Player, r.number, r.progress.Cursor, pageSize)
}

// notices returns the notices about a game: one if it is over, else one for each player of the
// owner that it waits for.
func (r *run) notices(g *game.Game) (notices []Notice) {
	if g.State.Over() {
		return []Notice{{Game: g}}
	}
	for i, seat := range g.Seats {
		side := g.WaitsFor(seat.Player)
		samePlayer := i == 1 && seat.Player == g.Seats[0].Player
		if side != rules.NoSide && !samePlayer && r.owns(seat) {
			notices = append(notices, Notice{g, seat.Player, side})
		}
	}
	return notices
}

// owns reports whether the player of a seat is the owner of the webhook or a user of the service
// that owns it.
func (r *run) owns(seat game.Seat) bool {
	owner := r.webhook.Owner
	if owner.Service == "" {
		return seat.Player == owner.Player
	}
	return seat.Service == owner.Service
}

// sendAll sends the notices of games in parallel. It starts no more after a failure. It returns the
// number of games before the first one that is not delivered, the number of successful requests and
// the failure of that game, if it failed.
func (r *run) sendAll(ctx context.Context, all []delivery) (done, sent int, failure error) {
	var group errgroup.Group
	group.SetLimit(maxInFlight)
	if r.progress.Failures > 0 {
		group.SetLimit(1)
	}
	failures := make([]error, len(all))
	var successes atomic.Int64
	var stopped atomic.Bool
	started := 0
	for ; started < len(all) && !stopped.Load() && r.inTime(ctx); started++ {
		i := started
		group.Go(func() error {
			for _, n := range all[i].notices {
				if failures[i] = r.send(ctx, n); failures[i] != nil {
					stopped.Store(true)
					return nil
				}
				successes.Add(1)
			}
			return nil
		})
	}
	_ = group.Wait() // The functions return no error.
	done = started
	if i := slices.IndexFunc(failures, func(err error) bool { return err != nil }); i >= 0 {
		done, failure = i, failures[i]
	}
	return done, int(successes.Load()), failure
}

// record records a failure, or the end of the failures if a request succeeded.
func (r *run) record(ctx context.Context, sent int, failure error) {
	p := &r.progress
	if sent > 0 {
		*p = game.Delivery{Cursor: p.Cursor}
	}
	if failure == nil || ctx.Err() != nil {
		return
	}
	now := r.now()
	if p.Failures == 0 {
		p.FailingSince = now
	}
	p.NextAttempt = now.Add(min(lastRetry, firstRetry<<min(p.Failures, 20)))
	p.Failures++
	p.LastFailure = failure.Error()
	p.Disabled = errors.Is(failure, errGone) || now.Sub(p.FailingSince) >= r.settings.GiveUp
}
