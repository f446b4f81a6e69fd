package settings

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"strings"
	"time"
)

// diagnoseTimeout limits a diagnosis.
const diagnoseTimeout = 3 * time.Second

// Diagnose connects to a server that does not answer calls. It returns the cause and what the user
// can do, or "" if the server can be reached or TLS is not the cause.
func (t TLS) Diagnose(ctx context.Context, address string) (cause, advice string) {
	ctx, cancel := context.WithTimeout(ctx, diagnoseTimeout)
	defer cancel()
	err := t.handshake(ctx, strings.TrimPrefix(address, "dns:///"))
	alert, isAlert := errors.AsType[*net.OpError](err)
	isAlert = isAlert && alert.Op == "remote error" // how crypto/tls marks an alert of the server
	other, isOther := errors.AsType[tls.RecordHeaderError](err)
	switch {
	case isOther && strings.HasPrefix(string(other.RecordHeader[:]), "HTTP/"):
		return "the server speaks HTTP there, not gRPC", "use the address of its gRPC port"
	case !t.Enabled && (err == nil || isAlert):
		return "the server requires TLS", "connect with --tls, or with --ca FILE if its certificate " +
			"is from a private authority"
	case !t.Enabled || err == nil:
		return "", ""
	case isOther:
		return "the server does not use TLS", "connect with --tls=false"
	case isAlert && t.ClientCert == "":
		return "the server requires a client certificate",
			"connect with --client-cert FILE and --client-key FILE"
	case isAlert:
		return "the server rejects the client certificate (" + alert.Err.Error() + ")",
			"use one from an authority that the server accepts"
	}
	return certificateProblem(err)
}

// handshake makes a TLS connection and waits for the first byte of the server, since a server may
// reject a client certificate only then. It sends no key. Without TLS it accepts any certificate.
func (t TLS) handshake(ctx context.Context, address string) error {
	config, err := t.config()
	if err != nil {
		return err
	}
	config.InsecureSkipVerify = !t.Enabled
	config.NextProtos = []string{"h2"}
	dialer := &tls.Dialer{Config: config}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer conn.Close()
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetReadDeadline(deadline); err != nil {
			return err
		}
	}
	_, err = conn.Read(make([]byte, 1))
	return err
}

// certificateProblem explains an error of the verification of a server certificate.
func certificateProblem(err error) (cause, advice string) {
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return "the certificate of the server is from an unknown authority",
			"pass the CA bundle of that authority with --ca FILE"
	}
	if host, ok := errors.AsType[x509.HostnameError](err); ok {
		return "the certificate of the server is for other names than " + host.Host,
			"use an address with one of its names"
	}
	if invalid, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "the certificate of the server is invalid: " + invalid.Err.Error(),
			"ask the operator of the server for a new one"
	}
	return "", ""
}
