package gateway

import (
	"context"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// guard lets nobody without a key at a service that trusts its network, as Strategy does: it asks the one that knows
// keys first. What everybody may know needs none.
type guard struct {
	grpc.ClientConnInterface
	players gamev1.PlayerServiceClient
}

func (g guard) Invoke(ctx context.Context, method string, in, out any, opts ...grpc.CallOption) error {
	if err := g.admit(ctx, method); err != nil {
		return err
	}
	return g.ClientConnInterface.Invoke(ctx, method, in, out, opts...)
}

func (g guard) NewStream(
	ctx context.Context, desc *grpc.StreamDesc, method string, opts ...grpc.CallOption,
) (grpc.ClientStream, error) {
	if err := g.admit(ctx, method); err != nil {
		return nil, err
	}
	return g.ClientConnInterface.NewStream(ctx, desc, method, opts...)
}

// admit refuses a caller whose key is not valid or who calls too often. A service key that acts for nobody has no
// player to get, but is as good a key as any.
func (g guard) admit(ctx context.Context, method string) error {
	open := method == strategyv1.StrategyService_ListStrategies_FullMethodName
	if open || !strings.HasPrefix(method, "/"+strategyv1.StrategyService_ServiceDesc.ServiceName+"/") {
		return nil
	}
	_, err := g.players.GetMe(ctx, &gamev1.GetMeRequest{})
	if status.Code(err) == codes.InvalidArgument {
		return nil
	}
	return err
}
