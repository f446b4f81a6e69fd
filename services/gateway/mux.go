package gateway

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/fault"
)

// addServices creates the mux with the routes of all services.
func (g *Gateway) addServices(game, strategy *backend, m marshaler) error {
	g.mux = runtime.NewServeMux(
		runtime.WithMarshalerOption(runtime.MIMEWildcard, m),
		runtime.WithMiddlewares(g.dispatch),
		runtime.WithErrorHandler(handleError),
		runtime.WithRoutingErrorHandler(g.handleRoutingError),
		runtime.WithIncomingHeaderMatcher(forwardHeader),
		runtime.WithOutgoingHeaderMatcher(dropHeader),
		runtime.WithOutgoingTrailerMatcher(dropHeader),
		runtime.WithForwardResponseOption(addResponseHeaders),
		runtime.WithWriteContentLength(),
		runtime.WithDisablePathLengthFallback(),
		runtime.WithDisableHTTPMethodOverride(),
	)
	g.routes = map[routeKey]*route{}
	ctx := context.Background() // The generated functions do not use it.
	strategyClient := strategyv1.NewStrategyServiceClient(strategy)
	return errors.Join(
		gamev1.RegisterGameServiceHandlerClient(ctx, g.mux, gamev1.NewGameServiceClient(game)),
		gamev1.RegisterPlayerServiceHandlerClient(ctx, g.mux, gamev1.NewPlayerServiceClient(game)),
		strategyv1.RegisterStrategyServiceHandlerClient(ctx, g.mux, strategyClient),
		g.addRoutes(gamev1.File_flipside_game_v1_game_service_proto, game),
		g.addRoutes(gamev1.File_flipside_game_v1_player_service_proto, game),
		g.addRoutes(strategyv1.File_flipside_strategy_v1_strategy_service_proto, strategy),
	)
}

// dispatch is the middleware before the handler of every route. It reads the request and calls the
// generated handler or, for a stream, serves it.
func (g *Gateway) dispatch(next runtime.HandlerFunc) runtime.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request, params map[string]string) {
		// No id has a colon: a colon belongs to a verb that no route of this HTTP method has.
		exists := true
		for _, value := range params {
			exists = exists && !strings.Contains(value, ":")
		}
		if found := routeLookup(r.Context()); found != nil {
			*found = exists
			return
		}
		if !exists {
			g.rejectRoute(w, r)
			return
		}
		pattern, _ := runtime.HTTPPattern(r.Context())
		if rw, ok := w.(*responseWriter); ok {
			rw.route = strings.ReplaceAll(pattern.String(), "=*}", "}")
		}
		rt := g.routes[routeKey{r.Method, pattern.String()}]
		if rt == nil { // A page.
			next(w, r, params)
			return
		}
		in, err := rt.readCall(w, r, params)
		switch {
		case err != nil:
			g.reject(w, r, err)
		case rt.isStream():
			g.stream(w, r, rt, in)
		default:
			r.Body = decodedBody{http.NoBody, in}
			next(w, r, params)
		}
	}
}

// routeLookupKey is the context key of a request that only looks up its route.
type routeLookupKey struct{}

// routeLookup returns the result variable of a lookup, or nil for any other request.
func routeLookup(ctx context.Context) *bool {
	found, _ := ctx.Value(routeLookupKey{}).(*bool)
	return found
}

// allowedMethods returns the HTTP methods of the path of r in the format of the header Allow.
func (g *Gateway) allowedMethods(r *http.Request) string {
	var methods []string
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		found := false
		lookup := r.WithContext(context.WithValue(r.Context(), routeLookupKey{}, &found))
		lookup.Method = method
		g.mux.ServeHTTP(nil, lookup)
		if found {
			methods = append(methods, method)
		}
		if found && method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
	}
	return strings.Join(methods, ", ")
}

// rejectRoute rejects a request without a route.
func (g *Gateway) rejectRoute(w http.ResponseWriter, r *http.Request) {
	method, path, allow := truncate(r.Method), truncate(r.URL.Path), g.allowedMethods(r)
	if allow == "" && g.website && wantsPage(r) {
		serveNotFound(w)
		return
	}
	err := fault.New(fault.UnknownPath, "unknown path %s: /docs lists all paths", path).
		With("path", path)
	if allow != "" {
		w.Header().Set("Allow", allow)
		err = fault.New(fault.MethodNotAllowed, "method %s is not allowed here: use %s", method, allow).
			With("allow", allow)
	}
	g.reject(w, r, err)
}

func (g *Gateway) handleRoutingError(_ context.Context, _ *runtime.ServeMux, _ runtime.Marshaler,
	w http.ResponseWriter, r *http.Request, _ int,
) {
	if routeLookup(r.Context()) == nil {
		g.rejectRoute(w, r)
	}
}

// handleError writes the error of a service. The service has logged it.
func handleError(_ context.Context, _ *runtime.ServeMux, _ runtime.Marshaler,
	w http.ResponseWriter, r *http.Request, err error,
) {
	writeStatus(w, r, status.Convert(err))
}
