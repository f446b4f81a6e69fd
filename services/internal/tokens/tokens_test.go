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

// verifier returns a verifier for an issuer, and its log.
func verifier(t *testing.T, issuer *tokenstest.Issuer) (*tokens.Verifier, *bytes.Buffer) {
	t.Helper()
	log := &bytes.Buffer{}
	v, err := tokens.New(tokens.Options{
		Issuers: []string{issuer.URL}, Audiences: []string{"other", audience}, NameClaim: "name",
		Types: []string{"JWT", "at+jwt", "Bearer"},
		Log:   slog.New(slog.NewTextHandler(log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return v, log
}

func TestVerifyReturnsTheIdentity(t *testing.T) {
	issuer := tokenstest.New(t)
	v, _ := verifier(t, issuer)
	for name, others := range map[string]map[string]any{
		"plain":                        {},
		"several audiences":            {"aud": []string{"another", audience}},
		"expired within the leeway":    {"exp": time.Now().Add(-tokens.Leeway / 2).Unix()},
		"valid from within the leeway": {"nbf": time.Now().Add(tokens.Leeway / 2).Unix()},
		"unknown claim":                {"extra": map[string]any{"a": 1}},
		"accepted type in the claims":  {"typ": "bearer"},
	} {
		t.Run(name, func(t *testing.T) {
			claims := issuer.Claims(audience, "sub-1", map[string]any{"name": "Ann"})
			maps.Copy(claims, others)
			got, err := v.Verify(t.Context(), issuer.Token(t, claims))
			if err != nil || got.Issuer != issuer.URL || got.Subject != "sub-1" || got.Name != "Ann" {
				t.Errorf("identity %+v, error %v", got, err)
			}
			if expires := time.Unix(claims["exp"].(int64), 0).Add(tokens.Leeway); !got.Expires.Equal(expires) {
				t.Errorf("Expires = %v, want %v", got.Expires, expires)
			}
		})
	}
}

func TestVerifyRejectsInvalidTokens(t *testing.T) {
	issuer, stranger := tokenstest.New(t), tokenstest.New(t)
	v, _ := verifier(t, issuer)
	claims := func(others map[string]any) map[string]any { return issuer.Claims(audience, "sub-1", others) }
	valid := issuer.Token(t, claims(nil))
	parts := strings.Split(valid, ".")
	for name, tt := range map[string]struct{ token, problem string }{
		"expired":                  {issuer.Token(t, claims(map[string]any{"exp": time.Now().Add(-time.Minute).Unix()})), "expired"},
		"no expiry":                {issuer.Token(t, claims(map[string]any{"exp": nil})), "expired"},
		"not valid yet":            {issuer.Token(t, claims(map[string]any{"nbf": time.Now().Add(time.Minute).Unix()})), "nbf"},
		"other audience":           {issuer.Token(t, issuer.Claims("elsewhere", "sub-1", nil)), "audience"},
		"no audience":              {issuer.Token(t, claims(map[string]any{"aud": nil})), "audience"},
		"no subject":               {issuer.Token(t, claims(map[string]any{"sub": nil})), "claims"},
		"other issuer":             {stranger.Token(t, stranger.Claims(audience, "sub-1", nil)), "issuer"},
		"signed by another issuer": {stranger.Token(t, claims(nil)), "signature"},
		"issuer in other letters": {issuer.Token(t, claims(map[string]any{
			"iss": stranger.URL, "isſ": issuer.URL, // equal for a decoder that ignores case
		})), "issuer"},
		"forged with a known key id": {tokenstest.Forged(t, claims(nil), "key-1"), "signature"},
		"signed with the public key": {issuer.Signed(t, claims(nil), "HS256"), "signature"},
		"algorithm none":             {unsigned(t, claims(nil)), "signature"},
		"signature cut off":          {parts[0] + "." + parts[1] + ".", "signature"},
		"claims replaced":            {parts[0] + "." + strings.Split(issuer.Token(t, claims(map[string]any{"sub": "x"})), ".")[1] + "." + parts[2], "signature"},
		"refresh token":              {issuer.Token(t, claims(map[string]any{"typ": "Refresh"})), "type"},
		"type not a text":            {issuer.Token(t, claims(map[string]any{"typ": 7})), "type"},
		"logout token by header":     {issuer.Typed(t, claims(nil), "logout+jwt"), "type"},
		"logout token by claim": {issuer.Token(t, claims(map[string]any{
			"events": map[string]any{"http://schemas.openid.net/event/backchannel-logout": map[string]any{}},
		})), "type"},
		"no token":             {"a.b.c", "issuer"},
		"no parts":             {"abc", "issuer"},
		"claims not an object": {"e30." + base64.RawURLEncoding.EncodeToString([]byte("[]")) + ".e30", "issuer"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := v.Verify(t.Context(), tt.token)
			got, _ := errors.AsType[*fault.Error](err)
			if got == nil || got.Reason != fault.InvalidKey || got.Meta["problem"] != tt.problem {
				t.Errorf("error %+v, want the problem %s", err, tt.problem)
			}
		})
	}
	if _, err := v.Verify(t.Context(), valid); err != nil {
		t.Errorf("a valid token afterwards: %v", err)
	}
}

// unsigned returns a token with the algorithm none.
func unsigned(t *testing.T, claims map[string]any) string {
	t.Helper()
	payload, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`)) + "." +
		base64.RawURLEncoding.EncodeToString(payload) + "."
}

func TestANewKeyIsFetchedOnce(t *testing.T) {
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
		t.Errorf("two keys were fetched %d times, want 2", n)
	}
}

func TestAnApplicationTypeIsAccepted(t *testing.T) {
	issuer := tokenstest.New(t)
	v, _ := verifier(t, issuer)
	token := issuer.Typed(t, issuer.Claims(audience, "sub-1", nil), "application/at+JWT")
	if _, err := v.Verify(t.Context(), token); err != nil {
		t.Error(err)
	}
}

func TestAWithdrawnKeyBecomesInvalid(t *testing.T) {
	issuer := tokenstest.New(t)
	v, _ := verifier(t, issuer)
	v.Refresh(t.Context())
	if n := issuer.Fetched(); n > 0 {
		t.Errorf("the keys were fetched %d times before the first token", n)
	}
	token := issuer.Token(t, issuer.Claims(audience, "sub-1", nil))
	if _, err := v.Verify(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	issuer.Rotate(t)
	v.Refresh(t.Context())
	if _, err := v.Verify(t.Context(), token); fault.ReasonOf(err) != fault.InvalidKey {
		t.Errorf("a token with a withdrawn key: %v, want INVALID_KEY", err)
	}
}

func TestInventedKeyIDs(t *testing.T) {
	issuer := tokenstest.New(t)
	v, _ := verifier(t, issuer)
	token := issuer.Token(t, issuer.Claims(audience, "sub-1", nil))
	reasons := map[fault.Reason]int{}
	for range 50 {
		_, err := v.Verify(t.Context(), tokenstest.Forged(t, issuer.Claims(audience, "sub-1", nil), "invented"))
		reasons[fault.ReasonOf(err)]++
	}
	if reasons[fault.InvalidKey] == 0 || reasons[fault.InvalidKey]+reasons[fault.IssuerUnavailable] != 50 {
		t.Errorf("tokens with invented key ids were rejected for %v", reasons)
	}
	if n := issuer.Fetched(); n > 3 {
		t.Errorf("the keys were fetched %d times, want at most 3", n)
	}
	if _, err := v.Verify(t.Context(), token); err != nil {
		t.Errorf("a token with a fetched key meanwhile: %v", err)
	}
	issuer.Rotate(t)
	fresh := issuer.Token(t, issuer.Claims(audience, "sub-1", nil))
	_, err := v.Verify(t.Context(), fresh)
	got, _ := errors.AsType[*fault.Error](err)
	if got == nil || got.Reason != fault.IssuerUnavailable || got.RetryAfter <= 0 || got.RetryAfter > 10*time.Second {
		t.Errorf("a token with a new key meanwhile: %+v, want ISSUER_UNAVAILABLE with a retry delay", err)
	}
}

func TestAForgedSignatureFetchesNoKeys(t *testing.T) {
	issuer := tokenstest.New(t)
	v, _ := verifier(t, issuer)
	for range 5 {
		_, err := v.Verify(t.Context(), tokenstest.Forged(t, issuer.Claims(audience, "sub-1", nil), "key-1"))
		if fault.ReasonOf(err) != fault.InvalidKey {
			t.Errorf("error %v, want INVALID_KEY", err)
		}
	}
	if n := issuer.Fetched(); n != 1 {
		t.Errorf("the keys were fetched %d times, want once", n)
	}
}

func TestFetchedKeysWorkWhileTheIssuerIsDown(t *testing.T) {
	issuer := tokenstest.New(t)
	v, log := verifier(t, issuer)
	token := issuer.Token(t, issuer.Claims(audience, "sub-1", nil))
	if _, err := v.Verify(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	issuer.Down(true)
	issuer.Rotate(t)
	fresh := issuer.Token(t, issuer.Claims(audience, "sub-1", nil))
	if _, err := v.Verify(t.Context(), fresh); fault.ReasonOf(err) != fault.IssuerUnavailable {
		t.Errorf("a token with a new key: %v, want ISSUER_UNAVAILABLE", err)
	}
	v.Refresh(t.Context())
	if _, err := v.Verify(t.Context(), token); err != nil {
		t.Errorf("a token with a fetched key: %v", err)
	}
	if !strings.Contains(log.String(), "cannot fetch the keys of the token issuer") || strings.Contains(log.String(), token) {
		t.Errorf("log: %s", log)
	}
}

func TestWithoutKeysTheIssuerIsUnavailable(t *testing.T) {
	issuer := tokenstest.New(t)
	issuer.Down(true)
	v, _ := verifier(t, issuer)
	_, err := v.Verify(t.Context(), issuer.Token(t, issuer.Claims(audience, "sub-1", nil)))
	got, _ := errors.AsType[*fault.Error](err)
	if got == nil || got.Reason != fault.IssuerUnavailable || got.RetryAfter == 0 {
		t.Fatalf("error %v, want ISSUER_UNAVAILABLE with a retry delay", err)
	}
	issuer.Down(false)
	if _, err := v.Verify(t.Context(), issuer.Token(t, issuer.Claims(audience, "sub-1", nil))); err != nil {
		t.Errorf("after the issuer came back: %v", err)
	}
}

func TestNewRejectsInsecureSettings(t *testing.T) {
	for name, o := range map[string]tokens.Options{
		"no audience":      {Issuers: []string{"https://login.example"}},
		"issuer over http": {Issuers: []string{"http://login.example"}, Audiences: []string{audience}},
		"issuer not a URL": {Issuers: []string{"login.example"}, Audiences: []string{audience}},
		"issuer over ftp":  {Issuers: []string{"ftp://login.example"}, Audiences: []string{audience}},
	} {
		if _, err := tokens.New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
