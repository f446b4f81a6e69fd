package gateway

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"unicode/utf8"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// ServeHTTP implements http.Handler. It handles what is common to all paths: request ids, headers,
// CORS, redirects, HEAD and panics, which end only their own request.
func (g *Gateway) ServeHTTP(rw http.ResponseWriter, original *http.Request) {
	w := &responseWriter{
		ResponseWriter: rw,
		headerOnly:     original.Method == http.MethodHead,
		ifNoneMatch:    strings.Join(original.Header.Values(ifNoneMatchHeader), ","),
	}
	r := original.WithContext(original.Context()) // A copy: the server still uses the original.
	r.Header = acceptedHeaders(original.Header)
	defer g.metrics.start(r, w)()
	r, endSpan := g.startSpan(r, w)
	defer endSpan()
	defer g.recoverPanic(w, r)
	addStandardHeaders(w.Header(), r.Header)
	if g.origins.handle(w, original) {
		return
	}
	if path, ok := withoutTrailingSlash(r.URL); ok {
		w.Header().Set("Location", path)
		w.WriteHeader(http.StatusPermanentRedirect)
		return
	}
	if w.headerOnly { // The server drops the body of the response.
		r.Method = http.MethodGet
	}
	if !utf8.ValidString(r.URL.Path) {
		g.reject(w, r, fault.Invalid("invalid path: it must be UTF-8").At("path"))
		return
	}
	if err := validateHeaders(r.Header); err != nil {
		g.reject(w, r, err)
		return
	}
	g.mux.ServeHTTP(w, r)
}

// withoutTrailingSlash returns the redirect for a path that ends in a slash. It merges leading
// slashes, since a browser takes two of them for the start of a host name.
func withoutTrailingSlash(u *url.URL) (path string, ok bool) {
	if len(u.Path) < 2 || !strings.HasSuffix(u.Path, "/") {
		return "", false
	}
	path = "/" + strings.Trim(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return path, true
}

// recoverPanic answers a request whose handler panicked. If the response has started, it aborts the
// connection, so that the client does not take the response for a complete one.
func (g *Gateway) recoverPanic(w *responseWriter, r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(p)
	}
	g.log.ErrorContext(r.Context(), "panic", "method", r.Method, "path", truncate(r.URL.Path),
		"requestId", r.Header.Get(requestIDHeader), "panic", p, "stack", string(debug.Stack()))
	if w.status != 0 {
		panic(http.ErrAbortHandler)
	}
	writeStatus(w, r, serve.Status(status.Error(codes.Internal, "")))
}

// responseWriter records the status and the route of a response, and holds the parts of the request
// that the response depends on.
type responseWriter struct {
	http.ResponseWriter
	headerOnly  bool   // whether the method is HEAD
	ifNoneMatch string // the header If-None-Match
	route       string // the pattern of the path, or ""
	status      int    // 0 before the header is written
}

func (w *responseWriter) WriteHeader(code int) {
	w.status = code
	w.ResponseWriter.WriteHeader(code)
}

func (w *responseWriter) Write(p []byte) (int, error) {
	w.status = cmp.Or(w.status, http.StatusOK)
	return w.ResponseWriter.Write(p)
}

// Unwrap gives http.ResponseController access to the methods of the server.
func (w *responseWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
