package app

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"slices"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/flipside-games/flipside/services/internal/certs"
)

// systemAuthorities, as a value of --tls-ca, is the authorities that the system trusts.
const systemAuthorities = "system"

// listeners are the names of what may be listened on.
var listeners = []string{"http", "game", "strategy", "metrics"}

// checkTLS refuses settings that would leave open what they seem to close.
func (s *Settings) checkTLS() error {
	switch {
	case s.TLSClientCA != "" && s.TLSCert == "":
		return fmt.Errorf("--tls-client-ca: callers can show a certificate only to a server that has one, see --tls-cert")
	case s.TLSClientCert != "" && s.TLSCA == "":
		return fmt.Errorf("--tls-client-cert: it is shown only where TLS is used, see --tls-ca")
	}
	for _, name := range s.TLSClientCAExcept {
		if !slices.Contains(listeners, name) {
			return fmt.Errorf("--tls-client-ca-except: there is no listener %q", name)
		}
	}
	return nil
}

// mutual reports whether a listener demands certificates of its callers.
func (s *Settings) mutual(listener string) bool {
	return s.TLSClientCA != "" && !slices.Contains(s.TLSClientCAExcept, listener)
}

// serverTLS returns the TLS configuration of a listener, nil for none.
func (a *App) serverTLS(listener string, protocols ...string) (*tls.Config, error) {
	if a.settings.TLSCert == "" && a.settings.TLSKey == "" {
		return nil, nil
	}
	files := certs.Files{Cert: a.settings.TLSCert, Key: a.settings.TLSKey}
	base := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: protocols}
	if listener == "strategy" { // Nobody calls it but other processes of this product.
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

// dialTLS returns how connections to other services are secured, with TLS of a version at least.
func (a *App) dialTLS(version uint16) (credentials.TransportCredentials, error) {
	if a.settings.TLSCA == "" {
		return insecure.NewCredentials(), nil
	}
	config, err := a.clientTLS(version)
	if err != nil {
		return nil, err
	}
	return &followingCredentials{credentials.NewTLS(config.Current()), config}, nil
}

// clientTLS returns the TLS configuration for other services.
func (a *App) clientTLS(version uint16) (*certs.Config, error) {
	files := a.settings.clientFiles()
	if a.settings.TLSCA != systemAuthorities {
		files.CA = a.settings.TLSCA
	}
	config, err := certs.Open(files, &tls.Config{MinVersion: version}, a.log)
	if err != nil {
		return nil, fmt.Errorf("TLS to other services: %w", err)
	}
	return config, nil
}

// clientFiles are the certificate that is shown to other services and its key.
func (s *Settings) clientFiles() certs.Files {
	if s.TLSClientCert == "" && s.TLSClientKey == "" {
		return certs.Files{Cert: s.TLSCert, Key: s.TLSKey}
	}
	return certs.Files{Cert: s.TLSClientCert, Key: s.TLSClientKey}
}

// localClient returns a client for a listener on this machine, and the scheme of its addresses. It does not ask whose
// the certificate is, which need not name this machine: nothing secret is said, and only this machine is asked.
func (s *Settings) localClient(listener string) (client *http.Client, scheme string, err error) {
	if s.TLSCert == "" {
		return new(http.Client), "http://", nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: true} //nolint:gosec // As the comment says.
	if s.mutual(listener) {
		files := s.clientFiles()
		pair, err := tls.LoadX509KeyPair(files.Cert, files.Key)
		if err != nil {
			return nil, "", fmt.Errorf("the certificate to ask with: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: config}}, "https://", nil
}

// followingCredentials secure each connection with what the files hold when it is opened.
type followingCredentials struct {
	credentials.TransportCredentials
	config *certs.Config
}

// ClientHandshake implements credentials.TransportCredentials.
func (c *followingCredentials) ClientHandshake(
	ctx context.Context, authority string, conn net.Conn,
) (net.Conn, credentials.AuthInfo, error) {
	return credentials.NewTLS(c.config.Current()).ClientHandshake(ctx, authority, conn)
}

// Clone implements credentials.TransportCredentials.
func (c *followingCredentials) Clone() credentials.TransportCredentials { return c }

// warnOfOpenStrategy tells the log when anybody may reach Strategy, which trusts whoever does.
func (a *App) warnOfOpenStrategy() {
	host, _, err := net.SplitHostPort(a.Addrs["strategy"])
	if err != nil || a.settings.mutual("strategy") || net.ParseIP(host).IsLoopback() {
		return
	}
	a.log.Warn("Strategy trusts whoever can reach it, and listens beyond this machine: "+
		"see to it that only your own processes can, or set --tls-client-ca", "addr", a.Addrs["strategy"])
}
