package app

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flipside-games/flipside/services/internal/certs"
	"github.com/flipside-games/flipside/services/internal/certs/certstest"
)

// A client whose TLS settings do not suit the server learns the cause and what to do. Calls, streams
// and the doctor explain it alike.
func TestTheClientExplainsTLSProblems(t *testing.T) {
	t.Parallel()
	ours := certstest.NewAuthority(t, "ours").Files(t, "server")
	strangers := certstest.NewAuthority(t, "theirs").Files(t, "stranger")
	plain, _ := startDaemon(t, All, testSettings(t))
	s := testSettings(t)
	s.TLSCert, s.TLSKey, s.TLSCA = ours.Cert, ours.Key, ours.CA
	secured, _ := startDaemon(t, All, s)
	s = testSettings(t)
	s.TLSCert, s.TLSKey, s.TLSCA, s.GameAddr, s.StrategyAddr = ours.Cert, ours.Key, ours.CA, "127.0.0.2:0", "127.0.0.2:0"
	elsewhere, _ := startDaemon(t, All, s)
	mutual, _ := startDaemon(t, All, mutualTLS(t, ours))

	for name, tt := range map[string]struct {
		server      *App
		env         map[string]string
		cause, help string
	}{
		"TLS is missing":         {secured, nil, "the server requires TLS", "connect with --tls, or with --ca FILE"},
		"mutual TLS is missing":  {mutual, nil, "the server requires TLS", "connect with --tls"},
		"TLS is too much":        {plain, tlsEnv(ours, certs.Files{}), "the server does not use TLS", "connect with --tls=false"},
		"an unknown authority":   {secured, tlsEnv(strangers, certs.Files{}), "from an unknown authority", "with --ca FILE"},
		"no client certificate":  {mutual, tlsEnv(ours, certs.Files{}), "requires a client certificate", "--client-cert FILE"},
		"a strange certificate":  {mutual, tlsEnv(ours, strangers), "rejects the client certificate", "from an authority that the server accepts"},
		"a name of another host": {elsewhere, tlsEnv(ours, certs.Files{}), "for other names than 127.0.0.2", "an address with one of its names"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, command := range []string{"player new", "strategy list", "arena easy hard", "doctor"} {
				env := map[string]string{
					"FLIPSIDE_ADDRESS": tt.server.Addrs["game"], "FLIPSIDE_STRATEGY_ADDRESS": tt.server.Addrs["strategy"],
					"FLIPSIDE_CLIENT_CONFIG": filepath.Join(t.TempDir(), "config.json"),
				}
				maps.Copy(env, tt.env)
				out, code := flipside(t, env, strings.Fields(command)...)
				if code == 0 || !strings.Contains(out, tt.cause) || !strings.Contains(out, tt.help) {
					t.Errorf("%s: exit code %d: %s", command, code, out)
				}
			}
		})
	}
}

// tlsEnv returns the variables of a client that trusts a CA. cert is its certificate, if any.
func tlsEnv(trusts, cert certs.Files) map[string]string {
	return map[string]string{
		"FLIPSIDE_CA": trusts.CA, "FLIPSIDE_CLIENT_CERT": cert.Cert, "FLIPSIDE_CLIENT_KEY": cert.Key,
	}
}

func TestTheClientRecognizesAnHTTPPort(t *testing.T) {
	t.Parallel()
	a, _ := startDaemon(t, All, testSettings(t))
	env := map[string]string{
		"FLIPSIDE_ADDRESS":       a.Addrs["http"],
		"FLIPSIDE_CLIENT_CONFIG": filepath.Join(t.TempDir(), "config.json"),
	}
	out, code := flipside(t, env, "player", "new")
	if code != 64+14 || !strings.Contains(out, "speaks HTTP there, not gRPC") {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// TLS settings of a saved context apply until a flag or a variable disables TLS.
func TestTheClientConnectsWithoutTLSOnRequest(t *testing.T) {
	t.Parallel()
	ours := certstest.NewAuthority(t, "ours").Files(t, "server")
	plain, _ := startDaemon(t, All, testSettings(t))
	env := map[string]string{"FLIPSIDE_CLIENT_CONFIG": filepath.Join(t.TempDir(), "config.json")}
	run := func(want bool, args ...string) {
		t.Helper()
		if out, code := flipside(t, env, args...); (code == 0) != want {
			t.Errorf("%s: exit code %d: %s", args, code, out)
		}
	}
	run(true, "context", "set", "default", "--strategy-address", plain.Addrs["strategy"], "--ca", ours.CA)
	run(false, "strategy", "list")
	run(true, "strategy", "list", "--tls=false")
	env["FLIPSIDE_TLS"] = "false"
	run(true, "strategy", "list")
	env["FLIPSIDE_TLS"] = ""
	run(false, "strategy", "list")
	run(true, "context", "set", "default", "--tls=false")
	run(true, "strategy", "list")
}
