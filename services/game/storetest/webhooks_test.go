package storetest

import (
	"time"

	"github.com/flipside-games/flipside/services/game"
)

// Webhooks are tested in one shard, with games that have the partition key oneKey.
var (
	annsHook = game.WebhookOwner{Player: "ann"}
	bobsHook = game.WebhookOwner{Player: "bob"}
	shopHook = game.WebhookOwner{Service: "shop"}
)

// newWebhook returns a webhook that is later than all before.
func (f *fixture) newWebhook(owner game.WebhookOwner) game.Webhook {
	now := f.now().UTC()
	return game.Webhook{
		Owner: owner, URL: "https://example.com/hook", Secret: "whsec_MfKQ9r8=", Created: now, Updated: now,
	}
}

// setWebhook stores a new webhook and returns it in the shard of the tests.
func (f *fixture) setWebhook(owner game.WebhookOwner) game.Webhook {
	f.Helper()
	f.check(f.SetWebhook(f.Context(), f.newWebhook(owner)))
	return f.webhook(owner)
}

// webhook returns a webhook in the shard of the tests.
func (f *fixture) webhook(owner game.WebhookOwner) game.Webhook {
	f.Helper()
	found, err := f.Webhooks(f.Context(), owner)
	f.check(err)
	if len(found) != len(f.settled()) {
		f.Fatalf("%d webhooks in %d shards", len(found), len(f.settled()))
	}
	return found[f.webhookShard()]
}

// webhookShard returns the shard of the tests: the one with the games of ann.
func (f *fixture) webhookShard() int {
	f.Helper()
	return f.shard("ann")
}

func (f *fixture) wantNoWebhook(owner game.WebhookOwner) {
	f.Helper()
	found, err := f.Webhooks(f.Context(), owner)
	f.check(err)
	f.same("webhooks", 0, len(found))
}

// leaseWebhook leases a webhook to a holder for a minute.
func (f *fixture) leaseWebhook(w game.Webhook, holder string, now time.Time) bool {
	f.Helper()
	granted, err := f.LeaseWebhook(
		f.Context(), f.webhookShard(), w, holder, now.Add(time.Minute), now)
	f.check(err)
	return granted
}

func (f *fixture) endDelivery(w game.Webhook, holder string, progress game.Delivery) bool {
	f.Helper()
	saved, err := f.EndDelivery(f.Context(), f.webhookShard(), w.Owner, holder, progress)
	f.check(err)
	return saved
}

// saveDelivery leases a webhook and stores its progress.
func (f *fixture) saveDelivery(w game.Webhook, now time.Time, progress game.Delivery) {
	f.Helper()
	if !f.leaseWebhook(w, "saver", now) || !f.endDelivery(w, "saver", progress) {
		f.Fatal("the progress was not stored")
	}
}

// commitSettled commits a decision on a game of ann and waits until it is settled.
func (f *fixture) commitSettled(d game.Decision) {
	f.Helper()
	f.commit(d)
	_, last := f.turns("ann", 0, 100)
	f.settledAt(f.webhookShard(), last)
}

func webhooksAreStored(f *fixture) {
	f.key = oneKey
	f.commitSettled(f.created(small, seatOf("ann"), seatOf("bob")))
	want := f.newWebhook(annsHook)
	settled := f.settled()
	f.check(f.SetWebhook(f.Context(), want))
	f.reopen()
	found, err := f.Webhooks(f.Context(), annsHook)
	f.check(err)
	for shard, got := range found {
		if got.Cursor < settled[shard] || got.Cursor > f.settled()[shard] {
			f.Errorf("cursor %d in shard %d, want at least %d", got.Cursor, shard, settled[shard])
		}
		want.Cursor = got.Cursor
		f.same("webhook", want, got)
	}
	f.wantDue(f.now(), 9)
}

func webhooksAreReplaced(f *fixture) {
	f.key = oneKey
	first, now := f.setWebhook(annsHook), f.now()
	progress := game.Delivery{
		Cursor: 8, Failures: 2, FailingSince: now, LastFailure: "HTTP 500", NextAttempt: now, Disabled: true,
	}
	f.saveDelivery(first, now, progress)
	want := f.newWebhook(annsHook)
	want.URL, want.Secret = "https://example.com/other", "whsec_b3RoZXI="
	f.check(f.SetWebhook(f.Context(), want))
	want.Created, want.Cursor = first.Created, 8
	f.same("replaced webhook", want, f.webhook(annsHook))

	f.sub("a lease on the earlier webhook ends", func(f *fixture) {
		f.leaseWebhook(want, "holder", now)
		want.Updated = f.now().UTC()
		f.check(f.SetWebhook(f.Context(), want))
		if f.endDelivery(want, "holder", progress) {
			f.Error("the lease still holds")
		}
	})
	f.sub("an earlier webhook replaces nothing", func(f *fixture) {
		f.check(f.SetWebhook(f.Context(), first))
		f.same("webhook", want, f.webhook(annsHook))
	})
}

func webhooksAreFound(f *fixture) {
	ann, shop := f.setWebhook(annsHook), f.setWebhook(shopHook)
	f.same("webhook of a player", ann, f.webhook(annsHook))
	f.same("webhook of a service", shop, f.webhook(shopHook))
	f.wantNoWebhook(bobsHook)
}

func webhooksAreDeleted(f *fixture) {
	shop := f.setWebhook(shopHook)
	f.setWebhook(annsHook)
	for range 2 {
		f.check(f.DeleteWebhook(f.Context(), annsHook))
		f.wantNoWebhook(annsHook)
	}
	f.same("other webhook", shop, f.webhook(shopHook))
}

// wantDue fails the test unless the webhooks of the owners are due, in order.
func (f *fixture) wantDue(now time.Time, limit int, want ...game.WebhookOwner) {
	f.Helper()
	due, err := f.DueWebhooks(f.Context(), f.webhookShard(), now, limit)
	f.check(err)
	var got []game.WebhookOwner
	for _, w := range due {
		got = append(got, w.Owner)
	}
	f.same("owners of due webhooks", want, got)
}

// seatOfUser returns the seat of a user of a service.
func seatOfUser(service, id string) game.Seat {
	return game.Player{ID: id, Name: "Name of " + id, Service: service}.Seat()
}

func webhooksAreDue(f *fixture) {
	f.key = oneKey
	f.commitSettled(f.created(small, seatOf("ann"), seatOf("cat"))) // It is older than the webhooks.
	ann, shop, bob := f.setWebhook(annsHook), f.setWebhook(shopHook), f.setWebhook(bobsHook)
	now := f.now()
	f.wantDue(now, 9)
	g := f.commit(f.created(small, seatOf("ann"), seatOfUser("shop", "sam")))

	f.sub("after a change of a game of the owner", func(f *fixture) {
		f.wantDue(now, 9, annsHook, shopHook)
		f.wantDue(now, 1, annsHook)
	})
	f.sub("not while there is a lease", func(f *fixture) {
		f.leaseWebhook(ann, "holder", now)
		f.wantDue(now, 9, shopHook)
		f.wantDue(now.Add(time.Minute), 9, annsHook, shopHook)
		f.endDelivery(ann, "holder", ann.Delivery)
	})
	f.sub("fewest failures first", func(f *fixture) {
		failing := game.Delivery{Cursor: ann.Cursor, Failures: 1, NextAttempt: now.Add(time.Second)}
		f.saveDelivery(ann, now, failing)
		f.wantDue(now, 9, shopHook)
		f.wantDue(now.Add(time.Second), 9, shopHook, annsHook)
	})
	f.sub("not after delivery", func(f *fixture) {
		found, _, err := f.ServiceTurns(f.Context(), "shop", f.webhookShard(), 0, 1)
		f.check(err)
		f.saveDelivery(shop, now, game.Delivery{Cursor: found[0].Change})
		f.wantDue(now.Add(time.Second), 9, annsHook)
		g = f.commit(f.moved(g))
		f.wantDue(now.Add(time.Second), 9, shopHook, annsHook)
	})
	f.sub("not disabled", func(f *fixture) {
		f.saveDelivery(bob, now, game.Delivery{Cursor: bob.Cursor, Disabled: true})
		f.commit(f.created(small, seatOf("bob"), emptySeat))
		f.wantDue(now, 9, shopHook)
	})
}

func webhooksAreLeased(f *fixture) {
	w, now := f.setWebhook(annsHook), f.now()
	other := f.other()
	if !f.leaseWebhook(w, "first", now) || other.leaseWebhook(w, "second", now) || f.leaseWebhook(w, "first", now) {
		f.Error("not exactly one holder got the lease")
	}
	if !other.leaseWebhook(w, "second", now.Add(time.Minute)) {
		f.Error("the lease did not end")
	}
	later := now.Add(time.Hour)
	f.sub("not after progress", func(f *fixture) {
		progress := w.Delivery
		progress.Cursor++
		f.saveDelivery(w, later, progress)
		if f.leaseWebhook(w, "first", later) {
			f.Error("a webhook with progress was leased")
		}
	})
	f.sub("not after an update", func(f *fixture) {
		before := f.webhook(annsHook)
		f.setWebhook(annsHook)
		if f.leaseWebhook(before, "first", later) {
			f.Error("a webhook that was updated was leased")
		}
	})
	f.sub("not if there is none", func(f *fixture) {
		if f.leaseWebhook(f.newWebhook(bobsHook), "first", later) {
			f.Error("a webhook that does not exist was leased")
		}
	})
}

func deliveriesEnd(f *fixture) {
	w, now := f.setWebhook(annsHook), f.now().UTC()
	progress := game.Delivery{
		Cursor: w.Cursor + 5, Failures: 3, FailingSince: now, LastFailure: "HTTP 500",
		NextAttempt: now.Add(time.Hour),
	}
	if f.endDelivery(w, "holder", progress) {
		f.Error("progress without a lease was stored")
	}
	f.leaseWebhook(w, "holder", now)
	if f.endDelivery(w, "another", progress) || !f.endDelivery(w, "holder", progress) {
		f.Error("not exactly the holder stored progress")
	}
	w.Delivery = progress
	f.same("webhook", w, f.webhook(annsHook))
	if !f.leaseWebhook(w, "another", now) {
		f.Error("the lease did not end")
	}
}

func serviceTurns(f *fixture) {
	f.key = oneKey
	sam, sue, clara := seatOfUser("shop", "sam"), seatOfUser("shop", "sue"), seatOfUser("club", "clara")
	f.commit(f.created(small, seatOf("ann"), seatOf("bob")))
	both := f.commit(f.created(small, sam, sue))
	mixed := f.commit(f.created(small, clara, sue))
	waiting := f.commit(f.created(small, seatOf("ann"), emptySeat))

	f.wantServiceTurns("shop", 0, both, mixed)
	f.wantServiceTurns("club", 0, mixed)
	f.wantServiceTurns("", 0)
	f.sub("after a user takes a seat", func(f *fixture) {
		d, err := waiting.Join(sam, 0, f.now())
		f.check(err)
		f.wantServiceTurns("shop", 0, both, mixed, f.commit(d))
	})
	f.sub("after a number", func(f *fixture) {
		found, _, err := f.ServiceTurns(f.Context(), "shop", f.webhookShard(), 0, 100)
		f.check(err)
		after := found[len(found)-1].Change
		moved := f.commit(f.moved(both))
		f.wantServiceTurns("shop", after, moved)
	})
}

func (f *fixture) wantServiceTurns(service string, after int64, want ...game.Game) {
	f.Helper()
	found, _, err := f.ServiceTurns(f.Context(), service, f.webhookShard(), after, 100)
	f.check(err)
	var got []game.Game
	for _, c := range found {
		got = append(got, c.Game)
	}
	f.same("games of "+service, ids(want), ids(got))
}
