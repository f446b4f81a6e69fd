package app

import (
	"fmt"

	"github.com/flipside-games/flipside/services/internal/tokens"
)

// callers is the configuration with which Game authenticates callers.
type callers struct {
	serviceKeys map[string]string
	tokens      *tokens.Verifier // nil to reject tokens
}

// callers returns the configuration in the settings.
func (a *App) callers() (callers, error) {
	var c callers
	var err error
	if c.serviceKeys, err = pairs("service-key", a.settings.ServiceKeys); err != nil {
		return c, err
	}
	for name, key := range c.serviceKeys {
		if len(key) < 32 {
			return c, fmt.Errorf(
				"--service-key: the key of %q is too short: use at least 32 characters", name)
		}
	}
	if len(a.settings.OIDCIssuers) == 0 {
		return c, nil
	}
	c.tokens, err = tokens.New(tokens.Options{
		Issuers:   a.settings.OIDCIssuers,
		Audiences: a.settings.OIDCAudiences,
		Types:     a.settings.OIDCTokenTypes,
		NameClaim: a.settings.OIDCNameClaim,
		Log:       a.log,
	})
	if err != nil {
		return c, fmt.Errorf("--oidc-issuer, --oidc-audience: %w", err)
	}
	a.background(c.tokens.Run)
	return c, nil
}
