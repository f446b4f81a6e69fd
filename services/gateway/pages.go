package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io"
	"net/http"
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
	document, err := openAPI(g.routes, version)
	if err != nil {
		return err
	}
	if err := g.addPage(page{path: "/openapi.json", contentType: jsonType}, document); err != nil {
		return err
	}
	for _, p := range fixedPages {
		content, err := pages.ReadFile(p.file)
		if err != nil {
			return err
		}
		if err := g.addPage(p, content); err != nil {
			return err
		}
	}
	if err := g.mux.HandlePath(http.MethodGet, "/livez", g.live); err != nil {
		return err
	}
	return g.mux.HandlePath(http.MethodGet, "/readyz", g.ready)
}

func (g *Gateway) addPage(p page, content []byte) error {
	sum := sha256.Sum256(content)
	etag := `"` + hex.EncodeToString(sum[:8]) + `"`
	return g.mux.HandlePath(http.MethodGet, p.path, func(w http.ResponseWriter, r *http.Request, _ map[string]string) {
		h := w.Header()
		h.Set(contentTypeHeader, p.contentType)
		h.Set(etagHeader, etag)
		h.Set("Cache-Control", "no-cache")
		h.Set("Content-Security-Policy", pageSecurity)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	})
}

// live says that the process answers.
func (g *Gateway) live(w http.ResponseWriter, _ *http.Request, _ map[string]string) { sayOK(w) }

// readyTimeout is how long a service may take to say that it serves.
const readyTimeout = 2 * time.Second

// ready says whether both services take calls, and the gateway does.
func (g *Gateway) ready(w http.ResponseWriter, r *http.Request, _ map[string]string) {
	if g.drained.Err() != nil {
		g.refuse(w, r, fault.New(fault.StoreUnavailable, "the server is stopping").After(retryDelay))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	for _, b := range g.backends {
		if err := b.ready(ctx); err != nil {
			g.refuse(w, r, err)
			return
		}
	}
	sayOK(w)
}

func sayOK(w http.ResponseWriter) {
	w.Header().Set(contentTypeHeader, "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, "ok\n") // A prober who does not wait for it needs no answer.
}
