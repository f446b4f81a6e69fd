package conformance

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"strings"
	"sync"
	"testing"
)

// proxy forwards the calls of a client to a server, over gRPC or REST, and breaks them.
type proxy struct {
	addr string

	mu    sync.Mutex
	conns map[net.Conn]struct{} // from clients
	lose  bool                  // the next reply to a change
	stall chan struct{}         // is closed when the open streams become silent
}

// connKey is the key of the connection in the context of a request.
type connKey struct{}

// startProxy starts a proxy until the test ends. target returns the address of the server.
func startProxy(t *testing.T, target func() string, http2 bool) *proxy {
	t.Helper()
	lis, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(!http2)
	protocols.SetUnencryptedHTTP2(http2)
	p := &proxy{addr: lis.Addr().String(), conns: map[net.Conn]struct{}{}, stall: make(chan struct{})}
	transport := &http.Transport{Protocols: protocols}
	server := &http.Server{
		Protocols: protocols,
		Handler: &httputil.ReverseProxy{
			Rewrite: func(r *httputil.ProxyRequest) {
				r.Out.URL.Scheme, r.Out.URL.Host = "http", target()
			},
			Transport: transport, FlushInterval: -1, ModifyResponse: p.change,
			ErrorHandler: func(_ http.ResponseWriter, r *http.Request, _ error) { cut(r.Context()) },
			ErrorLog:     log.New(io.Discard, "", 0),
		},
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, c)
		},
		ConnState: p.track,
		ErrorLog:  log.New(io.Discard, "", 0),
	}
	go func() { _ = server.Serve(lis) }()
	t.Cleanup(func() {
		_ = server.Close()
		transport.CloseIdleConnections()
	})
	return p
}

func (p *proxy) track(c net.Conn, state http.ConnState) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if state == http.StateClosed {
		delete(p.conns, c)
	} else {
		p.conns[c] = struct{}{}
	}
}

// errLost makes the proxy drop a reply.
var errLost = errors.New("the reply is lost")

// change breaks the reply of a server.
func (p *proxy) change(reply *http.Response) error {
	if isStream(reply.Request) {
		p.mu.Lock()
		reply.Body = &stallingBody{reply.Body, reply.Request.Context(), p.stall}
		p.mu.Unlock()
	} else if p.loses(reply.Request) {
		_, _ = io.Copy(io.Discard, reply.Body) // The server has carried out the call.
		return errLost
	}
	// A reply of gRPC without a body has its status in the header. The reverse proxy would flush the
	// header before the end of the reply, and clients would miss the status.
	for _, name := range []string{"Grpc-Status", "Grpc-Message", "Grpc-Status-Details-Bin"} {
		if values, ok := reply.Header[name]; ok {
			if reply.Trailer == nil {
				reply.Trailer = http.Header{}
			}
			reply.Trailer[name] = values
			delete(reply.Header, name)
		}
	}
	return nil
}

// isStream reports whether a request opens a stream.
func isStream(r *http.Request) bool {
	return strings.HasSuffix(r.URL.Path, ":watch") || strings.Contains(r.URL.Path, "/Watch")
}

// loses reports whether the reply to a request gets lost.
func (p *proxy) loses(r *http.Request) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	hasNoRequestID := strings.HasSuffix(r.URL.Path, "/CreatePlayer") || r.URL.Path == "/v1/players"
	if !p.lose || r.Method != http.MethodPost || hasNoRequestID {
		return false
	}
	p.lose = false
	return true
}

// loseReply loses the reply to the next change after the server has carried it out.
func (p *proxy) loseReply() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lose = true
	return nil
}

// cut breaks all open connections.
func (p *proxy) cut() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		_ = c.Close() // It may be closed already.
	}
	return nil
}

// cut breaks the connection of a request.
func cut(ctx context.Context) { _ = ctx.Value(connKey{}).(net.Conn).Close() }

// stallStreams makes the open streams silent.
func (p *proxy) stallStreams() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.stall)
	p.stall = make(chan struct{})
	return nil
}

// stallingBody is the body of a stream, which becomes silent but stays open.
type stallingBody struct {
	io.ReadCloser
	ctx   context.Context // of the request
	stall chan struct{}
}

func (b *stallingBody) Read(buffer []byte) (int, error) {
	n, err := b.ReadCloser.Read(buffer)
	select {
	case <-b.stall:
		<-b.ctx.Done()
		return 0, b.ctx.Err()
	default:
		return n, err
	}
}
