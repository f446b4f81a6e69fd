package serve

import (
	"context"
	"io"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/tap"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/intake"
)

// maxUntrustedCalls limits the requests that a connection may send at once before its first
// authenticated call.
const maxUntrustedCalls = 100

// tap is a [tap.ServerInHandle]. grpc-go calls it when the headers of a call have arrived. It must
// not block: the connection reads nothing meanwhile. It leaves it to [interceptors.rejected] to
// reject calls: if tap fails, grpc-go keeps the timer of the call until the deadline, which the
// caller chooses.
func (in *interceptors) tap(ctx context.Context, info *tap.Info) (context.Context, error) {
	conn := connOf(ctx)
	if err := in.rejectEarly(ctx, info.FullMethodName, conn); err != nil {
		return &arrival{Context: ctx, rejection: err}, nil
	}
	if err := ctx.Err(); err != nil { // grpc-go would reject the call without a reason.
		return ctx, Status(err).Err()
	}
	ctx, cancel := context.WithCancel(ctx)
	return &arrival{Context: ctx, request: conn.Receive(func(error) { cancel() })}, nil
}

// rejected returns the error of a call that its headers show to be in vain. Such calls are not in
// the request log, so that strangers cannot fill the log.
func (in *interceptors) rejected(ctx context.Context, method string) error {
	a := arrivalOf(ctx)
	if a == nil || a.rejection == nil {
		return nil
	}
	if !in.methods[method] {
		method = "" // Callers must not create metrics.
	}
	s := Status(a.rejection)
	in.failed.WithLabelValues(method, s.Code().String(), Reason(s)).Inc()
	return s.Err()
}

// unknown handles calls of unknown methods, which tap rejects.
func unknown(any, grpc.ServerStream) error { return nil }

// connOf returns the connection of a call, or nil for a call from this process.
func connOf(ctx context.Context) *intake.Conn {
	from, ok := peer.FromContext(ctx)
	if !ok {
		return nil
	}
	return intake.ConnOf(from.Addr)
}

// TrustConnection records that a call is authenticated. Its connection may have more calls in
// flight than one without an authenticated call.
func TrustConnection(ctx context.Context) { connOf(ctx).Trust() }

// rejectEarly returns the error of a call that its headers show to be in vain.
func (in *interceptors) rejectEarly(ctx context.Context, method string, conn *intake.Conn) error {
	if !in.methods[method] {
		return fault.New(fault.Unimplemented, "unknown method: this server does not implement it")
	}
	if in.Authenticate != nil && !conn.Trusted() && conn.Receiving() >= maxUntrustedCalls {
		return fault.New(fault.TooManyStreams,
			"too many calls at once: at most %d before the first one with a valid key", maxUntrustedCalls).
			With("limit", maxUntrustedCalls).RetryIn(time.Second)
	}
	if in.RejectHeaders == nil {
		return nil
	}
	return in.RejectHeaders(ctx, method)
}

// arrival is the context of a call whose headers have arrived. One type for all of it saves an
// allocation.
type arrival struct {
	context.Context
	request   *intake.Request // that is being received
	rejection error           // of a call that its headers show to be in vain
}

// arrivalKey is the context key of an arrival.
type arrivalKey struct{}

func (a *arrival) Value(key any) any {
	if key == (arrivalKey{}) {
		return a
	}
	return a.Context.Value(key)
}

// arrivalOf returns the arrival of a call, nil for a call from this process.
func arrivalOf(ctx context.Context) *arrival {
	a, _ := ctx.Value(arrivalKey{}).(*arrival)
	return a
}

// isCompressed reports whether the client has announced compressed messages.
func isCompressed(ctx context.Context) bool {
	stream, ok := grpc.ServerTransportStreamFromContext(ctx).(interface{ RecvCompress() string })
	return ok && stream.RecvCompress() != "" && stream.RecvCompress() != encoding.Identity
}

// noGzip stands in for the decompressor of gzip, which the exporter of traces registers. It reads
// nothing: the interceptors reject compressed requests.
type noGzip struct{}

func (noGzip) Do(io.Reader) ([]byte, error) { return nil, nil }
func (noGzip) Type() string                 { return "gzip" }

// BearerKey returns the key in the value of a header Authorization, or "" for another scheme.
func BearerKey(authorization string) string {
	scheme, key, _ := strings.Cut(authorization, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(key)
}
