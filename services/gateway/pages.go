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

// page is a page that needs no key.
type page struct{ path, file, contentType string }

var staticPages = []page{
	{"/", "pages/index.html", "text/html; charset=utf-8"},
	{"/docs", "pages/docs.html", "text/html; charset=utf-8"},
	{"/docs.js", "pages/docs.js", "text/javascript; charset=utf-8"},
	{"/index.js", "pages/index.js", "text/javascript; charset=utf-8"},
	{"/style.css", "pages/style.css", "text/css; charset=utf-8"},
}

// pagePolicy is the Content-Security-Policy of pages: they load content of this server only.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// addPages adds the routes that are not RPCs.
func (g *Gateway) addPages(version string) error {
	err := g.addPage(page{path: "/openapi.json", contentType: jsonType}, func() ([]byte, error) {
		return openAPI(g.routes, version)
	})
	for _, p := range staticPages {
		err = errors.Join(err, g.addPage(p, func() ([]byte, error) { return pages.ReadFile(p.file) }))
	}
	return errors.Join(err,
		g.mux.HandlePath(http.MethodGet, "/livez", g.serveLiveness),
		g.mux.HandlePath(http.MethodGet, "/readyz", g.serveReadiness))
}

// document is the content of a page.
type document struct {
	content []byte
	etag    string
}

// addPage adds a page. The first request for it builds the content.
func (g *Gateway) addPage(p page, build func() ([]byte, error)) error {
	load := sync.OnceValues(func() (document, error) {
		content, err := build()
		sum := sha256.Sum256(content)
		return document{content, `"` + hex.EncodeToString(sum[:8]) + `"`}, err
	})
	handler := func(w http.ResponseWriter, r *http.Request, _ map[string]string) {
		d, err := load()
		if err != nil {
			g.log.ErrorContext(r.Context(), "page could not be built", "path", p.path, "error", err)
			g.reject(w, r, err)
			return
		}
		h := w.Header()
		h.Set(contentTypeHeader, p.contentType)
		h.Set(etagHeader, d.etag)
		h.Set("Cache-Control", "no-cache")
		h.Set("Content-Security-Policy", pagePolicy)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(d.content))
	}
	return g.mux.HandlePath(http.MethodGet, p.path, handler)
}

// readyTimeout limits the health checks of one readiness probe.
const readyTimeout = 2 * time.Second

// Ready returns an error unless the gateway and both services accept calls.
func (g *Gateway) Ready(ctx context.Context) error {
	if g.notReady.Load() {
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

func (g *Gateway) serveReadiness(w http.ResponseWriter, r *http.Request, params map[string]string) {
	if err := g.Ready(r.Context()); err != nil {
		g.reject(w, r, err)
		return
	}
	g.serveLiveness(w, r, params)
}

func (g *Gateway) serveLiveness(w http.ResponseWriter, _ *http.Request, _ map[string]string) {
	w.Header().Set(contentTypeHeader, "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, "ok\n") // A write error means that the prober is gone.
}
