// Package certs keeps a TLS configuration up to date with its PEM files, so that certificates can
// be replaced without a restart.
package certs

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"
)

// checkInterval limits how often the files are read. A new connection triggers the check, so that a
// changed file takes effect within this time.
const checkInterval = 5 * time.Second

// Files names PEM files. Each is optional, but Cert and Key need each other.
type Files struct {
	// Cert holds a certificate with its chain, Key the private key of the certificate.
	Cert, Key string
	// CA holds the CA bundle that the certificate of the other side must chain to.
	CA string
}

// Config is a TLS configuration that follows its files. It is safe for concurrent use.
type Config struct {
	files Files
	base  *tls.Config
	log   *slog.Logger

	mu      sync.Mutex
	current *tls.Config
	// content holds the files as of the last check, at the time checked. problem is the error of
	// that check, or "".
	content contents
	checked time.Time
	problem string
}

// contents are the contents of the files in the order of the fields of Files, nil for "".
type contents [3][]byte

// Open returns base with the certificates in files. It fails if they are unusable now. If they
// become unusable later, Config logs an error and keeps the previous certificates.
func Open(files Files, base *tls.Config, log *slog.Logger) (*Config, error) {
	if (files.Cert == "") != (files.Key == "") {
		return nil, errors.New("incomplete certificate: set both the certificate and its key")
	}
	c := &Config{files: files, base: base, log: log, checked: time.Now()}
	var err error
	if c.content, err = files.read(); err != nil {
		return nil, err
	}
	c.current, err = c.build(c.content)
	return c, err
}

// Current returns the current configuration, which the caller must not change.
func (c *Config) Current() *tls.Config {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.checked) >= checkInterval {
		c.checked = now
		c.reload()
	}
	return c.current
}

// ForServer returns a configuration for servers. Every new connection uses the current
// certificates.
func (c *Config) ForServer() *tls.Config {
	return &tls.Config{
		MinVersion:         c.base.MinVersion,
		NextProtos:         c.base.NextProtos,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return c.Current(), nil },
	}
}

// reload rebuilds the configuration if the files have changed. The caller holds mu.
func (c *Config) reload() {
	content, err := c.files.read()
	if err == nil && slices.EqualFunc(content[:], c.content[:], bytes.Equal) {
		return
	}
	c.content = content
	var updated *tls.Config
	if err == nil {
		updated, err = c.build(content)
	}
	if err == nil {
		c.current, c.problem = updated, ""
		c.log.Info("certificates reloaded", "cert", c.files.Cert, "ca", c.files.CA)
		return
	}
	if problem := err.Error(); problem != c.problem {
		c.problem = problem
		c.log.Error("certificates could not be reloaded: the previous ones stay in use", "error", problem)
	}
}

func (f Files) read() (content contents, err error) {
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

// build returns base with the certificates in content.
func (c *Config) build(content contents) (*tls.Config, error) {
	built := c.base.Clone()
	if c.files.Cert != "" {
		pair, err := tls.X509KeyPair(content[0], content[1])
		if err != nil {
			return nil, fmt.Errorf("%s with %s: %w", c.files.Cert, c.files.Key, err)
		}
		built.Certificates = []tls.Certificate{pair}
	}
	if c.files.CA != "" {
		bundle := x509.NewCertPool()
		if !bundle.AppendCertsFromPEM(content[2]) {
			return nil, fmt.Errorf("%s: no CA certificate in the file", c.files.CA)
		}
		built.ClientCAs, built.RootCAs = bundle, bundle
	}
	return built, nil
}
