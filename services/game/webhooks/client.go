package webhooks

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"code.dny.dev/ssrf"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/flipside-games/flipside/services/internal/fault"
)

const (
	// requestTimeout limits a request with its response.
	requestTimeout = 10 * time.Second
	// maxHeaderBytes and maxBodyBytes are the parts of a response that are read.
	maxHeaderBytes = 16 << 10
	maxBodyBytes   = 4 << 10
)

// errGone is the failure of a URL that wants no more requests.
var errGone = errors.New("HTTP 410: the URL wants no more requests")

// guard allows connections to public addresses only.
func guard() *ssrf.Guardian { return ssrf.New(ssrf.WithAnyPort()) }

// NewClient returns the client for requests to webhooks. It checks the address of each connection
// after the host was resolved, and rejects those that are not public unless allowPrivate is set. It
// uses no proxy and follows no redirects.
func NewClient(allowPrivate bool) *http.Client {
	dialer := &net.Dialer{Timeout: requestTimeout}
	if !allowPrivate {
		dialer.Control = guard().Safe
	}
	return &http.Client{
		Timeout:       requestTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext:            dialer.DialContext,
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
			ForceAttemptHTTP2:      true,
			DisableCompression:     true,
			MaxResponseHeaderBytes: maxHeaderBytes,
			MaxIdleConns:           maxWebhooks,
			MaxIdleConnsPerHost:    maxInFlight,
			IdleConnTimeout:        requestTimeout,
		},
	}
}

// CheckURL returns an error for a URL that no webhook may have. It does not resolve the host.
func CheckURL(text string, allowPrivate bool) error {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" {
		return fault.Invalid("not an absolute URL: use https://HOST/PATH")
	}
	if u.Scheme != "https" && (!allowPrivate || u.Scheme != "http") {
		return fault.Invalid("the scheme must be https")
	}
	if u.User != nil || u.Fragment != "" {
		return fault.Invalid("a URL of a webhook has no user name and no fragment")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return fault.Invalid("invalid port %.20s: use 1 to 65535", port)
		}
	}
	if !allowPrivate {
		return checkHost(u.Hostname())
	}
	return nil
}

// checkHost returns an error for a host that is not public by its name or address.
func checkHost(host string) error {
	if addr, err := netip.ParseAddr(host); err == nil {
		if guard().SafeAddr(addr.Unmap()) != nil {
			return fault.Invalid("the address is not public")
		}
		return nil
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	last := host[strings.LastIndexByte(host, '.')+1:]
	switch {
	case last == "localhost":
		return fault.Invalid("the host localhost is not public")
	case numericLabel.MatchString(last): // Some resolvers read 127.1 and 2130706433 as 127.0.0.1.
		return fault.Invalid("invalid address: use a host name, or four decimal numbers")
	}
	return nil
}

// numericLabel matches the last label of a host that is an address and no name. No top-level domain
// is a number.
var numericLabel = regexp.MustCompile(`^([0-9]+|0x[0-9a-f]*)$`)

// id returns the id of the message, which is the same in every attempt.
func (n Notice) id() string {
	id := n.Game.ID + "." + strconv.Itoa(n.Game.Version)
	if n.Player != "" {
		id += "." + n.Player
	}
	return id
}

// send sends a notice. It returns the reason of a failure, for the owner of the webhook.
func (r *run) send(ctx context.Context, n Notice) error {
	err := r.post(ctx, n)
	outcome := delivered
	if err != nil {
		outcome = failed
	}
	r.metrics.requests.WithLabelValues(outcome).Inc()
	return err
}

func (r *run) post(ctx context.Context, n Notice) error {
	request, err := r.request(ctx, n)
	if err != nil {
		return err
	}
	response, err := r.settings.Client.Do(request)
	if err != nil {
		return reasonOf(err)
	}
	defer response.Body.Close()
	// Reading the body lets the connection be used again.
	_, _ = io.CopyN(io.Discard, response.Body, maxBodyBytes)
	switch code := response.StatusCode; {
	case code == http.StatusGone:
		return errGone
	case code < 200 || code > 299:
		return fmt.Errorf("HTTP %d", code)
	}
	return nil
}

// request returns the signed request with a notice.
func (r *run) request(ctx context.Context, n Notice) (*http.Request, error) {
	body, err := r.settings.Encode(n)
	if err != nil {
		return nil, err
	}
	signer, err := standardwebhooks.NewWebhook(r.webhook.Secret)
	if err != nil {
		return nil, err
	}
	now := r.now()
	signature, err := signer.Sign(n.id(), now, body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(
		ctx, http.MethodPost, r.webhook.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "flipside")
	request.Header.Set(standardwebhooks.HeaderWebhookID, n.id())
	request.Header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	request.Header.Set(standardwebhooks.HeaderWebhookSignature, signature)
	return request, nil
}

// reasonOf returns a text for the error of a request. It does not describe networks that the owner
// of the webhook cannot reach.
func reasonOf(err error) error {
	if errors.Is(err, ssrf.ErrProhibitedIP) {
		return errors.New("the address is not public")
	}
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return errors.New("the host cannot be resolved")
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return errors.New("the certificate is invalid")
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return fmt.Errorf("no response within %v", requestTimeout)
	}
	return errors.New("the connection failed")
}
