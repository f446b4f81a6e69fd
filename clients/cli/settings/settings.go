package settings

import (
	"cmp"
	"fmt"
	"os"
	"strings"
)

// Settings are the servers and the key that a run uses.
type Settings struct {
	Context         string // where the key is loaded from and saved to
	Address         string // of the Game service
	StrategyAddress string
	Key             string // "" if the user has none yet
	KeySource       string // where the key comes from, for messages
	TLS             TLS

	env func(string) string
}

// Resolve combines flags, a context selected with --context, the environment and the current
// context, in this order.
func Resolve(flags *Flags, env func(string) string) (*Settings, error) {
	config, err := LoadConfig(env)
	if err != nil {
		return nil, err
	}
	s := &Settings{env: env}
	if err := s.resolveServers(flags, config); err != nil {
		return nil, err
	}
	return s, s.resolveKey(flags, config)
}

func (s *Settings) resolveServers(flags *Flags, config *Config) error {
	name, env := config.CurrentName(), s.env
	if flags.Context != "" {
		if _, err := config.Context(flags.Context); err != nil {
			return err
		}
		name, env = flags.Context, func(string) string { return "" }
	}
	address := cmp.Or(flags.Address, env("FLIPSIDE_ADDRESS"))
	if address != "" && address != config.Contexts[name].GameAddress() {
		name = config.nameFor(address)
	}
	context := config.Contexts[name]
	s.Context, s.Address = name, cmp.Or(address, context.GameAddress())
	s.StrategyAddress = cmp.Or(flags.StrategyAddress, env("FLIPSIDE_STRATEGY_ADDRESS"),
		context.StrategyAddress, DefaultStrategyAddress)
	fromEnv, err := tlsFromEnv(env)
	s.TLS = flags.TLS.Or(fromEnv).Or(context.TLS)
	return err
}

// resolveKey finds the key. A saved key is used only for the address it was saved with.
func (s *Settings) resolveKey(flags *Flags, config *Config) error {
	if s.Key, s.KeySource = flags.Key, "--key"; s.Key != "" {
		return nil
	}
	if flags.Context == "" {
		if s.Key, s.KeySource = s.env("FLIPSIDE_KEY"), "FLIPSIDE_KEY"; s.Key != "" {
			return nil
		}
		if path := s.env("FLIPSIDE_KEY_FILE"); path != "" {
			text, err := os.ReadFile(path)
			if err != nil {
				return fmt.Errorf("cannot read the file of FLIPSIDE_KEY_FILE: %w", err)
			}
			s.Key, s.KeySource = strings.TrimSpace(string(text)), "FLIPSIDE_KEY_FILE"
			return nil
		}
	}
	s.useSavedKey(config.Contexts[s.Context].Key)
	return nil
}

func (s *Settings) useSavedKey(key string) {
	s.Key, s.KeySource = key, fmt.Sprintf("context %q", s.Context)
}

// KeyIsSaved reports whether the key comes from the context, or would come from there if there were
// one.
func (s *Settings) KeyIsSaved() bool { return strings.HasPrefix(s.KeySource, "context ") }

// File returns the path of the config file.
func (s *Settings) File() string {
	path, err := ConfigFile(s.env)
	if err != nil {
		return "no file"
	}
	return path
}

// SaveKey saves a key and the addresses it belongs to in the context, and uses it from then on.
// Unless replace is set, a key that another process has saved meanwhile stays and is used.
func (s *Settings) SaveKey(key string, replace bool) error {
	tls, err := s.TLS.Absolute()
	if err != nil {
		return err
	}
	err = UpdateConfig(s.env, func(c *Config) {
		context := c.Contexts[s.Context]
		if context.Key != "" && !replace {
			key = context.Key
			return
		}
		context.Address, context.Key, context.TLS = s.Address, key, tls
		context.StrategyAddress = cmp.Or(context.StrategyAddress, s.StrategyAddress)
		c.Contexts[s.Context] = context
	})
	if err == nil {
		s.useSavedKey(key)
	}
	return err
}
