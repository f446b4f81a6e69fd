package app

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"time"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// reconnectParams limit the backoff, so that clients reconnect within seconds after a long outage.
var reconnectParams = grpc.ConnectParams{
	Backoff: backoff.Config{
		BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 3 * time.Second,
	},
	MinConnectTimeout: 5 * time.Second,
}

// keepaliveParams detect a process that lost its power or its network: a ping after Time without
// traffic, which gRPC bounds from below, must be answered within Timeout.
var keepaliveParams = keepalive.ClientParameters{
	Time: 10 * time.Second, Timeout: 3 * time.Second, PermitWithoutStream: true,
}

// connect returns local, the channel to a service in this process, or dials the target in a setting
// if local is nil.
func (a *App) connect(
	local grpc.ClientConnInterface, setting, target string,
) (grpc.ClientConnInterface, error) {
	if local != nil {
		return local, nil
	}
	conn, err := a.dial(setting, target, tls.VersionTLS13)
	if err != nil {
		return nil, err
	}
	a.onStop(func(context.Context) { _ = conn.Close() })
	return conn, nil
}

// dial returns a connection to the target in a setting, which the caller must close.
func (a *App) dial(setting, target string, minTLS uint16) (*grpc.ClientConn, error) {
	target, options, err := resolveTarget(target)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", setting, err)
	}
	creds, err := a.dialTLS(minTLS)
	if err != nil {
		return nil, err
	}
	options = append(options,
		grpc.WithTransportCredentials(creds),
		grpc.WithConnectParams(reconnectParams),
		grpc.WithKeepaliveParams(keepaliveParams),
		grpc.WithDefaultServiceConfig(serviceConfig()),
		grpc.WithDisableServiceConfig(), // Ignore service configs from DNS.
		grpc.WithChainUnaryInterceptor(retryWithRequestID),
	)
	if a.tracing.Enabled() {
		options = append(options, grpc.WithStatsHandler(a.tracing.ClientStats()))
	}
	return grpc.NewClient(target, options...)
}

// object is a JSON object.
type object = map[string]any

// serviceConfig returns the gRPC service config: round robin over all healthy processes of a
// target, and retries of calls that are safe to repeat.
func serviceConfig() string {
	config, err := json.Marshal(object{
		"loadBalancingConfig": []object{{"round_robin": object{}}},
		"healthCheckConfig":   object{"serviceName": ""},
		"methodConfig": []object{{
			"name": safeMethods(),
			"retryPolicy": object{
				"maxAttempts": 4, "initialBackoff": "0.05s", "maxBackoff": "0.5s", "backoffMultiplier": 2,
				"retryableStatusCodes": []string{"UNAVAILABLE"},
			},
		}},
		// Stop retrying when most calls fail.
		"retryThrottling": object{"maxTokens": 100, "tokenRatio": 0.1},
	})
	if err != nil {
		panic(err) // All values are constants.
	}
	return string(config)
}

// safeMethods returns the names of the methods that change nothing: all of Strategy, which only
// computes, and those that are a GET over REST. A stream is retried only before its first message.
func safeMethods() []object {
	safe := []object{{"service": strategyv1.StrategyService_ServiceDesc.ServiceName}}
	for _, file := range []protoreflect.FileDescriptor{
		gamev1.File_flipside_game_v1_game_service_proto,
		gamev1.File_flipside_game_v1_player_service_proto,
	} {
		for i := range file.Services().Len() {
			service := file.Services().Get(i)
			for j := range service.Methods().Len() {
				method := service.Methods().Get(j)
				rule := proto.GetExtension(method.Options(), annotations.E_Http).(*annotations.HttpRule)
				if rule.GetGet() != "" {
					safe = append(safe, object{
						"service": string(service.FullName()), "method": string(method.Name()),
					})
				}
			}
		}
	}
	return safe
}

// retryWithRequestID retries a call with a request id if its connection broke before the response.
// The request id ensures that the call takes effect once, in any process. Without a request id,
// only the caller can decide to repeat a call that changes something.
//
//nolint:revive // An interceptor has these parameters.
func retryWithRequestID(
	ctx context.Context, method string, in, out any, conn *grpc.ClientConn,
	call grpc.UnaryInvoker, opts ...grpc.CallOption,
) error {
	err := call(ctx, method, in, out, conn, opts...)
	r, ok := in.(interface{ GetRequestId() string })
	if !ok || r.GetRequestId() == "" {
		return err
	}
	for delay := 50 * time.Millisecond; responseLost(err) && delay < time.Second; delay *= 2 {
		select {
		case <-time.After(delay):
		case <-ctx.Done():
			return err
		}
		err = call(ctx, method, in, out, conn, opts...)
	}
	return err
}

// responseLost reports whether err comes from the connection. Errors of the server have a reason.
func responseLost(err error) bool {
	s := status.Convert(err)
	return s.Code() == codes.Unavailable && serve.Reason(s) == ""
}
