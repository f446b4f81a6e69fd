package gateway

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/flipside-games/flipside/gen"
	"github.com/flipside-games/flipside/services/internal/fault"
)

// pagePolicy is the Content-Security-Policy of pages: they load content of this server only.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const htmlType = "text/html; charset=utf-8"

// contentTypes are the types of the files of the website by extension.
var contentTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".html": htmlType,
	".js":   "text/javascript; charset=utf-8",
	".png":  "image/png",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
}

// addPages adds the routes that are not RPCs.
func (g *Gateway) addPages(o Options) error {
	return errors.Join(
		g.addPage("/openapi.json", jsonType, func() ([]byte, error) { return openAPI(o.Version) }),
		g.addPage("/protos.zip", "application/zip", protosZip),
		g.addPage("/descriptor.binpb", "application/octet-stream", func() ([]byte, error) {
			return gen.Descriptors, nil
		}),
		g.addFiles(o.Pages),
		g.mux.HandlePath(http.MethodGet, "/livez", g.serveLiveness),
		g.mux.HandlePath(http.MethodGet, "/readyz", g.serveReadiness))
}

// protosZip returns the protos that compile without other files, as a ZIP archive.
func protosZip() ([]byte, error) {
	protos, err := fs.Sub(gen.Protos, "proto")
	if err != nil {
		return nil, err
	}
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	err = errors.Join(w.AddFS(protos), w.Close())
	return archive.Bytes(), err
}

// addFiles adds the files of the website, if there are any.
func (g *Gateway) addFiles(files fs.FS) error {
	if files == nil {
		return nil
	}
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		urlPath := "/" + strings.TrimSuffix(name, ".html")
		if name == indexFile {
			urlPath = "/"
			err = g.addGamePage(content)
		}
		return errors.Join(err, g.addPage(urlPath, contentTypes[path.Ext(name)],
			func() ([]byte, error) { return content, nil }))
	})
}

// indexFile is the page of the board, which also shows single games.
const indexFile = "index.html"

// document is the content of a page. zipped is nil for content that is not worth compressing.
type document struct {
	content, zipped []byte
	etag            string
}

func newDocument(content []byte) (document, error) {
	var zipped bytes.Buffer
	w, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return document{}, err
	}
	_, err = w.Write(content)
	err = errors.Join(err, w.Close())
	return document{content, zipped.Bytes(), etagOf(content)}, err
}

func etagOf(content []byte) string {
	sum := sha256.Sum256(content)
	return `"` + hex.EncodeToString(sum[:8]) + `"`
}

// acceptsGzip reports whether a client decodes gzip.
func acceptsGzip(header http.Header) bool {
	codings := strings.Split(strings.Join(header[acceptEncodingHeader], ","), ",")
	return slices.ContainsFunc(codings, func(coding string) bool {
		name, quality, _ := strings.Cut(strings.ReplaceAll(coding, " ", ""), ";")
		return name == "gzip" && quality != "q=0"
	})
}

// addPage adds a page that needs no key. The first request for it builds the content.
func (g *Gateway) addPage(urlPath, contentType string, build func() ([]byte, error)) error {
	load := sync.OnceValues(func() (document, error) {
		content, err := build()
		if err != nil {
			return document{}, err
		}
		return newDocument(content)
	})
	handler := func(w http.ResponseWriter, r *http.Request, _ map[string]string) {
		d, err := load()
		if err != nil {
			g.log.ErrorContext(r.Context(), "page could not be built", "path", urlPath, "error", err)
			g.reject(w, r, err)
			return
		}
		d.serve(w, r, contentType)
	}
	return g.mux.HandlePath(http.MethodGet, urlPath, handler)
}

// serve writes the document, compressed if the client and the document allow it.
func (d document) serve(w http.ResponseWriter, r *http.Request, contentType string) {
	h := w.Header()
	h.Set(contentTypeHeader, contentType)
	h.Set(etagHeader, d.etag)
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Vary", acceptEncodingHeader)
	content := d.content
	if d.zipped != nil && acceptsGzip(r.Header) {
		h.Set(encodingHeader, "gzip")
		h.Set(etagHeader, strings.TrimSuffix(d.etag, `"`)+`-gzip"`)
		content = d.zipped
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// wantsPage reports whether a browser opens a path outside the API.
func wantsPage(r *http.Request) bool {
	inAPI := r.URL.Path == "/v1" || strings.HasPrefix(r.URL.Path, "/v1/")
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	return reads && !inAPI && strings.Contains(r.Header.Get("Accept"), "text/html")
}

const notFoundPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Page not found · Flipside</title>
<link rel="stylesheet" href="/app.css">
</head>
<body>
<main class="notice">
<h1>Page not found</h1>
<p><a href="/">Play a game</a> or read the <a href="/docs">documentation of the API</a>.</p>
</main>
</body>
</html>
`

// serveNotFound answers a browser that opens an unknown path.
func serveNotFound(w http.ResponseWriter) {
	h := w.Header()
	h.Set(contentTypeHeader, htmlType)
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", pagePolicy)
	w.WriteHeader(http.StatusNotFound)
	_, _ = io.WriteString(w, notFoundPage) // A write error means that the browser is gone.
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
