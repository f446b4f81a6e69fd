package sqlstore_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
)

// FuzzTexts passes texts of callers to all calls of a store. Both databases must return the same
// errors, and no text may make the store unavailable.
func FuzzTexts(f *testing.F) {
	for _, text := range []string{
		"", "me", "a\x00b", "\x00", "\xff", "a\xc3", "\xed\xa0\x80", "ä", "𝄞", "'", `"\u0000`, "%", "\ufffe", strings.Repeat("a", 300),
	} {
		f.Add(text)
	}
	lite := open(f, f.TempDir(), sqlstore.Options{})
	f.Cleanup(func() { lite.Close() })
	server := openAt(f, pgtest.Database(f), sqlstore.Options{Migrate: true})
	f.Cleanup(func() { server.Close() })
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1024 {
			t.Skip("longer than any text of a caller in an index")
		}
		for name, call := range textCalls(text) {
			onLite, onServer := call(t.Context(), lite), call(t.Context(), server)
			if !errors.Is(onLite, onServer) || errors.Is(onLite, game.ErrUnavailable) {
				t.Errorf("%s %q returns %v on SQLite and %v on PostgreSQL", name, text, onLite, onServer)
			}
			valid := utf8.ValidString(text) && !strings.Contains(text, "\x00")
			if errors.Is(onLite, game.ErrInvalidValue) == valid {
				t.Errorf("%s %q returns %v", name, text, onLite)
			}
		}
	})
}

// textCalls returns the calls of a store with a text of a caller, by name.
func textCalls(text string) map[string]func(context.Context, *sqlstore.Store) error {
	player := game.Player{ID: text, Name: text}
	return map[string]func(context.Context, *sqlstore.Store) error{
		"Game":       func(ctx context.Context, s *sqlstore.Store) error { _, err := s.Game(ctx, text); return err },
		"CachedGame": func(ctx context.Context, s *sqlstore.Store) error { _, err := s.CachedGame(ctx, text); return err },
		"Events":     func(ctx context.Context, s *sqlstore.Store) error { _, err := s.Events(ctx, text, 0, 1); return err },
		"LastEvent": func(ctx context.Context, s *sqlstore.Store) error {
			_, err := s.LastEvent(ctx, text, 1, game.KindMovePlayed)
			return err
		},
		"Games of a player": func(ctx context.Context, s *sqlstore.Store) error {
			_, err := s.Games(ctx, game.Filter{Player: text, Limit: 1})
			return err
		},
		"Games before": func(ctx context.Context, s *sqlstore.Store) error {
			_, err := s.Games(ctx, game.Filter{Viewer: text, Before: text, Limit: 1})
			return err
		},
		"Request": func(ctx context.Context, s *sqlstore.Store) error {
			_, err := s.Request(ctx, text, text, text)
			return err
		},
		"Turns": func(ctx context.Context, s *sqlstore.Store) error {
			_, _, err := s.Turns(ctx, text, 0, 0, 1)
			return err
		},
		"Invitations": func(ctx context.Context, s *sqlstore.Store) error {
			_, err := s.Invitations(ctx, text)
			return err
		},
		"Lease": func(ctx context.Context, s *sqlstore.Store) error {
			_, err := s.Lease(ctx, game.Lease{GameID: text, Holder: text}, time.Now())
			return err
		},
		"Player":       func(ctx context.Context, s *sqlstore.Store) error { _, err := s.Player(ctx, text); return err },
		"KeyHash":      func(ctx context.Context, s *sqlstore.Store) error { _, err := s.KeyHash(ctx, text); return err },
		"SetKeyHash":   func(ctx context.Context, s *sqlstore.Store) error { return s.SetKeyHash(ctx, text+"x", nil) },
		"CreatePlayer": func(ctx context.Context, s *sqlstore.Store) error { return s.CreatePlayer(ctx, player, nil) },
		"ExternalPlayer": func(ctx context.Context, s *sqlstore.Store) error {
			_, err := s.ExternalPlayer(ctx, text, text, game.Player{ID: "external-" + text})
			return err
		},
	}
}
