package storetest

import (
	"sync"

	"github.com/flipside-games/flipside/services/game"
)

func (f *fixture) newPlayer(name string) game.Player {
	return game.Player{ID: f.newID(), Name: name, Created: f.now()}
}

func playersAreCreated(f *fixture) {
	ann := f.newPlayer("Ann, “née” Ω")
	f.check(f.CreatePlayer(f.Context(), ann, []byte("hash")))
	f.sub("the first player keeps a taken id", func(f *fixture) {
		f.wantError(f.CreatePlayer(f.Context(), game.Player{ID: ann.ID, Name: "Other"}, []byte("other")), game.ErrConflict)
		f.wantPlayer(ann, []byte("hash"))
	})
	f.sub("after reopening", func(f *fixture) {
		f.reopen()
		f.wantPlayer(ann, []byte("hash"))
	})
}

func (f *fixture) wantPlayer(want game.Player, hash []byte) {
	f.Helper()
	got, err := f.Player(f.Context(), want.ID)
	f.check(err)
	f.same("player", want, got)
	found, err := f.KeyHash(f.Context(), want.ID)
	f.check(err)
	f.same("hash", hash, found)
}

func playersAreFound(f *fixture) {
	ann, bob := f.newPlayer("Ann"), f.newPlayer("Bob")
	f.check(f.CreatePlayer(f.Context(), ann, []byte("a")))
	f.check(f.CreatePlayer(f.Context(), bob, []byte("b")))
	f.wantPlayer(ann, []byte("a"))
	f.wantPlayer(bob, []byte("b"))
	_, err := f.Player(f.Context(), "unknown")
	f.wantError(err, game.ErrNotFound)
}

func keysAreFound(f *fixture) {
	ann := f.newPlayer("Ann")
	f.check(f.CreatePlayer(f.Context(), ann, nil))
	other := f.other()
	for _, id := range []string{ann.ID, "unknown"} {
		_, err := f.KeyHash(f.Context(), id)
		f.wantError(err, game.ErrNotFound)
	}
	f.check(other.SetKeyHash(f.Context(), ann.ID, []byte("other's")))
	f.wantPlayer(ann, []byte("other's"))
}

func keysAreReplaced(f *fixture) {
	ann, bob := f.newPlayer("Ann"), f.newPlayer("Bob")
	f.check(f.CreatePlayer(f.Context(), ann, []byte("a")))
	f.check(f.CreatePlayer(f.Context(), bob, nil))
	f.check(f.SetKeyHash(f.Context(), ann.ID, []byte("other")))
	f.wantPlayer(ann, []byte("other"))
	_, err := f.KeyHash(f.Context(), bob.ID)
	f.wantError(err, game.ErrNotFound)
	f.wantError(f.SetKeyHash(f.Context(), "unknown", []byte("x")), game.ErrNotFound)
}

// newExternalPlayer returns a new player in the shard of an external id.
func (f *fixture) newExternalPlayer(service, externalID, name string) game.Player {
	p := f.newPlayer(name)
	p.ID = game.PlacedBy(p.ID, service, externalID)
	return p
}

func externalPlayers(f *fixture) {
	ann := f.newExternalPlayer("shop", "7", "Ann")
	created, err := f.ExternalPlayer(f.Context(), "shop", "7", ann)
	f.check(err)
	ann.Service = "shop"
	f.same("created player", ann, created)
	found, err := f.Player(f.Context(), ann.ID)
	f.check(err)
	f.same("player by id", ann, found)
	_, err = f.KeyHash(f.Context(), ann.ID)
	f.wantError(err, game.ErrNotFound)

	f.sub("the same player for the next call", func(f *fixture) {
		f.reopen()
		found, err := f.ExternalPlayer(f.Context(), "shop", "7", f.newExternalPlayer("shop", "7", "Other"))
		f.check(err)
		f.same("player", ann, found)
	})
	f.sub("another for another service or id", func(f *fixture) {
		for _, key := range [][2]string{{"shop", "8"}, {"club", "7"}} {
			other := f.newExternalPlayer(key[0], key[1], "Other")
			got, err := f.ExternalPlayer(f.Context(), key[0], key[1], other)
			f.check(err)
			other.Service = key[0]
			f.same("player", other, got)
		}
	})
}

func concurrentExternalPlayers(f *fixture) {
	found := make([]game.Player, racers)
	other := f.other()
	var all sync.WaitGroup
	for i := range found {
		p, own := f.newExternalPlayer("shop", "7", "Ann"), f.either(other, i)
		all.Go(func() {
			var err error
			if found[i], err = own.ExternalPlayer(f.Context(), "shop", "7", p); err != nil {
				f.Error(err)
			}
		})
	}
	all.Wait()
	for _, p := range found {
		f.same("player", found[0], p)
	}
}
