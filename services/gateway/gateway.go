// Package gateway serves the API over HTTP: every RPC of the Game, Player and Strategy services as
// REST with strict JSON, streams as NDJSON or server-sent events, the OpenAPI document, the pages
// of the website, previews of shared links, and the probes.
//
// The gateway knows no rules and stores nothing. It translates a request, forwards it with the
// headers listed in headers.go, and translates the response. The handlers that
// protoc-gen-grpc-gateway generates serve unary calls. The gateway itself reads requests, since
// those handlers ignore what they do not know, and serves streams.
package gateway

import (
	"context"
	"io/fs"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/internal/cache"
	"github.com/flipside-games/flipside/services/internal/callquota"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/serve"
	"github.com/flipside-games/flipside/services/internal/telemetry"
)

// Options are the settings of a gateway. Fields are required unless marked as optional.
type Options struct {
	// Game is a connection to the server of GameService and PlayerService.
	Game grpc.ClientConnInterface
	// Strategy is a connection to the server of StrategyService.
	Strategy grpc.ClientConnInterface
	// Log receives rejected requests that reach no service.
	Log *slog.Logger
	// Registry receives the metrics.
	Registry prometheus.Registerer
	// Tracing starts a span for each request. Optional; nil starts none.
	Tracing *telemetry.Tracing
	// Caches is the memory budget of the caches.
	Caches *cache.Budget
	// AllowedOrigins lists the origins, such as "https://example.com", whose pages may call the API
	// from a browser. "*" allows every origin. Optional.
	AllowedOrigins []string
	// CallRates limit the calls of one key and of one address to Strategy, in calls per second. Game
	// limits its own calls.
	CallRates callquota.Rates
	// Proxies are the proxies whose X-Forwarded-For is believed. Optional.
	Proxies serve.Proxies
	// SearchTime limits the searches of one caller to this total running time per minute.
	SearchTime time.Duration
	// Pages holds the files of the website. A page such as docs.html is served at /docs; index.html,
	// which is required, at / and /g/{game}. Optional; nil serves no website.
	Pages fs.FS
	// Version is the version of the product in the OpenAPI document.
	Version string
}

// Gateway is the http.Handler of the whole HTTP API. It limits the time for streams. The server
// must limit the time for requests and for idle connections; its write timeout must exceed
// [MaxCallTime].
type Gateway struct {
	log      *slog.Logger
	metrics  metrics
	tracer   trace.Tracer // nil if tracing is off
	origins  origins
	mux      *runtime.ServeMux
	routes   map[routeKey]*route
	backends []*backend
	previews *previews
	notReady atomic.Bool
	website  bool // there are pages for browsers
	// draining is done after Drain.
	draining   context.Context
	startDrain context.CancelFunc
}

// New returns a gateway. It does not wait for the services.
func New(o Options) (*Gateway, error) {
	g := &Gateway{log: o.Log, metrics: newMetrics(o.Registry), origins: o.AllowedOrigins}
	g.website = o.Pages != nil
	if o.Tracing.Enabled() {
		g.tracer = o.Tracing.Tracer()
	}
	g.draining, g.startDrain = context.WithCancel(context.Background())
	game := &backend{
		ClientConnInterface: o.Game,
		name:                "Game", reason: fault.GameUnavailable, log: o.Log,
	}
	strategy := &backend{
		ClientConnInterface: newGuard(o, game),
		name:                "Strategy", reason: fault.StrategyUnavailable, log: o.Log,
	}
	g.backends = []*backend{game, strategy}
	g.previews = newPreviews(gamev1.NewGameServiceClient(game), o.Caches)
	if err := g.addServices(game, strategy, newMarshaler(o.Caches)); err != nil {
		return nil, err
	}
	return g, g.addPages(o)
}

// SetNotReady makes /readyz fail, so that load balancers choose other processes. All other requests
// are served as before.
func (g *Gateway) SetNotReady() { g.notReady.Store(true) }

// Drain calls SetNotReady and ends all streams with END_REASON_SHUTTING_DOWN, so that the server
// can shut down. Calls in flight are answered. Drain may be called more than once.
func (g *Gateway) Drain() {
	g.SetNotReady()
	g.startDrain()
}
