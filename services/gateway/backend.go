package gateway

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/intake"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// MaxCallTime limits every unary call. A caller can set a shorter deadline only.
const MaxCallTime = 60 * time.Second

// retryDelay is the retry delay in the error of an unavailable service.
const retryDelay = time.Second

// backend is a connection to a service. It sets a deadline for unary calls and replaces transport
// errors by texts for callers.
type backend struct {
	grpc.ClientConnInterface
	name   string
	reason fault.Reason // of calls that do not reach the service
	log    *slog.Logger
}

// noLimit accepts messages of any size: the service limits them.
var noLimit = grpc.MaxCallRecvMsgSize(math.MaxInt32)

func (b *backend) Invoke(
	ctx context.Context, method string, in, out any, opts ...grpc.CallOption,
) error {
	ctx, cancel := context.WithTimeout(ctx, MaxCallTime)
	defer cancel()
	err := b.ClientConnInterface.Invoke(ctx, method, in, out, append(opts, noLimit)...)
	return b.publicError(ctx, err)
}

// stream calls a streaming method with its one request, and receive with each message. It returns
// nil after the last message. A service in the same process calls receive itself.
func (b *backend) stream(
	ctx context.Context, method string, in any, newMessage func() proto.Message,
	receive serve.Receiver,
) error {
	desc := &grpc.StreamDesc{ServerStreams: true}
	stream, err := b.NewStream(serve.WithReceiver(ctx, receive), desc, method, noLimit)
	if err != nil {
		return b.publicError(ctx, err)
	}
	// SendMsg returns io.EOF for an error of the service, which RecvMsg then returns.
	if err := stream.SendMsg(in); err != nil && !errors.Is(err, io.EOF) {
		return b.publicError(ctx, err)
	}
	if err := stream.CloseSend(); err != nil {
		return b.publicError(ctx, err)
	}
	for {
		m := newMessage()
		err := stream.RecvMsg(m)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return b.publicError(ctx, err)
		}
		if err := receive(serve.ReceivedMessage{Message: m}); err != nil {
			return err
		}
	}
}

// publicError returns the error for the caller. An error with a reason comes from a service and
// stays unchanged.
func (b *backend) publicError(ctx context.Context, err error) error {
	if err == nil || serve.Reason(status.Convert(err)) != "" {
		return err
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	switch s := serve.Status(err); s.Code() {
	case codes.Unavailable:
		b.log.WarnContext(ctx, "service unavailable", "service", b.name, "error", err)
		return serve.Status(b.unavailable()).Err()
	case codes.ResourceExhausted: // A limit of gRPC itself.
		return serve.Status(intake.Overloaded()).Err()
	default:
		return s.Err()
	}
}

func (b *backend) unavailable() error {
	return fault.New(b.reason, "the %s service is unavailable: retry later", b.name).
		RetryIn(retryDelay)
}

// ready returns an error unless the health of the service is SERVING.
func (b *backend) ready(ctx context.Context) error {
	health, err := grpc_health_v1.NewHealthClient(b).Check(ctx, &grpc_health_v1.HealthCheckRequest{})
	if err != nil {
		return err
	}
	if health.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
		return b.unavailable()
	}
	return nil
}
