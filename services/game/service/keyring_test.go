package service_test

import (
	"context"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/fault"
)

// wantInvalid fails the test unless a service rejects a key.
func (f *fixture) wantInvalid(s *service.Service, key, name string) {
	f.Helper()
	if _, err := s.Authenticate(f.Context(), key, ""); fault.ReasonOf(err) != fault.InvalidKey {
		f.Errorf("%s: got error %v, want %s", name, err, fault.InvalidKey)
	}
}

// wantAnn fails the test unless a service accepts a key as Ann's.
func (f *fixture) wantAnn(s *service.Service, key, name string) {
	f.Helper()
	if caller, err := s.Authenticate(f.Context(), key, ""); err != nil || caller.Player != f.ann.Player {
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
		if _, err := f.Authenticate(f.Context(), f.annsKey, ""); err != nil || rotate != nil {
			f.Errorf("the key was not read from the store: %v", err)
		}
		f.wantInvalid(f.Service, f.annsKey, "old key after the rotation")
	})
}
