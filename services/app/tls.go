package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/flipside-games/flipside/services/internal/certs"
)

// systemCA is the value of --tls-ca that selects the CA bundle of the operating system.
const systemCA = "system"

// listeners are the names of all listeners.
var listeners = []string{"http", "game", "strategy", "metrics"}

// checkTLS rejects settings without the effect that they suggest.
func (s *Settings) checkTLS() error {
	switch {
	case (s.TLSCert == "") != (s.TLSKey == ""):
		return errors.New("--tls-cert and --tls-key belong together: set both")
	case (s.TLSClientCert == "") != (s.TLSClientKey == ""):
		return errors.New("--tls-client-cert and --tls-client-key belong together: set both")
	case s.TLSClientCA != "" && s.TLSCert == "":
		return errors.New("--tls-client-ca: client certificates need TLS: set --tls-cert too")
	case s.TLSClientCert != "" && s.TLSCA == "":
		return errors.New("--tls-client-cert: client certificates need TLS: set --tls-ca too")
	}
	for _, name := range s.TLSClientCAExcept {
		if !slices.Contains(listeners, name) {
			return fmt.Errorf("--tls-client-ca-except: unknown listener %q: use %s",
				name, strings.Join(listeners, ", "))
		}
	}
	return nil
}

// mutual reports whether a listener requires client certificates.
func (s *Settings) mutual(listener string) bool {
	return s.TLSClientCA != "" && !slices.Contains(s.TLSClientCAExcept, listener)
}

// serverTLS returns the TLS configuration of a listener, or nil to serve without TLS.
func (a *App) serverTLS(listener string, protocols ...string) (*tls.Config, error) {
	if a.settings.TLSCert == "" && a.settings.TLSKey == "" {
		return nil, nil
	}
	files := certs.Files{Cert: a.settings.TLSCert, Key: a.settings.TLSKey}
	base := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: protocols}
	if listener == "strategy" { // Only processes of this product connect to it.
		base.MinVersion = tls.VersionTLS13
	}
	if a.settings.mutual(listener) {
		files.CA, base.ClientAuth = a.settings.TLSClientCA, tls.RequireAndVerifyClientCert
	}
	config, err := certs.Open(files, base, a.log.With("listener", listener))
	if err != nil {
		return nil, fmt.Errorf("TLS of %s: %w", listener, err)
	}
	return config.ForServer(), nil
}

// clientTLS returns the TLS configuration for connections to other services.
func (a *App) clientTLS(minVersion uint16) (*certs.Config, error) {
	files := a.settings.clientFiles()
	if a.settings.TLSCA != systemCA {
		files.CA = a.settings.TLSCA
	}
	config, err := certs.Open(files, &tls.Config{MinVersion: minVersion}, a.log)
	if err != nil {
		return nil, fmt.Errorf("TLS to other services: %w", err)
	}
	return config, nil
}

// clientFiles returns the files of the client certificate.
func (s *Settings) clientFiles() certs.Files {
	if s.TLSClientCert == "" && s.TLSClientKey == "" {
		return certs.Files{Cert: s.TLSCert, Key: s.TLSKey}
	}
	return certs.Files{Cert: s.TLSClientCert, Key: s.TLSClientKey}
}

// dialTLS returns the credentials for gRPC connections to other services.
func (a *App) dialTLS(minVersion uint16) (credentials.TransportCredentials, error) {
	if a.settings.TLSCA == "" {
		return insecure.NewCredentials(), nil
	}
	config, err := a.clientTLS(minVersion)
	if err != nil {
		return nil, err
	}
	return &reloadingCredentials{credentials.NewTLS(config.Current()), config}, nil
}

// reloadingCredentials secure each new connection with the current content of the files.
type reloadingCredentials struct {
	credentials.TransportCredentials
	config *certs.Config
}

// ClientHandshake implements credentials.TransportCredentials.
func (c *reloadingCredentials) ClientHandshake(
	ctx context.Context, authority string, conn net.Conn,
) (net.Conn, credentials.AuthInfo, error) {
	return credentials.NewTLS(c.config.Current()).ClientHandshake(ctx, authority, conn)
}

// Clone implements credentials.TransportCredentials.
func (c *reloadingCredentials) Clone() credentials.TransportCredentials { return c }

// localClient returns a client for a listener on this machine, and the URL scheme. It does not
// verify the server certificate, which need not name this machine: the request contains no secret
// and does not leave the machine.
func (s *Settings) localClient(listener string) (client *http.Client, scheme string, err error) {
	if s.TLSCert == "" {
		return new(http.Client), "http://", nil
	}
	//nolint:gosec // As the comment says.
	config := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: true}
	if s.mutual(listener) {
		files := s.clientFiles()
		pair, err := tls.LoadX509KeyPair(files.Cert, files.Key)
		if err != nil {
			return nil, "", fmt.Errorf("client certificate: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: config}}, "https://", nil
}

// warnIfStrategyIsOpen logs a warning if other machines can reach the Strategy service without a
// client certificate.
func (a *App) warnIfStrategyIsOpen() {
	host, _, err := net.SplitHostPort(a.Addrs["strategy"])
	if err != nil || a.settings.mutual("strategy") || net.ParseIP(host).IsLoopback() {
		return
	}
	a.log.Warn("the Strategy service does not authenticate callers and other machines can reach it: "+
		"restrict access to your own processes, or set --tls-client-ca", "addr", a.Addrs["strategy"])
}
