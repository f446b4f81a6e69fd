package gateway

import (
	"cmp"
	"context"
	"crypto/sha256"
	"runtime"
	"strings"
	"time"

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
	calls    *cache.Quotas // by caller
	sessions *cache.Cache[credentials, session]
	quotas   *searchQuotas
}

// credentials are the hash of the headers that identify a caller.
type credentials [sha256.Size]byte

// session is the result of an authentication, cached for sessionTime.
type session struct {
	caller  string
	expires time.Time
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
		calls:               cache.NewQuotas(o.Caches, "gateway_call_quotas", 1, o.CallRate, 2*o.CallRate),
		sessions: cache.New(o.Caches, "gateway_sessions", 1, func(credentials, session) int {
			return 128 // The hash and a caller id.
		}),
		quotas: newSearchQuotas(o.SearchTime, o.Caches),
	}
}

func (g *guard) Invoke(ctx context.Context, method string, in, out any, opts ...grpc.CallOption) error {
	caller, err := g.admit(ctx, method, in)
	if err != nil {
		return serve.Status(err).Err()
	}
	if !searches[method] {
		err := g.ClientConnInterface.Invoke(ctx, method, in, out, opts...)
		g.charge(caller, method, in, out)
		return err
	}
	running, err := g.quotas.startSearch(ctx, caller, threads(in))
	if err != nil {
		return serve.Status(err).Err()
	}
	defer running.end()
	return quotaError(running, g.ClientConnInterface.Invoke(running, method, in, out, opts...))
}

// NewStream opens the stream of a search. It charges the search quota until ctx is done.
func (g *guard) NewStream(
	ctx context.Context, desc *grpc.StreamDesc, method string, opts ...grpc.CallOption,
) (grpc.ClientStream, error) {
	if !isStrategy(method) {
		return g.ClientConnInterface.NewStream(ctx, desc, method, opts...)
	}
	caller, err := g.admit(ctx, method, nil)
	if err != nil {
		return nil, serve.Status(err).Err()
	}
	running, err := g.quotas.startSearch(ctx, caller, 1)
	if err != nil {
		return nil, serve.Status(err).Err()
	}
	stream, err := g.ClientConnInterface.NewStream(running, desc, method, opts...)
	if err != nil {
		running.end()
		return nil, quotaError(running, err)
	}
	context.AfterFunc(ctx, running.end)
	return &guardedStream{stream, running}, nil
}

// guardedStream is a stream that ends when the search quota is exhausted.
type guardedStream struct {
	grpc.ClientStream
	search *search
}

// SendMsg sends the request, which decides the number of threads.
func (s *guardedStream) SendMsg(m any) error {
	s.search.setThreads(threads(m))
	return s.ClientStream.SendMsg(m)
}

func (s *guardedStream) RecvMsg(m any) error {
	return quotaError(s.search, s.ClientStream.RecvMsg(m))
}

// threads returns the number of threads that a request makes busy: those of its strategy, and for a
// match those of the games that run at the same time. The default is a game for each processor.
func threads(request any) int {
	switch r := request.(type) {
	case *strategyv1.PlayMatchRequest:
		parallel := cmp.Or(int(r.GetParallel()), runtime.GOMAXPROCS(0))
		return parallel * max(threadsOf(r.GetFirst()), threadsOf(r.GetSecond()))
	case interface{ GetStrategy() *strategyv1.Strategy }:
		return threadsOf(r.GetStrategy())
	}
	return 1
}

// threadsOf returns the largest number of threads of the searches in a strategy.
func threadsOf(s *strategyv1.Strategy) int {
	switch kind := s.GetKind().(type) {
	case *strategyv1.Strategy_Engine:
		return max(1, int(kind.Engine.GetThreads()))
	case *strategyv1.Strategy_Minimax:
		return threadsOf(kind.Minimax.GetAssumed())
	case *strategyv1.Strategy_TryTwo:
		return max(threadsOf(kind.TryTwo.GetFirst()), threadsOf(kind.TryTwo.GetSecond()))
	}
	return 1
}

// quotaError replaces an error that an exhausted search quota caused.
func quotaError(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); err != nil && fault.ReasonOf(cause) != "" {
		return serve.Status(cause).Err()
	}
	return err
}

func isStrategy(method string) bool {
	return strings.HasPrefix(method, "/"+strategyv1.StrategyService_ServiceDesc.ServiceName+"/")
}

// needsKey reports whether a method needs a key.
func needsKey(method string) bool { return isStrategy(method) && !publicMethods[method] }

// admit authenticates a call and takes its weight from the quota of its caller. The request is nil
// if it is not known yet.
func (g *guard) admit(ctx context.Context, method string, request any) (caller string, err error) {
	if !needsKey(method) {
		return "", nil
	}
	caller, err = g.authenticate(ctx)
	if err != nil {
		return "", err
	}
	if delay := g.calls.Take(caller, serve.WeightOf(method, request).Before(request), time.Now()); delay > 0 {
		return "", fault.New(fault.RateLimited,
			"too many calls: at most %g per second are allowed", g.callRate).
			With("limit", g.callRate).RetryIn(delay)
	}
	return caller, nil
}

// charge corrects the weight of a call by the size of its answer.
func (g *guard) charge(caller, method string, request, answer any) {
	if needsKey(method) {
		weight := serve.WeightOf(method, request)
		g.calls.Settle(caller, weight.Before(request), weight.Total(answer), time.Now())
	}
}

// authenticate returns the id of the caller. It asks Game once per sessionTime.
func (g *guard) authenticate(ctx context.Context) (string, error) {
	headers, _ := metadata.FromOutgoingContext(ctx)
	key := credentials(sha256.Sum256([]byte(
		strings.Join(headers.Get(authHeader), " ") + "\n" + strings.Join(headers.Get(behalfHeader), " "))))
	now := time.Now()
	s, ok := g.sessions.Get(key)
	if !ok || now.After(s.expires) {
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
	return s.caller, nil
}
