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

// open opens files for a server that requires client certificates, and for its client.
func open(t *testing.T, files certs.Files, log *slog.Logger) *certs.Config {
	t.Helper()
	c, err := certs.Open(files, &tls.Config{MinVersion: tls.VersionTLS13, ClientAuth: tls.RequireAndVerifyClientCert}, log)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// handshake connects a client to a server. It returns the name in the certificate of the server.
func handshake(server, client *tls.Config) (name string, err error) {
	clientEnd, serverEnd := net.Pipe()
	defer clientEnd.Close()
	defer serverEnd.Close()
	served := make(chan error, 1)
	go func() {
		conn := tls.Server(serverEnd, server)
		err := conn.Handshake()
		if err == nil {
			_, err = conn.Write([]byte("!"))
		}
		serverEnd.Close()
		served <- err
	}()
	client = client.Clone()
	client.ServerName = "localhost"
	conn := tls.Client(clientEnd, client)
	if _, err = conn.Read(make([]byte, 1)); err == nil {
		name = conn.ConnectionState().PeerCertificates[0].Subject.CommonName
	}
	clientEnd.Close()
	if serverErr := <-served; serverErr != nil {
		err = serverErr
	}
	return name, err
}

// wait is longer than the interval between two checks of the files.
const wait = 6 * time.Second

// Server and client switch to a new certificate and a new CA without a restart.
func TestReload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := certstest.NewAuthority(t, "first CA").Files(t, "first")
		c := open(t, files, slog.New(slog.DiscardHandler))
		server, before := c.ForServer(), c.Current()
		expect := func(client *tls.Config, want string) {
			t.Helper()
			if name, err := handshake(server, client); err != nil || name != want {
				t.Errorf("the server is %q, %v; want %q", name, err, want)
			}
		}
		expect(before, "first")
		certstest.NewAuthority(t, "second CA").Write(t, files, "second")
		expect(before, "first") // The next check is not due.
		time.Sleep(wait)
		expect(c.Current(), "second")
		if _, err := handshake(server, before); err == nil {
			t.Error("the server accepts a client certificate of the old CA")
		}
	})
}

func TestUnusableFilesKeepTheCertificatesAndAreLoggedOnce(t *testing.T) {
	for name, damage := range map[string]func(*testing.T, certs.Files){
		"invalid certificate": func(t *testing.T, f certs.Files) { overwrite(t, f.Cert, "no certificate") },
		"key of another certificate": func(t *testing.T, f certs.Files) {
			copyOver(t, certstest.NewAuthority(t, "x").Files(t, "x").Key, f.Key)
		},
		"empty CA bundle": func(t *testing.T, f certs.Files) { overwrite(t, f.CA, "") },
		"missing file": func(t *testing.T, f certs.Files) {
			if err := os.Remove(f.Key); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				authority := certstest.NewAuthority(t, "authority")
				files := authority.Files(t, "valid")
				c := open(t, files, slog.New(slog.NewTextHandler(&log, nil)))
				damage(t, files)
				for range 3 {
					time.Sleep(wait)
					if name, err := handshake(c.ForServer(), c.Current()); err != nil || name != "valid" {
						t.Fatalf("the server is %q, %v", name, err)
					}
				}
				if lines := strings.Count(log.String(), "could not be reloaded"); lines != 1 {
					t.Errorf("%d log lines about it, want 1: %s", lines, log.String())
				}
				authority.Write(t, files, "repaired")
				time.Sleep(wait)
				if name, err := handshake(c.ForServer(), c.Current()); err != nil || name != "repaired" {
					t.Errorf("the server is %q, %v after the repair", name, err)
				}
			})
		})
	}
}

func TestOpenRejectsUnusableFiles(t *testing.T) {
	valid := certstest.NewAuthority(t, "authority").Files(t, "valid")
	other := certstest.NewAuthority(t, "authority").Files(t, "other")
	for name, tt := range map[string]struct {
		files certs.Files
		names string // part of the error
	}{
		"certificate without key":    {certs.Files{Cert: valid.Cert}, "key"},
		"key without certificate":    {certs.Files{Key: valid.Key}, "key"},
		"key of another certificate": {certs.Files{Cert: valid.Cert, Key: other.Key}, other.Key},
		"missing file":               {certs.Files{CA: valid.CA + "x"}, valid.CA + "x"},
		"no CA in the bundle":        {certs.Files{CA: valid.Key}, valid.Key},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := certs.Open(tt.files, &tls.Config{MinVersion: tls.VersionTLS12}, slog.New(slog.DiscardHandler))
			if err == nil || !strings.Contains(err.Error(), tt.names) {
				t.Errorf("error %v, want one that names %s", err, tt.names)
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
