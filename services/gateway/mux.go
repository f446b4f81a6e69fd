package gateway

import (
	"context"
	"net/http"
	"strings"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/fault"
)

// route makes the mux and hands it the RPCs of both services.
func (g *Gateway) route(game, strategy *backend) error {
	g.mux = runtime.NewServeMux(
		runtime.WithMarshalerOption(runtime.MIMEWildcard, newMarshaler()),
		runtime.WithMiddlewares(g.check),
		runtime.WithErrorHandler(handleError),
		runtime.WithRoutingErrorHandler(g.handleRoutingError),
		runtime.WithIncomingHeaderMatcher(toService),
		runtime.WithOutgoingHeaderMatcher(dropped),
		runtime.WithOutgoingTrailerMatcher(dropped),
		runtime.WithForwardResponseOption(addResponseHeaders),
		runtime.WithWriteContentLength(),
		runtime.WithDisablePathLengthFallback(),
		runtime.WithDisableHTTPMethodOverride(),
	)
	ctx := context.Background() // None of these uses it.
	if err := gamev1.RegisterGameServiceHandlerClient(ctx, g.mux, gamev1.NewGameServiceClient(game)); err != nil {
		return err
	}
	if err := gamev1.RegisterPlayerServiceHandlerClient(ctx, g.mux, gamev1.NewPlayerServiceClient(game)); err != nil {
		return err
	}
	client := strategyv1.NewStrategyServiceClient(strategy)
	if err := strategyv1.RegisterStrategyServiceHandlerClient(ctx, g.mux, client); err != nil {
		return err
	}
	return g.listRoutes(game, strategy)
}

func (g *Gateway) listRoutes(game, strategy *backend) error {
	g.routes = map[routeKey]*route{}
	games, err := routesOf(gamev1.File_flipside_game_v1_game_service_proto, game)
	if err != nil {
		return err
	}
	players, err := routesOf(gamev1.File_flipside_game_v1_player_service_proto, game)
	if err != nil {
		return err
	}
	strategies, err := routesOf(strategyv1.File_flipside_strategy_v1_strategy_service_proto, strategy)
	if err != nil {
		return err
	}
	for _, routes := range [][]*route{games, players, strategies} {
		for _, rt := range routes {
			g.routes[rt.key()] = rt
		}
	}
	return nil
}

// check stands between the mux and the handler of a route: it reads the request strictly, and hands it to the
// generated handler or, for a stream, serves it.
func (g *Gateway) check(next runtime.HandlerFunc) runtime.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request, params map[string]string) {
		// No id has a colon: what has one is a path with a verb that no route for this HTTP method has.
		known := !hasColon(params)
		if found := probe(r.Context()); found != nil {
			*found = known
			return
		}
		if !known {
			g.refuseRoute(w, r)
			return
		}
		pattern, _ := runtime.HTTPPattern(r.Context())
		if front, ok := w.(*writer); ok {
			front.route = strings.ReplaceAll(pattern.String(), "=*}", "}")
		}
		rt := g.routes[routeKey{r.Method, pattern.String()}]
		if rt == nil { // A page.
			next(w, r, params)
			return
		}
		in, err := rt.read(w, r, params)
		switch {
		case err != nil:
			g.refuse(w, r, err)
		case rt.streams():
			g.stream(w, r, rt, in)
		default:
			r.Body = decoded{http.NoBody, in}
			next(w, r, params)
		}
	}
}

func hasColon(params map[string]string) bool {
	for _, value := range params {
		if strings.Contains(value, ":") {
			return true
		}
	}
	return false
}

// probeKey marks a request that only asks whether there is a route for it.
type probeKey struct{}

// probe returns where a probing request wants its answer, or nil if the request is a real one.
func probe(ctx context.Context) *bool {
	found, _ := ctx.Value(probeKey{}).(*bool)
	return found
}

// allowed returns the HTTP methods that the path of r has routes for, as the header Allow lists them.
func (g *Gateway) allowed(r *http.Request) string {
	var methods []string
	for _, verb := range []string{http.MethodGet, http.MethodPost} {
		found := false
		asking := r.WithContext(context.WithValue(r.Context(), probeKey{}, &found))
		asking.Method = verb
		g.mux.ServeHTTP(nil, asking)
		if found {
			methods = append(methods, verb)
		}
		if found && verb == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
	}
	return strings.Join(methods, ", ")
}

// refuseRoute answers a request for which there is no route.
func (g *Gateway) refuseRoute(w http.ResponseWriter, r *http.Request) {
	allow := g.allowed(r)
	if allow == "" {
		g.refuse(w, r, fault.New(fault.UnknownPath, "there is nothing at %s; see /docs", short(r.URL.Path)).
			With("path", short(r.URL.Path)))
		return
	}
	w.Header().Set("Allow", allow)
	g.refuse(w, r, fault.New(fault.MethodNotAllowed, "%s does not work here, but %s", short(r.Method), allow).
		With("allow", allow))
}

func (g *Gateway) handleRoutingError(_ context.Context, _ *runtime.ServeMux, _ runtime.Marshaler,
	w http.ResponseWriter, r *http.Request, _ int,
) {
	if probe(r.Context()) == nil {
		g.refuseRoute(w, r)
	}
}

// handleError answers a call that a service has refused, and has logged.
func handleError(_ context.Context, _ *runtime.ServeMux, _ runtime.Marshaler,
	w http.ResponseWriter, r *http.Request, err error,
) {
	writeStatus(w, r, status.Convert(err))
}
