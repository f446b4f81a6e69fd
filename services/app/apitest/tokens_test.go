package apitest

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/app"
	"github.com/flipside-games/flipside/services/internal/tokens/tokenstest"
)

// Callers with invalid tokens.
const (
	forAnother    = "a token for another audience"
	expired       = "an expired token"
	ofAnother     = "a token of another issuer"
	unsigned      = "an unsigned token"
	withPublicKey = "a token signed with the public key as a secret"
	forged        = "a token signed with the forger's key"
	ofRefresh     = "a refresh token"
	ofLogout      = "a logout token"
)

// audience is the audience of valid tokens.
const audience = "flipside-api"

// startWithTokens starts a server that accepts the tokens of an issuer.
func startWithTokens(t *testing.T) *server {
	t.Helper()
	issuer := tokenstest.New(t)
	s := startServer(t, func(s *app.Settings) {
		s.OIDCIssuers, s.OIDCAudiences = []string{issuer.URL}, []string{audience}
	})
	s.issuer = issuer
	return s
}

// startWithoutIssuer starts a server that accepts the tokens of an issuer that is down.
func startWithoutIssuer(t *testing.T, change changeSettings) *server {
	t.Helper()
	issuer := tokenstest.New(t)
	issuer.Down(true)
	s := startServer(t, change.and(func(s *app.Settings) {
		s.OIDCIssuers, s.OIDCAudiences = []string{issuer.URL}, []string{audience}
	}))
	s.issuer = issuer
	return s
}

var issuerFailures = []apiCase{
	{"GetMe with a token", tokenOfTom, "GetMe", nil, `{}`, issuerUnavailable},
	{"WatchTurns with a token", tokenOfTom, "WatchTurns", nil, `{}`, issuerUnavailable},
	{"GetMe with a key", ann, "GetMe", nil, `{}`, ok},
}

// token returns the token of a caller, "" for none.
func (s *scene) token(caller string) string {
	s.Helper()
	i := s.server.issuer
	if i == nil {
		return ""
	}
	claims := i.Claims(audience, caller, map[string]any{"name": caller})
	switch caller {
	case tokenOfTom, tokenOfTia:
		return i.Token(s, claims)
	case forAnother:
		return i.Token(s, i.Claims("another", caller, nil))
	case expired:
		return i.Token(s, i.Claims(audience, caller, map[string]any{"exp": time.Now().Add(-time.Hour).Unix()}))
	case ofAnother:
		claims["iss"] = "https://login.example"
		return i.Token(s, claims)
	case unsigned:
		header := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`))
		return header + "." + strings.Split(i.Token(s, claims), ".")[1] + "."
	case withPublicKey:
		return i.Signed(s, claims, "HS256")
	case ofRefresh:
		claims["typ"] = "Refresh"
		return i.Token(s, claims)
	case ofLogout:
		claims["events"] = map[string]any{"http://schemas.openid.net/event/backchannel-logout": map[string]any{}}
		return i.Token(s, claims)
	case forged:
		return tokenstest.Forged(s, claims, "key-1")
	}
	return ""
}
