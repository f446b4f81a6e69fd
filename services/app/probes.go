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

// startMetrics serves metrics and the liveness and readiness probes of any role. It starts first
// and stops last, so that operators can observe the start and the shutdown.
func (a *App) startMetrics(ctx context.Context) error {
	if a.settings.MetricsAddr == "" {
		return nil
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(a.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "ok\n")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if err := a.ready(r.Context()); err != nil {
			http.Error(w, status.Convert(err).Message(), http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ok\n")
	})
	return a.serveHTTP(ctx, "metrics", a.settings.MetricsAddr, mux)
}

// readyTimeout limits the readiness checks of a daemon.
const readyTimeout = 2 * time.Second

// ready returns an error while the daemon starts or stops, and if a readiness check fails.
func (a *App) ready(ctx context.Context) error {
	if !a.accepting.Load() {
		return errors.New("the daemon is starting or stopping")
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for _, check := range a.readyChecks {
		if err := check(ctx); err != nil {
			return err
		}
	}
	return nil
}

func healthcheckCommand(settings *Settings) *cobra.Command {
	return &cobra.Command{
		Use:   "healthcheck",
		Short: "Check that the daemon on this machine is ready: exit code 0 if it is",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), 2*readyTimeout)
			defer cancel()
			if err := settings.checkReady(ctx); err != nil {
				return fmt.Errorf("not ready: %w", err)
			}
			fmt.Fprintln(cmd.OutOrStdout(), "ready")
			return nil
		},
	}
}

// tlsHint returns what to check if the daemon does not understand a probe with this scheme.
func tlsHint(scheme string) string {
	if scheme == "https://" {
		return ": check that the daemon runs and serves TLS"
	}
	return ": check that the daemon runs; if it serves TLS, give healthcheck the same " +
		"--tls-cert and --tls-client-ca"
}

// checkReady calls the readiness probe of the daemon on this machine with these settings.
func (s *Settings) checkReady(ctx context.Context) error {
	host, port, err := net.SplitHostPort(s.MetricsAddr)
	if err != nil {
		return errors.New("--metrics-addr: set it to the address of the probes")
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
		return fmt.Errorf("no response from %s%s", url, tlsHint(scheme))
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusOK {
		return nil
	}
	if resp.StatusCode == http.StatusBadRequest { // The answer of a TLS listener to plain HTTP.
		return fmt.Errorf("%s from %s%s", resp.Status, url, tlsHint(scheme))
	}
	reason, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	if err != nil {
		return err
	}
	return fmt.Errorf("%s: %s", resp.Status, reason)
}
