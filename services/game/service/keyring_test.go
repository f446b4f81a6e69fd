package service_test

import (
	"context"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/fault"
)

// refused fails unless a key is none.
func refused(t testing.TB, s *service.Service, key, why string) {
	t.Helper()
	if _, err := s.Authenticate(t.Context(), key, ""); fault.ReasonOf(err) != fault.InvalidKey {
		t.Errorf("%s: got error %v, want %s", why, err, fault.InvalidKey)
	}
}

// accepted fails unless a key is Ann's.
func (w *world) accepted(s *service.Service, key, why string) {
	w.Helper()
	if caller, err := s.Authenticate(w.Context(), key, ""); err != nil || caller.Player != w.ann.Player {
		w.Errorf("%s: got %v and error %v, want Ann", why, caller.Player, err)
	}
}

func TestAReplacedKeyIsNoneAtOnce(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		w.accepted(w.Service, w.annsKey, "the first key")
		key, err := w.RotateKey(w.Context(), w.ann)
		if err != nil {
			w.Fatal(err)
		}
		refused(w, w.Service, w.annsKey, "the key that was replaced")
		w.accepted(w.Service, key, "the new key")
	})
}

func TestAKeyReplacedInAnotherProcessIsNoneASecondLater(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		other := start(w.T, w.store, parts{})
		w.accepted(other.Service, w.annsKey, "the first key, elsewhere")
		key, err := w.RotateKey(w.Context(), w.ann)
		if err != nil {
			w.Fatal(err)
		}
		time.Sleep(time.Second)
		refused(w, other.Service, w.annsKey, "the key that was replaced, a second later elsewhere")
		w.accepted(other.Service, key, "the new key, elsewhere")
	})
}

func TestAKeyOfASharedStoreIsReplacedOnceNoProcessTakesTheOldOne(t *testing.T) {
	inWorld(t, parts{settings: service.Settings{Shared: true}}, func(w *world) {
		other := start(w.T, w.store, parts{})
		w.accepted(other.Service, w.annsKey, "the first key, elsewhere")
		if _, err := w.RotateKey(w.Context(), w.ann); err != nil {
			w.Fatal(err)
		}
		refused(w, other.Service, w.annsKey, "the key that was replaced, elsewhere, once that is said")
	})
}

func TestANewKeyIsGoodAtOnceInEveryProcess(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		other := start(w.T, w.store, parts{})
		w.accepted(other.Service, w.annsKey, "the first key, elsewhere")
		key, err := w.RotateKey(w.Context(), w.ann)
		if err != nil {
			w.Fatal(err)
		}
		w.accepted(other.Service, key, "the new key, elsewhere")
		refused(w, other.Service, w.annsKey, "the key that was replaced, once the new one was seen")
	})
}

// overtaken is a store in which something happens after the hash of a key was read, once.
type overtaken struct {
	game.Store
	happens *func()
}

func (s overtaken) Player(ctx context.Context, id string) (game.Player, error) {
	if do := *s.happens; do != nil {
		*s.happens = nil
		do()
	}
	return s.Store.Player(ctx, id)
}

func TestAKeyReplacedWhileItIsLookedUpIsNotRemembered(t *testing.T) {
	var happens func()
	wrap := func(s game.Store) game.Store { return overtaken{s, &happens} }
	inWorld(t, parts{store: wrap}, func(w *world) {
		time.Sleep(time.Second) // What was remembered of Ann is forgotten.
		happens = func() {
			if _, err := w.RotateKey(w.Context(), w.ann); err != nil {
				w.Error(err)
			}
		}
		if _, err := w.Authenticate(w.Context(), w.annsKey, ""); err != nil || happens != nil {
			w.Errorf("the key was not looked up: %v", err)
		}
		refused(w, w.Service, w.annsKey, "the key that was replaced meanwhile")
	})
}
