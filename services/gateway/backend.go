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

// openStream calls a streaming method with its one request.
func (b *backend) openStream(ctx context.Context, method string, in any) (*messageStream, error) {
	stream, err := b.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, method, noLimit)
	if err != nil {
		return nil, b.publicError(ctx, err)
	}
	// SendMsg returns io.EOF for an error of the service, which RecvMsg then returns.
	if err := stream.SendMsg(in); err != nil && !errors.Is(err, io.EOF) {
		return nil, b.publicError(ctx, err)
	}
	if err := stream.CloseSend(); err != nil {
		return nil, b.publicError(ctx, err)
	}
	return &messageStream{ctx, stream, b}, nil
}

// messageStream receives the messages of a stream.
type messageStream struct {
	// ctx is the context of the caller. The context of the stream ends with the stream in every
	// case.
	ctx     context.Context //nolint:containedctx // It is inspected after the end of the stream.
	stream  grpc.ClientStream
	backend *backend
}

// receive reads the next message into m. It returns io.EOF after the last one.
func (s *messageStream) receive(m any) error {
	err := s.stream.RecvMsg(m)
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	return s.backend.publicError(s.ctx, err)
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
