package gateway

import (
	"context"
	"crypto/sha256"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// guard lets nobody without a key at a service that trusts its network, as Strategy does: it asks the one that knows
// keys first, and counts the time for which each caller has searches done. What everybody may know needs no key.
type guard struct {
	grpc.ClientConnInterface
	players gamev1.PlayerServiceClient
	budgets *budgets
}

// searches are the calls that take as long as the caller likes.
var searches = map[string]bool{
	strategyv1.StrategyService_ChooseMove_FullMethodName:      true,
	strategyv1.StrategyService_AnalyzePosition_FullMethodName: true,
	strategyv1.StrategyService_PlayMatch_FullMethodName:       true,
}

func (g guard) Invoke(ctx context.Context, method string, in, out any, opts ...grpc.CallOption) error {
	ctx, done, err := g.admit(ctx, method)
	if err != nil {
		return err
	}
	defer done()
	return usedUp(ctx, g.ClientConnInterface.Invoke(ctx, method, in, out, opts...))
}

// NewStream opens a stream. It counts until ctx ends.
func (g guard) NewStream(
	ctx context.Context, desc *grpc.StreamDesc, method string, opts ...grpc.CallOption,
) (grpc.ClientStream, error) {
	admitted, done, err := g.admit(ctx, method)
	if err != nil {
		return nil, err
	}
	stream, err := g.ClientConnInterface.NewStream(admitted, desc, method, opts...)
	if err != nil {
		done()
		return nil, usedUp(admitted, err)
	}
	context.AfterFunc(ctx, done)
	return &guardedStream{stream, admitted}, nil
}

// guardedStream says why it ends when the caller's search time is used up.
type guardedStream struct {
	grpc.ClientStream
	admitted context.Context
}

func (s *guardedStream) RecvMsg(m any) error { return usedUp(s.admitted, s.ClientStream.RecvMsg(m)) }

// usedUp returns, in place of an error that came of it, that the search time is used up.
func usedUp(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); err != nil && fault.ReasonOf(cause) != "" {
		return serve.Status(cause).Err()
	}
	return err
}

// admit refuses a caller whose key is not valid or who calls or searches too much. The call is made with the context
// that it returns, and done is called when it is over.
func (g guard) admit(ctx context.Context, method string) (admitted context.Context, done func(), err error) {
	open := method == strategyv1.StrategyService_ListStrategies_FullMethodName
	if open || !strings.HasPrefix(method, "/"+strategyv1.StrategyService_ServiceDesc.ServiceName+"/") {
		return ctx, func() {}, nil
	}
	caller, err := g.caller(ctx)
	if err != nil || !searches[method] {
		return ctx, func() {}, err
	}
	if admitted, done, err = g.budgets.begin(ctx, caller); err != nil {
		return nil, nil, serve.Status(err).Err()
	}
	return admitted, done, nil
}

// caller returns a name of who calls. A service key that acts for nobody has no player to get, but is as good a key as any.
func (g guard) caller(ctx context.Context) (string, error) {
	me, err := g.players.GetMe(ctx, &gamev1.GetMeRequest{})
	if status.Code(err) == codes.InvalidArgument {
		sent, _ := metadata.FromOutgoingContext(ctx)
		hash := sha256.Sum256([]byte(strings.Join(sent.Get(authHeader), " ")))
		return string(hash[:]), nil
	}
	return me.GetPlayer().GetId(), err
}
