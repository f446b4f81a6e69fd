package app

import (
	"context"
	"fmt"
	"net"
	"net/http"

	"github.com/flipside-games/flipside/services/internal/intake"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// listen listens on an address and records the one in use.
func (a *App) listen(ctx context.Context, name, addr string) (*intake.Listener, error) {
	lis, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("--%s-addr: %w", name, err)
	}
	a.Addrs[name] = lis.Addr().String()
	return a.intake.Listen(lis, name, a.settings.MaxConnections), nil
}

// newGRPCServer returns a gRPC server without services. The options lack what all servers have in
// common.
func (a *App) newGRPCServer(o serve.Options) (*serve.Server, error) {
	config, err := a.serverTLS(o.Name, "h2")
	if err != nil {
		return nil, err
	}
	o.Log, o.Registry, o.Tracing, o.TLS = a.log, a.registry, a.tracing, config
	o.MaxStreams = a.settings.MaxConnectionStreams
	return serve.NewServer(o)
}

func (a *App) serveGRPC(ctx context.Context, name, addr string, server *serve.Server) error {
	lis, err := a.listen(ctx, name, addr)
	if err != nil {
		return err
	}
	a.serve(name, func() error { return server.Serve(lis) })
	a.notReady = append(a.notReady, server.SetNotReady)
	a.drain = append(a.drain, server.EndStreams)
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
	server := serve.NewHTTPServer(lis, handler, config, a.log)
	a.serve(name, server.Serve)
	a.onStop(server.Stop)
	return nil
}

// serve runs a server in the background. If it fails, the daemon stops.
func (a *App) serve(name string, run func() error) {
	a.serving.Go(func() {
		if err := run(); err != nil {
			a.failed <- fmt.Errorf("%s: %w", name, err)
		}
	})
}
