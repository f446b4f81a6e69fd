package service

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/fault"
)

// Caller is who makes a call.
type Caller struct {
	Player game.Player
	// Service is the product that acts for the player, or the issuer of the token that says who he is; "" when he has a key.
	Service string
	// expires is when the token stops being good; the zero time for a key.
	expires time.Time
	// keyHash is the hash of the key that was shown, so that a stream can tell when it stops being valid.
	keyHash []byte
}

// id is what request ids are counted under.
func (c Caller) id() string { return c.Player.ID }

// Authenticate returns the caller who holds a key. onBehalfOf is the external id of the user a service key acts for; a
// service key without one can only read what is public.
func (s *Service) Authenticate(ctx context.Context, key, onBehalfOf string) (Caller, error) {
	hash := hashKey(key)
	if name, ok := s.keys.service(hash); ok {
		return s.onBehalfOf(ctx, name, onBehalfOf)
	}
	caller, err := s.owner(ctx, key, hash)
	if err == nil && onBehalfOf != "" {
		err = fault.New(fault.InvalidField, "only a service key can act on behalf of somebody").At("flipside-on-behalf-of")
	}
	return caller, err
}

// owner returns the player who shows a key or a token of his own.
func (s *Service) owner(ctx context.Context, key string, hash []byte) (Caller, error) {
	id, ok := keyOwner(key)
	if !ok && s.settings.Tokens != nil && strings.Count(key, ".") == 2 {
		return s.subject(ctx, key)
	}
	if !ok {
		return Caller{}, invalidKey()
	}
	player, err := s.keys.player(ctx, id, hash, s.now())
	if errors.Is(err, game.ErrNotFound) {
		return Caller{}, invalidKey()
	}
	if err != nil {
		return Caller{}, s.away(err)
	}
	return Caller{Player: player, keyHash: hash}, nil
}

// subject returns the player whom a token is about. One who is new here is created.
func (s *Service) subject(ctx context.Context, token string) (Caller, error) {
	told, err := s.settings.Tokens.Verify(ctx, token)
	if err != nil {
		return Caller{}, err
	}
	if len(told.Subject) > longestExternalID {
		return Caller{}, fault.New(fault.InvalidKey, "the subject of this token has more than %d bytes", longestExternalID).
			With("limit", longestExternalID)
	}
	fresh := func() game.Player { return s.newPlayer(nameOf(told.Name)) }
	player, err := s.keys.user(ctx, user{told.Issuer, told.Subject}, fresh)
	if err != nil {
		return Caller{}, s.away(err)
	}
	return Caller{Player: player, Service: told.Issuer, expires: told.Expires}, nil
}

// longestName is how many characters a name has that is shown.
const longestName = 64

// nameOf makes a name from what somebody else has as one.
func nameOf(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > longestName {
		text = string(runes[:longestName])
	}
	return strings.TrimSpace(text)
}

// stillValid refuses a caller whose key was replaced or whose token has expired.
func (s *Service) stillValid(ctx context.Context, caller Caller) error {
	if !caller.expires.IsZero() && !s.now().Before(caller.expires) {
		return invalidKey()
	}
	if caller.keyHash == nil {
		return nil
	}
	valid, err := s.keys.holds(ctx, caller.Player.ID, caller.keyHash)
	if err != nil {
		return s.away(err)
	}
	if !valid {
		return invalidKey()
	}
	return nil
}

func invalidKey() error {
	return fault.New(fault.InvalidKey, "this call needs a valid key: authorization: Bearer <key>")
}

// longestExternalID bounds what a product may call its users.
const longestExternalID = 256

func (s *Service) onBehalfOf(ctx context.Context, service, externalID string) (Caller, error) {
	if externalID == "" {
		return Caller{Service: service}, nil
	}
	if len(externalID) > longestExternalID {
		return Caller{}, fault.New(fault.InvalidField, "an external id has at most %d bytes", longestExternalID).
			With("limit", longestExternalID).At("flipside-on-behalf-of")
	}
	player, err := s.keys.user(ctx, user{service, externalID}, func() game.Player { return s.newPlayer("") })
	if err != nil {
		return Caller{}, s.away(err)
	}
	return Caller{Player: player, Service: service}, nil
}

func (s *Service) newPlayer(name string) game.Player {
	id := s.newID()
	if name == "" {
		name = "player-" + id[len(id)-6:]
	}
	return game.Player{ID: id, Name: name, Created: s.now()}
}

// CreatePlayer creates a player and returns the key, which is not kept.
func (s *Service) CreatePlayer(ctx context.Context, name string) (game.Player, string, error) {
	player := s.newPlayer(strings.TrimSpace(name))
	key, hash := newKey(player.ID)
	if err := s.games.CreatePlayer(ctx, player, hash); err != nil {
		return game.Player{}, "", s.away(err)
	}
	return player, key, nil
}

// RotateKey replaces the caller's key and returns the new one. Streams that the old one opened end.
func (s *Service) RotateKey(ctx context.Context, caller Caller) (string, error) {
	if caller.Service != "" {
		return "", fault.New(fault.NotYourSeat, "a player that a service acts for has no key of his own")
	}
	key, hash := newKey(caller.Player.ID)
	if err := s.keys.replace(ctx, caller.Player.ID, hash); err != nil {
		return "", s.away(err)
	}
	s.games.feed.Publish(ctx, game.Wake{Topic: game.KeyTopic(caller.Player.ID)})
	if s.settings.Shared {
		select {
		case <-time.After(trusted):
		case <-ctx.Done(): // the old key goes all the same, and nobody else has the new one
		}
	}
	return key, nil
}
