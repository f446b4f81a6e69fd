// Package gateway is Flipside over HTTP: every RPC of the Game, Player and Strategy services as REST with strict JSON,
// streams as lines of JSON or server-sent events, the OpenAPI document with a page that shows it, and the probes.
//
// It holds no state but what it has written last and how long each caller has searched, and knows no game or key. A
// request is translated, passed on with the headers that are listed in headers.go and no others, and its answer is
// translated back. Unary calls go through the handlers that protoc-gen-grpc-gateway generates; in front of them stands
// what those do not check.
package gateway

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/internal/fault"
)

// Options is what a gateway is made of.
type Options struct {
	// Required. Game is a connection to the server of GameService and PlayerService.
	Game grpc.ClientConnInterface
	// Required. Strategy is a connection to the server of StrategyService.
	Strategy grpc.ClientConnInterface
	// Log gets what no service can log because the request did not reach one. Default: nobody is told.
	Log *slog.Logger
	// Registry gets the metrics. Default: nobody does.
	Registry prometheus.Registerer
	// Tracer makes a span of each request. Default: there are none.
	Tracer trace.Tracer
	// AllowedOrigins lists the origins, such as "https://example.com", whose pages may call the API from a browser;
	// "*" is every origin. Default: none.
	AllowedOrigins []string
	// SearchTime is how much search one caller may have done for him each minute, added up over searches at the same
	// time. Default: 10 minutes.
	SearchTime time.Duration
	// Version is the version of the product that the OpenAPI document names. Default: "dev".
	Version string
}

// Gateway is the http.Handler of the whole HTTP side. The server around it should limit the time for request headers
// and for idle connections, and may have a write timeout of more than MaxCall: the gateway limits the time for bodies
// and for streams itself.
type Gateway struct {
	log      *slog.Logger
	metrics  metrics
	tracer   trace.Tracer
	origins  origins
	mux      *runtime.ServeMux
	routes   map[routeKey]*route
	backends []*backend
	left     atomic.Bool
	// drained is done once Drain was called.
	drained context.Context
	drain   context.CancelFunc
}

// New returns a gateway. It does not wait for the services to be there.
func New(o Options) (*Gateway, error) {
	if o.Game == nil || o.Strategy == nil {
		return nil, errors.New("a gateway needs connections to Game and Strategy")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	g := &Gateway{log: o.Log, metrics: newMetrics(), tracer: o.Tracer, origins: newOrigins(o.AllowedOrigins)}
	if o.Registry != nil {
		o.Registry.MustRegister(g.metrics.took, g.metrics.under)
	}
	g.drained, g.drain = context.WithCancel(context.Background())
	game := &backend{ClientConnInterface: o.Game, name: "Game", away: fault.StoreUnavailable, log: o.Log}
	guarded := guard{o.Strategy, gamev1.NewPlayerServiceClient(game), newBudgets(o.SearchTime)}
	strategy := &backend{ClientConnInterface: guarded, name: "Strategy", away: fault.StrategyUnavailable, log: o.Log}
	g.backends = []*backend{game, strategy}
	if err := g.route(game, strategy); err != nil {
		return nil, err
	}
	return g, g.addPages(o.Version)
}

// SetNotReady makes /readyz say no, so that whoever balances load goes elsewhere. All else is served as before.
func (g *Gateway) SetNotReady() { g.left.Store(true) }

// Drain does what Leave does and ends the open streams with END_REASON_SHUTTING_DOWN, so that the server around the
// gateway can shut down. Calls that are under way are answered. It may be called more than once.
func (g *Gateway) Drain() {
	g.SetNotReady()
	g.drain()
}
