// Package tokenstest provides a token issuer for tests. It can rotate its key and fail.
package tokenstest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Issuer serves its newest key and signs with it. It is safe for concurrent use.
type Issuer struct {
	URL string

	mu      sync.Mutex
	serial  int
	key     *rsa.PrivateKey
	fetched int
	down    bool
}

// New starts an issuer and stops it when the test ends.
func New(t testing.TB) *Issuer {
	t.Helper()
	i := &Issuer{}
	i.Rotate(t)
	server := httptest.NewServer(i)
	t.Cleanup(server.Close)
	i.URL = server.URL
	return i
}

// Rotate replaces the key.
func (i *Issuer) Rotate(t testing.TB) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.key = key
	i.serial++
}

// Down makes every response an error, or ends that.
func (i *Issuer) Down(down bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.down = down
}

// Fetched returns the number of times that the keys were fetched.
func (i *Issuer) Fetched() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.fetched
}

// ServeHTTP implements http.Handler.
func (i *Issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	switch {
	case i.down:
		http.Error(w, "down", http.StatusServiceUnavailable)
	case r.URL.Path == "/.well-known/openid-configuration":
		fmt.Fprintf(w, `{"issuer":%q,"jwks_uri":%q}`, i.URL, i.URL+"/keys")
	default:
		i.fetched++
		public, err := jose.JSONWebKey{Key: i.key.Public(), KeyID: i.kid(), Use: "sig"}.MarshalJSON()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintf(w, `{"keys":[%s]}`, public)
	}
}

func (i *Issuer) kid() string { return fmt.Sprint("key-", i.serial) }

// Claims returns the claims of a valid token. The values in others replace or, if nil, remove
// claims.
func (i *Issuer) Claims(audience, subject string, others map[string]any) map[string]any {
	claims := map[string]any{
		"iss": i.URL, "aud": audience, "sub": subject,
		"iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix(),
	}
	maps.Copy(claims, others)
	maps.DeleteFunc(claims, func(_ string, value any) bool { return value == nil })
	return claims
}

// Token signs claims with RS256.
func (i *Issuer) Token(t testing.TB, claims map[string]any) string {
	t.Helper()
	return i.signed(t, claims, "RS256", "JWT")
}

// Signed signs claims with an algorithm. An HMAC uses the public key as its secret, as in a known
// attack.
func (i *Issuer) Signed(t testing.TB, claims map[string]any, algorithm string) string {
	t.Helper()
	return i.signed(t, claims, algorithm, "JWT")
}

// Typed signs claims with RS256 under a header typ.
func (i *Issuer) Typed(t testing.TB, claims map[string]any, typ string) string {
	t.Helper()
	return i.signed(t, claims, "RS256", typ)
}

func (i *Issuer) signed(t testing.TB, claims map[string]any, algorithm, typ string) string {
	t.Helper()
	i.mu.Lock()
	defer i.mu.Unlock()
	var key any = i.key
	if algorithm[0] == 'H' {
		key = publicPEM(t, i.key.Public())
	}
	return sign(t, claims, jose.SigningKey{Algorithm: jose.SignatureAlgorithm(algorithm), Key: key},
		i.kid(), typ)
}

// Forged signs claims with a key that is not the issuer's, under the key id kid.
func Forged(t testing.TB, claims map[string]any, kid string) string {
	t.Helper()
	key, err := forgedKey()
	if err != nil {
		t.Fatal(err)
	}
	return sign(t, claims, jose.SigningKey{Algorithm: jose.RS256, Key: key}, kid, "JWT")
}

// forgedKey is made once, since that is slow.
var forgedKey = sync.OnceValues(func() (*rsa.PrivateKey, error) {
	return rsa.GenerateKey(rand.Reader, 2048)
})

func publicPEM(t testing.TB, key crypto.PublicKey) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func sign(t testing.TB, claims map[string]any, with jose.SigningKey, kid, typ string) string {
	t.Helper()
	signer, err := jose.NewSigner(with, (&jose.SignerOptions{}).WithType(jose.ContentType(typ)).
		WithHeader("kid", kid))
	if err != nil {
		t.Fatal(err)
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		t.Fatal(err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}
