package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"
	"google.golang.org/grpc"

	"github.com/flipside-games/flipside/services/internal/serve"
)

// writeTimeout limits an HTTP response. It is longer than the longest call; streams set their own.
const writeTimeout = 90 * time.Second

// listen listens on an address and records the one in use.
func (a *App) listen(ctx context.Context, name, addr string) (net.Listener, error) {
	lis, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("--%s-addr: %w", name, err)
	}
	a.Addrs[name] = lis.Addr().String()
	if a.settings.MaxConnections > 0 {
		lis = netutil.LimitListener(lis, a.settings.MaxConnections)
	}
	return lis, nil
}

// newGRPCServer returns a gRPC server without services.
func (a *App) newGRPCServer(
	name string, unary grpc.UnaryServerInterceptor, stream grpc.StreamServerInterceptor,
) (*serve.Server, error) {
	config, err := a.serverTLS(name, "h2")
	if err != nil {
		return nil, err
	}
	return serve.NewServer(serve.Options{
		Name:       name,
		Log:        a.log,
		Registry:   a.registry,
		Unary:      unary,
		Stream:     stream,
		TLS:        config,
		Tracing:    a.tracing,
		MaxStreams: a.settings.MaxConnectionStreams,
	})
}

func (a *App) serveGRPC(ctx context.Context, name, addr string, server *serve.Server) error {
	lis, err := a.listen(ctx, name, addr)
	if err != nil {
		return err
	}
	a.serve(name, func() error { return server.Serve(lis) })
	a.notReady = append(a.notReady, server.SetNotReady)
	a.onStop(server.Stop)
	return nil
}

func (a *App) serveHTTP(ctx context.Context, name, addr string, handler http.Handler) error {
	config, err := a.serverTLS(name, "h2", "http/1.1")
	if err != nil {
		return err
	}
	lis, err := a.listen(ctx, name, addr)
	if err != nil {
		return err
	}
	server := newHTTPServer(handler, config, a.log)
	a.serve(name, func() error {
		if config != nil {
			err = server.ServeTLS(lis, "", "")
		} else {
			err = server.Serve(lis)
		}
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return err
	})
	a.onStop(func(ctx context.Context) {
		if server.Shutdown(ctx) != nil {
			_ = server.Close()
		}
	})
	return nil
}

// newHTTPServer returns a server that limits the size and the time of requests.
func newHTTPServer(handler http.Handler, config *tls.Config, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		TLSConfig:         config,
		MaxHeaderBytes:    serve.MaxHeaderBytes,
		ReadHeaderTimeout: 10 * time.Second,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// serve runs a server in the background. If it fails, the daemon stops.
func (a *App) serve(name string, run func() error) {
	a.serving.Go(func() {
		if err := run(); err != nil {
			a.failed <- fmt.Errorf("%s: %w", name, err)
		}
	})
}
