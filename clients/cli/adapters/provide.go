package adapters

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// ProviderOptions configure [Provide].
type ProviderOptions struct {
	Protocol Protocol
	Command  []string      // the engine and its arguments
	Engines  int           // the number of engines to start, each for one search at a time
	Time     time.Duration // the longest time for a move; 0 is no limit
	Depth    int           // of the search, for engines of the NBoard protocol
	Log      io.Writer     // gets the error output of engines of the Go Text Protocol
	// Strategies has the rules.
	Strategies strategyv1.StrategyServiceClient
	// Explain describes an error in one line. Several goroutines may call it.
	Explain func(context.Context, error) string
}

// Provide offers engines as a strategy provider on a listener. It calls started once the engines
// are ready, and serves until ctx ends. Then it ends the engines. It returns an error if an engine
// does not start.
func Provide(
	ctx context.Context, listener net.Listener, o ProviderOptions, started func(),
) error {
	defer listener.Close()
	life, end := context.WithCancel(ctx)
	log := o.Log
	if o.Protocol == NBoard {
		log = nil // Engines of this protocol may answer on either output.
	}
	p := &pool{
		start: func(ctx context.Context) (*process, error) {
			return startProcess(ctx, o.Command, log)
		},
		greet: o.Protocol.greet,
		life:  life,
	}
	defer p.running.Wait()
	defer end()
	if err := p.fill(o.Engines); err != nil {
		return err
	}
	known, err := newHistory(rules{o.Strategies})
	if err != nil {
		return err
	}
	server := grpc.NewServer(grpc.WaitForHandlers(true))
	strategyv1.RegisterStrategyServiceServer(server, &provider{
		ProviderOptions: o, rules: rules{o.Strategies}, pool: p, history: known,
	})
	grpc_health_v1.RegisterHealthServer(server, health.NewServer())
	defer context.AfterFunc(ctx, server.Stop)()
	started()
	return server.Serve(listener)
}

// provider is a StrategyService that plays with engines.
type provider struct {
	strategyv1.UnimplementedStrategyServiceServer
	ProviderOptions
	rules

	pool    *pool
	history *history
}

// unsuitableError explains why an engine cannot take a position.
type unsuitableError struct{ problem string }

func (e *unsuitableError) Error() string { return e.problem }

// defaultCallTime limits calls without a deadline.
const defaultCallTime = time.Minute

// ChooseMove lets an engine choose a move. Positions that the protocol or the engine cannot take
// fail with INVALID_ARGUMENT, calls of a late engine with DEADLINE_EXCEEDED, other faults of the
// engine with INTERNAL.
func (p *provider) ChooseMove(
	ctx context.Context, request *strategyv1.ChooseMoveRequest,
) (*strategyv1.ChooseMoveResponse, error) {
	ctx, cancel := withDeadline(ctx)
	defer cancel()
	move, err := p.choose(ctx, request)
	if err != nil {
		return nil, p.status(ctx, err)
	}
	return &strategyv1.ChooseMoveResponse{Chosen: &strategyv1.Candidate{Notation: move}}, nil
}

// withDeadline returns a context that ends before the call, by a tenth of its time, 50 to 500 ms.
// The caller still gets the reason why an engine is late.
func withDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	const tenth, least, most = 10, 50 * time.Millisecond, 500 * time.Millisecond
	left := defaultCallTime
	if deadline, ok := ctx.Deadline(); ok {
		left = time.Until(deadline)
	}
	return context.WithTimeout(ctx, left-min(max(left/tenth, least), most))
}

// status returns the status of an error.
func (p *provider) status(ctx context.Context, err error) error {
	code := codes.Internal
	if s, ok := status.FromError(err); ok {
		code = s.Code()
	} else if _, ok := errors.AsType[*unsuitableError](err); ok {
		code = codes.InvalidArgument
	} else if errors.Is(err, context.DeadlineExceeded) {
		code = codes.DeadlineExceeded
	} else if errors.Is(err, context.Canceled) {
		code = codes.Canceled
	}
	return status.Error(code, p.Explain(context.WithoutCancel(ctx), err))
}

func (p *provider) choose(
	ctx context.Context, request *strategyv1.ChooseMoveRequest,
) (string, error) {
	at, err := p.after(ctx, request.GetPosition().GetNotation(), "")
	if err != nil {
		return "", err
	}
	if err := suitable(at); err != nil {
		return "", err
	}
	q := &query{position: at}
	if q.moves, err = p.history.moves(ctx, at); err != nil {
		return "", err
	}
	move := at.legal[0]
	if len(at.legal) > 1 {
		if move, err = p.search(ctx, q, request.GetStrategy()); err != nil {
			return "", err
		}
	}
	return move, nil
}

// suitable returns an error for positions that no engine can take.
func suitable(at *position) error {
	switch {
	case at.Side == 0:
		return &unsuitableError{"the engine plays Reversi on squares only"}
	case at.over():
		return status.Error(codes.FailedPrecondition, "the game is over")
	case len(at.legal) > 1 && slices.ContainsFunc(at.Options, func(option string) bool {
		return strings.HasPrefix(option, "min_flips=") && option != "min_flips=1"
	}):
		return &unsuitableError{"the engine plays games in which a move flips at least one disc"}
	}
	return nil
}

// search lets the next free engine choose a move.
func (p *provider) search(
	ctx context.Context, q *query, strategy *strategyv1.Strategy,
) (move string, err error) {
	s, err := p.pool.acquire(ctx)
	if err != nil {
		return "", err
	}
	broken := false
	defer func() { p.pool.release(s, broken) }()
	if err := s.engine.canPlay(q); err != nil {
		return "", &unsuitableError{err.Error()}
	}
	p.limit(ctx, q, strategy)
	kill := context.AfterFunc(ctx, s.process.kill)
	move, err = s.engine.choose(ctx, q)
	if !kill() || err != nil {
		_, unsuitable := errors.AsType[*unsuitableError](err)
		broken = !unsuitable
	}
	if err == nil && !slices.Contains(q.legal, move) {
		err = fmt.Errorf("the engine answered %.100q, which is not a legal move: use %s",
			s.process.last, strings.Join(q.legal, ", "))
	}
	return move, err
}

// limit sets the limits of a search: those of the options and of the strategy in the request, and
// half of the time that the call has left.
func (p *provider) limit(ctx context.Context, q *query, strategy *strategyv1.Strategy) {
	const share = 2
	deadline, _ := ctx.Deadline()
	q.time = time.Until(deadline) / share
	q.depth = p.Depth
	for _, limit := range []time.Duration{
		p.Time, strategy.GetEngine().GetMaxTime().AsDuration(),
		strategy.GetAlphaBeta().GetMaxTime().AsDuration(),
	} {
		if limit > 0 {
			q.time = min(q.time, limit)
		}
	}
	for _, depth := range []int32{
		strategy.GetEngine().GetMaxDepth(), strategy.GetAlphaBeta().GetMaxDepth(),
	} {
		if depth > 0 {
			q.depth = int(depth)
		}
	}
}
