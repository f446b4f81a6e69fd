// Package tokens verifies the tokens (JWT) of OpenID Connect issuers: signature, type, audience and
// validity period. It does not issue tokens or map their subjects to players.
package tokens

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// Leeway is the tolerated difference between the clocks of an issuer and this machine.
const Leeway = 30 * time.Second

// algorithms are the accepted signature algorithms. All are asymmetric, so that a verifier cannot
// sign.
var algorithms = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512,
	jose.ES256, jose.ES384, jose.ES512, jose.EdDSA,
}

// Options are the settings of a [Verifier]. All fields are required.
type Options struct {
	// Issuers are the URLs of the accepted issuers, as in the claim iss.
	Issuers []string
	// Audiences are the accepted audiences. A token must have one of them, since an issuer also
	// serves other products.
	Audiences []string
	// Types are the accepted types of a token, in its header typ and its claim typ; a token may
	// have neither. Issuers sign other things too, such as refresh tokens.
	Types []string
	// NameClaim is the claim with the display name.
	NameClaim string
	// Log receives problems with an issuer. It never receives a token.
	Log *slog.Logger
}

// Identity holds the claims of a valid token.
type Identity struct {
	Issuer, Subject string
	// Name is the display name, or "".
	Name string
	// Expires is the end of the validity period.
	Expires time.Time
}

// Verifier verifies tokens. It is safe for concurrent use.
type Verifier struct {
	issuers map[string]*keySet
	options Options
}

// New returns a verifier. It contacts an issuer when the first token of that issuer arrives.
func New(o Options) (*Verifier, error) {
	if len(o.Audiences) == 0 {
		return nil, errors.New("no audience: set the audience of the tokens")
	}
	v := &Verifier{issuers: map[string]*keySet{}, options: o}
	for _, address := range o.Issuers {
		if err := validateURL(address); err != nil {
			return nil, err
		}
		v.issuers[address] = newKeySet(address, o.Log)
	}
	return v, nil
}

// validateURL rejects an address of keys, or of their address, that can be changed in transit.
func validateURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return fmt.Errorf("invalid issuer %q: use an https URL", address)
	}
	local := u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()
	if u.Scheme != "https" && (u.Scheme != "http" || !local) {
		return fmt.Errorf("insecure issuer %s: use an https URL", address)
	}
	return nil
}

// Run refreshes the keys of the issuers regularly until ctx ends, so that a withdrawn key becomes
// invalid.
func (v *Verifier) Run(ctx context.Context) {
	ticker := time.NewTicker(refreshInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			v.Refresh(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// Refresh fetches the keys of the issuers that have sent keys before.
func (v *Verifier) Refresh(ctx context.Context) {
	for _, keys := range v.issuers {
		keys.refresh(ctx)
	}
}

// Verify returns the identity in a token. It fails with the reason INVALID_KEY for an invalid token
// and with ISSUER_UNAVAILABLE if the key of the token is unknown and cannot be fetched now.
func (v *Verifier) Verify(ctx context.Context, token string) (Identity, error) {
	issuer := claimedIssuer(token)
	keys, ok := v.issuers[issuer]
	if !ok {
		return Identity{}, invalid("issuer", "unknown issuer")
	}
	parsed, err := jwt.ParseSigned(token, algorithms)
	if err != nil {
		return Identity{}, invalid("signature",
			"malformed token or signature algorithm that is not accepted")
	}
	candidates, err := keys.find(ctx, parsed.Headers[0].KeyID)
	if err != nil {
		return Identity{}, err
	}
	var registered jwt.Claims
	var claims map[string]any
	if !slices.ContainsFunc(candidates, func(key jose.JSONWebKey) bool {
		return parsed.Claims(key, &registered, &claims) == nil
	}) {
		return Identity{}, invalid("signature", "no key of the issuer matches the signature")
	}
	if registered.Issuer != issuer { // claimedIssuer ignores the case of the name iss
		return Identity{}, invalid("issuer", "ambiguous issuer")
	}
	for _, typ := range []any{parsed.Headers[0].ExtraHeaders[jose.HeaderType], claims["typ"]} {
		if !v.acceptsType(typ) {
			return Identity{}, invalid("type",
				fmt.Sprintf("tokens of the type %.40q do not identify a caller", fmt.Sprint(typ)))
		}
	}
	if _, ok := claims["events"]; ok {
		return Identity{}, invalid("type", "tokens with the claim events do not identify a caller")
	}
	if err := v.validate(registered); err != nil {
		return Identity{}, err
	}
	name, _ := claims[v.options.NameClaim].(string)
	expires := registered.Expiry.Time().Add(Leeway)
	return Identity{registered.Issuer, registered.Subject, name, expires}, nil
}

// acceptsType reports whether a token may have a value of typ.
func (v *Verifier) acceptsType(typ any) bool {
	if typ == nil {
		return true
	}
	text, _ := typ.(string)
	text = strings.TrimPrefix(strings.ToLower(text), "application/")
	return slices.ContainsFunc(v.options.Types, func(accepted string) bool {
		return strings.EqualFold(accepted, text)
	})
}

// validate verifies the audience, the subject and the validity period.
func (v *Verifier) validate(claims jwt.Claims) error {
	expected := jwt.Expected{AnyAudience: v.options.Audiences}
	switch err := claims.ValidateWithLeeway(expected, Leeway); {
	case claims.Subject == "":
		return invalid("claims", "the claim sub is missing")
	case strings.IndexByte(claims.Subject, 0) >= 0:
		return invalid("claims", "the claim sub has a NUL character")
	case claims.Expiry == nil, errors.Is(err, jwt.ErrExpired):
		return invalid("expired", "expired")
	case errors.Is(err, jwt.ErrInvalidAudience):
		return invalid("audience", "issued for another audience")
	case err != nil:
		return invalid("nbf", "not valid yet")
	}
	return nil
}

// claimedIssuer returns the claim iss of a token without verifying it.
func claimedIssuer(token string) string {
	_, rest, _ := strings.Cut(token, ".")
	payload, _, _ := strings.Cut(rest, ".")
	var claims struct {
		Issuer string `json:"iss"`
	}
	text, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil || json.Unmarshal(text, &claims) != nil {
		return ""
	}
	return claims.Issuer
}

func invalid(problem, message string) error {
	return fault.New(fault.InvalidKey, "invalid token: %s", message).With("problem", problem)
}

func unavailable(retry time.Duration) error {
	return fault.New(fault.IssuerUnavailable,
		"the key of the token is unknown and cannot be fetched now: retry later").RetryIn(retry)
}
