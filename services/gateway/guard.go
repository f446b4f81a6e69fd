package gateway

import (
	"context"
	"crypto/sha256"
	"strings"
	"time"

	"golang.org/x/time/rate"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/cache"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// guard protects Strategy, which trusts its network. It authenticates calls through GetMe, limits
// the call rate of each key and charges the search quota of each caller.
type guard struct {
	grpc.ClientConnInterface
	players  gamev1.PlayerServiceClient
	callRate float64
	sessions *cache.Cache[credentials, session]
	quotas   *searchQuotas
}

// credentials are the hash of the headers that identify a caller.
type credentials [sha256.Size]byte

// session is the result of an authentication, cached for sessionTime.
type session struct {
	caller  string
	expires time.Time
	calls   *rate.Limiter
}

// sessionTime is the longest time for which a revoked key still works at Strategy.
const sessionTime = time.Second

// searches are the calls that take as long as the caller wants.
var searches = map[string]bool{
	strategyv1.StrategyService_ChooseMove_FullMethodName:      true,
	strategyv1.StrategyService_AnalyzePosition_FullMethodName: true,
	strategyv1.StrategyService_PlayMatch_FullMethodName:       true,
}

func newGuard(o Options, game *backend) *guard {
	return &guard{
		ClientConnInterface: o.Strategy,
		players:             gamev1.NewPlayerServiceClient(game),
		callRate:            o.CallRate,
		sessions: cache.New(o.Caches, "gateway_sessions", 1, func(credentials, session) int {
			return 256 // The hash, a caller id and a limiter.
		}),
		quotas: newSearchQuotas(o.SearchTime),
	}
}

func (g *guard) Invoke(ctx context.Context, method string, in, out any, opts ...grpc.CallOption) error {
	ctx, done, err := g.admit(ctx, method)
	if err != nil {
		return err
	}
	defer done()
	return quotaError(ctx, g.ClientConnInterface.Invoke(ctx, method, in, out, opts...))
}

// NewStream opens a stream. It charges the search quota until ctx is done.
func (g *guard) NewStream(
	ctx context.Context, desc *grpc.StreamDesc, method string, opts ...grpc.CallOption,
) (grpc.ClientStream, error) {
	searchCtx, done, err := g.admit(ctx, method)
	if err != nil {
		return nil, err
	}
	stream, err := g.ClientConnInterface.NewStream(searchCtx, desc, method, opts...)
	if err != nil {
		done()
		return nil, quotaError(searchCtx, err)
	}
	context.AfterFunc(ctx, done)
	return &guardedStream{stream, searchCtx}, nil
}

// guardedStream is a stream that ends when the search quota is exhausted.
type guardedStream struct {
	grpc.ClientStream
	searchCtx context.Context
}

func (s *guardedStream) RecvMsg(m any) error {
	return quotaError(s.searchCtx, s.ClientStream.RecvMsg(m))
}

// quotaError replaces an error that an exhausted search quota caused.
func quotaError(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); err != nil && fault.ReasonOf(cause) != "" {
		return serve.Status(cause).Err()
	}
	return err
}

// admit authenticates a call and charges the quotas. It returns the context of the call; the caller
// of admit calls done at the end of the call.
func (g *guard) admit(
	ctx context.Context, method string,
) (searchCtx context.Context, done func(), err error) {
	public := method == strategyv1.StrategyService_ListStrategies_FullMethodName
	if public || !strings.HasPrefix(method, "/"+strategyv1.StrategyService_ServiceDesc.ServiceName+"/") {
		return ctx, func() {}, nil
	}
	caller, err := g.authenticate(ctx)
	if err == nil && searches[method] {
		searchCtx, done, err = g.quotas.startSearch(ctx, caller)
	} else {
		searchCtx, done = ctx, func() {}
	}
	if err != nil {
		return nil, nil, serve.Status(err).Err()
	}
	return searchCtx, done, nil
}

// authenticate returns the id of the caller. It asks Game once per sessionTime.
func (g *guard) authenticate(ctx context.Context) (string, error) {
	headers, _ := metadata.FromOutgoingContext(ctx)
	key := credentials(sha256.Sum256([]byte(
		strings.Join(headers.Get(authHeader), " ") + "\n" + strings.Join(headers.Get(behalfHeader), " "))))
	now := time.Now()
	s, ok := g.sessions.Get(key)
	if !ok {
		s.calls = rate.NewLimiter(rate.Limit(g.callRate), max(1, int(2*g.callRate)))
	}
	if now.After(s.expires) {
		me, err := g.players.GetMe(ctx, &gamev1.GetMeRequest{})
		switch {
		case status.Code(err) == codes.InvalidArgument: // A service key without a user has no player.
			s.caller = string(key[:])
		case err != nil:
			return "", err
		default:
			s.caller = me.GetPlayer().GetId()
		}
		s.expires = now.Add(sessionTime)
		g.sessions.Put(key, s)
	}
	if !s.calls.AllowN(now, 1) {
		return "", fault.New(fault.RateLimited, "too many calls: at most %g per second are allowed", g.callRate).
			With("limit", g.callRate).RetryIn(time.Duration(float64(time.Second) / g.callRate))
	}
	return s.caller, nil
}
