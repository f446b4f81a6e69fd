package settings

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// TLS configures how connections are secured. Its files are PEM.
type TLS struct {
	Enabled bool `json:"tls,omitempty"`
	// CA is the bundle that server certificates must chain to. The system's bundle is used if it is
	// "".
	CA string `json:"ca,omitempty"`
	// ClientCert and ClientKey are the certificate of this client and its private key. ClientKey is
	// ClientCert if it is "".
	ClientCert string `json:"clientCert,omitempty"`
	ClientKey  string `json:"clientKey,omitempty"`

	disabled bool // explicitly: the settings of less important origins have no effect
}

// Or fills in what is not set here from other. A file enables TLS.
func (t TLS) Or(other TLS) TLS {
	if t.disabled || other.disabled && t == (TLS{}) {
		return TLS{disabled: true}
	}
	t.CA = cmp.Or(t.CA, other.CA)
	if t.ClientCert == "" && t.ClientKey == "" {
		t.ClientCert, t.ClientKey = other.ClientCert, other.ClientKey
	}
	t.Enabled = t.Enabled || other.Enabled || t.CA != "" || t.ClientCert != ""
	return t
}

func tlsFromEnv(env func(string) string) (TLS, error) {
	t := TLS{
		CA:         env("FLIPSIDE_CA"),
		ClientCert: env("FLIPSIDE_CLIENT_CERT"),
		ClientKey:  env("FLIPSIDE_CLIENT_KEY"),
	}
	if text := env("FLIPSIDE_TLS"); text != "" && t.set(text) != nil {
		return t, Usagef("FLIPSIDE_TLS is %q: use true or false", text)
	}
	return t, nil
}

// set enables or disables TLS.
func (t *TLS) set(text string) (err error) {
	t.Enabled, err = strconv.ParseBool(text)
	t.disabled = !t.Enabled
	return err
}

// Absolute makes the paths absolute, so that they can be saved.
func (t TLS) Absolute() (TLS, error) {
	for _, path := range []*string{&t.CA, &t.ClientCert, &t.ClientKey} {
		if *path == "" {
			continue
		}
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return t, err
		}
		*path = absolute
	}
	return t, nil
}

// config reads the files.
func (t TLS) config() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if t.CA != "" {
		text, err := os.ReadFile(t.CA)
		if err != nil {
			return nil, fmt.Errorf("cannot read the CA bundle: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("the CA bundle %s contains no certificate: it must be a PEM file", t.CA)
		}
	}
	if t.ClientCert != "" || t.ClientKey != "" {
		pair, err := tls.LoadX509KeyPair(t.ClientCert, cmp.Or(t.ClientKey, t.ClientCert))
		if err != nil {
			return nil, fmt.Errorf("cannot read the client certificate or its key: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

func (t TLS) String() string {
	if !t.Enabled {
		return "no"
	}
	text := "yes"
	if t.CA != "" {
		text += ", CA bundle " + t.CA
	}
	if t.ClientCert != "" {
		text += ", client certificate " + t.ClientCert
	}
	return text
}
