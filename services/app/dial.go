package app

import (
	"context"
	"encoding/json"
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

// reconnect has a service that comes back asked again within seconds, however long it was away.
var reconnect = grpc.ConnectParams{
	Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 3 * time.Second},
	MinConnectTimeout: 5 * time.Second,
}

// alive has a process noticed that is silent, on a machine that lost its power or its network: a connection on which
// nothing came for Time is tried, and given up after Timeout. Time can not be shorter.
var alive = keepalive.ClientParameters{Time: 10 * time.Second, Timeout: 3 * time.Second, PermitWithoutStream: true}

// connect returns the part of this process, or dials a target where the part runs elsewhere. version is the oldest of TLS
// that will do, where TLS is used.
func (a *App) connect(here grpc.ClientConnInterface, target string, version uint16) (grpc.ClientConnInterface, error) {
	if here != nil {
		return here, nil
	}
	secured, err := a.dialTLS(version)
	if err != nil {
		return nil, err
	}
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(secured),
		grpc.WithConnectParams(reconnect),
		grpc.WithKeepaliveParams(alive),
		grpc.WithDefaultServiceConfig(serviceConfig()),
		grpc.WithDisableServiceConfig(), // Whoever answers for a name does not say how it is called.
		grpc.WithChainUnaryInterceptor(sendAgain),
	}
	if a.tracing.Enabled() {
		options = append(options, grpc.WithStatsHandler(a.tracing.ClientStats()))
	}
	conn, err := grpc.NewClient(target, options...)
	if err != nil {
		return nil, err
	}
	a.onStop(func(context.Context) { _ = conn.Close() })
	return conn, nil
}

// object is an object of JSON.
type object = map[string]any

// serviceConfig says how services are called, in the JSON that gRPC wants: by turns every process behind the name that
// says it is healthy, and again where one was not reached, if that is safe.
func serviceConfig() string {
	config, err := json.Marshal(object{
		"loadBalancingConfig": []object{{"round_robin": object{}}},
		"healthCheckConfig":   object{"serviceName": ""},
		"methodConfig": []object{{
			"name": safeCalls(),
			"retryPolicy": object{
				"maxAttempts": 4, "initialBackoff": "0.05s", "maxBackoff": "0.5s", "backoffMultiplier": 2,
				"retryableStatusCodes": []string{"UNAVAILABLE"},
			},
		}},
		// When most calls fail there is nobody to be found by trying again.
		"retryThrottling": object{"maxTokens": 100, "tokenRatio": 0.1},
	})
	if err != nil {
		panic(err) // It is made of constants.
	}
	return string(config)
}

// safeCalls names the calls that change nothing, however often they arrive: all of Strategy, which only computes, and those
// that are a GET over REST. A stream is one until its first message has come.
func safeCalls() []object {
	safe := []object{{"service": strategyv1.StrategyService_ServiceDesc.ServiceName}}
	for _, file := range []protoreflect.FileDescriptor{
		gamev1.File_flipside_game_v1_game_service_proto, gamev1.File_flipside_game_v1_player_service_proto,
	} {
		for i := range file.Services().Len() {
			methods := file.Services().Get(i).Methods()
			for j := range methods.Len() {
				rule := proto.GetExtension(methods.Get(j).Options(), annotations.E_Http).(*annotations.HttpRule)
				if rule.GetGet() != "" {
					safe = append(safe, object{"service": string(file.Services().Get(i).FullName()), "method": string(methods.Get(j).Name())})
				}
			}
		}
	}
	return safe
}

// sendAgain sends a call again whose connection broke before its answer came, if the caller gave it a request id: then it is
// done once, whichever process gets it. A call that changes something and has none is the caller's to repeat, who alone
// knows whether he wants it twice.
//
//nolint:revive // An interceptor has so many parameters.
func sendAgain(
	ctx context.Context, method string, in, out any, conn *grpc.ClientConn, call grpc.UnaryInvoker, opts ...grpc.CallOption,
) error {
	err := call(ctx, method, in, out, conn, opts...)
	r, ok := in.(interface{ GetRequestId() string })
	if !ok || r.GetRequestId() == "" {
		return err
	}
	for pause := 50 * time.Millisecond; lost(err) && pause < time.Second; pause *= 2 {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return err
		}
		err = call(ctx, method, in, out, conn, opts...)
	}
	return err
}

// lost reports whether an error says that no answer came, and not what the answer was.
func lost(err error) bool {
	s := status.Convert(err)
	return s.Code() == codes.Unavailable && serve.Reason(s) == ""
}
