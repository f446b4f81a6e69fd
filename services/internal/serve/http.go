package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/flipside-games/flipside/services/internal/intake"
)

const (
	// headerTimeout limits the time in which the headers of an HTTP request arrive.
	headerTimeout = 10 * time.Second
	// writeTimeout limits an HTTP response. It is longer than the longest call; streams set their
	// own.
	writeTimeout = 90 * time.Second
	// idleTimeout is the time after which an HTTP connection without a request is closed.
	idleTimeout = 2 * time.Minute
)

// HTTPServer serves HTTP to the network. It limits the size and the time of every request, from its
// first byte to its response. A request whose body the handler does not read loses its connection.
type HTTPServer struct {
	server   *http.Server
	listener *intake.Listener
}

// NewHTTPServer returns a server for a listener. config is nil to serve without TLS.
func NewHTTPServer(
	lis net.Listener, handler http.Handler, config *tls.Config, log *slog.Logger,
) *HTTPServer {
	return &HTTPServer{
		server: &http.Server{
			Handler:           limitRequests(handler),
			TLSConfig:         config,
			MaxHeaderBytes:    MaxHeaderBytes,
			ReadHeaderTimeout: headerTimeout,
			ReadTimeout:       intake.RequestTimeout,
			WriteTimeout:      writeTimeout,
			IdleTimeout:       idleTimeout,
			ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
			ConnContext: func(ctx context.Context, conn net.Conn) context.Context {
				return context.WithValue(ctx, connKey{}, intake.ConnOf(conn.RemoteAddr()))
			},
		},
		listener: limited(lis),
	}
}

// limited returns a listener with limits. One that has none gets an unlimited one.
func limited(lis net.Listener) *intake.Listener {
	if l, ok := lis.(*intake.Listener); ok {
		return l
	}
	return intake.New(intake.Options{}).Listen(lis, "", 0)
}

// Serve serves until Stop. It returns nil after Stop.
func (s *HTTPServer) Serve() error {
	var err error
	if s.server.TLSConfig != nil {
		err = s.server.ServeTLS(s.listener, "", "")
	} else {
		err = s.server.Serve(s.listener)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Stop accepts no more requests, waits for those in flight until ctx is done, and closes all
// connections.
func (s *HTTPServer) Stop(ctx context.Context) {
	defer closeIdleSoon(s.listener)()
	if s.server.Shutdown(ctx) != nil {
		_ = s.server.Close()
	}
}

// idleGrace is the time that clients have to close idle connections when the server stops.
const idleGrace = 500 * time.Millisecond

// closeIdleSoon closes connections without a call in flight for idleGrace, from the end of idleGrace
// until the returned function is called. The servers themselves wait for clients that have not sent
// anything.
func closeIdleSoon(lis *intake.Listener) (stop func()) {
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		for wait := idleGrace; ; wait = idleGrace / 5 {
			select {
			case <-time.After(wait):
				lis.CloseIdle(idleGrace)
			case <-ctx.Done():
				return
			}
		}
	}()
	return stop
}

// connKey is the context key of the connection of a request.
type connKey struct{}

// limitRequests returns a handler that counts the bytes of bodies and closes the connections of
// requests whose body was not read.
func limitRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, _ := r.Context().Value(connKey{}).(*intake.Conn)
		call := &httpCall{conn: conn}
		defer call.end()
		r = r.WithContext(context.WithValue(r.Context(), httpCallKey{}, call))
		if r.ContentLength == 0 {
			next.ServeHTTP(w, r)
			return
		}
		body := &requestBody{ReadCloser: r.Body, call: call}
		body.request = conn.Receive(func(cause error) {
			body.fail(cause)
			_ = http.NewResponseController(w).SetReadDeadline(past)
		})
		defer body.request.Done()
		r.Body = body
		closing := &closingWriter{w, r, body}
		next.ServeHTTP(closing, r)
		closing.closeUnread()
	})
}

// httpCallKey is the context key of an httpCall.
type httpCallKey struct{}

// httpCall is a request that may be a call of the API.
type httpCall struct {
	conn    *intake.Conn
	started bool
	release func() // of the bytes of its body
}

// StartCall counts the HTTP request of a context as a call in flight, until its handler returns. It
// returns TOO_MANY_CONNECTIONS if the connection is above a limit and all others are in calls.
// Requests that do not call it, such as probes, always work; their connections can make room for
// others at any time.
func StartCall(ctx context.Context) error {
	call, _ := ctx.Value(httpCallKey{}).(*httpCall)
	if call == nil || call.started {
		return nil
	}
	call.started = true
	return call.conn.StartCall()
}

func (c *httpCall) end() {
	if c.started {
		c.conn.EndCall()
	}
	if c.release != nil {
		c.release()
	}
}

// requestBody is the body of a request.
type requestBody struct {
	io.ReadCloser
	call     *httpCall
	request  *intake.Request
	bytes    int
	complete bool

	mu    sync.Mutex
	cause error // of a cancellation; guarded by mu
}

func (b *requestBody) fail(cause error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cause = cause
}

// Read implements [io.Reader]. Its error is a fault if the request had to go.
func (b *requestBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.bytes += n
	if err == nil {
		return n, nil
	}
	if b.complete = errors.Is(err, io.EOF); !b.complete {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.cause != nil {
			err = b.cause
		}
		return n, err
	}
	b.request.Done()
	if b.call.release == nil {
		release, held := b.call.conn.Hold(b.bytes)
		if held != nil {
			return n, held
		}
		b.call.release = release
	}
	return n, err
}

// closingWriter closes the connection before a response to a request whose body was not read.
// Otherwise net/http would wait for the body, to use the connection again.
type closingWriter struct {
	http.ResponseWriter
	request *http.Request
	body    *requestBody
}

func (w *closingWriter) WriteHeader(code int) {
	w.closeUnread()
	w.ResponseWriter.WriteHeader(code)
}

func (w *closingWriter) Write(p []byte) (int, error) {
	w.closeUnread()
	return w.ResponseWriter.Write(p)
}

// Unwrap gives [http.ResponseController] access to the methods of the server.
func (w *closingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *closingWriter) closeUnread() {
	if w.body.complete || w.request.ProtoMajor > 1 { // HTTP/2 resets the stream.
		return
	}
	w.body.complete = true // Once is enough.
	// The end of a limited reader makes the server close the connection when the client has had
	// time to read the response.
	_, _ = http.MaxBytesReader(w.ResponseWriter, io.NopCloser(zeros{}), 0).Read(make([]byte, 1))
	_ = http.NewResponseController(w.ResponseWriter).SetReadDeadline(past)
}

// past is a deadline that has passed.
var past = time.Unix(1, 0)

// zeros is an endless reader.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
