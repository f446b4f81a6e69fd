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
	"github.com/flipside-games/flipside/services/internal/callquota"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// guard protects Strategy, which trusts its network. It authenticates calls through GetMe, limits
// the call rate of each key and address and charges the search quota of each caller.
type guard struct {
	grpc.ClientConnInterface
	players  gamev1.PlayerServiceClient
	proxies  serve.Proxies
	calls    *callquota.Quotas
	sessions *cache.Cache[credentials, session]
	quotas   *searchQuotas
}

// credentials are the hash of the headers that identify a caller.
type credentials [sha256.Size]byte

// session is the result of an authentication, cached for sessionTime.
type session struct {
	caller string
	// product reports that the call has a service key.
	product bool
	expires time.Time
}

// sessionTime is the longest time for which a revoked key still works at Strategy.
const sessionTime = time.Second

// searches are the calls that take as long as the caller wants.
var searches = map[string]bool{
	strategyv1.StrategyService_ChooseMove_FullMethodName:      true,
	strategyv1.StrategyService_SearchMove_FullMethodName:      true,
	strategyv1.StrategyService_AnalyzePosition_FullMethodName: true,
	strategyv1.StrategyService_PlayMatch_FullMethodName:       true,
}

func newGuard(o Options, game *backend) *guard {
	return &guard{
		ClientConnInterface: o.Strategy,
		players:             gamev1.NewPlayerServiceClient(game),
		proxies:             o.Proxies,
		calls:               callquota.New(o.Caches, "gateway_call", 1, o.CallRates),
		sessions: cache.New(o.Caches, "gateway_sessions", 1, func(credentials, session) int {
			return 128 // The hash and a caller id.
		}),
		quotas: newSearchQuotas(o.SearchTime, o.Caches),
	}
}

func (g *guard) Invoke(ctx context.Context, method string, in, out any, opts ...grpc.CallOption) error {
	from, err := g.admit(ctx, method, in)
	if err != nil {
		return serve.Status(err).Err()
	}
	if !searches[method] {
		err := g.ClientConnInterface.Invoke(ctx, method, in, out, opts...)
		g.charge(from, method, in, out)
		return err
	}
	running, err := g.quotas.startSearch(ctx, from.Caller, threads(in))
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
	from, err := g.admit(ctx, method, nil)
	if err != nil {
		return nil, serve.Status(err).Err()
	}
	running, err := g.quotas.startSearch(ctx, from.Caller, 1)
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
	return quotaError(s.search, s.ClientStream.SendMsg(m))
}

func (s *guardedStream) RecvMsg(m any) error {
	return quotaError(s.search, s.ClientStream.RecvMsg(m))
}

// threads returns the number of threads that a request makes busy: those of its strategy, and for a
// match those of the games that run at the same time. The default is a game for each processor.
// Strategy rejects invalid numbers later; until then they count as the nearest valid ones.
func threads(request any) int {
	switch r := request.(type) {
	case *strategyv1.PlayMatchRequest:
		parallel := valid(cmp.Or(int(r.GetParallel()), runtime.GOMAXPROCS(0)))
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
		return valid(int(kind.Engine.GetThreads()))
	case *strategyv1.Strategy_Minimax:
		return threadsOf(kind.Minimax.GetAssumed())
	case *strategyv1.Strategy_TryTwo:
		return max(threadsOf(kind.TryTwo.GetFirst()), threadsOf(kind.TryTwo.GetSecond()))
	}
	return 1
}

// valid returns the nearest number of threads or of games that the contract allows.
func valid(n int) int { return min(max(n, 1), 256) }

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

// admit authenticates a call and takes its weight from the quotas of its source. The request is nil
// if it is not known yet.
func (g *guard) admit(
	ctx context.Context, method string, request any,
) (from callquota.Source, err error) {
	if !needsKey(method) {
		return from, nil
	}
	s, err := g.authenticate(ctx)
	if err != nil {
		return from, err
	}
	from.Caller = s.caller
	if !s.product {
		from.Address = g.proxies.ForwardedAddress(ctx)
	}
	return from, g.calls.Take(from, serve.WeightOf(method, request).Before(request), 0, time.Now())
}

// charge corrects the weight of a call by the size of its answer.
func (g *guard) charge(from callquota.Source, method string, request, answer any) {
	if needsKey(method) {
		weight := serve.WeightOf(method, request)
		g.calls.Settle(from, weight.Before(request), weight.Total(answer), time.Now())
	}
}

// authenticate returns the session of the caller. It asks Game once per sessionTime.
func (g *guard) authenticate(ctx context.Context) (session, error) {
	headers, _ := metadata.FromOutgoingContext(ctx)
	user := strings.Join(headers.Get(behalfHeader), " ")
	key := credentials(sha256.Sum256([]byte(strings.Join(headers.Get(authHeader), " ") + "\n" + user)))
	now := time.Now()
	s, ok := g.sessions.Get(key)
	if !ok || now.After(s.expires) {
		me, err := g.players.GetMe(ctx, &gamev1.GetMeRequest{})
		switch {
		case user == "" && status.Code(err) == codes.InvalidArgument:
			s = session{caller: string(key[:]), product: true} // A service key without a user has no player.
		case err != nil:
			return s, err
		default: // Only a service key has a user.
			s = session{caller: me.GetPlayer().GetId(), product: user != ""}
		}
		s.expires = now.Add(sessionTime)
		g.sessions.Put(key, s)
	}
	return s, nil
}
