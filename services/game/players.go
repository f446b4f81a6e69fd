package game

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
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

// keyPrefix starts every player's key, so that a leaked one is recognised as what it is.
const keyPrefix = "flk"

// keyring knows who holds which key.
type keyring struct {
	players PlayerStore
	// services holds the hashes of the service keys by the name of the product.
	services map[string][]byte
}

func newKeyring(players PlayerStore, serviceKeys map[string]string) *keyring {
	k := &keyring{players: players, services: map[string][]byte{}}
	for name, key := range serviceKeys {
		k.services[name] = hashKey(key)
	}
	return k
}

// newKey returns a key of a player with 256 random bits, and its hash.
func newKey(player string) (key string, hash []byte) {
	secret := make([]byte, 32)
	rand.Read(secret) // never fails
	key = keyPrefix + "_" + player + "_" + base64.RawURLEncoding.EncodeToString(secret)
	return key, hashKey(key)
}

// hashKey returns the hash that is stored in place of a key. A key has too many random bits to be guessed, so a fast
// hash does.
func hashKey(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return sum[:]
}

// Authenticate returns the caller who holds a key. onBehalfOf is the external id of the user a service key acts for; a
// service key without one can only read what is public.
func (s *Service) Authenticate(ctx context.Context, key, onBehalfOf string) (Caller, error) {
	hash := hashKey(key)
	for name, known := range s.keys.services {
		if subtle.ConstantTimeCompare(hash, known) == 1 {
			return s.onBehalfOf(ctx, name, onBehalfOf)
		}
	}
	id, ok := keyOwner(key)
	if !ok {
		return Caller{}, invalidKey()
	}
	caller := Caller{Player: Player{ID: id}, keyHash: hash}
	if err := s.stillValid(ctx, caller); err != nil {
		return Caller{}, err
	}
	if onBehalfOf != "" {
		return Caller{}, fault.New(fault.InvalidField, "only a service key can act on behalf of somebody").At("flipside-on-behalf-of")
	}
	player, err := s.store.Player(ctx, id)
	if err != nil {
		return Caller{}, s.away(err)
	}
	caller.Player = player
	return caller, nil
}

// keyOwner returns the player that a key says it belongs to.
func keyOwner(key string) (id string, ok bool) {
	prefix, rest, _ := strings.Cut(key, "_")
	id, secret, _ := strings.Cut(rest, "_")
	return id, prefix == keyPrefix && id != "" && secret != ""
}

// stillValid refuses a caller whose key was replaced.
func (s *Service) stillValid(ctx context.Context, caller Caller) error {
	if caller.keyHash == nil {
		return nil
	}
	known, err := s.store.KeyHash(ctx, caller.Player.ID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return s.away(err)
	}
	if subtle.ConstantTimeCompare(caller.keyHash, known) != 1 {
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
	player, err := s.store.ExternalPlayer(ctx, service, externalID, s.newPlayer(""))
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
	if err := s.store.SetKeyHash(ctx, caller.Player.ID, hash); err != nil {
		return "", s.away(err)
	}
	s.feed.Publish(ctx, Wake{Topic: keyTopic(caller.Player.ID)})
	return key, nil
}
