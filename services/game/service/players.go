package service

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/callquota"
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
	// address is the address whose limits apply to the calls, "" for none.
	address string
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

// source returns the source of the caller's calls. A service key without a user has a quota of its
// own. A product has all its users at one address, which no limit applies to.
func (c Caller) source() callquota.Source {
	switch {
	case c.Player.ID == "":
		return callquota.Source{Caller: "service/" + c.Service}
	case c.Product() != "":
		return callquota.Source{Caller: c.Player.ID}
	}
	return callquota.Source{Caller: c.Player.ID, Address: c.address}
}

// Credentials identify the caller of a call.
type Credentials struct {
	Key string
	// OnBehalfOf is the external id of the user that a service key acts for. A service key without
	// a user can only read public games.
	OnBehalfOf string
	// Address returns the address of the client, or "" for this process.
	Address func() string
	// LimitedAddress is the address whose limits apply to the calls of players, "" for none.
	LimitedAddress string
}

// CheckKey returns an error for a key that cannot be valid, without a look at the store.
func (s *Service) CheckKey(key string) error {
	_, ofPlayer := keyOwner(key)
	if ofPlayer || s.isToken(key) || s.keys.serviceKeyLengths[len(key)] {
		return nil
	}
	return errInvalidKey()
}

func (s *Service) isToken(key string) bool {
	return s.settings.Tokens != nil && strings.Count(key, ".") == 2
}

// Authenticate returns the caller with a key or token, and counts a call of theirs.
func (s *Service) Authenticate(ctx context.Context, given Credentials) (Caller, error) {
	if err := s.CheckKey(given.Key); err != nil {
		return Caller{}, err
	}
	c, err := s.identify(ctx, given)
	if err != nil {
		return Caller{}, err
	}
	c.address = given.LimitedAddress
	return c, s.limits.calls.Take(c.source(), 1, 0, s.now())
}

// Weigh takes the weight of a call, of which Authenticate has taken one unit. It returns
// RATE_LIMITED if the units are not left. No call weighs more than the burst.
func (s *Service) Weigh(caller Caller, weight int) error {
	return s.limits.calls.Take(caller.source(), weight, 1, s.now())
}

// Settle charges the units that a call has used in place of the weight that Weigh has taken.
func (s *Service) Settle(caller Caller, weight, used int) {
	if used != weight {
		s.limits.calls.Settle(caller.source(), weight, used, s.now())
	}
}

// Charge takes units for a call that has run, whether they are left or not. Later calls wait for
// them.
func (s *Service) Charge(caller Caller, units int) {
	if units > 0 {
		s.limits.calls.Charge(caller.source(), units, s.now())
	}
}

func (s *Service) identify(ctx context.Context, given Credentials) (Caller, error) {
	hash := hashKey(given.Key)
	if name, ok := s.keys.service(hash); ok {
		return s.onBehalfOf(ctx, name, given.OnBehalfOf)
	}
	caller, err := s.owner(ctx, given, hash)
	if err == nil && given.OnBehalfOf != "" {
		err = fault.Invalid("only a service key can act on behalf of a user").At(onBehalfOfField)
	}
	return caller, err
}

// owner returns the player with a key or token of their own. A wrong key is looked up once, and
// only a limited number of them from one address.
func (s *Service) owner(ctx context.Context, given Credentials, hash []byte) (Caller, error) {
	now := s.now()
	id, isKey := keyOwner(given.Key)
	if isKey {
		if player, ok := s.keys.cached(id, hash, now); ok {
			return Caller{Player: player, keyHash: hash}, nil
		}
	}
	address := given.Address()
	last, known := s.keys.tried.Get([sha256.Size]byte(hash))
	known = known && (last.until.IsZero() || now.Before(last.until))
	switch {
	case known && last.err != nil:
		return Caller{}, last.err
	case !known:
		if err := s.keys.admitUntried(address, now); err != nil {
			return Caller{}, err
		}
	}
	lookup := s.subject
	if isKey {
		lookup = func(ctx context.Context, _ string) (Caller, error) {
			player, err := s.keys.read(ctx, id, hash, now)
			if errors.Is(err, game.ErrNotFound) {
				return Caller{}, errInvalidKey()
			}
			return Caller{Player: player, keyHash: hash}, s.notSent(err)
		}
	}
	caller, err := lookup(ctx, given.Key)
	if fault.ReasonOf(err) == fault.InvalidKey {
		wrong := verdict{err: err}
		if !isKey {
			wrong.until = now.Add(tokenTTL)
		}
		s.keys.tried.Put([sha256.Size]byte(hash), wrong)
		s.keys.countWrong(address, now)
	} else if err == nil && !known {
		s.keys.tried.Put([sha256.Size]byte(hash), verdict{})
	}
	return caller, err
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
	user := externalUser{claims.Issuer, claims.Subject}
	create := func() game.Player { return s.newExternalPlayer(user, displayName(claims.Name)) }
	player, err := s.keys.externalPlayer(ctx, user, create)
	return Caller{Player: player, Service: claims.Issuer, expires: claims.Expires}, s.notSent(err)
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
	if !isPrintable(externalID) {
		return Caller{}, fault.Invalid("an external id has printable ASCII characters only").
			At(onBehalfOfField)
	}
	if len(externalID) > maxExternalID {
		return Caller{}, fault.Invalid("an external id has at most %d bytes", maxExternalID).
			With("limit", maxExternalID).At(onBehalfOfField)
	}
	user := externalUser{service, externalID}
	create := func() game.Player { return s.newExternalPlayer(user, "") }
	player, err := s.keys.externalPlayer(ctx, user, create)
	return Caller{Player: player, Service: service}, s.notSent(err)
}

// newPlayer returns a new player. Without a name the player gets one from the id.
func (s *Service) newPlayer(name string) game.Player { return s.playerWithID(s.newID(), name) }

// newExternalPlayer returns a new player in the shard of an external user.
func (s *Service) newExternalPlayer(u externalUser, name string) game.Player {
	return s.playerWithID(game.PlacedBy(s.newID(), u.service, u.externalID), name)
}

func (s *Service) playerWithID(id, name string) game.Player {
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
