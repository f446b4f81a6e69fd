package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/flipside-games/flipside/services/internal/fault"
)

//go:embed pages
var pages embed.FS

// page is one of the pages that need no key.
type page struct{ path, file, contentType string }

var fixedPages = []page{
	{"/", "pages/index.html", "text/html; charset=utf-8"},
	{"/docs", "pages/docs.html", "text/html; charset=utf-8"},
	{"/docs.js", "pages/docs.js", "text/javascript; charset=utf-8"},
	{"/index.js", "pages/index.js", "text/javascript; charset=utf-8"},
	{"/style.css", "pages/style.css", "text/css; charset=utf-8"},
}

// pageSecurity lets a page load what this server serves, and nothing else.
const pageSecurity = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// addPages hands the mux what is not an RPC.
func (g *Gateway) addPages(version string) error {
	err := g.addPage(page{path: "/openapi.json", contentType: jsonType}, func() ([]byte, error) {
		return openAPI(g.routes, version)
	})
	for _, p := range fixedPages {
		err = errors.Join(err, g.addPage(p, func() ([]byte, error) { return pages.ReadFile(p.file) }))
	}
	return errors.Join(err,
		g.mux.HandlePath(http.MethodGet, "/livez", g.live),
		g.mux.HandlePath(http.MethodGet, "/readyz", g.ready))
}

// document is what a page sends.
type document struct {
	content []byte
	etag    string
}

// addPage adds a page whose content is made when it is asked for first, so that a start costs nothing.
func (g *Gateway) addPage(p page, content func() ([]byte, error)) error {
	made := sync.OnceValues(func() (document, error) {
		content, err := content()
		sum := sha256.Sum256(content)
		return document{content, `"` + hex.EncodeToString(sum[:8]) + `"`}, err
	})
	return g.mux.HandlePath(http.MethodGet, p.path, func(w http.ResponseWriter, r *http.Request, _ map[string]string) {
		d, err := made()
		if err != nil {
			g.log.ErrorContext(r.Context(), "page", "path", p.path, "error", err)
			g.refuse(w, r, err)
			return
		}
		h := w.Header()
		h.Set(contentTypeHeader, p.contentType)
		h.Set(etagHeader, d.etag)
		h.Set("Cache-Control", "no-cache")
		h.Set("Content-Security-Policy", pageSecurity)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(d.content))
	})
}

// live says that the process answers.
func (g *Gateway) live(w http.ResponseWriter, _ *http.Request, _ map[string]string) { sayOK(w) }

// readyTimeout is how long a service may take to say that it serves.
const readyTimeout = 2 * time.Second

// Ready returns an error unless both services take calls, and the gateway does.
func (g *Gateway) Ready(ctx context.Context) error {
	if g.left.Load() {
		return fault.New(fault.StoreUnavailable, "the server is stopping").RetryIn(retryDelay)
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for _, b := range g.backends {
		if err := b.ready(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (g *Gateway) ready(w http.ResponseWriter, r *http.Request, _ map[string]string) {
	if err := g.Ready(r.Context()); err != nil {
		g.refuse(w, r, err)
		return
	}
	sayOK(w)
}

func sayOK(w http.ResponseWriter) {
	w.Header().Set(contentTypeHeader, "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, "ok\n") // A prober who does not wait for it needs no answer.
}
