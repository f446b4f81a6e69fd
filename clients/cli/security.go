package cli

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// security is how connections to a server are secured. Its files are PEM.
type security struct {
	// TLS is whether they are secured at all.
	TLS bool `json:"tls,omitempty"`
	// CA holds the authorities that the server's certificate may come from; "" is those that the system trusts.
	CA string `json:"ca,omitempty"`
	// ClientCert and ClientKey are the certificate that a server is shown which demands one, and its key.
	ClientCert string `json:"clientCert,omitempty"`
	ClientKey  string `json:"clientKey,omitempty"`
}

// or returns what is said here, and for the rest what is said there. To name a file is to want TLS.
func (s security) or(there security) security {
	s.CA = firstOf(s.CA, there.CA)
	if s.ClientCert == "" && s.ClientKey == "" {
		s.ClientCert, s.ClientKey = there.ClientCert, there.ClientKey
	}
	s.TLS = s.TLS || there.TLS || s.CA != "" || s.ClientCert != ""
	return s
}

// securityFrom returns what the environment says.
func securityFrom(env func(string) string) (security, error) {
	s := security{CA: env("FLIPSIDE_CA"), ClientCert: env("FLIPSIDE_CLIENT_CERT"), ClientKey: env("FLIPSIDE_CLIENT_KEY")}
	text := env("FLIPSIDE_TLS")
	if text == "" {
		return s, nil
	}
	var err error
	if s.TLS, err = strconv.ParseBool(text); err != nil {
		return s, usagef("FLIPSIDE_TLS is %q; write true or false", text)
	}
	return s, nil
}

// fromAnywhere returns the same with files that are named from the root, as they must be where they are saved.
func (s security) fromAnywhere() (security, error) {
	for _, path := range []*string{&s.CA, &s.ClientCert, &s.ClientKey} {
		if *path == "" {
			continue
		}
		whole, err := filepath.Abs(*path)
		if err != nil {
			return s, err
		}
		*path = whole
	}
	return s, nil
}

// credentials reads the files.
func (s security) credentials() (credentials.TransportCredentials, error) {
	if !s.TLS {
		return insecure.NewCredentials(), nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if s.CA != "" {
		text, err := os.ReadFile(s.CA)
		if err != nil {
			return nil, fmt.Errorf("the authorities do not read: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%s holds no certificate of an authority", s.CA)
		}
	}
	if s.ClientCert != "" || s.ClientKey != "" {
		pair, err := tls.LoadX509KeyPair(s.ClientCert, firstOf(s.ClientKey, s.ClientCert))
		if err != nil {
			return nil, fmt.Errorf("the client's certificate or its key does not read: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return credentials.NewTLS(config), nil
}

// inWords tells people how the connection is secured.
func (s security) inWords() string {
	switch {
	case !s.TLS:
		return "no"
	case s.CA == "" && s.ClientCert == "":
		return "yes"
	case s.ClientCert == "":
		return "yes, by the authorities of " + s.CA
	case s.CA == "":
		return "yes, and the client shows " + s.ClientCert
	}
	return "yes, by the authorities of " + s.CA + ", and the client shows " + s.ClientCert
}
