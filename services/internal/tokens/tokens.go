// Package tokens checks the tokens (JWT) of OpenID Connect issuers: who signed them, for whom, and until when they are
// good. It leaves out how a token is come by, and who its subject is in this product.
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

// Leeway is how much the clocks of an issuer and of this machine may differ.
const Leeway = 30 * time.Second

// algorithms are those by which tokens may be signed: asymmetric ones, so that who can check a token cannot make one.
var algorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA,
}

// Options says which tokens are good.
type Options struct {
	// Issuers are the URLs of those whose tokens are good, as they stand in the tokens.
	Issuers []string
	// Audiences are those one of which a token must be for. There must be one, since an issuer has other customers too.
	Audiences []string
	// NameClaim is the claim that holds the name to show. Default: "name".
	NameClaim string
	// Log gets what is wrong with an issuer. It never gets a token.
	Log *slog.Logger
}

// Identity is what a good token says.
type Identity struct {
	Issuer, Subject string
	// Name is the name to show, "" for none.
	Name string
	// Expires is when the token stops being good.
	Expires time.Time
}

// Verifier checks tokens. It may be used from many goroutines.
type Verifier struct {
	issuers map[string]*issuer
	options Options
}

// New returns a verifier. It asks no issuer before there is a token of his.
func New(o Options) (*Verifier, error) {
	if len(o.Audiences) == 0 {
		return nil, errors.New("tokens need an audience to be for")
	}
	if o.NameClaim == "" {
		o.NameClaim = "name"
	}
	v := &Verifier{issuers: map[string]*issuer{}, options: o}
	for _, address := range o.Issuers {
		if err := checkAddress(address); err != nil {
			return nil, err
		}
		v.issuers[address] = newIssuer(address, o.Log)
	}
	return v, nil
}

// checkAddress refuses an issuer whose keys could be changed on their way.
func checkAddress(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return fmt.Errorf("%q is no URL of an issuer", address)
	}
	host := u.Hostname()
	if here := host == "localhost" || net.ParseIP(host).IsLoopback(); u.Scheme != "https" && (u.Scheme != "http" || !here) {
		return fmt.Errorf("the issuer %s has to be reached by https", address)
	}
	return nil
}

// Verify returns what a token says, or why it is not good: a fault with the reason INVALID_KEY or, when no keys of its
// issuer could be had yet, STORE_UNAVAILABLE.
func (v *Verifier) Verify(ctx context.Context, token string) (Identity, error) {
	from, ok := v.issuers[claimedIssuer(token)]
	if !ok {
		return Identity{}, refused("issuer", "its issuer is not known here")
	}
	checked, err := from.verify(ctx, token)
	if err != nil {
		return Identity{}, err
	}
	claims := map[string]any{}
	if err := checked.Claims(&claims); err != nil || checked.Subject == "" {
		return Identity{}, refused("claims", "it does not say whom it is about")
	}
	if notBefore, ok := claims["nbf"].(float64); ok && time.Now().Add(Leeway).Before(time.Unix(int64(notBefore), 0)) {
		return Identity{}, refused("nbf", "it is not good yet")
	}
	if !slices.ContainsFunc(checked.Audience, func(to string) bool { return slices.Contains(v.options.Audiences, to) }) {
		return Identity{}, refused("audience", "it is for somebody else")
	}
	name, _ := claims[v.options.NameClaim].(string)
	return Identity{checked.Issuer, checked.Subject, name, checked.Expiry.Add(Leeway)}, nil
}

// claimedIssuer returns the issuer that a token names, which is not known to be true yet.
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

func refused(problem, message string) error {
	return fault.New(fault.InvalidKey, "this token is not good: %s", message).With("problem", problem)
}

// issuer is one who issues tokens.
type issuer struct {
	address string
	fetch   *fetcher

	mu       sync.Mutex
	verifier *oidc.IDTokenVerifier // nil until he was asked where his keys are
}

func newIssuer(address string, log *slog.Logger) *issuer {
	return &issuer{address: address, fetch: newFetcher(log.With("issuer", address))}
}

// verify checks all that does not depend on who asks.
func (i *issuer) verify(ctx context.Context, token string) (*oidc.IDToken, error) {
	verifier, err := i.discover(ctx)
	if err != nil {
		return nil, away()
	}
	noKeys := false
	checked, err := verifier.Verify(context.WithValue(ctx, unanswered{}, &noKeys), token)
	if err == nil {
		return checked, nil
	}
	if _, expired := errors.AsType[*oidc.TokenExpiredError](err); expired {
		return nil, refused("expired", "it has expired")
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if noKeys {
		return nil, away()
	}
	return nil, refused("signature", "it is not signed with a key of its issuer")
}

// away says that it cannot be told whether a token is good.
func away() error {
	return fault.New(fault.StoreUnavailable, "the keys of the token's issuer cannot be had at the moment").RetryIn(fetchInterval)
}

// discover finds out where the issuer's keys are, unless that is known.
func (i *issuer) discover(ctx context.Context) (*oidc.IDTokenVerifier, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.verifier != nil {
		return i.verifier, nil
	}
	ctx = oidc.ClientContext(context.WithoutCancel(ctx), i.fetch.client()) // All who wait want it, not only who came first.
	provider, err := oidc.NewProvider(ctx, i.address)
	if err != nil {
		i.fetch.log.Warn("the issuer of tokens does not say where his keys are", "error", err)
		return nil, err
	}
	var found struct {
		Keys string `json:"jwks_uri"`
	}
	if err := provider.Claims(&found); err != nil {
		return nil, err
	}
	known := &keys{RemoteKeySet: oidc.NewRemoteKeySet(ctx, found.Keys)}
	i.verifier = oidc.NewVerifier(i.address, known, &oidc.Config{
		SkipClientIDCheck:    true, // There may be several, which Verify sees to.
		SupportedSigningAlgs: algorithms,
		Now:                  func() time.Time { return time.Now().Add(-Leeway) },
	})
	return i.verifier, nil
}
