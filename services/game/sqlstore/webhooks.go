package sqlstore

import (
	"context"
	"time"

	"github.com/flipside-games/flipside/services/game"
)

// SetWebhook implements [game.Store].
func (s *Store) SetWebhook(ctx context.Context, w game.Webhook) error {
	_, err := s.write(ctx, upsertWebhook, w.Owner.Player, w.Owner.Service, w.URL, w.Secret,
		nanoseconds(w.Created), nanoseconds(w.Updated))
	return err
}

// Webhooks implements [game.Store].
func (s *Store) Webhooks(ctx context.Context, owner game.WebhookOwner) ([]game.Webhook, error) {
	return s.webhooks(ctx, selectWebhook, owner.Player, owner.Service)
}

// DeleteWebhook implements [game.Store].
func (s *Store) DeleteWebhook(ctx context.Context, owner game.WebhookOwner) error {
	_, err := s.write(ctx, deleteWebhook, owner.Player, owner.Service)
	return err
}

// DueWebhooks implements [game.Store].
func (s *Store) DueWebhooks(
	ctx context.Context, _ int, now time.Time, limit int,
) ([]game.Webhook, error) {
	return s.webhooks(ctx, selectDueWebhooks, nanoseconds(now), limit)
}

// LeaseWebhook implements [game.Store].
func (s *Store) LeaseWebhook(
	ctx context.Context, _ int, due game.Webhook, holder string, until, now time.Time,
) (bool, error) {
	changed, err := s.write(ctx, leaseWebhook, holder, nanoseconds(until), due.Owner.Player,
		due.Owner.Service, nanoseconds(due.Updated), due.Cursor, nanoseconds(due.NextAttempt),
		nanoseconds(now))
	return changed > 0, err
}

// EndDelivery implements [game.Store].
func (s *Store) EndDelivery(
	ctx context.Context, _ int, owner game.WebhookOwner, holder string, d game.Delivery,
) (bool, error) {
	disabled := 0
	if d.Disabled {
		disabled = 1
	}
	changed, err := s.write(ctx, endDelivery, d.Cursor, d.Failures, nanoseconds(d.FailingSince),
		d.LastFailure, nanoseconds(d.NextAttempt), disabled, owner.Player, owner.Service, holder)
	return changed > 0, err
}

// webhooks returns the webhooks of a query for webhookColumns.
func (s *Store) webhooks(
	ctx context.Context, text string, args ...any,
) (found []game.Webhook, err error) {
	err = s.db.read(ctx, func(reader reader) error {
		return reader.query(func(scan scanFunc) error {
			w, err := scanWebhook(scan)
			found = append(found, w)
			return err
		}, text, args...)
	})
	return found, err
}

func scanWebhook(scan scanFunc) (w game.Webhook, err error) {
	var created, updated, failingSince, nextAttempt, disabled int64
	err = scan(&w.Owner.Player, &w.Owner.Service, &w.URL, &w.Secret, &created, &updated, &w.Cursor,
		&w.Failures, &failingSince, &w.LastFailure, &nextAttempt, &disabled)
	w.Created, w.Updated = timeOf(created), timeOf(updated)
	w.FailingSince, w.NextAttempt = timeOf(failingSince), timeOf(nextAttempt)
	w.Disabled = disabled != 0
	return w, err
}
