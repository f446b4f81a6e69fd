package grpcapi

import (
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// limitedStrategy is a strategy and the longest time that it means to think, 0 if it answers at
// once.
type limitedStrategy struct {
	message *strategyv1.Strategy
	time    time.Duration
}

// endlessTime is the time limit of a search that has none of its own.
const endlessTime = 10 * time.Second

// limitTime bounds the time that a strategy thinks: all its searches together, one after the other.
// Each search gets its share of the limit. A search without a time limit gets endlessTime.
func limitTime(s *strategyv1.Strategy, limit time.Duration) limitedStrategy {
	s = proto.CloneOf(s)
	total := time.Duration(0)
	for _, maxTime := range searches(s) {
		if (*maxTime).AsDuration() == 0 {
			*maxTime = durationpb.New(min(endlessTime, limit))
		}
		total += (*maxTime).AsDuration()
	}
	if total > limit {
		for _, maxTime := range searches(s) {
			share := float64((*maxTime).AsDuration()) / float64(total)
			*maxTime = durationpb.New(time.Duration(share * float64(limit)))
		}
		total = limit
	}
	if total == 0 && lookahead(s) > shortLookahead {
		total = min(endlessTime, limit)
	}
	if hasSkill(s) {
		total = min(longestPause, limit)
	}
	return limitedStrategy{message: s, time: total}
}

// searches returns the time limits of all searches in a strategy that can take long.
func searches(s *strategyv1.Strategy) []**durationpb.Duration {
	// A search of this depth, the default, takes little time.
	const shortDepth = 4
	switch kind := s.GetKind().(type) {
	case *strategyv1.Strategy_AlphaBeta:
		if kind.AlphaBeta.GetMaxTime().AsDuration() > 0 || kind.AlphaBeta.GetMaxDepth() > shortDepth {
			return []**durationpb.Duration{&kind.AlphaBeta.MaxTime}
		}
	case *strategyv1.Strategy_Engine:
		if kind.Engine == nil {
			kind.Engine = &strategyv1.Engine{}
		}
		return []**durationpb.Duration{&kind.Engine.MaxTime}
	case *strategyv1.Strategy_Minimax:
		return searches(kind.Minimax.GetAssumed())
	case *strategyv1.Strategy_TryTwo:
		return append(searches(kind.TryTwo.GetFirst()), searches(kind.TryTwo.GetSecond())...)
	}
	return nil
}

// shortLookahead is the number of nested minimax strategies that take little time.
const shortLookahead = 1

// lookahead returns the number of nested minimax strategies. Each multiplies the time of a move.
func lookahead(s *strategyv1.Strategy) int {
	switch kind := s.GetKind().(type) {
	case *strategyv1.Strategy_Minimax:
		return 1 + lookahead(kind.Minimax.GetAssumed())
	case *strategyv1.Strategy_TryTwo:
		return max(lookahead(kind.TryTwo.GetFirst()), lookahead(kind.TryTwo.GetSecond()))
	case *strategyv1.Strategy_Level:
		if kind.Level == strategyv1.Level_LEVEL_EXPERT {
			return 1
		}
	}
	return 0
}
