// Package tokens verifies the tokens (JWT) of OpenID Connect issuers: signature, audience and
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
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// Leeway is the tolerated difference between the clocks of an issuer and this machine.
const Leeway = 30 * time.Second

// algorithms are the accepted signature algorithms. All are asymmetric, so that a verifier cannot
// sign.
var algorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512,
	oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA,
}

// Options are the settings of a [Verifier]. All fields are required.
type Options struct {
	// Issuers are the URLs of the accepted issuers, as in the claim iss.
	Issuers []string
	// Audiences are the accepted audiences. A token must have one of them, since an issuer also
	// serves other products.
	Audiences []string
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
	issuers map[string]*issuer
	options Options
}

// New returns a verifier. It contacts an issuer when the first token of that issuer arrives.
func New(o Options) (*Verifier, error) {
	if len(o.Audiences) == 0 {
		return nil, errors.New("no audience: set the audience of the tokens")
	}
	v := &Verifier{issuers: map[string]*issuer{}, options: o}
	for _, address := range o.Issuers {
		if err := validateIssuerURL(address); err != nil {
			return nil, err
		}
		v.issuers[address] = &issuer{address: address, fetch: newFetcher(o.Log.With("issuer", address))}
	}
	return v, nil
}

// validateIssuerURL rejects an issuer whose keys could be changed in transit.
func validateIssuerURL(address string) error {
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

// Verify returns the identity in a token. It fails with the reason INVALID_KEY for an invalid token
// and with STORE_UNAVAILABLE if the keys of the issuer have never been fetched.
func (v *Verifier) Verify(ctx context.Context, token string) (Identity, error) {
	issuer, ok := v.issuers[claimedIssuer(token)]
	if !ok {
		return Identity{}, invalid("issuer", "unknown issuer")
	}
	verified, err := issuer.verify(ctx, token)
	if err != nil {
		return Identity{}, err
	}
	claims := map[string]any{}
	if err := verified.Claims(&claims); err != nil || verified.Subject == "" {
		return Identity{}, invalid("claims", "the claim sub is missing")
	}
	notBefore, ok := claims["nbf"].(float64)
	if ok && time.Now().Add(Leeway).Before(time.Unix(int64(notBefore), 0)) {
		return Identity{}, invalid("nbf", "not valid yet")
	}
	accepted := func(audience string) bool { return slices.Contains(v.options.Audiences, audience) }
	if !slices.ContainsFunc(verified.Audience, accepted) {
		return Identity{}, invalid("audience", "issued for another audience")
	}
	name, _ := claims[v.options.NameClaim].(string)
	return Identity{verified.Issuer, verified.Subject, name, verified.Expiry.Add(Leeway)}, nil
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

func unavailable() error {
	return fault.New(fault.StoreUnavailable, "the keys of the token issuer are unavailable: retry later").
		RetryIn(fetchInterval)
}

// issuer verifies the tokens of one issuer.
type issuer struct {
	address string
	fetch   *fetcher

	mu       sync.Mutex
	verifier *oidc.IDTokenVerifier // nil before discovery
}

// verify verifies everything but the audience, the subject and the claim nbf.
func (i *issuer) verify(ctx context.Context, token string) (*oidc.IDToken, error) {
	verifier, err := i.discover(ctx)
	if err != nil {
		return nil, unavailable()
	}
	noKeys := false
	verified, err := verifier.Verify(context.WithValue(ctx, noKeysFlag{}, &noKeys), token)
	if err == nil {
		return verified, nil
	}
	if _, expired := errors.AsType[*oidc.TokenExpiredError](err); expired {
		return nil, invalid("expired", "expired")
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if noKeys {
		return nil, unavailable()
	}
	return nil, invalid("signature", "no key of the issuer matches the signature")
}

// discover returns the verifier of the issuer. The first call fetches the address of the keys.
func (i *issuer) discover(ctx context.Context) (*oidc.IDTokenVerifier, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.verifier != nil {
		return i.verifier, nil
	}
	ctx = context.WithoutCancel(ctx) // Other calls wait for the same result.
	ctx = oidc.ClientContext(ctx, i.fetch.client())
	provider, err := oidc.NewProvider(ctx, i.address)
	if err != nil {
		i.fetch.log.Warn("discovery of the token issuer failed", "error", err)
		return nil, err
	}
	var metadata struct {
		Keys string `json:"jwks_uri"`
	}
	if err := provider.Claims(&metadata); err != nil {
		return nil, err
	}
	keys := &keySet{RemoteKeySet: oidc.NewRemoteKeySet(ctx, metadata.Keys)}
	i.verifier = oidc.NewVerifier(i.address, keys, &oidc.Config{
		SkipClientIDCheck:    true, // Verify accepts several audiences.
		SupportedSigningAlgs: algorithms,
		Now:                  func() time.Time { return time.Now().Add(-Leeway) },
	})
	return i.verifier, nil
}
