// Package adapters connects Flipside to programs that speak a text protocol: [Provide] offers an
// engine as a strategy provider, [ServeGTP] and [ServeNBoard] offer the strategies of a server to
// graphical boards. The protocols are the Go Text Protocol, version 2
// (https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html), and the NBoard
// protocol, version 2 (https://github.com/weltyc/ntest/blob/master/instructions/Protocol.htm). The
// rules are those of the Strategy service.
package adapters

import (
	"context"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// Options configure [ServeGTP] and [ServeNBoard].
type Options struct {
	Version    string // of the program
	Strategies strategyv1.StrategyServiceClient
	// Strategy chooses the moves. A limit of the board applies too, if it is stricter.
	Strategy *strategyv1.Strategy
	// Explain describes an error in one line. Several goroutines may call it.
	Explain func(context.Context, error) string
}

// defaultMoveTime limits a search that has no other limit.
const defaultMoveTime = time.Second

// The largest limits of all strategies that search.
const (
	maxTime  = time.Minute
	maxDepth = 64
)

// limited returns the strategy with limits of a board. 0 is no limit.
func (o *Options) limited(limit time.Duration, depth int) *strategyv1.Strategy {
	strategy := proto.CloneOf(o.Strategy)
	switch kind := strategy.GetKind().(type) {
	case *strategyv1.Strategy_Engine:
		e := kind.Engine
		unlimited := e.GetMaxTime() == nil && e.GetMaxDepth() == 0 && e.GetMaxNodes() == 0
		e.MaxTime = stricterTime(e.GetMaxTime(), limit, unlimited && depth == 0)
		e.MaxDepth = stricterDepth(e.GetMaxDepth(), depth)
	case *strategyv1.Strategy_AlphaBeta:
		a := kind.AlphaBeta
		unlimited := a.GetMaxTime() == nil && a.GetMaxDepth() == 0
		a.MaxTime = stricterTime(a.GetMaxTime(), limit, unlimited && depth == 0)
		a.MaxDepth = stricterDepth(a.GetMaxDepth(), depth)
	}
	return strategy
}

// stricterTime returns the shorter limit, and the default if a strategy without limits gets none.
func stricterTime(
	own *durationpb.Duration, limit time.Duration, unlimited bool,
) *durationpb.Duration {
	if limit == 0 && unlimited {
		limit = defaultMoveTime
	}
	limit = min(limit, maxTime)
	if limit == 0 || own != nil && own.AsDuration() <= limit {
		return own
	}
	return durationpb.New(limit)
}

func stricterDepth(own int32, limit int) int32 {
	limit = min(limit, maxDepth)
	if limit == 0 || own != 0 && own <= int32(limit) {
		return own
	}
	return int32(limit)
}
