package tokens

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/time/rate"
)

const (
	// fetchInterval limits the requests to an issuer, after a burst of fetchBurst. It protects the
	// issuer from tokens with made-up key ids, and delays the first use of a new key by at most as
	// long.
	fetchInterval = 10 * time.Second
	fetchBurst    = 3
	// fetchTimeout and maxResponseBytes limit the response of an issuer.
	fetchTimeout     = 5 * time.Second
	maxResponseBytes = 1 << 20
)

// errUnavailable is the error of a request without a usable response.
var errUnavailable = errors.New("the issuer is unavailable")

// keySet holds the keys of an issuer. It fetches them again for a token with an unknown key id. If
// that fails, it keeps the old keys.
type keySet struct {
	*oidc.RemoteKeySet
	// fetched is true once the issuer has sent its keys.
	fetched atomic.Bool
}

// noKeysFlag is the context key of a *bool that VerifySignature sets if there are no keys yet.
type noKeysFlag struct{}

// VerifySignature implements oidc.KeySet. The verifier of package oidc hides its error, so that a
// flag in the context reports a missing key set.
func (k *keySet) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	payload, err := k.RemoteKeySet.VerifySignature(ctx, token)
	switch {
	case errors.Is(err, errUnavailable):
		*ctx.Value(noKeysFlag{}).(*bool) = !k.fetched.Load()
	case ctx.Err() == nil:
		k.fetched.Store(true)
	}
	return payload, err
}

// fetcher sends requests to one issuer, at a limited rate.
type fetcher struct {
	log     *slog.Logger
	limiter *rate.Limiter
	next    http.RoundTripper
}

func newFetcher(log *slog.Logger) *fetcher {
	return &fetcher{
		log:     log,
		limiter: rate.NewLimiter(rate.Every(fetchInterval), fetchBurst),
		next: &http.Transport{
			Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: fetchTimeout, DisableKeepAlives: true,
		},
	}
}

func (f *fetcher) client() *http.Client { return &http.Client{Transport: f, Timeout: fetchTimeout} }

// RoundTrip implements http.RoundTripper.
func (f *fetcher) RoundTrip(req *http.Request) (*http.Response, error) {
	if !f.limiter.Allow() {
		return nil, errUnavailable
	}
	resp, err := f.next.RoundTrip(req)
	if err == nil && resp.StatusCode != http.StatusOK {
		_ = resp.Body.Close()
		err = errors.New(resp.Status)
	}
	if err != nil {
		f.log.Warn("request to the token issuer failed", "url", req.URL.String(), "error", err)
		return nil, fmt.Errorf("%w: %w", errUnavailable, err)
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(resp.Body, maxResponseBytes), resp.Body}
	return resp, nil
}
