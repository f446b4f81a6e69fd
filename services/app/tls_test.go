package app

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
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

// daemon starts a role on free ports, with the default of each setting that s leaves out. It also returns the log.
func daemon(t *testing.T, role Role, s Settings) (*App, *logBuffer) {
	t.Helper()
	const free = "127.0.0.1:0"
	for _, addr := range []*string{&s.HTTPAddr, &s.GameAddr, &s.StrategyAddr, &s.MetricsAddr} {
		if *addr == "" {
			*addr = free
		}
	}
	s.Data, s.DrainTimeout = filepath.Join(t.TempDir(), "flipside.db"), time.Second
	for _, r := range s.table() {
		if value := reflect.ValueOf(r.value).Elem(); value.IsZero() {
			value.Set(reflect.ValueOf(r.preset))
		}
	}
	log := &logBuffer{}
	a, err := Start(context.Background(), role, s, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a, log
}

// logBuffer is a log that is read while it is written.
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

// closed are settings with TLS both ways on every listener.
func closed(files certs.Files) Settings {
	return Settings{TLSCert: files.Cert, TLSKey: files.Key, TLSClientCA: files.CA, TLSCA: files.CA}
}

// get fetches a page and returns its status and the connection's protocol.
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

// callerTLS is the configuration of a caller; shows is the certificate that he shows, if any.
func callerTLS(t *testing.T, knows, shows certs.Files) *tls.Config {
	t.Helper()
	authorities, err := os.ReadFile(knows.CA)
	if err != nil {
		t.Fatal(err)
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: x509.NewCertPool()}
	config.RootCAs.AppendCertsFromPEM(authorities)
	if shows.Cert != "" {
		pair, err := tls.LoadX509KeyPair(shows.Cert, shows.Key)
		if err != nil {
			t.Fatal(err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config
}

// Every listener shows its certificate, takes callers whose certificate is of the authority, and no others.
func TestEveryListenerDemandsACertificate(t *testing.T) {
	t.Parallel()
	ours := certstest.NewAuthority(t, "ours").Files(t, "server")
	strangers := certstest.NewAuthority(t, "theirs").Files(t, "stranger")
	a, log := daemon(t, All, closed(ours))
	for _, listener := range listeners {
		t.Run(listener, func(t *testing.T) {
			t.Parallel()
			for name, tt := range map[string]struct {
				config *tls.Config
				wrong  bool
			}{
				"a caller of ours":                {callerTLS(t, ours, ours), false},
				"a caller without a certificate":  {callerTLS(t, ours, certs.Files{}), true},
				"a caller of another authority":   {callerTLS(t, ours, strangers), true},
				"a caller who does not know us":   {callerTLS(t, strangers, ours), true},
				"a caller of an old TLS version":  {atMost(callerTLS(t, ours, ours), tls.VersionTLS11), true},
				"a caller who speaks TLS 1.2 yet": {atMost(callerTLS(t, ours, ours), tls.VersionTLS12), listener == "strategy"},
			} {
				err := handshake(t, a.Addrs[listener], tt.config)
				if (err != nil) != tt.wrong {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
	if got, err := get(t, "https://"+a.Addrs["http"]+"/livez", callerTLS(t, ours, ours)); got != "200 HTTP/2.0" {
		t.Errorf("REST answers %q, %v", got, err)
	}
	if got, err := get(t, "https://"+a.Addrs["metrics"]+"/metrics", callerTLS(t, ours, ours)); got != "200 HTTP/2.0" {
		t.Errorf("metrics answer %q, %v", got, err)
	}
	if got, _ := get(t, "http://"+a.Addrs["http"]+"/livez", nil); !strings.HasPrefix(got, "400") {
		t.Errorf("without TLS there is %q", got)
	}
	if strings.Contains(log.String(), "Strategy trusts") {
		t.Error("it warns of a Strategy service that is closed")
	}
}

func atMost(config *tls.Config, version uint16) *tls.Config {
	config.MinVersion, config.MaxVersion = tls.VersionTLS10, version
	return config
}

// handshake connects and waits for the server's word: with TLS 1.3 a caller who is refused hears of it only then.
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

func TestAListenerMayBeExceptedFromMutualTLS(t *testing.T) {
	t.Parallel()
	ours := certstest.NewAuthority(t, "ours").Files(t, "server")
	s := closed(ours)
	s.TLSClientCAExcept = []string{"http", "metrics"}
	a, _ := daemon(t, All, s)
	for _, listener := range listeners {
		err := handshake(t, a.Addrs[listener], callerTLS(t, ours, certs.Files{}))
		if demands := listener == "game" || listener == "strategy"; (err != nil) != demands {
			t.Errorf("%s: a caller without a certificate gets %v", listener, err)
		}
	}
}

// Three processes and the command line client play over mutual TLS alone.
func TestRolesAndClientMeetOverMutualTLS(t *testing.T) {
	t.Parallel()
	authority := certstest.NewAuthority(t, "ours")
	settings := func(name string) Settings { return closed(authority.Files(t, name)) }
	strategy, _ := daemon(t, Strategy, settings("strategy"))
	s := settings("game")
	s.StrategyTarget = strategy.Addrs["strategy"]
	s.Providers = []string{"more=" + strategy.Addrs["strategy"]}
	gameRole, _ := daemon(t, Game, s)
	s = settings("gateway")
	s.GameTarget, s.StrategyTarget = gameRole.Addrs["game"], strategy.Addrs["strategy"]
	gateway, _ := daemon(t, Gateway, s)

	mine := authority.Files(t, "player")
	env := map[string]string{
		"FLIPSIDE_ADDRESS": gameRole.Addrs["game"], "FLIPSIDE_STRATEGY_ADDRESS": strategy.Addrs["strategy"],
		"FLIPSIDE_CA": mine.CA, "FLIPSIDE_CLIENT_CERT": mine.Cert, "FLIPSIDE_CLIENT_KEY": mine.Key,
		"FLIPSIDE_CLIENT_CONFIG": filepath.Join(t.TempDir(), "config.json"),
	}
	if out, code := flipside(t, env, "play", "hex", "easy", "easy", "2"); code != 0 {
		t.Errorf("a game of two robots: exit %d: %s", code, out)
	}
	for _, name := range []string{"FLIPSIDE_CLIENT_CERT", "FLIPSIDE_CLIENT_KEY", "FLIPSIDE_CA"} { // They were saved.
		env[name] = ""
	}
	if out, code := flipside(t, env, "doctor"); code != 0 {
		t.Errorf("doctor: exit %d: %s", code, out)
	}
	env["FLIPSIDE_CLIENT_CONFIG"] = filepath.Join(t.TempDir(), "config.json")
	if _, code := flipside(t, env, "player", "show"); code != 64+14 {
		t.Errorf("without TLS: exit %d", code)
	}

	command := Command()
	command.SetArgs([]string{"healthcheck", "--metrics-addr", gateway.Addrs["metrics"],
		"--tls-cert", mine.Cert, "--tls-key", mine.Key, "--tls-client-ca", mine.CA})
	command.SetOut(io.Discard)
	deadline := time.Now().Add(10 * time.Second)
	err := errors.New("not asked")
	for err != nil && time.Now().Before(deadline) { // The gateway connects to the services when it is asked first.
		err = command.ExecuteContext(t.Context())
	}
	if err != nil {
		t.Errorf("healthcheck: %v", err)
	}
}

// flipside runs the command line client.
func flipside(t *testing.T, env map[string]string, args ...string) (out string, code int) {
	t.Helper()
	var text bytes.Buffer
	streams := commands.Streams{In: strings.NewReader(""), Out: &text, Err: &text}
	code = commands.Run(t.Context(), args, streams, func(name string) string { return env[name] })
	return text.String(), code
}

// A connection between two services is made with what the files of both hold when it is opened.
func TestServicesGoOverToNewCertificates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := certstest.NewAuthority(t, "first").Files(t, "first")
		a := &App{settings: closed(files), log: slog.New(slog.DiscardHandler)}
		listening, err := a.serverTLS("strategy", "h2")
		if err != nil {
			t.Fatal(err)
		}
		dialling, err := a.dialTLS(tls.VersionTLS13)
		if err != nil {
			t.Fatal(err)
		}
		if names := meet(t, listening, dialling.Clone()); names != "first first" {
			t.Errorf("before: %s", names)
		}
		certstest.NewAuthority(t, "second").Write(t, files, "second")
		time.Sleep(time.Minute)
		if names := meet(t, listening, dialling.Clone()); names != "second second" {
			t.Errorf("afterwards: %s", names)
		}
	})
}

// meet has two services connect and returns the names in the certificates that they see of each other.
func meet(t *testing.T, listening *tls.Config, dialling credentials.TransportCredentials) string {
	t.Helper()
	here, there := net.Pipe()
	var names [2]string
	var both sync.WaitGroup
	both.Go(func() { names[0] = peerName(credentials.NewTLS(listening).ServerHandshake(there)) })
	both.Go(func() { names[1] = peerName(dialling.ClientHandshake(t.Context(), "localhost:1", here)) })
	both.Wait()
	here.Close()
	there.Close()
	return names[0] + " " + names[1]
}

func peerName(_ net.Conn, info credentials.AuthInfo, err error) string {
	if err != nil {
		return err.Error()
	}
	return info.(credentials.TLSInfo).State.PeerCertificates[0].Subject.CommonName
}

func TestAnOpenStrategyServiceIsWarnedOf(t *testing.T) {
	t.Parallel()
	_, log := daemon(t, Strategy, Settings{StrategyAddr: "0.0.0.0:0"})
	if !strings.Contains(log.String(), "Strategy trusts") {
		t.Errorf("the log says only: %s", log)
	}
	_, log = daemon(t, Strategy, Settings{})
	if strings.Contains(log.String(), "Strategy trusts") {
		t.Errorf("on loopback the log says: %s", log)
	}
}

func TestSettingsOfTLSThatLeaveSomethingOpenAreRefused(t *testing.T) {
	t.Parallel()
	ours := certstest.NewAuthority(t, "ours").Files(t, "server")
	for name, tt := range map[string]struct {
		settings Settings
		names    string
	}{
		"callers' certificates without one of its own": {Settings{TLSClientCA: ours.CA}, "--tls-client-ca"},
		"a client certificate without TLS":             {Settings{TLSClientCert: ours.Cert, TLSClientKey: ours.Key}, "--tls-client-cert"},
		"an exception for a listener there is not": {
			Settings{TLSCert: ours.Cert, TLSKey: ours.Key, TLSClientCA: ours.CA, TLSClientCAExcept: []string{"rest"}}, "rest",
		},
		"a certificate without a key": {Settings{TLSCert: ours.Cert}, "key"},
		"a key without a certificate": {Settings{TLSKey: ours.Key}, "key"},
		"no such file":                {Settings{TLSCert: ours.Cert + "x", TLSKey: ours.Key}, ours.Cert + "x"},
		"authorities that are none":   {Settings{TLSCA: ours.Key, StrategyTarget: "127.0.0.1:1", GameTarget: "127.0.0.1:1"}, ours.Key},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := tt.settings
			s.HTTPAddr, s.GameAddr = "127.0.0.1:0", "127.0.0.1:0"
			_, err := Start(t.Context(), Gateway, s, slog.New(slog.DiscardHandler))
			if err == nil || !strings.Contains(err.Error(), tt.names) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}
