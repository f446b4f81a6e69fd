package certs_test

import (
	"bytes"
	"crypto/tls"
	"log/slog"
	"net"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flipside-games/flipside/services/internal/certs"
	"github.com/flipside-games/flipside/services/internal/certs/certstest"
)

// open opens files for a server that demands certificates, and for its caller.
func open(t *testing.T, files certs.Files, log *slog.Logger) *certs.Config {
	t.Helper()
	c, err := certs.Open(files, &tls.Config{MinVersion: tls.VersionTLS13, ClientAuth: tls.RequireAndVerifyClientCert}, log)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// shake has a caller connect to a server and returns the name in the server's certificate.
func shake(server, caller *tls.Config) (name string, err error) {
	here, there := net.Pipe()
	defer here.Close()
	defer there.Close()
	answered := make(chan error, 1)
	go func() {
		conn := tls.Server(there, server)
		err := conn.Handshake()
		if err == nil {
			_, err = conn.Write([]byte("!"))
		}
		there.Close()
		answered <- err
	}()
	caller = caller.Clone()
	caller.ServerName = "localhost"
	conn := tls.Client(here, caller)
	if _, err = conn.Read(make([]byte, 1)); err == nil {
		name = conn.ConnectionState().PeerCertificates[0].Subject.CommonName
	}
	here.Close()
	if refused := <-answered; refused != nil {
		err = refused
	}
	return name, err
}

const wait = 6 * time.Second // until files are looked at again

// Both sides go over to a new certificate, and to a new authority, while the server goes on.
func TestNewFilesAreUsedWithoutARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := certstest.NewAuthority(t, "first authority").Files(t, "first")
		c := open(t, files, slog.New(slog.DiscardHandler))
		server, before := c.ForServer(), c.Current()
		expect := func(caller *tls.Config, want string) {
			t.Helper()
			if name, err := shake(server, caller); err != nil || name != want {
				t.Errorf("the server is %q, %v; want %q", name, err, want)
			}
		}
		expect(before, "first")
		certstest.NewAuthority(t, "second authority").Write(t, files, "second")
		expect(before, "first") // since the files were looked at a moment ago
		time.Sleep(wait)
		expect(c.Current(), "second")
		if _, err := shake(server, before); err == nil {
			t.Error("a caller with a certificate of the old authority is let in")
		}
	})
}

func TestFilesThatCannotBeUsedChangeNothingAndAreToldOnce(t *testing.T) {
	for name, damage := range map[string]func(*testing.T, certs.Files){
		"a certificate that is none": func(t *testing.T, f certs.Files) { overwrite(t, f.Cert, "no certificate") },
		"a key of another": func(t *testing.T, f certs.Files) {
			copyOver(t, certstest.NewAuthority(t, "x").Files(t, "x").Key, f.Key)
		},
		"authorities that are none": func(t *testing.T, f certs.Files) { overwrite(t, f.CA, "") },
		"a file that is gone": func(t *testing.T, f certs.Files) {
			if err := os.Remove(f.Key); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				authority := certstest.NewAuthority(t, "authority")
				files := authority.Files(t, "good")
				c := open(t, files, slog.New(slog.NewTextHandler(&log, nil)))
				damage(t, files)
				for range 3 {
					time.Sleep(wait)
					if name, err := shake(c.ForServer(), c.Current()); err != nil || name != "good" {
						t.Fatalf("the server is %q, %v", name, err)
					}
				}
				if told := strings.Count(log.String(), "cannot be used"); told != 1 {
					t.Errorf("the log tells it %d times: %s", told, log.String())
				}
				authority.Write(t, files, "mended")
				time.Sleep(wait)
				if name, err := shake(c.ForServer(), c.Current()); err != nil || name != "mended" {
					t.Errorf("the server is %q, %v after the files were mended", name, err)
				}
			})
		})
	}
}

func TestFilesThatCannotBeUsedAtFirstAreAnError(t *testing.T) {
	good := certstest.NewAuthority(t, "authority").Files(t, "good")
	other := certstest.NewAuthority(t, "authority").Files(t, "other")
	for name, tt := range map[string]struct {
		files certs.Files
		names string // what the error must name
	}{
		"a certificate without a key": {certs.Files{Cert: good.Cert}, "key"},
		"a key without a certificate": {certs.Files{Key: good.Key}, "key"},
		"a key of another":            {certs.Files{Cert: good.Cert, Key: other.Key}, other.Key},
		"no such file":                {certs.Files{CA: good.CA + "x"}, good.CA + "x"},
		"authorities that are none":   {certs.Files{CA: good.Key}, good.Key},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := certs.Open(tt.files, &tls.Config{MinVersion: tls.VersionTLS12}, slog.New(slog.DiscardHandler))
			if err == nil || !strings.Contains(err.Error(), tt.names) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func overwrite(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func copyOver(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	overwrite(t, to, string(content))
}
