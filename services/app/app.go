// Package app puts the daemon together: Game, Strategy and gateway in one process or each alone. It is the only
// package that knows all of them.
package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/net/netutil"
	"google.golang.org/grpc"

	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/game"
	gameapi "github.com/flipside-games/flipside/services/game/grpcapi"
	"github.com/flipside-games/flipside/services/game/localfeed"
	"github.com/flipside-games/flipside/services/game/natsfeed"
	"github.com/flipside-games/flipside/services/game/robots"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/gateway"
	"github.com/flipside-games/flipside/services/internal/cache"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/serve"
	"github.com/flipside-games/flipside/services/internal/telemetry"
	"github.com/flipside-games/flipside/services/strategy/engine"
	strategyapi "github.com/flipside-games/flipside/services/strategy/grpcapi"
)

// Version is the version of the product.
const Version = "0.1.0"

// healthInterval is how often the store is asked whether it can be used.
const healthInterval = 2 * time.Second

// robotPoll is the interval between two searches of the store for robots' turns.
const robotPoll = time.Second

// writeTimeout is how long an answer over HTTP may take, more than the longest call; streams set their own.
const writeTimeout = 90 * time.Second

// lastWrites is how long the store may take to close. What it writes then nobody has been told of.
const lastWrites = 3 * time.Second

// longestGrace is the most that a move may be late.
const longestGrace = 10 * time.Second

// Role is what a process does.
type Role string

// The roles. All is the three others in one process.
const (
	All      Role = "all"
	Game     Role = "game"
	Strategy Role = "strategy"
	Gateway  Role = "gateway"
)

// has reports whether a process of role r does the part of role part.
func (r Role) has(part Role) bool { return r == All || r == part }

// App is a daemon that runs. Close stops it.
type App struct {
	// Addrs are the addresses in use by name: http, game, strategy, metrics.
	Addrs map[string]string

	settings Settings
	role     Role
	log      *slog.Logger
	registry *prometheus.Registry
	caches   *cache.Budget // the memory of all caches of the process
	tracing  *telemetry.Tracing
	game     grpc.ClientConnInterface
	strategy grpc.ClientConnInterface

	// checks say whether a part can be used, and taking whether the daemon wants calls: from its start until it leaves.
	checks []func(context.Context) error
	taking atomic.Bool

	// leaves, drains and stops are called in the reverse order of starting: first all leaves, then all drains, then all
	// stops.
	leaves  []func()
	drains  []func()
	stops   []func(context.Context)
	serving sync.WaitGroup
	failed  chan error
}

// Run runs a daemon until ctx ends or a part of it fails.
func Run(ctx context.Context, role Role, settings Settings, log *slog.Logger) error {
	a, err := Start(ctx, role, settings, log)
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

// Start starts a daemon. When it returns without an error, every address is being listened on.
func Start(ctx context.Context, role Role, settings Settings, log *slog.Logger) (_ *App, err error) {
	a := &App{
		Addrs:    map[string]string{},
		settings: settings,
		role:     role,
		log:      log,
		registry: prometheus.NewRegistry(),
		caches:   cache.NewBudget(cache.DefaultBytes),
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
	a.registry.MustRegister(a.caches,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), buildMetric(role))
	starts := []func(context.Context) error{a.startTracing, a.startMetrics, a.startStrategy, a.startGame, a.startGateway}
	for _, start := range starts {
		if err := start(ctx); err != nil {
			return nil, err
		}
	}
	fields := []any{"role", string(role), "version", Version}
	for _, name := range slices.Sorted(maps.Keys(a.Addrs)) {
		fields = append(fields, name, a.Addrs[name])
	}
	a.taking.Store(true)
	log.Info("listening", fields...)
	a.warnOfOpenStrategy()
	return a, nil
}

// Close stops the daemon. It says that it is not ready any more and serves on for ShutdownDelay, so that nobody is sent
// here when it goes on: it ends streams with a word, hands robots' turns back, lets calls under way finish for as long
// as DrainTimeout, and closes the store last.
func (a *App) Close() {
	for _, leave := range slices.Backward(a.leaves) {
		leave()
	}
	if a.taking.Swap(false) {
		a.log.Info("stopping", "delay", a.settings.ShutdownDelay.String(), "drainTimeout", a.settings.DrainTimeout.String())
		<-time.After(a.settings.ShutdownDelay)
	}
	ctx, cancel := context.WithTimeout(context.Background(), a.settings.DrainTimeout)
	defer cancel()
	for _, drain := range slices.Backward(a.drains) {
		drain()
	}
	for _, stop := range slices.Backward(a.stops) {
		stop(ctx)
	}
	a.leaves, a.drains, a.stops = nil, nil, nil
	a.serving.Wait()
}

func (a *App) startStrategy(ctx context.Context) error {
	if !a.role.has(Strategy) {
		return nil
	}
	stopping, stop := context.WithCancel(context.Background())
	a.drains = append(a.drains, stop)
	away := fault.New(fault.StrategyUnavailable, "the server is stopping").RetryIn(time.Second)
	secured, err := a.serverTLS("strategy", "h2")
	if err != nil {
		return err
	}
	server, err := serve.NewServer(serve.Options{
		Name: "strategy", Log: a.log, Registry: a.registry, Stream: serve.EndStreams(stopping, away), TLS: secured,
		Tracing:    a.tracing,
		MaxStreams: a.settings.MaxConnectionStreams,
	})
	if err != nil {
		return err
	}
	budget := engine.NewBudget(a.settings.SearchMemory << 20)
	a.registry.MustRegister(searchMetrics(budget)...)
	strategyv1.RegisterStrategyServiceServer(server, strategyapi.NewServer(budget))
	a.strategy = server.Channel()
	a.serving.Go(engine.Prepare)
	return a.serveGRPC(ctx, "strategy", a.settings.StrategyAddr, server)
}

func (a *App) startGame(ctx context.Context) error {
	if !a.role.has(Game) {
		return nil
	}
	strategies, err := a.strategies()
	if err != nil {
		return err
	}
	who, err := a.callers()
	if err != nil {
		return err
	}
	store, err := sqlstore.Open(ctx, a.settings.database(), sqlstore.Options{Caches: a.caches, Migrate: a.settings.Migrate})
	if err != nil {
		return err
	}
	a.onStop(func(context.Context) {
		if err := within(lastWrites, store.Close); err != nil {
			a.log.Error("closing the store", "error", err)
		}
	})
	feed, err := a.openFeed()
	if err != nil {
		return err
	}
	games := service.NewGames(a.traced(store), feed)
	turns := robots.New(games, feed, strategies, a.log, robots.Settings{
		GracePeriod: a.settings.RobotPatience,
		RetryDelay:  a.settings.RobotPause,
		Attempts:    a.settings.RobotAttempts,
		Lease:       a.settings.RobotLease,
		Parallel:    a.settings.RobotParallel,
		Poll:        robotPoll,
		LagGrace:    a.settings.LagGrace,
		Tracer:      a.tracing.Tracer(),
	})
	service := service.New(games, turns, a.log, service.Settings{
		ServiceKeys:       who.serviceKeys,
		Shared:            store.Shared(),
		Tokens:            who.tokens,
		LagGrace:          a.settings.LagGrace,
		HeartbeatInterval: a.settings.HeartbeatInterval,
		SlowReaderTimeout: a.settings.SlowReaderTimeout,
		MaxStreams:        a.settings.MaxStreams,
		CallRate:          a.settings.CallRate,
		PlayerRate:        a.settings.PlayerRate,
	})
	a.background(turns.Run)
	a.background(turns.KeepTime)
	a.registry.MustRegister(turns.Metrics()...)
	a.registry.MustRegister(service.Metrics()...)
	a.registry.MustRegister(store.Metrics()...)
	api := gameapi.NewServer(service, slices.Collect(maps.Keys(strategies)), who.proxies)
	secured, err := a.serverTLS("game", "h2")
	if err != nil {
		return err
	}
	server, err := serve.NewServer(serve.Options{
		Name: "game", Log: a.log, Registry: a.registry, Unary: api.AuthUnary(), Stream: api.AuthStream(), TLS: secured,
		Tracing:    a.tracing,
		MaxStreams: a.settings.MaxConnectionStreams,
	})
	if err != nil {
		return err
	}
	api.Register(server)
	a.game = server.Channel()
	if err := a.serveGRPC(ctx, "game", a.settings.GameAddr, server); err != nil {
		return err
	}
	a.background(func(ctx context.Context) { server.PollHealth(ctx, healthInterval, service.Ready) })
	a.checks = append(a.checks, service.Ready)
	a.drains = append(a.drains, service.Shutdown)
	return nil
}

// openFeed returns what wakes those who watch: in this process alone, or in all that NATS connects.
func (a *App) openFeed() (game.Feed, error) {
	if a.settings.NATSURL == "" {
		return localfeed.New(), nil
	}
	options := natsfeed.Options{URL: a.settings.NATSURL, Log: a.log}
	if a.settings.TLSCA != "" && strings.Contains(options.URL, "tls://") {
		config, err := a.clientTLS(tls.VersionTLS12)
		if err != nil {
			return nil, err
		}
		options.TLS = config.Current
	}
	feed, err := natsfeed.Open(options)
	if err != nil {
		return nil, fmt.Errorf("--nats-url: %w", err)
	}
	a.registry.MustRegister(feed.Metrics()...)
	a.onStop(func(context.Context) { feed.Close() })
	return feed, nil
}

// strategies returns the Strategy services that choose the moves of robots.
func (a *App) strategies() (gameapi.Strategies, error) {
	own, err := a.connect(a.strategy, a.settings.StrategyTarget, tls.VersionTLS13)
	if err != nil {
		return nil, err
	}
	a.strategy = own
	strategies := gameapi.Strategies{"": strategyv1.NewStrategyServiceClient(own)}
	targets, err := pairs("strategy-provider", a.settings.Providers)
	if err != nil {
		return nil, err
	}
	for name, target := range targets {
		conn, err := a.connect(nil, target, tls.VersionTLS12)
		if err != nil {
			return nil, fmt.Errorf("--strategy-provider %s: %w", name, err)
		}
		strategies[name] = strategyv1.NewStrategyServiceClient(conn)
	}
	return strategies, nil
}

// background runs a part of the daemon until it drains.
func (a *App) background(run func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		run(ctx)
	}()
	a.drains = append(a.drains, cancel)
	a.onStop(func(ctx context.Context) {
		select {
		case <-done:
		case <-ctx.Done():
		}
	})
}

func (a *App) startGateway(ctx context.Context) error {
	if !a.role.has(Gateway) {
		return nil
	}
	gameConn, err := a.connect(a.game, a.settings.GameTarget, tls.VersionTLS13)
	if err != nil {
		return err
	}
	strategyConn, err := a.connect(a.strategy, a.settings.StrategyTarget, tls.VersionTLS13)
	if err != nil {
		return err
	}
	handler, err := gateway.New(gateway.Options{
		Game:           gameConn,
		Strategy:       strategyConn,
		Log:            a.log,
		Registry:       a.registry,
		Tracing:        a.tracing,
		Caches:         a.caches,
		AllowedOrigins: a.settings.AllowedOrigins,
		CallRate:       a.settings.CallRate,
		SearchTime:     a.settings.SearchTime,
		Version:        Version,
	})
	if err != nil {
		return err
	}
	a.checks = append(a.checks, handler.Ready)
	a.leaves = append(a.leaves, handler.SetNotReady)
	a.drains = append(a.drains, handler.Drain)
	return a.serveHTTP(ctx, "http", a.settings.HTTPAddr, handler)
}

// within returns what do does, or after a while that it has not come to an end.
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

func (a *App) onStop(stop func(context.Context)) { a.stops = append(a.stops, stop) }

// listen opens an address and notes the one that is really in use.
func (a *App) listen(ctx context.Context, name, addr string) (net.Listener, error) {
	lis, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("--%s-addr: %w", name, err)
	}
	a.Addrs[name] = lis.Addr().String()
	if a.settings.MaxConnections > 0 {
		lis = netutil.LimitListener(lis, a.settings.MaxConnections)
	}
	return lis, nil
}

func (a *App) serveGRPC(ctx context.Context, name, addr string, server *serve.Server) error {
	lis, err := a.listen(ctx, name, addr)
	if err != nil {
		return err
	}
	a.goServe(name, func() error { return server.Serve(lis) })
	a.leaves = append(a.leaves, server.SetNotReady)
	a.onStop(server.Stop)
	return nil
}

func (a *App) serveHTTP(ctx context.Context, name, addr string, handler http.Handler) error {
	secured, err := a.serverTLS(name, "h2", "http/1.1")
	if err != nil {
		return err
	}
	lis, err := a.listen(ctx, name, addr)
	if err != nil {
		return err
	}
	server := newHTTPServer(handler, secured, a.log)
	a.goServe(name, func() error {
		serve := server.Serve
		if secured != nil {
			serve = func(lis net.Listener) error { return server.ServeTLS(lis, "", "") }
		}
		if err := serve(lis); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	a.onStop(func(ctx context.Context) {
		if server.Shutdown(ctx) != nil {
			_ = server.Close()
		}
	})
	return nil
}

// newHTTPServer returns a server that no caller can keep busy who sends nothing, little or too much.
func newHTTPServer(handler http.Handler, secured *tls.Config, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		TLSConfig:         secured,
		MaxHeaderBytes:    serve.MaxHeaderBytes,
		ReadHeaderTimeout: 10 * time.Second,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// goServe runs a server in the background. One that fails brings the daemon down.
func (a *App) goServe(name string, run func() error) {
	a.serving.Go(func() {
		if err := run(); err != nil {
			a.failed <- fmt.Errorf("%s: %w", name, err)
		}
	})
}
