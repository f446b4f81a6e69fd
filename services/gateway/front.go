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
)

// ServeHTTP answers one request. It does what holds for every path: ids, headers, redirects, HEAD, and panics that end
// only their own request.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	out := &writer{ResponseWriter: w, head: r.Method == http.MethodHead, ifNoneMatch: r.Header.Get(ifNoneMatchHeader)}
	inner := r.WithContext(r.Context()) // A copy, since the server still needs the original.
	inner.Header = listed(r.Header)
	defer g.metrics.begin(inner, out)()
	inner, end := g.trace(inner, out)
	defer end()
	defer g.recoverFrom(out, inner)
	addStandardHeaders(w.Header(), inner.Header)
	if g.origins.answer(w, r) {
		return
	}
	if path, slash := withoutTrailingSlash(r.URL); slash {
		w.Header().Set("Location", path)
		out.WriteHeader(http.StatusPermanentRedirect)
		return
	}
	if out.head { // The server drops the body of the answer.
		inner.Method = http.MethodGet
	}
	if !utf8.ValidString(r.URL.Path) {
		g.refuse(out, inner, fault.New(fault.InvalidField, "the path is not UTF-8").At("path"))
		return
	}
	if err := checkHeaders(inner.Header); err != nil {
		g.refuse(out, inner, err)
		return
	}
	g.mux.ServeHTTP(out, inner)
}

// withoutTrailingSlash returns where to redirect a path that ends in a slash. Slashes at the beginning become one, since
// a browser takes two for another host.
func withoutTrailingSlash(u *url.URL) (string, bool) {
	if len(u.Path) < 2 || !strings.HasSuffix(u.Path, "/") {
		return "", false
	}
	path := "/" + strings.Trim(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return path, true
}

// recoverFrom ends a request whose handler has panicked. Where an answer has begun the connection is cut, so that the
// client does not take it for a whole one.
func (g *Gateway) recoverFrom(w *writer, r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(p)
	}
	g.log.ErrorContext(r.Context(), "panic", "method", r.Method, "path", short(r.URL.Path),
		"requestId", r.Header.Get(requestIDHeader), "panic", p, "stack", string(debug.Stack()))
	if w.status != 0 {
		panic(http.ErrAbortHandler)
	}
	writeStatus(w, r, status.New(codes.Internal, texts[codes.Internal]))
}

// writer remembers what the answer needs to know of the request and of itself.
type writer struct {
	http.ResponseWriter
	head        bool   // whether only the header of the answer is wanted
	ifNoneMatch string // the header of that name
	route       string // the pattern of the path, "" where there is none
	status      int    // the status of the answer, 0 before its header was written
}

func (w *writer) WriteHeader(code int) {
	w.status = code
	w.ResponseWriter.WriteHeader(code)
}

func (w *writer) Write(p []byte) (int, error) {
	w.status = cmp.Or(w.status, http.StatusOK)
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController find what the server offers.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }
