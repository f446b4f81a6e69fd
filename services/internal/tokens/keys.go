package tokens

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"
	"golang.org/x/time/rate"
)

const (
	// refreshInterval is the interval between two regular fetches of the keys of an issuer: the
	// longest time that a withdrawn key stays valid.
	refreshInterval = 3 * time.Minute
	// fetchInterval limits the fetches for tokens with unknown key ids, after a burst of fetchBurst.
	// It protects the issuer from tokens with invented key ids, and delays the first use of a new
	// key by at most as long.
	fetchInterval = 10 * time.Second
	fetchBurst    = 3
	// fetchTimeout and maxResponseBytes limit a fetch and each of its responses.
	fetchTimeout     = 5 * time.Second
	maxResponseBytes = 1 << 20
)

// keySet holds the public keys of an issuer. It keeps them until a fetch succeeds.
type keySet struct {
	issuer  string
	log     *slog.Logger
	client  *http.Client
	limiter *rate.Limiter
	// fetching holds a value during a fetch.
	fetching chan struct{}
	// keys are nil before the first fetch.
	keys atomic.Pointer[[]jose.JSONWebKey]
}

func newKeySet(issuer string, log *slog.Logger) *keySet {
	return &keySet{
		issuer:  issuer,
		log:     log.With("issuer", issuer),
		limiter: rate.NewLimiter(rate.Every(fetchInterval), fetchBurst),
		client: &http.Client{Timeout: fetchTimeout, Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: fetchTimeout, DisableKeepAlives: true,
		}},
		fetching: make(chan struct{}, 1),
	}
}

// find returns the keys with an id, or all keys for an empty id. If there is none, it fetches the
// keys again. If it cannot, it fails with the reason ISSUER_UNAVAILABLE.
func (k *keySet) find(ctx context.Context, id string) ([]jose.JSONWebKey, error) {
	known := k.keys.Load()
	if found := withID(known, id); len(found) > 0 {
		return found, nil
	}
	select {
	case k.fetching <- struct{}{}:
		defer func() { <-k.fetching }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if k.keys.Load() == known { // No other caller has fetched them meanwhile.
		next := k.limiter.Reserve()
		if delay := next.Delay(); delay > 0 {
			next.Cancel()
			return nil, unavailable(delay)
		}
		if err := k.fetch(context.WithoutCancel(ctx)); err != nil {
			return nil, unavailable(fetchInterval)
		}
	}
	return withID(k.keys.Load(), id), nil
}

func withID(keys *[]jose.JSONWebKey, id string) []jose.JSONWebKey {
	if keys == nil {
		return nil
	}
	if id == "" {
		return *keys
	}
	return slices.DeleteFunc(slices.Clone(*keys),
		func(key jose.JSONWebKey) bool { return key.KeyID != id })
}

// refresh fetches the keys if they were fetched before.
func (k *keySet) refresh(ctx context.Context) {
	if k.keys.Load() == nil {
		return
	}
	select {
	case k.fetching <- struct{}{}:
		defer func() { <-k.fetching }()
		_ = k.fetch(ctx) // It logs errors. The next refresh follows soon.
	case <-ctx.Done():
	}
}

// fetch replaces the keys by those that the issuer publishes. It logs an error.
func (k *keySet) fetch(ctx context.Context) error {
	keys, err := k.published(ctx)
	if err != nil {
		k.log.Warn("cannot fetch the keys of the token issuer", "error", err)
		return err
	}
	k.keys.Store(&keys)
	return nil
}

// published returns the keys that the issuer publishes.
func (k *keySet) published(ctx context.Context) ([]jose.JSONWebKey, error) {
	var metadata struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	err := k.get(ctx, strings.TrimSuffix(k.issuer, "/")+"/.well-known/openid-configuration", &metadata)
	if err != nil {
		return nil, err
	}
	if metadata.Issuer != k.issuer {
		return nil, fmt.Errorf("the metadata is that of the issuer %q", metadata.Issuer)
	}
	if err := validateURL(metadata.Keys); err != nil {
		return nil, fmt.Errorf("jwks_uri: %w", err)
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := k.get(ctx, metadata.Keys, &set); err != nil {
		return nil, err
	}
	var keys []jose.JSONWebKey
	for _, encoded := range set.Keys {
		var key jose.JSONWebKey
		// Ignore keys of other kinds and for other purposes.
		if json.Unmarshal(encoded, &key) == nil && key.IsPublic() && key.Use != "enc" {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("the issuer publishes no key for signatures")
	}
	return keys, nil
}

// get fetches a JSON document.
func (k *keySet) get(ctx context.Context, url string, document any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	resp, err := k.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, resp.Status)
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxResponseBytes)).
		Decode(document); err != nil {
		return fmt.Errorf("%s: not the expected JSON document: %w", url, err)
	}
	return nil
}
