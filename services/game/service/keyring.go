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
	"github.com/flipside-games/flipside/services/internal/fault"
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
	return id, prefix == keyPrefix && id != "" && secret != "" && len(key) <= maxKey && isPrintable(id)
}

// isPrintable reports whether a text consists of printable ASCII characters.
func isPrintable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}

// maxKey is a length in bytes that no key of a player exceeds.
const maxKey = 128

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
	// serviceKeyLengths are the lengths of the service keys.
	serviceKeyLengths map[int]bool
	// wrongRate limits the wrong keys of each address, per minute.
	wrongRate float64

	// mu guards rotations, the number of rotations in this process. A key that was read before a
	// rotation must not be cached after it.
	mu        sync.Mutex
	rotations int
	keys      *cache.Cache[string, cachedKey]
	external  *cache.Cache[externalUser, game.Player]
	// tried caches whether keys and tokens were valid when they were last looked up.
	tried *cache.Cache[[sha256.Size]byte, verdict]
	// wrong limits the wrong keys of each address.
	wrong *cache.Quotas
}

// cachedKey is a player with the hash of their key, valid until a time.
type cachedKey struct {
	player game.Player
	hash   []byte
	until  time.Time
}

// verdict is the result of the last lookup of a key or token.
type verdict struct {
	err   error     // nil if it was valid
	until time.Time // when a wrong token is looked up again; zero for never
}

// tokenTTL is the time for which a wrong token stays wrong. The issuer may publish its key later. A
// wrong key never becomes valid, as keys are random.
const tokenTTL = 5 * time.Second

// externalUser identifies a user of a product or of a token issuer. It never changes its player.
type externalUser struct{ service, externalID string }

func newKeyring(players game.PlayerStore, settings Settings, caches *cache.Budget) *keyring {
	k := &keyring{
		players: players, services: map[string][]byte{}, serviceKeyLengths: map[int]bool{},
		wrongRate: settings.WrongKeyRate,
	}
	playerBytes := func(p game.Player) int { return 64 + 2*len(p.ID) + len(p.Name) }
	k.keys = cache.New(caches, "keys", keysWeight, func(_ string, c cachedKey) int {
		return 64 + playerBytes(c.player) + len(c.hash)
	})
	k.external = cache.New(caches, "external_players", externalPlayersWeight,
		func(u externalUser, p game.Player) int {
			return 32 + len(u.service) + len(u.externalID) + playerBytes(p)
		})
	k.tried = cache.New(caches, "tried_keys", triedKeysWeight,
		func([sha256.Size]byte, verdict) int { return 256 })
	k.wrong = cache.NewQuotas(caches, "wrong_key_addresses", quotasWeight, k.wrongRate/60, k.wrongRate)
	for name, key := range settings.ServiceKeys {
		k.services[name], k.serviceKeyLengths[len(key)] = hashKey(key), true
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

// cached returns the cached player with a key of this hash.
func (k *keyring) cached(id string, hash []byte, now time.Time) (game.Player, bool) {
	c, ok := k.keys.Get(id)
	return c.player, ok && now.Before(c.until) && equal(hash, c.hash)
}

// read returns the player with a key of this hash from the store, or ErrNotFound, and caches the
// player.
func (k *keyring) read(
	ctx context.Context, id string, hash []byte, now time.Time,
) (game.Player, error) {
	k.mu.Lock()
	rotations := k.rotations
	k.mu.Unlock()
	current, err := k.players.KeyHash(ctx, id)
	if err != nil {
		return game.Player{}, err
	}
	if !equal(hash, current) {
		return game.Player{}, game.ErrNotFound
	}
	player, err := k.players.Player(ctx, id)
	if err != nil {
		return game.Player{}, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.rotations == rotations {
		k.keys.Put(id, cachedKey{player, hash, now.Add(keyTTL)})
	}
	return player, nil
}

// admitUntried returns RATE_LIMITED if an address has sent too many wrong keys.
func (k *keyring) admitUntried(address string, now time.Time) error {
	delay := k.wrong.Wait(address, now)
	if delay == 0 {
		return nil
	}
	return fault.New(fault.RateLimited,
		"too many wrong keys from your address: at most %g per minute", k.wrongRate).
		With("limit", k.wrongRate).RetryIn(delay)
}

// countWrong counts a wrong key of an address. Calls of this process have no address.
func (k *keyring) countWrong(address string, now time.Time) {
	if address == "" {
		return
	}
	k.wrong.Take(address, 1, now)
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
