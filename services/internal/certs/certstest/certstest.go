// Package certstest creates certificates for tests.
package certstest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/internal/certs"
)

// Authority is a CA that signs certificates.
type Authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// NewAuthority returns a new CA.
func NewAuthority(t testing.TB, name string) *Authority {
	t.Helper()
	key := newKey(t)
	template := template(name)
	template.IsCA, template.BasicConstraintsValid, template.KeyUsage = true, true,
		x509.KeyUsageCertSign
	return &Authority{sign(t, template, template, key, key), key}
}

// Write writes a new certificate for servers and clients on this machine, its key and the
// certificate of the CA to the files.
func (a *Authority) Write(t testing.TB, files certs.Files, name string) {
	t.Helper()
	key := newKey(t)
	template := template(name)
	template.DNSNames, template.IPAddresses = []string{"localhost"}, []net.IP{net.IPv4(127, 0, 0, 1)}
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	cert := sign(t, template, a.cert, key, a.key)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write(t, files.Cert, "CERTIFICATE", cert.Raw)
	write(t, files.Key, "PRIVATE KEY", secret)
	write(t, files.CA, "CERTIFICATE", a.cert.Raw)
}

// Files calls Write with files in a new folder.
func (a *Authority) Files(t testing.TB, name string) certs.Files {
	t.Helper()
	folder := t.TempDir()
	files := certs.Files{
		Cert: filepath.Join(folder, "cert.pem"),
		Key:  filepath.Join(folder, "key.pem"),
		CA:   filepath.Join(folder, "ca.pem"),
	}
	a.Write(t, files, name)
	return files
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// template returns the common part of all certificates. The validity includes the start time of
// package synctest.
func template(name string) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: new(big.Int).SetBytes([]byte(rand.Text())),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:     time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC),
	}
}

func sign(
	t testing.TB, what, by *x509.Certificate, key, signer *ecdsa.PrivateKey,
) *x509.Certificate {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, what, by, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return cert
}

func write(t testing.TB, path, kind string, content []byte) {
	t.Helper()
	block := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content})
	if err := os.WriteFile(path, block, 0o600); err != nil {
		t.Fatal(err)
	}
}
