package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/spf13/cobra"
	"google.golang.org/grpc/status"
)

// startMetrics serves what operators ask of any role: metrics, and the probes that the gateway has too. It is there
// first and goes last, so that a daemon can be watched while it starts and stops.
func (a *App) startMetrics(ctx context.Context) error {
	if a.settings.MetricsAddr == "" {
		return nil
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(a.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok\n") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if err := a.ready(r.Context()); err != nil {
			http.Error(w, status.Convert(err).Message(), http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ok\n")
	})
	return a.serveHTTP(ctx, "metrics", a.settings.MetricsAddr, mux)
}

// readyTimeout is how long the parts of a daemon may take to say that they can be used.
const readyTimeout = 2 * time.Second

// ready returns an error unless the daemon has started, is not stopping, and all of its parts can be used.
func (a *App) ready(ctx context.Context) error {
	if !a.taking.Load() {
		return errors.New("the daemon is starting or stopping")
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for _, check := range a.checks {
		if err := check(ctx); err != nil {
			return err
		}
	}
	return nil
}

func healthcheckCommand(settings *Settings) *cobra.Command {
	return &cobra.Command{
		Use:   "healthcheck",
		Short: "Ask the daemon of this machine, whatever its role, whether it is ready: exit code 0 if it is",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), 2*readyTimeout)
			defer cancel()
			if err := settings.askReady(ctx); err != nil {
				return fmt.Errorf("not ready: %w", err)
			}
			fmt.Fprintln(cmd.OutOrStdout(), "ready")
			return nil
		},
	}
}

// askReady asks the daemon of this machine that has these settings.
func (s *Settings) askReady(ctx context.Context) error {
	host, port, err := net.SplitHostPort(s.MetricsAddr)
	if err != nil {
		return errors.New("--metrics-addr has to say where the probes are")
	}
	if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() {
		host = "localhost"
	}
	client, scheme, err := s.localClient("metrics")
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	url := scheme + net.JoinHostPort(host, port) + "/readyz"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("nothing answers at %s", url)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusOK {
		return nil
	}
	why, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	if err != nil {
		return err
	}
	return fmt.Errorf("%s: %s", resp.Status, why)
}
