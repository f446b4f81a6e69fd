package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Where the services listen unless something else is said.
const (
	defaultAddress         = "127.0.0.1:9090"
	defaultStrategyAddress = "127.0.0.1:9091"
	defaultContext         = "default"
)

// config is what is saved between runs.
type config struct {
	// Current names the context that holds unless another is asked for.
	Current  string             `json:"current,omitempty"`
	Contexts map[string]servers `json:"contexts,omitempty"`
}

// servers is a context: where the services are, and who the user is there.
type servers struct {
	Address         string `json:"address,omitempty"`
	StrategyAddress string `json:"strategyAddress,omitempty"`
	Key             string `json:"key,omitempty"`
	security
}

// configFile returns where the configuration is saved.
func (p *program) configFile() (string, error) {
	if path := p.env("FLIPSIDE_CLIENT_CONFIG"); path != "" {
		return path, nil
	}
	folder, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("there is no folder for the configuration (%w); name a file with FLIPSIDE_CLIENT_CONFIG", err)
	}
	return filepath.Join(folder, "flipside", "config.json"), nil
}

// loadConfig reads the configuration. Where none was saved it is empty.
func (p *program) loadConfig() (*config, error) {
	c := &config{Contexts: map[string]servers{}}
	path, err := p.configFile()
	if err != nil {
		return c, nil //nolint:nilerr // without a folder nothing can have been saved; saving will say so
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err == nil {
		err = json.Unmarshal(text, c)
	}
	if err != nil {
		return nil, fmt.Errorf("the configuration %s does not read: %w; mend or remove it", path, err)
	}
	if c.Contexts == nil {
		c.Contexts = map[string]servers{}
	}
	return c, nil
}

// changeConfig reads the configuration anew, changes it and saves it, so that what another run has saved stays.
func (p *program) changeConfig(change func(*config)) error {
	c, err := p.loadConfig()
	if err != nil {
		return err
	}
	path, err := p.configFile()
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

// replaceFile writes a file for the user's eyes only, and all of it or nothing.
func replaceFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*") // which is 0600 from the start
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

// names lists the contexts in order.
func (c *config) names() []string { return slices.Sorted(maps.Keys(c.Contexts)) }

// current returns the name of the context that holds when nothing else is said.
func (c *config) current() string { return firstOf(c.Current, c.at(defaultAddress)) }

// at returns the context for an address: the current one, else the first that has it, else the name of a new one.
func (c *config) at(address string) string {
	if held, ok := c.Contexts[c.Current]; ok && held.at() == address {
		return c.Current
	}
	for _, name := range c.names() {
		if c.Contexts[name].at() == address {
			return name
		}
	}
	if _, taken := c.Contexts[defaultContext]; address == defaultAddress && !taken {
		return defaultContext
	}
	return address
}

func (s servers) at() string {
	return firstOf(s.Address, defaultAddress)
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
