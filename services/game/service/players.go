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

// onBehalfOfField is the header with the external id of the user that a service key acts for.
const onBehalfOfField = "flipside-on-behalf-of"

// Caller is the authenticated player or product that makes a call.
type Caller struct {
	// Player is the zero value for a service key without a user.
	Player game.Player
	// Service is the product that acts for the player or the issuer of the player's token, "" for a
	// player's own key.
	Service string
	// expires is the expiry of the token, the zero time for a key.
	expires time.Time
	// keyHash is the hash of the player's key, nil for other callers. Streams check that it is
	// still valid.
	keyHash []byte
}

// Product returns the name of the product whose service key made the call, "" for other calls.
func (c Caller) Product() string {
	if c.expires.IsZero() {
		return c.Service
	}
	return ""
}

// actsFor reports whether the caller holds a service key and the player is one of the service's
// users.
func (c Caller) actsFor(p game.Player) bool {
	return c.Product() != "" && p.Service == c.Product()
}

// quotaKey identifies the caller in limits. A service key without a user has a quota of its own.
func (c Caller) quotaKey() string {
	if c.Player.ID == "" {
		return "service/" + c.Service
	}
	return c.Player.ID
}

// Authenticate returns the caller with a key or token, and counts a call of theirs. onBehalfOf is
// the external id of the user that a service key acts for; a service key without a user can only
// read public games.
func (s *Service) Authenticate(ctx context.Context, key, onBehalfOf string) (Caller, error) {
	c, err := s.identify(ctx, key, onBehalfOf)
	if err != nil {
		return Caller{}, err
	}
	return c, s.limits.call(c.quotaKey(), s.now())
}

func (s *Service) identify(ctx context.Context, key, onBehalfOf string) (Caller, error) {
	hash := hashKey(key)
	if name, ok := s.keys.service(hash); ok {
		return s.onBehalfOf(ctx, name, onBehalfOf)
	}
	caller, err := s.owner(ctx, key, hash)
	if err == nil && onBehalfOf != "" {
		err = fault.New(fault.InvalidField, "only a service key can act on behalf of a user").
			At(onBehalfOfField)
	}
	return caller, err
}

// owner returns the player with a key or token of their own.
func (s *Service) owner(ctx context.Context, key string, hash []byte) (Caller, error) {
	id, ok := keyOwner(key)
	if !ok && s.settings.Tokens != nil && strings.Count(key, ".") == 2 {
		return s.subject(ctx, key)
	}
	if !ok {
		return Caller{}, errInvalidKey()
	}
	player, err := s.keys.player(ctx, id, hash, s.now())
	if errors.Is(err, game.ErrNotFound) {
		return Caller{}, errInvalidKey()
	}
	return Caller{Player: player, keyHash: hash}, s.storeError(err)
}

// subject returns the player of a token's subject. It creates the player at the first call.
func (s *Service) subject(ctx context.Context, token string) (Caller, error) {
	claims, err := s.settings.Tokens.Verify(ctx, token)
	if err != nil {
		return Caller{}, err
	}
	if len(claims.Subject) > maxExternalID {
		return Caller{}, fault.New(fault.InvalidKey,
			"the subject of the token has more than %d bytes", maxExternalID).
			With("limit", maxExternalID)
	}
	create := func() game.Player { return s.newPlayer(displayName(claims.Name)) }
	player, err := s.keys.externalPlayer(ctx, externalUser{claims.Issuer, claims.Subject}, create)
	return Caller{Player: player, Service: claims.Issuer, expires: claims.Expires}, s.storeError(err)
}

// maxName is the length of a display name in characters.
const maxName = 64

// displayName returns the claim of a token as a display name: without the characters that
// CreatePlayer rejects, and not too long.
func displayName(claim string) string {
	claim = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || r == utf8.RuneError {
			return -1
		}
		return r
	}, claim)
	if runes := []rune(claim); len(runes) > maxName {
		claim = string(runes[:maxName])
	}
	return strings.TrimSpace(claim)
}

// validate returns an error if the caller's key was replaced or their token has expired.
func (s *Service) validate(ctx context.Context, caller Caller) error {
	if !caller.expires.IsZero() && !s.now().Before(caller.expires) {
		return errInvalidKey()
	}
	if caller.keyHash == nil {
		return nil
	}
	valid, err := s.keys.valid(ctx, caller.Player.ID, caller.keyHash)
	if err == nil && !valid {
		return errInvalidKey()
	}
	return s.storeError(err)
}

func errInvalidKey() error {
	return fault.New(fault.InvalidKey, "this call needs a valid key: authorization: Bearer <key>")
}

// maxExternalID is the length of an external id in bytes.
const maxExternalID = 256

func (s *Service) onBehalfOf(ctx context.Context, service, externalID string) (Caller, error) {
	if externalID == "" {
		return Caller{Service: service}, nil
	}
	if len(externalID) > maxExternalID {
		return Caller{}, fault.New(fault.InvalidField,
			"an external id has at most %d bytes", maxExternalID).
			With("limit", maxExternalID).At(onBehalfOfField)
	}
	create := func() game.Player { return s.newPlayer("") }
	player, err := s.keys.externalPlayer(ctx, externalUser{service, externalID}, create)
	return Caller{Player: player, Service: service}, s.storeError(err)
}

// newPlayer returns a new player. Without a name the player gets one from the id.
func (s *Service) newPlayer(name string) game.Player {
	id := s.newID()
	if name == "" {
		name = "player-" + id[len(id)-6:]
	}
	return game.Player{ID: id, Name: name, Created: s.now()}
}

// CreatePlayer creates a player for a client address and returns their key, of which only a hash is
// stored.
func (s *Service) CreatePlayer(
	ctx context.Context, name, address string,
) (game.Player, string, error) {
	if err := s.limits.createPlayer(address, s.now()); err != nil {
		return game.Player{}, "", err
	}
	player := s.newPlayer(strings.TrimSpace(name))
	key, hash := newKey(player.ID)
	return player, key, s.storeError(s.games.CreatePlayer(ctx, player, hash))
}

// RotateKey replaces the caller's key and returns the new one. Streams with the old key end.
func (s *Service) RotateKey(ctx context.Context, caller Caller) (string, error) {
	if caller.Service != "" {
		return "", fault.New(fault.NotYourSeat,
			"a player of a product or token issuer has no key to rotate")
	}
	key, hash := newKey(caller.Player.ID)
	if err := s.keys.rotate(ctx, caller.Player.ID, hash); err != nil {
		return "", s.storeError(err)
	}
	s.games.feed.Publish(ctx, game.Wake{Topic: game.KeyTopic(caller.Player.ID)})
	if s.settings.Shared {
		select {
		case <-time.After(keyTTL):
		case <-ctx.Done(): // The new key is lost with the answer; the old key is invalid nevertheless.
		}
	}
	return key, nil
}
