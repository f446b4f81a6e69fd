package game

import (
	"context"
	"errors"
	"strings"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// Caller is who makes a call.
type Caller struct {
	Player Player
	// Service is the product that acts for the player; "" when he acts himself.
	Service string
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
	id, ok := keyOwner(key)
	if !ok {
		return Caller{}, invalidKey()
	}
	player, err := s.keys.player(ctx, id, hash, s.now())
	if errors.Is(err, ErrNotFound) {
		return Caller{}, invalidKey()
	}
	if err != nil {
		return Caller{}, s.away(err)
	}
	if onBehalfOf != "" {
		return Caller{}, fault.New(fault.InvalidField, "only a service key can act on behalf of somebody").At("flipside-on-behalf-of")
	}
	return Caller{Player: player, keyHash: hash}, nil
}

// stillValid refuses a caller whose key was replaced.
func (s *Service) stillValid(ctx context.Context, caller Caller) error {
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
	player, err := s.keys.user(ctx, user{service, externalID}, func() Player { return s.newPlayer("") })
	if err != nil {
		return Caller{}, s.away(err)
	}
	return Caller{Player: player, Service: service}, nil
}

func (s *Service) newPlayer(name string) Player {
	id := s.newID()
	if name == "" {
		name = "player-" + id[len(id)-6:]
	}
	return Player{ID: id, Name: name, Created: s.now()}
}

// CreatePlayer creates a player and returns the key, which is not kept.
func (s *Service) CreatePlayer(ctx context.Context, name string) (Player, string, error) {
	player := s.newPlayer(strings.TrimSpace(name))
	key, hash := newKey(player.ID)
	if err := s.store.CreatePlayer(ctx, player, hash); err != nil {
		return Player{}, "", s.away(err)
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
	s.feed.Publish(ctx, Wake{Topic: keyTopic(caller.Player.ID)})
	return key, nil
}
