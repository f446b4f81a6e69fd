package app

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"google.golang.org/grpc"

	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

const (
	// providersInterval is the interval between two reads of the file of strategy providers.
	providersInterval = time.Second
	// maxProviderName is the longest name of a provider in characters that the contract allows.
	maxProviderName = 64
)

// providers are the strategy providers in the settings. They follow the changes of their file. They
// are safe for concurrent use, except for reload and close.
type providers struct {
	dial func(name, target string) (*grpc.ClientConn, error)
	// fixed are the targets of --strategy-provider by name.
	fixed map[string]string
	// path is the file of further providers, "" for none.
	path    string
	log     *slog.Logger
	current atomic.Pointer[map[string]provider]

	// content is the content of the file at the last reload, and problem the error of that reload,
	// or "".
	content []byte
	problem string
}

// provider is a strategy provider with its connection.
type provider struct {
	target string
	conn   *grpc.ClientConn
}

// openProviders opens the providers in the settings. The roles that use them are Game and Strategy.
func (a *App) openProviders(context.Context) error {
	if !a.role.has(Game) && !a.role.has(Strategy) {
		return nil
	}
	const setting = "strategy-provider"
	fixed, err := pairs(setting, joinTargets(a.settings.Providers))
	if err != nil {
		return err
	}
	for name := range fixed {
		if err := checkProviderName(name); err != nil {
			return fmt.Errorf("--%s: %w", setting, err)
		}
	}
	p := &providers{fixed: fixed, path: a.settings.ProvidersFile, log: a.log}
	p.dial = func(name, target string) (*grpc.ClientConn, error) {
		return a.dial(setting+" "+name, target, tls.VersionTLS12)
	}
	p.current.Store(&map[string]provider{})
	a.onStop(func(context.Context) { p.close() })
	if err := p.reload(); err != nil {
		return err
	}
	if p.path != "" {
		a.background(p.follow)
	}
	a.providers = p
	return nil
}

// client returns the strategy service of a provider, nil if there is none with the name.
func (p *providers) client(name string) strategyv1.StrategyServiceClient {
	found, ok := (*p.current.Load())[name]
	if !ok {
		return nil
	}
	return strategyv1.NewStrategyServiceClient(found.conn)
}

// follow reloads the file when it changes, until ctx ends. While the file is unusable, the previous
// providers stay in use.
func (p *providers) follow(ctx context.Context) {
	ticker := time.NewTicker(providersInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		err := p.reload()
		switch {
		case err == nil:
			p.problem = ""
		case err.Error() != p.problem:
			p.problem = err.Error()
			p.log.Error("strategy providers could not be reloaded: the previous ones stay in use",
				"error", err)
		}
	}
}

// reload reads the file and connects to its providers, unless the file is unchanged.
func (p *providers) reload() error {
	targets := maps.Clone(p.fixed)
	if p.path != "" {
		content, err := os.ReadFile(p.path)
		if err != nil {
			return fmt.Errorf("--strategy-providers-file: %w", err)
		}
		if p.content != nil && p.problem == "" && bytes.Equal(content, p.content) {
			return nil
		}
		p.content = content
		if err := addProviders(targets, p.path, string(content)); err != nil {
			return err
		}
	}
	return p.replace(targets)
}

// addProviders adds the providers in a file to targets. The error names the first invalid line.
func addProviders(targets map[string]string, path, content string) error {
	number := 0
	for line := range strings.Lines(content) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, target, err := parseProvider(line)
		if err == nil && targets[name] != "" {
			err = fmt.Errorf("duplicate name %q", name)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, number, err)
		}
		targets[name] = target
	}
	return nil
}

func parseProvider(line string) (name, target string, err error) {
	name, target, _ = strings.Cut(line, "=")
	name, target = strings.TrimSpace(name), strings.TrimSpace(target)
	if name == "" || target == "" {
		return "", "", fmt.Errorf("invalid entry %q: use name=target", line)
	}
	if err := checkProviderName(name); err != nil {
		return "", "", err
	}
	_, _, err = resolveTarget(target)
	return name, target, err
}

func checkProviderName(name string) error {
	if utf8.RuneCountInString(name) > maxProviderName {
		return fmt.Errorf("the name %q is too long: use at most %d characters", name, maxProviderName)
	}
	return nil
}

// replace connects to the providers with these targets. It keeps the connections of those that it
// had already and closes those of all others, which cancels their calls in flight.
func (p *providers) replace(targets map[string]string) error {
	before, after := *p.current.Load(), map[string]provider{}
	for _, name := range slices.Sorted(maps.Keys(targets)) {
		if old, ok := before[name]; ok && old.target == targets[name] {
			after[name] = old
			continue
		}
		conn, err := p.dial(name, targets[name])
		if err != nil {
			closeOthers(after, before)
			return err
		}
		after[name] = provider{target: targets[name], conn: conn}
	}
	p.current.Store(&after)
	closeOthers(before, after)
	if p.path != "" {
		p.log.Info("strategy providers loaded", "names", slices.Sorted(maps.Keys(after)))
	}
	return nil
}

// closeOthers closes the connections of the providers that others does not have.
func closeOthers(all, others map[string]provider) {
	for name, p := range all {
		if others[name].conn != p.conn {
			_ = p.conn.Close()
		}
	}
}

func (p *providers) close() { closeOthers(*p.current.Swap(&map[string]provider{}), nil) }
