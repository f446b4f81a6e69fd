package app

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/credentials"

	"github.com/flipside-games/flipside/clients/cli/commands"
	"github.com/flipside-games/flipside/services/internal/certs"
	"github.com/flipside-games/flipside/services/internal/certs/certstest"
)

// testSettings returns the default settings with free ports and a new database.
func testSettings(t testing.TB) Settings {
	t.Helper()
	s := DefaultSettings()
	const free = "127.0.0.1:0"
	s.HTTPAddr, s.GameAddr, s.StrategyAddr, s.MetricsAddr = free, free, free, free
	s.Data, s.DrainTimeout = filepath.Join(t.TempDir(), "flipside.db"), time.Second
	return s
}

// startDaemon starts a role until the test ends, and returns it with its log.
func startDaemon(t testing.TB, role Role, s Settings) (*App, *logBuffer) {
	t.Helper()
	log := &logBuffer{}
	a, err := Start(context.Background(), role, s, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a, log
}

// logBuffer is a log that is safe for concurrent reads and writes.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logBuffer) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// mutualTLS returns test settings with mutual TLS on every listener.
func mutualTLS(t *testing.T, files certs.Files) Settings {
	t.Helper()
	s := testSettings(t)
	s.TLSCert, s.TLSKey, s.TLSClientCA, s.TLSCA = files.Cert, files.Key, files.CA, files.CA
	return s
}

// get fetches a page and returns the status and the protocol.
func get(t *testing.T, url string, config *tls.Config) (string, error) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true}}
	defer client.CloseIdleConnections()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return fmt.Sprintf("%d %s", resp.StatusCode, resp.Proto), err
}

// clientConfig returns the TLS configuration of a client that trusts a CA bundle. cert is its
// certificate, if any.
func clientConfig(t *testing.T, trusts, cert certs.Files) *tls.Config {
	t.Helper()
	bundle, err := os.ReadFile(trusts.CA)
	if err != nil {
		t.Fatal(err)
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: x509.NewCertPool()}
	config.RootCAs.AppendCertsFromPEM(bundle)
	if cert.Cert != "" {
		pair, err := tls.LoadX509KeyPair(cert.Cert, cert.Key)
		if err != nil {
			t.Fatal(err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config
}

func TestEveryListenerRequiresClientCertificates(t *testing.T) {
	t.Parallel()
	ours := certstest.NewAuthority(t, "ours").Files(t, "server")
	strangers := certstest.NewAuthority(t, "theirs").Files(t, "stranger")
	a, log := startDaemon(t, All, mutualTLS(t, ours))
	for _, listener := range listeners {
		t.Run(listener, func(t *testing.T) {
			t.Parallel()
			for name, tt := range map[string]struct {
				config *tls.Config
				fails  bool
			}{
				"a certificate of the CA":     {clientConfig(t, ours, ours), false},
				"no certificate":              {clientConfig(t, ours, certs.Files{}), true},
				"a certificate of another CA": {clientConfig(t, ours, strangers), true},
				"trust in another CA":         {clientConfig(t, strangers, ours), true},
				"TLS 1.1":                     {atMost(clientConfig(t, ours, ours), tls.VersionTLS11), true},
				"TLS 1.2":                     {atMost(clientConfig(t, ours, ours), tls.VersionTLS12), listener == "strategy"},
			} {
				err := handshake(t, a.Addrs[listener], tt.config)
				if (err != nil) != tt.fails {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
	if got, err := get(t, "https://"+a.Addrs["http"]+"/livez", clientConfig(t, ours, ours)); got != "200 HTTP/2.0" {
		t.Errorf("REST answers %q, %v", got, err)
	}
	if got, err := get(t, "https://"+a.Addrs["metrics"]+"/metrics", clientConfig(t, ours, ours)); got != "200 HTTP/2.0" {
		t.Errorf("metrics answer %q, %v", got, err)
	}
	if got, _ := get(t, "http://"+a.Addrs["http"]+"/livez", nil); !strings.HasPrefix(got, "400") {
		t.Errorf("without TLS: %q, want status 400", got)
	}
	if strings.Contains(log.String(), openStrategy) {
		t.Error("the daemon warns of an open Strategy service in spite of mutual TLS")
	}
}

func atMost(config *tls.Config, version uint16) *tls.Config {
	config.MinVersion, config.MaxVersion = tls.VersionTLS10, version
	return config
}

// openStrategy is part of the warning of an open Strategy service.
const openStrategy = "does not authenticate callers"

// handshake connects and waits for a message of the server, since with TLS 1.3 the server rejects a
// certificate only after the handshake of the client.
func handshake(t *testing.T, addr string, config *tls.Config) error {
	t.Helper()
	config = config.Clone()
	config.NextProtos = []string{"h2"}
	conn, err := (&tls.Dialer{Config: config}).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"); err != nil {
		return err
	}
	_, err = io.ReadFull(conn, make([]byte, 9)) // The server's settings.
	return err
}

func TestListenersCanBeExemptFromMutualTLS(t *testing.T) {
	t.Parallel()
	ours := certstest.NewAuthority(t, "ours").Files(t, "server")
	s := mutualTLS(t, ours)
	s.TLSClientCAExcept = []string{"http", "metrics"}
	a, _ := startDaemon(t, All, s)
	for _, listener := range listeners {
		err := handshake(t, a.Addrs[listener], clientConfig(t, ours, certs.Files{}))
		if requires := listener == "game" || listener == "strategy"; (err != nil) != requires {
			t.Errorf("%s: handshake without a certificate: %v", listener, err)
		}
	}
}

// Three processes and the command line client play over mutual TLS.
func TestRolesAndClientConnectOverMutualTLS(t *testing.T) {
	t.Parallel()
	authority := certstest.NewAuthority(t, "ours")
	settings := func(name string) Settings { return mutualTLS(t, authority.Files(t, name)) }
	strategy, _ := startDaemon(t, Strategy, settings("strategy"))
	s := settings("game")
	s.StrategyTarget = strategy.Addrs["strategy"]
	s.Providers = []string{"more=" + strategy.Addrs["strategy"]}
	gameRole, _ := startDaemon(t, Game, s)
	s = settings("gateway")
	s.GameTarget, s.StrategyTarget = gameRole.Addrs["game"], strategy.Addrs["strategy"]
	gateway, _ := startDaemon(t, Gateway, s)

	mine := authority.Files(t, "player")
	env := map[string]string{
		"FLIPSIDE_ADDRESS": gameRole.Addrs["game"], "FLIPSIDE_STRATEGY_ADDRESS": strategy.Addrs["strategy"],
		"FLIPSIDE_CA": mine.CA, "FLIPSIDE_CLIENT_CERT": mine.Cert, "FLIPSIDE_CLIENT_KEY": mine.Key,
		"FLIPSIDE_CLIENT_CONFIG": filepath.Join(t.TempDir(), "config.json"),
	}
	if out, code := flipside(t, env, "play", "hex", "easy", "easy", "2"); code != 0 {
		t.Errorf("a game of two robots: exit %d: %s", code, out)
	}
	for _, name := range []string{"FLIPSIDE_CLIENT_CERT", "FLIPSIDE_CLIENT_KEY", "FLIPSIDE_CA"} { // The client has saved them.
		env[name] = ""
	}
	if out, code := flipside(t, env, "doctor"); code != 0 {
		t.Errorf("doctor: exit %d: %s", code, out)
	}
	env["FLIPSIDE_CLIENT_CONFIG"] = filepath.Join(t.TempDir(), "config.json")
	if _, code := flipside(t, env, "player", "show"); code != 64+14 {
		t.Errorf("without TLS: exit %d", code)
	}

	healthcheck := []string{"healthcheck", "--metrics-addr", gateway.Addrs["metrics"],
		"--tls-cert", mine.Cert, "--tls-key", mine.Key, "--tls-client-ca", mine.CA}
	deadline := time.Now().Add(10 * time.Second)
	var out bytes.Buffer
	code := 1
	for code != 0 && time.Now().Before(deadline) { // The gateway connects to the services at the first call.
		out.Reset()
		code = Main(t.Context(), "", healthcheck, &out, &out)
	}
	if code != 0 || out.String() != "ready\n" {
		t.Errorf("healthcheck: exit code %d: %s", code, &out)
	}
	out.Reset()
	code = Main(t.Context(), "", healthcheck[:3], &out, &out)
	if code == 0 || !strings.Contains(out.String(), "if it serves TLS, give healthcheck the same --tls-cert") {
		t.Errorf("healthcheck without TLS: exit code %d: %s", code, &out)
	}
}

// flipside runs the command line client.
func flipside(t *testing.T, env map[string]string, args ...string) (out string, code int) {
	t.Helper()
	var text bytes.Buffer
	streams := commands.Streams{In: strings.NewReader(""), Out: &text, Err: &text}
	code = commands.Run(t.Context(), "0.0.0", args, streams, func(name string) string { return env[name] })
	return text.String(), code
}

// Connections between services use the content that the files have when the connection opens.
func TestServicesReloadCertificates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := certstest.NewAuthority(t, "first").Files(t, "first")
		a := &App{settings: mutualTLS(t, files), log: slog.New(slog.DiscardHandler)}
		server, err := a.serverTLS("strategy", "h2")
		if err != nil {
			t.Fatal(err)
		}
		client, err := a.dialTLS(tls.VersionTLS13)
		if err != nil {
			t.Fatal(err)
		}
		if names := peers(t, server, client.Clone()); names != "first first" {
			t.Errorf("before the change: %s", names)
		}
		certstest.NewAuthority(t, "second").Write(t, files, "second")
		time.Sleep(time.Minute)
		if names := peers(t, server, client.Clone()); names != "second second" {
			t.Errorf("after the change: %s", names)
		}
	})
}

// peers connects two services and returns the names in the certificates of both.
func peers(t *testing.T, server *tls.Config, client credentials.TransportCredentials) string {
	t.Helper()
	clientConn, serverConn := net.Pipe()
	var names [2]string
	var both sync.WaitGroup
	both.Go(func() { names[0] = peerName(credentials.NewTLS(server).ServerHandshake(serverConn)) })
	both.Go(func() { names[1] = peerName(client.ClientHandshake(t.Context(), "localhost:1", clientConn)) })
	both.Wait()
	clientConn.Close()
	serverConn.Close()
	return names[0] + " " + names[1]
}

func peerName(_ net.Conn, info credentials.AuthInfo, err error) string {
	if err != nil {
		return err.Error()
	}
	return info.(credentials.TLSInfo).State.PeerCertificates[0].Subject.CommonName
}

func TestTheDaemonWarnsOfAnOpenStrategyService(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]bool{"0.0.0.0:0": true, "127.0.0.1:0": false} {
		s := testSettings(t)
		s.StrategyAddr = addr
		_, log := startDaemon(t, Strategy, s)
		if strings.Contains(log.String(), openStrategy) != want {
			t.Errorf("on %s, want a warning: %v: %s", addr, want, log)
		}
	}
}

func TestInvalidTLSSettingsAreRejected(t *testing.T) {
	t.Parallel()
	ours := certstest.NewAuthority(t, "ours").Files(t, "server")
	for name, tt := range map[string]struct {
		set  func(*Settings)
		want string
	}{
		"client certificates without a server certificate": {
			func(s *Settings) { s.TLSClientCA = ours.CA }, "--tls-client-ca",
		},
		"a client certificate without TLS": {
			func(s *Settings) { s.TLSClientCert, s.TLSClientKey = ours.Cert, ours.Key }, "--tls-client-cert",
		},
		"an exempt listener that does not exist": {func(s *Settings) {
			s.TLSCert, s.TLSKey, s.TLSClientCA, s.TLSClientCAExcept = ours.Cert, ours.Key, ours.CA, []string{"rest"}
		}, "rest"},
		"a certificate without a key": {func(s *Settings) { s.TLSCert = ours.Cert }, "key"},
		"a key without a certificate": {func(s *Settings) { s.TLSKey = ours.Key }, "key"},
		"a missing file": {
			func(s *Settings) { s.TLSCert, s.TLSKey = ours.Cert+"x", ours.Key }, ours.Cert + "x",
		},
		"a CA bundle without certificates": {func(s *Settings) { s.TLSCA = ours.Key }, ours.Key},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testSettings(t)
			tt.set(&s)
			_, err := Start(t.Context(), Gateway, s, slog.New(slog.DiscardHandler))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}
