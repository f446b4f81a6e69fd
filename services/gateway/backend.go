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
	"github.com/flipside-games/flipside/services/internal/serve"
)

// MaxCall is the longest a call may take that is not a stream, whatever deadline the caller asks for.
const MaxCall = 60 * time.Second

// retryDelay is when to try again where a service is away.
const retryDelay = time.Second

// backend is a service as the gateway calls it: unary calls have a deadline, and errors that are not the service's own
// words are put into words for callers.
type backend struct {
	grpc.ClientConnInterface
	name string
	away fault.Reason // why a call fails when the service cannot be reached
	log  *slog.Logger
}

// noLimit lifts the limit on the size of messages: the service decides how much it says.
var noLimit = grpc.MaxCallRecvMsgSize(math.MaxInt32)

func (b *backend) Invoke(ctx context.Context, method string, in, out any, opts ...grpc.CallOption) error {
	ctx, cancel := context.WithTimeout(ctx, MaxCall)
	defer cancel()
	return b.explain(ctx, b.ClientConnInterface.Invoke(ctx, method, in, out, append(opts, noLimit)...))
}

// open calls a streaming method with its one request.
func (b *backend) open(ctx context.Context, method string, in any) (*incoming, error) {
	stream, err := b.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, method, noLimit)
	if err != nil {
		return nil, b.explain(ctx, err)
	}
	// An error of sending is io.EOF; what it was comes with the first message.
	if err := stream.SendMsg(in); err != nil && !errors.Is(err, io.EOF) {
		return nil, b.explain(ctx, err)
	}
	if err := stream.CloseSend(); err != nil {
		return nil, b.explain(ctx, err)
	}
	return &incoming{ctx, stream, b}, nil
}

// incoming is the messages of a stream.
type incoming struct {
	// ctx is the caller's. That of the stream ends with the stream, whoever ended it.
	ctx     context.Context //nolint:containedctx // It is looked at when the stream has ended.
	stream  grpc.ClientStream
	backend *backend
}

// next reads the next message into m. It returns io.EOF after the last one.
func (in *incoming) next(m any) error {
	err := in.stream.RecvMsg(m)
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	return in.backend.explain(in.ctx, err)
}

// texts is what is said of errors that come from between the gateway and the service.
var texts = map[codes.Code]string{
	codes.Canceled:          "the caller went away",
	codes.DeadlineExceeded:  "the call took longer than its deadline",
	codes.Unimplemented:     "this server does not offer that call",
	codes.ResourceExhausted: "too much at once",
	codes.Internal:          "internal error",
	codes.Unknown:           "internal error",
	codes.DataLoss:          "internal error",
}

// explain returns an error for callers. What a service says with a reason stays as it is.
func (b *backend) explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	s := status.Convert(err)
	if serve.Reason(s) != "" {
		return err
	}
	if ctx.Err() != nil {
		s = status.FromContextError(ctx.Err())
	}
	if s.Code() == codes.Unavailable {
		b.log.WarnContext(ctx, "service away", "service", b.name, "error", err)
		return serve.Status(b.unavailable()).Err()
	}
	if text, ok := texts[s.Code()]; ok {
		return status.Error(s.Code(), text)
	}
	return s.Err()
}

func (b *backend) unavailable() error {
	return fault.New(b.away, "the %s service cannot be reached", b.name).RetryIn(retryDelay)
}

// ready returns an error unless the service says that it serves.
func (b *backend) ready(ctx context.Context) error {
	answer, err := grpc_health_v1.NewHealthClient(b).Check(ctx, &grpc_health_v1.HealthCheckRequest{})
	if err != nil {
		return err
	}
	if answer.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
		return b.unavailable()
	}
	return nil
}
