// Package shards spreads the games and players of one [game.Store] over several stores. It does not
// move games between them: their number and order never change.
package shards

import (
	"cmp"
	"context"
	"errors"
	"hash/crc32"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/flipside-games/flipside/services/game"
)

// MaxShards is the largest number of shards. The cursor of a player's turns has a number for each.
const MaxShards = 10

// Shard is a store with a part of the games and players.
type Shard interface {
	game.Store
	// Failing returns the error of the last failed call until the store is available again, and
	// does not wait for the store.
	Failing() error
}

// Store is a [game.Store] over shards. A game and a player are in the shard that the partition key of
// their id selects. Calls for one game or player need only that shard. Games, Turns, Settled and the
// calls for webhooks need the shards that they read or change: they return the error of one that is
// unavailable. DueRobots, DueClocks, Invitations, Stats and Ping leave out the shards that are
// unavailable, unless all are.
type Store struct {
	shards []Shard
}

var _ game.Store = (*Store)(nil)

// New returns a store over shards, which remain the caller's to close. The order of the shards must
// be the same in all processes and at all times.
func New(shards []Shard) *Store { return &Store{shards} }

// Number returns the number of the shard with a game or a player, if there are count shards.
func Number(id string, count int) int {
	return int(crc32.ChecksumIEEE([]byte(game.PartitionKey(id))) % uint32(count))
}

// of returns the shard with a game or a player.
func (s *Store) of(id string) Shard { return s.shards[Number(id, len(s.shards))] }

// each calls a function for every shard at the same time. It returns the results of the shards
// without an error, the first error of an unavailable shard and the first other error. A failing
// shard is not called: each call could wait for a timeout.
func each[T any](s *Store, call func(Shard) (T, error)) (results []T, unavailable, failed error) {
	all, errs := make([]T, len(s.shards)), make([]error, len(s.shards))
	var calls sync.WaitGroup
	for i, shard := range s.shards {
		calls.Go(func() {
			if errs[i] = shard.Failing(); errs[i] == nil {
				all[i], errs[i] = call(shard)
			}
		})
	}
	calls.Wait()
	for i, err := range errs {
		switch {
		case err == nil:
			results = append(results, all[i])
		case errors.Is(err, game.ErrUnavailable):
			unavailable = cmp.Or(unavailable, err)
		default:
			failed = cmp.Or(failed, err)
		}
	}
	return results, unavailable, failed
}

// fromAll returns the results of all shards in their order.
func fromAll[T any](s *Store, call func(Shard) (T, error)) ([]T, error) {
	results, unavailable, failed := each(s, call)
	return results, cmp.Or(failed, unavailable)
}

// fromAvailable returns the results of the available shards, or an error if there is none.
func fromAvailable[T any](s *Store, call func(Shard) (T, error)) ([]T, error) {
	results, unavailable, failed := each(s, call)
	if failed == nil && len(results) == 0 {
		failed = unavailable
	}
	return results, failed
}

// Now implements [game.Store]. The clock of the first database is the shared one.
func (s *Store) Now() time.Time { return s.shards[0].Now() }

// InSync implements [game.Store].
func (s *Store) InSync() bool {
	return !slices.ContainsFunc(s.shards, func(shard Shard) bool { return !shard.InSync() })
}

// Commit implements [game.Store].
func (s *Store) Commit(ctx context.Context, change game.Change) error {
	return s.of(change.Game.ID).Commit(ctx, change)
}

// Game implements [game.Store].
func (s *Store) Game(ctx context.Context, id string) (game.Game, error) {
	return s.of(id).Game(ctx, id)
}

// CachedGame implements [game.Store].
func (s *Store) CachedGame(ctx context.Context, id string) (game.Game, error) {
	return s.of(id).CachedGame(ctx, id)
}

// Events implements [game.Store].
func (s *Store) Events(ctx context.Context, id string, after, limit int) ([]game.Event, error) {
	return s.of(id).Events(ctx, id, after, limit)
}

// LastEvent implements [game.Store].
func (s *Store) LastEvent(
	ctx context.Context, id string, version int, kinds ...game.EventKind,
) (game.Event, error) {
	return s.of(id).LastEvent(ctx, id, version, kinds...)
}

// Games implements [game.Store].
func (s *Store) Games(ctx context.Context, filter game.Filter) ([]game.Game, error) {
	found, err := fromAll(s, func(shard Shard) ([]game.Game, error) { return shard.Games(ctx, filter) })
	newest := func(a, b game.Game) int { return strings.Compare(b.ID, a.ID) }
	return merge(found, newest, filter.Limit), err
}

// merge returns the first elements of all lists in an order, at most limit.
func merge[T any](lists [][]T, order func(a, b T) int, limit int) []T {
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, order)
	return all[:min(len(all), limit)]
}

// Request implements [game.Store].
func (s *Store) Request(ctx context.Context, caller, id, gameID string) (game.Request, error) {
	return s.of(gameID).Request(ctx, caller, id, gameID)
}

// Turns implements [game.Store].
func (s *Store) Turns(
	ctx context.Context, player string, shard int, after int64, limit int,
) (found []game.ChangedGame, settled int64, err error) {
	if err := s.shards[shard].Failing(); err != nil {
		return nil, 0, err
	}
	return s.shards[shard].Turns(ctx, player, 0, after, limit)
}

// ServiceTurns implements [game.Store].
func (s *Store) ServiceTurns(
	ctx context.Context, service string, shard int, after int64, limit int,
) (found []game.ChangedGame, settled int64, err error) {
	if err := s.shards[shard].Failing(); err != nil {
		return nil, 0, err
	}
	return s.shards[shard].ServiceTurns(ctx, service, 0, after, limit)
}

// Settled implements [game.Store].
func (s *Store) Settled(ctx context.Context) ([]int64, error) {
	changes, err := fromAll(s, func(shard Shard) ([]int64, error) { return shard.Settled(ctx) })
	return slices.Concat(changes...), err
}

// Invitations implements [game.Store].
func (s *Store) Invitations(ctx context.Context, creator string) (total int, err error) {
	counts, err := fromAvailable(s, func(shard Shard) (int, error) {
		return shard.Invitations(ctx, creator)
	})
	for _, n := range counts {
		total += n
	}
	return total, err
}

// DueRobots implements [game.Store].
func (s *Store) DueRobots(ctx context.Context, now time.Time, limit int) ([]game.Due, error) {
	return s.due(limit, func(shard Shard) ([]game.Due, error) {
		return shard.DueRobots(ctx, now, limit)
	})
}

// DueClocks implements [game.Store].
func (s *Store) DueClocks(
	ctx context.Context, before, now time.Time, limit int,
) ([]game.Due, error) {
	return s.due(limit, func(shard Shard) ([]game.Due, error) {
		return shard.DueClocks(ctx, before, now, limit)
	})
}

func (s *Store) due(limit int, call func(Shard) ([]game.Due, error)) ([]game.Due, error) {
	found, err := fromAvailable(s, call)
	return merge(found, func(a, b game.Due) int { return a.Since.Compare(b.Since) }, limit), err
}

// Lease implements [game.Store].
func (s *Store) Lease(ctx context.Context, lease game.Lease, now time.Time) (bool, error) {
	return s.of(lease.GameID).Lease(ctx, lease, now)
}

// Stats implements [game.Store].
func (s *Store) Stats(ctx context.Context) (game.Stats, error) {
	all, err := fromAvailable(s, func(shard Shard) (game.Stats, error) { return shard.Stats(ctx) })
	total := game.Stats{Games: map[game.State]int{}}
	for _, stats := range all {
		for state, n := range stats.Games {
			total.Games[state] += n
		}
		total.OldestRobotTurn = earlier(total.OldestRobotTurn, stats.OldestRobotTurn)
		total.FirstDeadline = earlier(total.FirstDeadline, stats.FirstDeadline)
	}
	return total, err
}

// earlier returns the earlier one of two times. The zero time stands for none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// CreatePlayer implements [game.Store].
func (s *Store) CreatePlayer(ctx context.Context, p game.Player, keyHash []byte) error {
	return s.of(p.ID).CreatePlayer(ctx, p, keyHash)
}

// Player implements [game.Store].
func (s *Store) Player(ctx context.Context, id string) (game.Player, error) {
	return s.of(id).Player(ctx, id)
}

// KeyHash implements [game.Store].
func (s *Store) KeyHash(ctx context.Context, id string) ([]byte, error) {
	return s.of(id).KeyHash(ctx, id)
}

// SetKeyHash implements [game.Store].
func (s *Store) SetKeyHash(ctx context.Context, id string, keyHash []byte) error {
	return s.of(id).SetKeyHash(ctx, id, keyHash)
}

// ExternalPlayer implements [game.Store].
func (s *Store) ExternalPlayer(
	ctx context.Context, service, externalID string, p game.Player,
) (game.Player, error) {
	return s.of(p.ID).ExternalPlayer(ctx, service, externalID, p)
}

// SetWebhook implements [game.Store]. If a shard is unavailable, the others have the webhook.
func (s *Store) SetWebhook(ctx context.Context, w game.Webhook) error {
	return s.inAll(func(shard Shard) error { return shard.SetWebhook(ctx, w) })
}

// inAll calls a function for all shards.
func (s *Store) inAll(call func(Shard) error) error {
	_, err := fromAll(s, func(shard Shard) (struct{}, error) { return struct{}{}, call(shard) })
	return err
}

// Webhooks implements [game.Store].
func (s *Store) Webhooks(ctx context.Context, owner game.WebhookOwner) ([]game.Webhook, error) {
	found, err := fromAll(s, func(shard Shard) ([]game.Webhook, error) {
		return shard.Webhooks(ctx, owner)
	})
	return slices.Concat(found...), err
}

// DeleteWebhook implements [game.Store]. If a shard is unavailable, the others have deleted the
// webhook.
func (s *Store) DeleteWebhook(ctx context.Context, owner game.WebhookOwner) error {
	return s.inAll(func(shard Shard) error { return shard.DeleteWebhook(ctx, owner) })
}

// DueWebhooks implements [game.Store].
func (s *Store) DueWebhooks(
	ctx context.Context, shard int, now time.Time, limit int,
) ([]game.Webhook, error) {
	if err := s.shards[shard].Failing(); err != nil {
		return nil, err
	}
	return s.shards[shard].DueWebhooks(ctx, 0, now, limit)
}

// LeaseWebhook implements [game.Store].
func (s *Store) LeaseWebhook(
	ctx context.Context, shard int, due game.Webhook, holder string, until, now time.Time,
) (bool, error) {
	return s.shards[shard].LeaseWebhook(ctx, 0, due, holder, until, now)
}

// EndDelivery implements [game.Store].
func (s *Store) EndDelivery(
	ctx context.Context, shard int, owner game.WebhookOwner, holder string, progress game.Delivery,
) (bool, error) {
	return s.shards[shard].EndDelivery(ctx, 0, owner, holder, progress)
}

// Ping implements [game.Store]. It fails if no shard can be used.
func (s *Store) Ping(ctx context.Context) error {
	_, err := fromAvailable(s, func(shard Shard) (struct{}, error) {
		return struct{}{}, shard.Ping(ctx)
	})
	return err
}
