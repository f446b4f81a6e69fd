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
	// fetchInterval is how often an issuer is asked, at most, after fetchBurst times. Whoever makes up tokens with keys that
	// there are not has him asked no more often; a key that is new is known that late at most.
	fetchInterval = 10 * time.Second
	fetchBurst    = 3
	// fetchTime is how long an answer may take, and longestAnswer how many bytes it may have.
	fetchTime     = 5 * time.Second
	longestAnswer = 1 << 20
)

// errAway says that an issuer gave no answer.
var errAway = errors.New("the issuer cannot be asked")

// keys are an issuer's keys. They are fetched again for a token whose key is not among them; when that fails, those that
// are known stay.
type keys struct {
	*oidc.RemoteKeySet
	// had is whether there has been an answer.
	had atomic.Bool
}

// unanswered marks where a call wants to be told that there has been no answer yet.
type unanswered struct{}

// VerifySignature implements oidc.KeySet. Its error does not reach who asked for it as it is.
func (k *keys) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	payload, err := k.RemoteKeySet.VerifySignature(ctx, token)
	switch {
	case errors.Is(err, errAway):
		*ctx.Value(unanswered{}).(*bool) = !k.had.Load()
	case ctx.Err() == nil:
		k.had.Store(true)
	}
	return payload, err
}

// fetcher asks an issuer, not too often.
type fetcher struct {
	log     *slog.Logger
	limiter *rate.Limiter
	next    http.RoundTripper
}

func newFetcher(log *slog.Logger) *fetcher {
	return &fetcher{
		log:     log,
		limiter: rate.NewLimiter(rate.Every(fetchInterval), fetchBurst),
		next:    &http.Transport{Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: fetchTime, DisableKeepAlives: true},
	}
}

func (f *fetcher) client() *http.Client { return &http.Client{Transport: f, Timeout: fetchTime} }

// RoundTrip implements http.RoundTripper.
func (f *fetcher) RoundTrip(req *http.Request) (*http.Response, error) {
	if !f.limiter.Allow() {
		return nil, errAway
	}
	resp, err := f.next.RoundTrip(req)
	if err == nil && resp.StatusCode != http.StatusOK {
		_ = resp.Body.Close()
		err = errors.New(resp.Status)
	}
	if err != nil {
		f.log.Warn("the issuer of tokens gives no answer", "url", req.URL.String(), "error", err)
		return nil, fmt.Errorf("%w: %w", errAway, err)
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(resp.Body, longestAnswer), resp.Body}
	return resp, nil
}
