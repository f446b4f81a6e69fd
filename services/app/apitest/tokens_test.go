package apitest

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/app"
	"github.com/flipside-games/flipside/services/internal/tokens/tokenstest"
)

// Callers with tokens that are not good.
const (
	forAnother    = "a token for another audience"
	expired       = "a token that has expired"
	ofAnother     = "a token of another issuer"
	unsigned      = "a token that is not signed"
	withPublicKey = "a token signed with the public key as a secret"
	forged        = "a token signed with the forger's key"
)

// audience is whom good tokens are for.
const audience = "flipside-api"

// startWithTokens starts a server that takes the tokens of an issuer.
func startWithTokens(t *testing.T) *server {
	t.Helper()
	issuer := tokenstest.New(t)
	s := startServer(t, func(s *app.Settings) {
		s.OIDCIssuers, s.OIDCAudiences = []string{issuer.URL}, []string{audience}
	})
	s.issuer = issuer
	return s
}

// token returns the token that a caller shows, "" for who has none.
func (s *scene) token(who string) string {
	s.Helper()
	i := s.server.issuer
	if i == nil {
		return ""
	}
	claims := i.Claims(audience, who, map[string]any{"name": who})
	switch who {
	case tokenOfTom, tokenOfTia:
		return i.Token(s, claims)
	case forAnother:
		return i.Token(s, i.Claims("another", who, nil))
	case expired:
		return i.Token(s, i.Claims(audience, who, map[string]any{"exp": time.Now().Add(-time.Hour).Unix()}))
	case ofAnother:
		claims["iss"] = "https://login.example"
		return i.Token(s, claims)
	case unsigned:
		header := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`))
		return header + "." + strings.Split(i.Token(s, claims), ".")[1] + "."
	case withPublicKey:
		return i.Signed(s, claims, "HS256")
	case forged:
		return tokenstest.Forged(s, claims, "key-1")
	}
	return ""
}
