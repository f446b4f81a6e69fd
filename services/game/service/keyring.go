package service

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/cache"
)

// keyPrefix starts every player's key, so that secret scanners recognize leaked keys.
const keyPrefix = "flk"

// newKey returns a key of a player with 256 random bits, and its hash.
func newKey(player string) (key string, hash []byte) {
	secret := make([]byte, 32)
	rand.Read(secret) // It never fails.
	key = keyPrefix + "_" + player + "_" + base64.RawURLEncoding.EncodeToString(secret)
	return key, hashKey(key)
}

// keyOwner returns the player id in a key. ok is false if the key has another form.
func keyOwner(key string) (id string, ok bool) {
	prefix, rest, _ := strings.Cut(key, "_")
	id, secret, _ := strings.Cut(rest, "_")
	return id, prefix == keyPrefix && id != "" && secret != ""
}

// hashKey returns the hash that is stored in place of a key. A fast hash is enough, since keys are
// random.
func hashKey(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return sum[:]
}

// equal compares hashes in constant time.
func equal(a, b []byte) bool { return subtle.ConstantTimeCompare(a, b) == 1 }

// keyTTL is the time that a cached key is valid without a read of the store. After a rotation in
// another process the old key works for this long; after a rotation in this process it fails at
// once. RotateKey waits this long if other processes use the store.
const keyTTL = time.Second

// keyring finds players by their keys and caches those that called recently.
type keyring struct {
	players game.PlayerStore
	// services holds the hashes of the service keys by product name.
	services map[string][]byte

	// mu guards rotations, the number of rotations in this process. A key that was read before a
	// rotation must not be cached after it.
	mu        sync.Mutex
	rotations int
	keys      *cache.Cache[string, cachedKey]
	external  *cache.Cache[externalUser, game.Player]
}

// cachedKey is a player with the hash of their key, valid until a time.
type cachedKey struct {
	player game.Player
	hash   []byte
	until  time.Time
}

// externalUser identifies a user of a product or of a token issuer. It never changes its player.
type externalUser struct{ service, externalID string }

func newKeyring(
	players game.PlayerStore, serviceKeys map[string]string, caches *cache.Budget,
) *keyring {
	k := &keyring{players: players, services: map[string][]byte{}}
	playerBytes := func(p game.Player) int { return 64 + 2*len(p.ID) + len(p.Name) }
	k.keys = cache.New(caches, "keys", keysWeight, func(_ string, c cachedKey) int {
		return 64 + playerBytes(c.player) + len(c.hash)
	})
	k.external = cache.New(caches, "external_players", externalPlayersWeight,
		func(u externalUser, p game.Player) int {
			return 32 + len(u.service) + len(u.externalID) + playerBytes(p)
		})
	for name, key := range serviceKeys {
		k.services[name] = hashKey(key)
	}
	return k
}

// service returns the product with a key of this hash.
func (k *keyring) service(hash []byte) (name string, ok bool) {
	for name, serviceHash := range k.services {
		if equal(hash, serviceHash) {
			return name, true
		}
	}
	return "", false
}

// player returns the player with a key of this hash, or ErrNotFound. A key that differs from the
// cached one may be new, so that the store decides.
func (k *keyring) player(
	ctx context.Context, id string, hash []byte, now time.Time,
) (game.Player, error) {
	if c, ok := k.keys.Get(id); ok && now.Before(c.until) && equal(hash, c.hash) {
		return c.player, nil
	}
	c, err := k.read(ctx, id, now)
	if err == nil && !equal(hash, c.hash) {
		err = game.ErrNotFound
	}
	return c.player, err
}

// read reads a player and the hash of their key from the store and caches them.
func (k *keyring) read(ctx context.Context, id string, now time.Time) (c cachedKey, err error) {
	k.mu.Lock()
	rotations := k.rotations
	k.mu.Unlock()
	c.until = now.Add(keyTTL)
	if c.hash, err = k.players.KeyHash(ctx, id); err != nil {
		return cachedKey{}, err
	}
	if c.player, err = k.players.Player(ctx, id); err != nil {
		return cachedKey{}, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.rotations == rotations {
		k.keys.Put(id, c)
	}
	return c, nil
}

// rotate replaces the hash of a player's key.
func (k *keyring) rotate(ctx context.Context, id string, hash []byte) error {
	err := k.players.SetKeyHash(ctx, id, hash)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.rotations++
	k.keys.Delete(id)
	return err
}

// valid reports whether a player's key still has a hash. It reads the store.
func (k *keyring) valid(ctx context.Context, id string, hash []byte) (bool, error) {
	current, err := k.players.KeyHash(ctx, id)
	if errors.Is(err, game.ErrNotFound) {
		return false, nil
	}
	return equal(hash, current), err
}

// externalPlayer returns the player of an external user. If there is none, it creates the player
// that create returns.
func (k *keyring) externalPlayer(
	ctx context.Context, u externalUser, create func() game.Player,
) (game.Player, error) {
	if p, ok := k.external.Get(u); ok {
		return p, nil
	}
	p, err := k.players.ExternalPlayer(ctx, u.service, u.externalID, create())
	if err == nil {
		k.external.Put(u, p)
	}
	return p, err
}
