package app

import (
	"context"
	"crypto/tls"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"github.com/flipside-games/flipside/clients/web"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/game"
	gameapi "github.com/flipside-games/flipside/services/game/grpcapi"
	"github.com/flipside-games/flipside/services/game/localfeed"
	"github.com/flipside-games/flipside/services/game/natsfeed"
	"github.com/flipside-games/flipside/services/game/robots"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/game/webhooks"
	"github.com/flipside-games/flipside/services/gateway"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/serve"
	"github.com/flipside-games/flipside/services/strategy/engine"
	strategyapi "github.com/flipside-games/flipside/services/strategy/grpcapi"
)

const (
	// healthInterval is the interval between two readiness checks of the store.
	healthInterval = 2 * time.Second
	// robotPoll is the interval between two searches of the store for robots' turns.
	robotPoll = time.Second
	// storeCloseTimeout limits the time to close the store. Later writes were never acknowledged.
	storeCloseTimeout = 3 * time.Second
)

// stopping returns the error of streams that end because the server stops.
func stopping(reason fault.Reason) *fault.Error {
	return fault.New(reason, "the server is stopping: retry").RetryIn(time.Second)
}

func (a *App) startStrategy(ctx context.Context) error {
	if !a.role.has(Strategy) {
		return nil
	}
	server, err := a.newGRPCServer(serve.Options{
		Name: "strategy", Stopping: stopping(fault.StrategyUnavailable),
		EndStreams: func(method string) bool {
			// SearchMove is drained as ChooseMove is.
			return method != strategyv1.StrategyService_SearchMove_FullMethodName
		},
	})
	if err != nil {
		return err
	}
	budget := engine.NewMemoryBudget(a.settings.searchMemory(memlimit.FromSystem))
	budget.AllowPondering(a.settings.PonderingTime)
	a.drain = append(a.drain, budget.StopPondering)
	a.registry.MustRegister(searchMetrics(budget)...)
	strategyv1.RegisterStrategyServiceServer(server,
		strategyapi.NewServer(budget, a.settings.AnalysisTime, strategyapi.Providers{
			Client: a.providers.client, GracePeriod: a.settings.RobotGracePeriod,
		}))
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
	callers, err := a.callers()
	if err != nil {
		return err
	}
	databases, err := a.openDatabases(ctx)
	if err != nil {
		return err
	}
	feed, err := a.openFeed()
	if err != nil {
		return err
	}
	games := service.NewGames(a.traced(databases.store()), feed, a.caches)
	turns := robots.New(games, feed, strategies, a.log, robots.Settings{
		GracePeriod: a.settings.RobotGracePeriod,
		RetryDelay:  a.settings.RobotRetryDelay,
		Attempts:    a.settings.RobotAttempts,
		Lease:       a.settings.RobotLease,
		Parallel:    a.settings.RobotParallel,
		Poll:        robotPoll,
		LagGrace:    a.settings.LagGrace,
		Tracer:      a.tracing.Tracer(),
	})
	service := service.New(games, turns, a.log, service.Settings{
		ServiceKeys:       callers.serviceKeys,
		Shared:            databases.shared(),
		Tokens:            callers.tokens,
		LagGrace:          a.settings.LagGrace,
		HeartbeatInterval: a.settings.HeartbeatInterval,
		SlowReaderTimeout: a.settings.SlowReaderTimeout,
		MaxStreams:        a.settings.MaxStreams,
		MaxAddressStreams: a.settings.maxAddressStreams(),
		CallRates:         a.settings.callRates(),
		MaxInvitations:    a.settings.MaxInvitations,
		PlayerRate:        a.settings.PlayerRate,
		WrongKeyRate:      a.settings.WrongKeyRate,
		CheckWebhookURL: func(url string) error {
			return webhooks.CheckURL(url, a.settings.WebhookAllowPrivate)
		},
	})
	deliveries := a.deliverer(games, len(databases))
	a.background(turns.Run)
	a.background(turns.KeepTime)
	a.background(deliveries.Run)
	a.registry.MustRegister(slices.Concat(
		turns.Metrics(), service.Metrics(), databases.metrics(), deliveries.Metrics())...)
	api := gameapi.NewServer(service, strategies, a.proxies, a.caches)
	server, err := a.newGRPCServer(serve.Options{
		Name: "game", RejectHeaders: api.RejectHeaders, Authenticate: api.Authenticate, Unary: api.Unary,
		Stopping: stopping(fault.GameUnavailable),
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
	a.readyChecks = append(a.readyChecks, service.Ready)
	a.drain = append(a.drain, service.Shutdown)
	return nil
}

// deliverer returns the deliverer of the notices of all shards to webhooks.
func (a *App) deliverer(games *service.Games, shards int) *webhooks.Deliverer {
	return webhooks.New(games, shards, a.log, webhooks.Settings{
		Client: webhooks.NewClient(a.settings.WebhookAllowPrivate),
		Encode: gameapi.WebhookBody,
		GiveUp: a.settings.WebhookGiveUp,
	})
}

// openFeed returns a feed through NATS, or within the process if there is no NATS server.
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

// strategies returns clients of the Strategy services that choose the moves of robots.
func (a *App) strategies() (*gameapi.Strategies, error) {
	conn, err := a.connect(a.strategy, "strategy-target", a.settings.StrategyTarget)
	if err != nil {
		return nil, err
	}
	a.strategy = conn
	builtIn := strategyv1.NewStrategyServiceClient(conn)
	client := func(provider string) strategyv1.StrategyServiceClient {
		if provider == "" {
			return builtIn
		}
		return a.providers.client(provider)
	}
	return gameapi.NewStrategies(client, a.settings.RobotTime, a.caches), nil
}

func (a *App) startGateway(ctx context.Context) error {
	if !a.role.has(Gateway) {
		return nil
	}
	game, err := a.connect(a.game, "game-target", a.settings.GameTarget)
	if err != nil {
		return err
	}
	strategy, err := a.connect(a.strategy, "strategy-target", a.settings.StrategyTarget)
	if err != nil {
		return err
	}
	handler, err := gateway.New(gateway.Options{
		Game:           game,
		Strategy:       strategy,
		Log:            a.log,
		Registry:       a.registry,
		Tracing:        a.tracing,
		Caches:         a.caches,
		AllowedOrigins: a.settings.AllowedOrigins,
		CallRates:      a.settings.callRates(),
		Proxies:        a.proxies,
		SearchTime:     a.settings.SearchTime,
		Pages:          web.Files(),
		Version:        a.settings.Version,
	})
	if err != nil {
		return err
	}
	a.readyChecks = append(a.readyChecks, handler.Ready)
	a.notReady = append(a.notReady, handler.SetNotReady)
	a.drain = append(a.drain, handler.Drain)
	return a.serveHTTP(ctx, "http", a.settings.HTTPAddr, handler)
}
