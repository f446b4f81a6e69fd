package cli

import (
	"fmt"
	"os"
	"strings"
)

// settings say where the services are and who the user is, as they are in force in this run.
type settings struct {
	context         string // under which a key is found or saved
	address         string
	strategyAddress string
	key             string // "" where there is none yet
	keyFrom         string // where the key was found, for people
	security        security
}

// inForce returns the settings. Flags stand above a context that was asked for, that one above the environment, and
// it above the current context.
func (p *program) inForce() (*settings, error) {
	if p.settings != nil {
		return p.settings, nil
	}
	saved, err := p.loadConfig()
	if err != nil {
		return nil, err
	}
	s, err := p.addresses(saved)
	if err != nil {
		return nil, err
	}
	if err := p.findKey(s, saved); err != nil {
		return nil, err
	}
	p.settings = s
	return s, nil
}

func (p *program) addresses(saved *config) (*settings, error) {
	name, env := saved.current(), p.env
	if asked := p.flags.context; asked != "" {
		if _, ok := saved.Contexts[asked]; !ok {
			return nil, noContext(asked, saved)
		}
		name, env = asked, nothing
	}
	address := firstOf(p.flags.address, env("FLIPSIDE_ADDRESS"))
	if address != "" && address != saved.Contexts[name].at() {
		name = saved.at(address)
	}
	held := saved.Contexts[name]
	s := &settings{context: name, address: firstOf(address, held.at())}
	s.strategyAddress = firstOf(p.flags.strategyAddress, env("FLIPSIDE_STRATEGY_ADDRESS"),
		held.StrategyAddress, defaultStrategyAddress)
	said, err := securityFrom(env)
	if err != nil {
		return nil, err
	}
	s.security = p.flags.security.or(said).or(held.security)
	return s, nil
}

// findKey looks for the user's key. A saved one is only for the address it was saved with.
func (p *program) findKey(s *settings, saved *config) error {
	if s.key, s.keyFrom = p.flags.key, "--key"; s.key != "" {
		return nil
	}
	if p.flags.context == "" {
		if s.key, s.keyFrom = p.env("FLIPSIDE_KEY"), "FLIPSIDE_KEY"; s.key != "" {
			return nil
		}
		if path := p.env("FLIPSIDE_KEY_FILE"); path != "" {
			text, err := os.ReadFile(path)
			if err != nil {
				return fmt.Errorf("FLIPSIDE_KEY_FILE does not read: %w", err)
			}
			s.key, s.keyFrom = strings.TrimSpace(string(text)), "FLIPSIDE_KEY_FILE"
			return nil
		}
	}
	s.key, s.keyFrom = saved.Contexts[s.context].Key, fmt.Sprintf("context %q", s.context)
	return nil
}

// savedKey tells whether the key in force is, or would be, the one of the context.
func (s *settings) savedKey() bool { return strings.HasPrefix(s.keyFrom, "context ") }

// saveKey saves a key in the context in force, together with the addresses it is for, and uses it from now on. If
// another run has saved one meanwhile, and replace is not set, that one is kept and used.
func (p *program) saveKey(s *settings, key string, replace bool) error {
	secured, err := s.security.fromAnywhere()
	if err != nil {
		return err
	}
	err = p.changeConfig(func(c *config) {
		held := c.Contexts[s.context]
		if held.Key != "" && !replace {
			key = held.Key
			return
		}
		held.Address, held.Key, held.security = s.address, key, secured
		held.StrategyAddress = firstOf(held.StrategyAddress, s.strategyAddress)
		c.Contexts[s.context] = held
	})
	if err == nil {
		s.key, s.keyFrom = key, fmt.Sprintf("context %q", s.context)
	}
	return err
}

func noContext(name string, saved *config) error {
	if len(saved.Contexts) == 0 {
		return usagef("there is no context %q; make it with: flipside context set %s --address HOST:PORT", name, name)
	}
	return usagef("there is no context %q; there is %s", name, strings.Join(saved.names(), ", "))
}

// nothing is an environment in which nothing is set.
func nothing(string) string { return "" }
