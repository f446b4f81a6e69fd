package service

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"slices"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/fault"
)

// webhookOwner returns the owner of the caller's webhook: the player, or the service of a service
// key without a user.
func (c Caller) webhookOwner() game.WebhookOwner {
	if c.Player.ID == "" {
		return game.WebhookOwner{Service: c.Service}
	}
	return game.WebhookOwner{Player: c.Player.ID}
}

// SetWebhook sets the URL of the caller's webhook, enables it and returns it. It keeps the secret of
// an earlier webhook unless newSecret is set. A new webhook gets the notices of changes after the
// call. Of concurrent calls, the later one holds.
func (s *Service) SetWebhook(
	ctx context.Context, caller Caller, url string, newSecret bool,
) (*game.Webhook, error) {
	if err := s.settings.CheckWebhookURL(url); err != nil {
		return nil, fault.At(err, "url")
	}
	before, err := s.webhook(ctx, caller)
	if err != nil {
		return nil, s.notSent(err)
	}
	w := &game.Webhook{
		Owner: caller.webhookOwner(), URL: url, Created: s.now(), Updated: s.now(),
	}
	if before != nil {
		w.Created, w.Secret = before.Created, before.Secret
		if !w.Updated.After(before.Updated) {
			w.Updated = before.Updated.Add(time.Microsecond)
		}
	}
	if newSecret || before == nil {
		w.Secret = newWebhookSecret()
	}
	return w, s.storeError(s.games.SetWebhook(ctx, *w))
}

// newWebhookSecret returns a secret with 256 random bits.
func newWebhookSecret() string {
	secret := make([]byte, 32)
	rand.Read(secret) // It never fails.
	return "whsec_" + base64.StdEncoding.EncodeToString(secret)
}

// Webhook returns the caller's webhook, nil if there is none. Its progress is that of the shard with
// the most failures.
func (s *Service) Webhook(ctx context.Context, caller Caller) (*game.Webhook, error) {
	w, err := s.webhook(ctx, caller)
	return w, s.storeError(err)
}

// webhook is Webhook with the error of the store.
func (s *Service) webhook(ctx context.Context, caller Caller) (*game.Webhook, error) {
	found, err := s.games.Webhooks(ctx, caller.webhookOwner())
	if err != nil || len(found) == 0 {
		return nil, err
	}
	// A call that failed in some shards left an earlier webhook there.
	w := slices.MaxFunc(found, func(a, b game.Webhook) int { return a.Updated.Compare(b.Updated) })
	w.Delivery = slices.MaxFunc(found, byFailures).Delivery
	return &w, nil
}

// byFailures orders webhooks by their failures, disabled ones last.
func byFailures(a, b game.Webhook) int {
	if a.Disabled != b.Disabled {
		if a.Disabled {
			return 1
		}
		return -1
	}
	return cmp.Compare(a.Failures, b.Failures)
}

// DeleteWebhook deletes the caller's webhook, if there is one.
func (s *Service) DeleteWebhook(ctx context.Context, caller Caller) error {
	return s.storeError(s.games.DeleteWebhook(ctx, caller.webhookOwner()))
}
