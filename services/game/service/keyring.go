package service

import (
	"github.com/flipside-games/flipside/services/game"

	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// keyPrefix starts every player's key, so that a leaked one is recognised as what it is.
const keyPrefix = "flk"

// newKey returns a key of a player with 256 random bits, and its hash.
func newKey(player string) (key string, hash []byte) {
	secret := make([]byte, 32)
	rand.Read(secret) // never fails
	key = keyPrefix + "_" + player + "_" + base64.RawURLEncoding.EncodeToString(secret)
	return key, hashKey(key)
}

// keyOwner returns the player that a key says it belongs to.
func keyOwner(key string) (id string, ok bool) {
	prefix, rest, _ := strings.Cut(key, "_")
	id, secret, _ := strings.Cut(rest, "_")
	return id, prefix == keyPrefix && id != "" && secret != ""
}

// hashKey returns the hash that is stored in place of a key. A key has too many random bits to be guessed, so a fast
// hash does.
func hashKey(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return sum[:]
}

const (
	// trusted is how long a keyring relies on what the store said of a player. So long may a key still be good that was
	// replaced in another process; in this one it is none at once. Who replaces a key is answered after that time.
	trusted = time.Second
	// heldPlayers is how many players a keyring remembers, and how many users of services.
	heldPlayers = 16_384
)

// keyring knows who holds which key. It remembers who called a moment ago, since whoever plays calls again and again.
type keyring struct {
	players game.PlayerStore
	// services holds the hashes of the service keys by the name of the product.
	services map[string][]byte

	// mu keeps what was read before a key was replaced from being remembered afterwards: replaced counts the replacements.
	mu       sync.Mutex
	replaced int
	holders  *lru.Cache[string, holder]
	// users are the players that services know by ids of their own, which never change.
	users *lru.Cache[user, game.Player]
}

// holder is a player with the hash of his key, nil for none, and until when to rely on it.
type holder struct {
	player  game.Player
	keyHash []byte
	until   time.Time
}

// user is somebody a service acts for.
type user struct{ service, externalID string }

func newKeyring(players game.PlayerStore, serviceKeys map[string]string) *keyring {
	k := &keyring{players: players, services: map[string][]byte{}}
	for name, key := range serviceKeys {
		k.services[name] = hashKey(key)
	}
	k.holders, _ = lru.New[string, holder](heldPlayers)
	k.users, _ = lru.New[user, game.Player](heldPlayers)
	return k
}

// service returns the product whose key has a hash.
func (k *keyring) service(hash []byte) (name string, ok bool) {
	for name, known := range k.services {
		if subtle.ConstantTimeCompare(hash, known) == 1 {
			return name, true
		}
	}
	return "", false
}

// player returns the player whose key has a hash, or ErrNotFound where it is not his. A key that is not the one
// remembered may be his new one.
func (k *keyring) player(ctx context.Context, id string, hash []byte, now time.Time) (game.Player, error) {
	if h, ok := k.holders.Get(id); ok && now.Before(h.until) && subtle.ConstantTimeCompare(hash, h.keyHash) == 1 {
		return h.player, nil
	}
	h, err := k.read(ctx, id, now)
	if err == nil && subtle.ConstantTimeCompare(hash, h.keyHash) != 1 {
		err = game.ErrNotFound
	}
	return h.player, err
}

// read reads a player from the store and remembers him.
func (k *keyring) read(ctx context.Context, id string, now time.Time) (h holder, err error) {
	k.mu.Lock()
	replaced := k.replaced
	k.mu.Unlock()
	h.until = now.Add(trusted)
	if h.keyHash, err = k.players.KeyHash(ctx, id); err != nil {
		return holder{}, err
	}
	if h.player, err = k.players.Player(ctx, id); err != nil {
		return holder{}, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.replaced == replaced {
		k.holders.Add(id, h)
	}
	return h, nil
}

// replace gives a player another key.
func (k *keyring) replace(ctx context.Context, id string, hash []byte) error {
	err := k.players.SetKeyHash(ctx, id, hash)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.replaced++
	k.holders.Remove(id)
	return err
}

// holds reports whether a player's key still has a hash. It asks the store.
func (k *keyring) holds(ctx context.Context, id string, hash []byte) (bool, error) {
	known, err := k.players.KeyHash(ctx, id)
	if errors.Is(err, game.ErrNotFound) {
		return false, nil
	}
	return subtle.ConstantTimeCompare(hash, known) == 1, err
}

// user returns the player that a service knows by an id of its own, and creates him as fresh says where there is none.
func (k *keyring) user(ctx context.Context, u user, fresh func() game.Player) (game.Player, error) {
	if p, ok := k.users.Get(u); ok {
		return p, nil
	}
	p, err := k.players.ExternalPlayer(ctx, u.service, u.externalID, fresh())
	if err == nil {
		k.users.Add(u, p)
	}
	return p, err
}
