package flipside

import (
	"context"
	"crypto/tls"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// maxMessage is the largest response in bytes.
const maxMessage = 64 << 20

// connecting limits the delay between attempts to connect. By default it grows to two minutes,
// which is longer than the delays between retries of calls.
var connecting = grpc.ConnectParams{
	Backoff: backoff.Config{
		BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 2 * time.Second,
	},
	MinConnectTimeout: 5 * time.Second,
}

// ConnOptions configure a connection to one service.
type ConnOptions struct {
	// TLS secures the connection; nil for none.
	TLS *tls.Config
	// Key returns the key that is sent with a call, "" for none.
	Key func() string
	// OnBehalfOf is the external id of the user that a service key acts for, "" for none.
	OnBehalfOf string
	// Timeout limits each attempt of a unary call; 0 is no limit.
	Timeout time.Duration
	// Retry configures retries of unary calls; nil for the defaults.
	Retry *Retry
	// More are further options. Their interceptors see each call once, with all its attempts.
	More []grpc.DialOption
}

// Dial returns a connection for the generated clients of gen/go. Every call that changes something
// gets a request id if it has none, and is retried with this id. Errors of calls are of the type
// [Error]. Dial sends nothing: the first call connects.
func Dial(address string, o ConnOptions) (*grpc.ClientConn, error) {
	secured := insecure.NewCredentials()
	if o.TLS != nil {
		secured = credentials.NewTLS(o.TLS)
	}
	if o.Retry == nil {
		o.Retry = &Retry{}
	}
	return grpc.NewClient(address, append([]grpc.DialOption{
		grpc.WithTransportCredentials(secured),
		grpc.WithPerRPCCredentials(caller{o.Key, o.OnBehalfOf}),
		grpc.WithDisableServiceConfig(),
		grpc.WithConnectParams(connecting),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage)),
		grpc.WithChainUnaryInterceptor(o.unary()),
		grpc.WithChainStreamInterceptor(openStream),
	}, o.More...)...)
}

func (o ConnOptions) unary() grpc.UnaryClientInterceptor {
	return func(
		ctx context.Context, method string, request, reply any, conn *grpc.ClientConn,
		invoke grpc.UnaryInvoker, options ...grpc.CallOption,
	) error {
		request = withRequestID(request)
		return o.Retry.do(ctx, method, func(ctx context.Context) error {
			if o.Timeout > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, o.Timeout)
				defer cancel()
			}
			return invoke(ctx, method, request, reply, conn, options...)
		})
	}
}

// withRequestID returns a copy of a request with a new request id if it takes one and has none.
func withRequestID(request any) any {
	message, ok := request.(proto.Message)
	if !ok {
		return request
	}
	field := message.ProtoReflect().Descriptor().Fields().ByName("request_id")
	if field == nil || message.ProtoReflect().Get(field).String() != "" {
		return request
	}
	message = proto.Clone(message)
	message.ProtoReflect().Set(field, protoreflect.ValueOfString(uuid.NewString()))
	return message
}

func openStream(
	ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string,
	open grpc.Streamer, options ...grpc.CallOption,
) (grpc.ClientStream, error) {
	s, err := open(ctx, desc, conn, method, options...)
	if err != nil {
		return nil, typed(err)
	}
	return typedStream{s}, nil
}

// typedStream is a stream whose errors are of the type [Error].
type typedStream struct{ grpc.ClientStream }

func (s typedStream) RecvMsg(m any) error { return typed(s.ClientStream.RecvMsg(m)) }

// caller sends headers that name the caller.
type caller struct {
	key        func() string
	onBehalfOf string
}

var _ credentials.PerRPCCredentials = caller{}

// GetRequestMetadata returns the headers.
func (c caller) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	headers := map[string]string{}
	if c.key != nil && c.key() != "" {
		headers["authorization"] = "Bearer " + c.key()
	}
	if c.onBehalfOf != "" {
		headers["flipside-on-behalf-of"] = c.onBehalfOf
	}
	return headers, nil
}

// RequireTransportSecurity returns false: by default servers listen on loopback without TLS.
func (c caller) RequireTransportSecurity() bool { return false }
