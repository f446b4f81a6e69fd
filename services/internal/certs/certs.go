// Package certs keeps a TLS configuration in step with the PEM files it is made of, so that certificates are replaced
// without a restart. It leaves out who uses the configuration and what for.
package certs

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// interval is how often files are looked at, at most: it happens when a connection is opened, so that a new file is in
// use that long after it was written.
const interval = 5 * time.Second

// Files names PEM files. Each may be left out, but a certificate and its key go together.
type Files struct {
	// Cert is a certificate with the chain that leads to its authority, and Key the private key of it.
	Cert, Key string
	// CA holds the certificates of the authorities that the other side's certificate may come from.
	CA string
}

// Config is a TLS configuration that follows its files. It may be used from many goroutines.
type Config struct {
	files Files
	base  *tls.Config
	log   *slog.Logger

	mu      sync.Mutex
	current *tls.Config
	// content is that of the files when they were looked at last, which was at checked, and problem what was wrong with it.
	content [3][]byte
	checked time.Time
	problem string
}

// Open reads the files and returns base with what they hold. Files that it cannot use now are an error; later ones that
// it cannot use are told to log, and what was read before stays.
func Open(files Files, base *tls.Config, log *slog.Logger) (*Config, error) {
	if (files.Cert == "") != (files.Key == "") {
		return nil, errors.New("a certificate and its key go together: one of them is missing")
	}
	c := &Config{files: files, base: base, log: log, checked: time.Now()}
	content, err := files.read()
	if err != nil {
		return nil, err
	}
	c.content = content
	c.current, err = c.with(content)
	return c, err
}

// Current returns the configuration as the files have it. It must not be changed.
func (c *Config) Current() *tls.Config {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.checked) >= interval {
		c.checked = now
		c.follow()
	}
	return c.current
}

// ForServer returns a configuration for servers, which has every connection use the current one.
func (c *Config) ForServer() *tls.Config {
	return &tls.Config{
		MinVersion:         c.base.MinVersion,
		NextProtos:         c.base.NextProtos,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return c.Current(), nil },
	}
}

// follow takes over what the files hold now. The lock is held.
func (c *Config) follow() {
	content, err := c.files.read()
	if err == nil && same(content, c.content) {
		return
	}
	c.content = content
	var fresh *tls.Config
	if err == nil {
		fresh, err = c.with(content)
	}
	if err == nil {
		c.current, c.problem = fresh, ""
		c.log.Info("new certificates are in use", "cert", c.files.Cert, "ca", c.files.CA)
		return
	}
	if problem := err.Error(); problem != c.problem {
		c.problem = problem
		c.log.Error("the new certificates cannot be used; those before stay", "error", problem)
	}
}

func same(a, b [3][]byte) bool {
	for i := range a {
		if !bytes.Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

// read returns the content of the certificate, the key and the authorities, nil for those that are left out.
func (f Files) read() (content [3][]byte, err error) {
	for i, path := range []string{f.Cert, f.Key, f.CA} {
		if path == "" {
			continue
		}
		if content[i], err = os.ReadFile(path); err != nil {
			return content, err
		}
	}
	return content, nil
}

// with returns the configuration that content makes.
func (c *Config) with(content [3][]byte) (*tls.Config, error) {
	made := c.base.Clone()
	if c.files.Cert != "" {
		pair, err := tls.X509KeyPair(content[0], content[1])
		if err != nil {
			return nil, fmt.Errorf("%s with %s: %w", c.files.Cert, c.files.Key, err)
		}
		made.Certificates = []tls.Certificate{pair}
	}
	if c.files.CA != "" {
		authorities := x509.NewCertPool()
		if !authorities.AppendCertsFromPEM(content[2]) {
			return nil, fmt.Errorf("%s: no certificate of an authority is in it", c.files.CA)
		}
		made.ClientCAs, made.RootCAs = authorities, authorities
	}
	return made, nil
}
