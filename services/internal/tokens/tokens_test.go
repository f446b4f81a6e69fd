package tokens_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/tokens"
	"github.com/flipside-games/flipside/services/internal/tokens/tokenstest"
)

const audience = "flipside"

// verifier returns one that takes the tokens of an issuer, and what it logs.
func verifier(t *testing.T, issuer *tokenstest.Issuer) (*tokens.Verifier, *bytes.Buffer) {
	t.Helper()
	log := &bytes.Buffer{}
	v, err := tokens.New(tokens.Options{
		Issuers: []string{issuer.URL}, Audiences: []string{"other", audience}, Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return v, log
}

func TestAGoodTokenSaysWhoItIs(t *testing.T) {
	issuer := tokenstest.New(t)
	v, _ := verifier(t, issuer)
	for name, others := range map[string]map[string]any{
		"plain":                        {},
		"for several":                  {"aud": []string{"somebody", audience}},
		"expired a moment ago":         {"exp": time.Now().Add(-tokens.Leeway / 2).Unix()},
		"good in a moment":             {"nbf": time.Now().Add(tokens.Leeway / 2).Unix()},
		"of an issuer with other news": {"extra": map[string]any{"a": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			claims := issuer.Claims(audience, "sub-1", map[string]any{"name": "Ann"})
			maps.Copy(claims, others)
			got, err := v.Verify(t.Context(), issuer.Token(t, claims))
			if err != nil || got.Issuer != issuer.URL || got.Subject != "sub-1" || got.Name != "Ann" {
				t.Errorf("it says %+v, %v", got, err)
			}
			if expires := time.Unix(claims["exp"].(int64), 0).Add(tokens.Leeway); !got.Expires.Equal(expires) {
				t.Errorf("it expires at %v, want %v", got.Expires, expires)
			}
		})
	}
}

func TestATokenThatIsNotGoodIsRefused(t *testing.T) {
	issuer, stranger := tokenstest.New(t), tokenstest.New(t)
	v, _ := verifier(t, issuer)
	claims := func(others map[string]any) map[string]any { return issuer.Claims(audience, "sub-1", others) }
	good := issuer.Token(t, claims(nil))
	parts := strings.Split(good, ".")
	for name, tt := range map[string]struct{ token, problem string }{
		"expired":                        {issuer.Token(t, claims(map[string]any{"exp": time.Now().Add(-time.Minute).Unix()})), "expired"},
		"without an end":                 {issuer.Token(t, claims(map[string]any{"exp": nil})), "expired"},
		"not good yet":                   {issuer.Token(t, claims(map[string]any{"nbf": time.Now().Add(time.Minute).Unix()})), "nbf"},
		"for another audience":           {issuer.Token(t, issuer.Claims("elsewhere", "sub-1", nil)), "audience"},
		"for no audience":                {issuer.Token(t, claims(map[string]any{"aud": nil})), "audience"},
		"about nobody":                   {issuer.Token(t, claims(map[string]any{"sub": nil})), "claims"},
		"of another issuer":              {stranger.Token(t, stranger.Claims(audience, "sub-1", nil)), "issuer"},
		"of another under this name":     {stranger.Token(t, claims(nil)), "signature"},
		"forged under a key's id":        {tokenstest.Forged(t, claims(nil), "key-1"), "signature"},
		"signed with the public key":     {issuer.Signed(t, claims(nil), "HS256"), "signature"},
		"not signed":                     {unsigned(t, claims(nil)), "signature"},
		"with the signature cut off":     {parts[0] + "." + parts[1] + ".", "signature"},
		"with another's claims":          {parts[0] + "." + strings.Split(issuer.Token(t, claims(map[string]any{"sub": "x"})), ".")[1] + "." + parts[2], "signature"},
		"that is none":                   {"a.b.c", "issuer"},
		"that has no parts":              {"abc", "issuer"},
		"whose claims are not an object": {"e30." + base64.RawURLEncoding.EncodeToString([]byte("[]")) + ".e30", "issuer"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := v.Verify(t.Context(), tt.token)
			refused, _ := errors.AsType[*fault.Error](err)
			if refused == nil || refused.Reason != fault.InvalidKey || refused.Meta["problem"] != tt.problem {
				t.Errorf("refused with %+v, want the problem %s", err, tt.problem)
			}
		})
	}
	if _, err := v.Verify(t.Context(), good); err != nil {
		t.Errorf("a good one afterwards: %v", err)
	}
}

// unsigned is a token of the algorithm none.
func unsigned(t *testing.T, claims map[string]any) string {
	t.Helper()
	payload, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`)) + "." +
		base64.RawURLEncoding.EncodeToString(payload) + "."
}

func TestAKeyThatIsNewIsFetched(t *testing.T) {
	issuer := tokenstest.New(t)
	v, _ := verifier(t, issuer)
	for range 2 {
		for range 5 {
			if _, err := v.Verify(t.Context(), issuer.Token(t, issuer.Claims(audience, "sub-1", nil))); err != nil {
				t.Fatal(err)
			}
		}
		issuer.Rotate(t)
	}
	if n := issuer.Fetched(); n != 2 {
		t.Errorf("two keys were fetched %d times", n)
	}
}

func TestMadeUpKeysDoNotHaveTheIssuerAskedAllTheTime(t *testing.T) {
	issuer := tokenstest.New(t)
	v, _ := verifier(t, issuer)
	for range 50 {
		if _, err := v.Verify(t.Context(), tokenstest.Forged(t, issuer.Claims(audience, "sub-1", nil), "made-up")); err == nil {
			t.Fatal("a forged token is good")
		}
	}
	if n := issuer.Fetched(); n > 3 {
		t.Errorf("the keys were fetched %d times", n)
	}
	if _, err := v.Verify(t.Context(), issuer.Token(t, issuer.Claims(audience, "sub-1", nil))); err != nil {
		t.Errorf("a good token meanwhile: %v", err)
	}
}

func TestKeysThatAreKnownAreGoodWhileTheIssuerIsAway(t *testing.T) {
	issuer := tokenstest.New(t)
	v, log := verifier(t, issuer)
	token := issuer.Token(t, issuer.Claims(audience, "sub-1", nil))
	if _, err := v.Verify(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	issuer.Down(true)
	issuer.Rotate(t)
	fresh := issuer.Token(t, issuer.Claims(audience, "sub-1", nil))
	if _, err := v.Verify(t.Context(), fresh); fault.ReasonOf(err) != fault.InvalidKey {
		t.Errorf("a token with a key that cannot be fetched: %v", err)
	}
	if _, err := v.Verify(t.Context(), token); err != nil {
		t.Errorf("a token with a known key: %v", err)
	}
	if !strings.Contains(log.String(), "gives no answer") || strings.Contains(log.String(), token) {
		t.Errorf("the log says: %s", log)
	}
}

func TestAnIssuerWhoWasNeverThereIsAway(t *testing.T) {
	issuer := tokenstest.New(t)
	issuer.Down(true)
	v, _ := verifier(t, issuer)
	_, err := v.Verify(t.Context(), issuer.Token(t, issuer.Claims(audience, "sub-1", nil)))
	away, _ := errors.AsType[*fault.Error](err)
	if away == nil || away.Reason != fault.StoreUnavailable || away.RetryAfter == 0 {
		t.Fatalf("refused with %v", err)
	}
	issuer.Down(false)
	if _, err := v.Verify(t.Context(), issuer.Token(t, issuer.Claims(audience, "sub-1", nil))); err != nil {
		t.Errorf("when he is there: %v", err)
	}
}

func TestSettingsThatLetAnybodyInAreRefused(t *testing.T) {
	for name, o := range map[string]tokens.Options{
		"no audience":             {Issuers: []string{"https://login.example"}},
		"an issuer in the clear":  {Issuers: []string{"http://login.example"}, Audiences: []string{audience}},
		"an issuer that is none":  {Issuers: []string{"login.example"}, Audiences: []string{audience}},
		"an issuer without a way": {Issuers: []string{"ftp://login.example"}, Audiences: []string{audience}},
	} {
		if _, err := tokens.New(o); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
