package settings

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/flipside-games/flipside/clients/cli/render"
)

// Defaults of the addresses: those of a server on the same machine.
const (
	DefaultAddress         = "127.0.0.1:9090"
	DefaultStrategyAddress = "127.0.0.1:9091"
	defaultContext         = "default"
)

// Config is the content of the config file.
type Config struct {
	// Current names the context to use if no other is selected.
	Current  string             `json:"current,omitempty"`
	Contexts map[string]Context `json:"contexts,omitempty"`
}

// Context is a saved pair of servers with the key of the user's player there.
type Context struct {
	Address         string `json:"address,omitempty"`
	StrategyAddress string `json:"strategyAddress,omitempty"`
	Key             string `json:"key,omitempty"`
	TLS
}

// ConfigFile returns the path of the config file.
func ConfigFile(env func(string) string) (string, error) {
	if path := env("FLIPSIDE_CLIENT_CONFIG"); path != "" {
		return path, nil
	}
	folder, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("no folder for the config file (%w): "+
			"set FLIPSIDE_CLIENT_CONFIG to a path", err)
	}
	return filepath.Join(folder, "flipside", "config.json"), nil
}

// LoadConfig reads the config file. The config is empty if there is no file.
func LoadConfig(env func(string) string) (*Config, error) {
	c := &Config{Contexts: map[string]Context{}}
	path, err := ConfigFile(env)
	if err != nil {
		return c, nil //nolint:nilerr // without a folder there is no file; UpdateConfig returns the error
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err == nil {
		err = json.Unmarshal(text, c)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the config file %s: %w; correct or remove it", path, err)
	}
	if c.Contexts == nil {
		c.Contexts = map[string]Context{}
	}
	return c, nil
}

// UpdateConfig reads the config file again, changes the config and writes it, so that changes by
// other processes stay.
func UpdateConfig(env func(string) string, change func(*Config)) error {
	c, err := LoadConfig(env)
	if err != nil {
		return err
	}
	path, err := ConfigFile(env)
	if err != nil {
		return err
	}
	change(c)
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return replaceFile(path, append(text, '\n'))
}

// replaceFile writes a file atomically. Only the user can read it.
func replaceFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*") // with mode 0600
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}

// Names lists the contexts in alphabetical order.
func (c *Config) Names() []string { return slices.Sorted(maps.Keys(c.Contexts)) }

// Context returns the context with a name, and a UsageError if there is none.
func (c *Config) Context(name string) (Context, error) {
	context, ok := c.Contexts[name]
	switch {
	case ok:
		return context, nil
	case len(c.Contexts) == 0:
		return context, Usagef("there is no context %q: create it with "+
			"flipside context set %s --address HOST:PORT", name, name)
	}
	return context, Usagef("there is no context %q: use %s", name, render.Or(c.Names()))
}

// CurrentName returns the name of the context to use if no other is selected.
func (c *Config) CurrentName() string { return cmp.Or(c.Current, c.nameFor(DefaultAddress)) }

// nameFor returns the name of the context for an address: the current one, the first one with this
// address, or a new one.
func (c *Config) nameFor(address string) string {
	for _, name := range append([]string{c.Current}, c.Names()...) {
		if context, ok := c.Contexts[name]; ok && context.GameAddress() == address {
			return name
		}
	}
	if _, exists := c.Contexts[defaultContext]; address == DefaultAddress && !exists {
		return defaultContext
	}
	return address
}

// GameAddress returns the address of the Game service or its default.
func (c Context) GameAddress() string { return cmp.Or(c.Address, DefaultAddress) }
