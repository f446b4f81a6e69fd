// Package app runs the daemon: Game, Strategy and the gateway, together in one process or each in a
// process of its own. It is the composition root, the only package that imports all of them.
package app

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"google.golang.org/grpc"

	"github.com/flipside-games/flipside/services/internal/cache"
	"github.com/flipside-games/flipside/services/internal/intake"
	"github.com/flipside-games/flipside/services/internal/serve"
	"github.com/flipside-games/flipside/services/internal/telemetry"
)

// Role names the services that a process runs.
type Role string

// The roles. All runs the other three in one process.
const (
	All      Role = "all"
	Game     Role = "game"
	Strategy Role = "strategy"
	Gateway  Role = "gateway"
)

// has reports whether role r includes another role.
func (r Role) has(other Role) bool { return r == All || r == other }

// App is a running daemon.
type App struct {
	// Addrs maps the listeners http, game, strategy and metrics to the addresses in use.
	Addrs map[string]string

	settings Settings
	role     Role
	log      *slog.Logger
	registry *prometheus.Registry
	caches   *cache.Budget // the memory of all caches of the process
	intake   *intake.Limits
	proxies  serve.Proxies
	tracing  *telemetry.Tracing
	game     grpc.ClientConnInterface
	strategy grpc.ClientConnInterface
	// providers is nil in processes without the roles Game and Strategy.
	providers *providers

	readyChecks []func(context.Context) error
	accepting   atomic.Bool // between Start and Close

	// Close runs these phases one after the other, each in the reverse order of registration.
	notReady []func()                // report that the process is not ready
	drain    []func()                // end streams and background work
	stop     []func(context.Context) // wait for calls until the context ends, and release resources
	serving  sync.WaitGroup
	failed   chan error
}

// Run runs a daemon until ctx ends or one of its servers fails.
func Run(ctx context.Context, role Role, settings Settings, log *slog.Logger) error {
	a, err := Start(ctx, role, settings, log)
	if err != nil && ctx.Err() != nil {
		return nil // The start was canceled while it waited for the database.
	}
	if err != nil {
		return err
	}
	defer a.Close()
	select {
	case <-ctx.Done():
		return nil
	case err := <-a.failed:
		return err
	}
}

// Start starts a daemon. When it returns without an error, the daemon listens on all addresses. The
// caller must close it.
func Start(
	ctx context.Context, role Role, settings Settings, log *slog.Logger,
) (_ *App, err error) {
	a := &App{
		Addrs:    map[string]string{},
		settings: settings,
		role:     role,
		log:      log,
		registry: prometheus.NewRegistry(),
		caches:   cache.NewBudget(int64(settings.CacheMemory) << 20),
		failed:   make(chan error, 8),
	}
	defer func() {
		if err != nil {
			a.Close()
		}
	}()
	if err := a.settings.checkTLS(); err != nil {
		return nil, err
	}
	a.registry.MustRegister(a.caches, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		infoMetric(role, settings.Version))
	for _, start := range []func(context.Context) error{
		a.limitIntake, a.startTracing, a.startMetrics, a.openProviders, a.startStrategy, a.startGame,
		a.startGateway,
	} {
		if err := start(ctx); err != nil {
			return nil, err
		}
	}
	a.accepting.Store(true)
	fields := []any{"role", string(role), "version", settings.Version}
	for _, name := range slices.Sorted(maps.Keys(a.Addrs)) {
		fields = append(fields, name, a.Addrs[name])
	}
	log.Info("listening", fields...)
	a.warnIfStrategyIsOpen()
	return a, nil
}

// Close stops the daemon. It reports not ready and serves on for ShutdownDelay, until load
// balancers send no more calls. Then it ends all streams with a final message and returns robots'
// turns to the store. It waits up to DrainTimeout for calls in flight, and closes the store last.
func (a *App) Close() {
	for _, notReady := range slices.Backward(a.notReady) {
		notReady()
	}
	if a.accepting.Swap(false) {
		a.log.Info("stopping", "delay", a.settings.ShutdownDelay.String(),
			"drainTimeout", a.settings.DrainTimeout.String())
		<-time.After(a.settings.ShutdownDelay)
	}
	ctx, cancel := context.WithTimeout(context.Background(), a.settings.DrainTimeout)
	defer cancel()
	for _, drain := range slices.Backward(a.drain) {
		drain()
	}
	for _, stop := range slices.Backward(a.stop) {
		stop(ctx)
	}
	a.notReady, a.drain, a.stop = nil, nil, nil
	a.serving.Wait()
}

func (a *App) onStop(stop func(context.Context)) { a.stop = append(a.stop, stop) }

// background runs a function until the daemon drains. Its context ends then.
func (a *App) background(run func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		run(ctx)
	}()
	a.drain = append(a.drain, cancel)
	a.onStop(func(ctx context.Context) {
		select {
		case <-done:
		case <-ctx.Done():
		}
	})
}

// within returns the result of do, or an error if do takes longer than limit.
func within(limit time.Duration, do func() error) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-time.After(limit):
		return fmt.Errorf("not done after %v", limit)
	}
}
