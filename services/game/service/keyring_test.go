package service_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/fault"
)

// wantInvalid fails the test unless a service rejects a key.
func (f *fixture) wantInvalid(s *service.Service, key, name string) {
	f.Helper()
	if _, err := authenticate(f, s, key, ""); fault.ReasonOf(err) != fault.InvalidKey {
		f.Errorf("%s: got error %v, want %s", name, err, fault.InvalidKey)
	}
}

// wantAnn fails the test unless a service accepts a key as Ann's.
func (f *fixture) wantAnn(s *service.Service, key, name string) {
	f.Helper()
	if caller, err := authenticate(f, s, key, ""); err != nil || caller.Player != f.ann.Player {
		f.Errorf("%s: got %v and error %v, want Ann", name, caller.Player, err)
	}
}

func TestRotateKey(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		f.wantAnn(f.Service, f.annsKey, "first key")
		key, err := f.RotateKey(f.Context(), f.ann)
		if err != nil {
			f.Fatal(err)
		}
		f.wantInvalid(f.Service, f.annsKey, "old key")
		f.wantAnn(f.Service, key, "new key")
	})
}

func TestRotationReachesOtherProcesses(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		remote := f.startProcess(options{}).Service
		f.wantAnn(remote, f.annsKey, "first key")
		key, err := f.RotateKey(f.Context(), f.ann)
		if err != nil {
			f.Fatal(err)
		}
		time.Sleep(time.Second)
		f.wantInvalid(remote, f.annsKey, "old key after a second")
		f.wantAnn(remote, key, "new key")
	})
}

func TestRotationWaitsForOtherProcesses(t *testing.T) {
	run(t, options{settings: service.Settings{Shared: true}}, func(f *fixture) {
		remote := f.startProcess(options{}).Service
		f.wantAnn(remote, f.annsKey, "first key")
		if _, err := f.RotateKey(f.Context(), f.ann); err != nil {
			f.Fatal(err)
		}
		f.wantInvalid(remote, f.annsKey, "old key after the rotation")
	})
}

func TestNewKeyIsValidAtOnceInOtherProcesses(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		remote := f.startProcess(options{}).Service
		f.wantAnn(remote, f.annsKey, "first key")
		key, err := f.RotateKey(f.Context(), f.ann)
		if err != nil {
			f.Fatal(err)
		}
		f.wantAnn(remote, key, "new key")
		f.wantInvalid(remote, f.annsKey, "old key after a call with the new one")
	})
}

// rotating is a store that calls rotate once between the reads of a key's hash and of its player.
type rotating struct {
	game.Store
	rotate *func()
}

func (s rotating) Player(ctx context.Context, id string) (game.Player, error) {
	if rotate := *s.rotate; rotate != nil {
		*s.rotate = nil
		rotate()
	}
	return s.Store.Player(ctx, id)
}

func TestRotationDuringRead(t *testing.T) {
	var rotate func()
	run(t, options{store: func(s game.Store) game.Store { return rotating{s, &rotate} }}, func(f *fixture) {
		time.Sleep(time.Second) // The cached key expires.
		rotate = func() {
			if _, err := f.RotateKey(f.Context(), f.ann); err != nil {
				f.Error(err)
			}
		}
		if _, err := authenticate(f, f.Service, f.annsKey, ""); err != nil || rotate != nil {
			f.Errorf("the key was not read from the store: %v", err)
		}
		f.wantInvalid(f.Service, f.annsKey, "old key after the rotation")
	})
}

// An address may try a limited number of wrong keys. Known keys and other addresses stay valid.
func TestWrongKeysOfAnAddress(t *testing.T) {
	store := &hashCounter{}
	run(t, options{
		settings: service.Settings{WrongKeyRate: 3},
		store:    func(s game.Store) game.Store { store.Store = s; return store },
	}, func(f *fixture) {
		wrong := func(n int) string { return fmt.Sprintf("flk_%s_wrong%d", f.ann.Player.ID, n) }
		_, unused, err := f.CreatePlayer(f.Context(), "Bob", "192.0.2.1")
		if err != nil {
			f.Fatal(err)
		}
		store.reads.Store(0)
		for range 10 {
			f.wantInvalid(f.Service, wrong(0), "the same wrong key")
		}
		if reads := store.reads.Load(); reads != 1 {
			t.Errorf("the same wrong key was read %d times from the store", reads)
		}
		f.wantInvalid(f.Service, wrong(1), "second wrong key")
		f.wantInvalid(f.Service, wrong(2), "third wrong key")
		for _, key := range []string{wrong(3), unused} {
			if _, err := authenticate(f, f.Service, key, ""); fault.ReasonOf(err) != fault.RateLimited {
				t.Errorf("an untried key after three wrong ones: error %v, want %s", err, fault.RateLimited)
			}
		}
		if reads := store.reads.Load(); reads != 3 {
			t.Errorf("%d reads of the store, want 3", reads)
		}
		f.wantInvalid(f.Service, wrong(0), "a wrong key that was tried before")
		time.Sleep(2 * time.Second) // The cached key expires.
		f.wantAnn(f.Service, f.annsKey, "a key that was valid before")
		_, err = f.Authenticate(f.Context(), service.Credentials{
			Key: unused, Address: func() string { return "192.0.2.2" },
		})
		if err != nil {
			t.Errorf("another address: %v", err)
		}
		time.Sleep(20 * time.Second)
		if _, err := authenticate(f, f.Service, unused, ""); err != nil {
			t.Errorf("the same address after 20 s: %v", err)
		}
	})
}

// hashCounter counts the reads of hashes of keys.
type hashCounter struct {
	game.Store
	reads atomic.Int64
}

func (s *hashCounter) KeyHash(ctx context.Context, id string) ([]byte, error) {
	s.reads.Add(1)
	return s.Store.KeyHash(ctx, id)
}

func TestKeysOfAnotherForm(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		for _, key := range []string{
			"", "x", "flk_", "flk_a_", "flk__b", strings.Repeat("x", 32),
			"flk_" + f.ann.Player.ID + "_" + strings.Repeat("x", 128), "a.b.c",
		} {
			if err := f.CheckKey(key); fault.ReasonOf(err) != fault.InvalidKey {
				t.Errorf("CheckKey(%q) = %v, want %s", key, err, fault.InvalidKey)
			}
			f.wantInvalid(f.Service, key, key)
		}
		if err := f.CheckKey(f.annsKey); err != nil {
			t.Errorf("a valid key: %v", err)
		}
	})
}
