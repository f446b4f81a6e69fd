package grpcapi

import (
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/internal/wire"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/catalogue"
)

func choiceMessage(p rules.Position, choice strategy.Choice) *strategyv1.ChooseMoveResponse {
	return &strategyv1.ChooseMoveResponse{
		Chosen:     candidate(p, choice.Chosen),
		Candidates: candidates(p, choice.Candidates),
		Analysis:   analysis(p, choice.Analysis),
	}
}

func candidates(p rules.Position, all []strategy.Candidate) []*strategyv1.Candidate {
	out := make([]*strategyv1.Candidate, len(all))
	for i, c := range all {
		out[i] = candidate(p, c)
	}
	return out
}

func candidate(p rules.Position, c strategy.Candidate) *strategyv1.Candidate {
	return &strategyv1.Candidate{
		Move:     wire.Move(c.Move),
		Notation: p.MoveNotation(c.Move),
		Value:    int32(c.Value),
		Measure:  strategyv1.Measure(c.Measure), // the numbers are the same
	}
}

func analysis(p rules.Position, a strategy.Analysis) *strategyv1.Analysis {
	out := &strategyv1.Analysis{
		Depth:              int32(a.Depth),
		Score:              int32(a.Best().Score),
		Exact:              a.Exact,
		Confidence:         int32(a.Confidence),
		Nodes:              a.Nodes,
		NodesPerSecond:     perSecond(a.Nodes, a.Time),
		Time:               durationpb.New(a.Time),
		PrincipalVariation: notations(p, a.Best().Moves),
		Final:              a.Final,
	}
	out.LowerBound, out.UpperBound = bounds(p, a)
	if p.Kind() == rules.Reversi && a.Depth > 0 {
		out.PassRule = rulesv1.PassRule_PASS_RULE_FORCED
	}
	for _, l := range a.Lines {
		out.MultiPv = append(out.MultiPv, &strategyv1.Line{
			Score: int32(l.Score), Exact: a.Exact, PrincipalVariation: notations(p, l.Moves),
		})
	}
	return out
}

// bounds returns the proved bounds of the final score: the exact score, or the number of cells or
// cards.
func bounds(p rules.Position, a strategy.Analysis) (lower, upper int32) {
	if a.Exact {
		return int32(a.Best().Score), int32(a.Best().Score)
	}
	most := int32(0)
	switch p := p.(type) {
	case *reversi.Position:
		most = int32(len(p.Board().Cells()))
	case *threetrios.Position:
		most = int32(p.Score().First + p.Score().Second)
	}
	return -most, most
}

// notations returns the notations of moves, which do not depend on the position.
func notations(p rules.Position, moves []rules.Move) []string {
	var out []string
	for _, m := range moves {
		out = append(out, p.MoveNotation(m))
	}
	return out
}

func perSecond(n int64, took time.Duration) int64 {
	if took <= 0 {
		return 0
	}
	return int64(float64(n) / took.Seconds())
}

func infos() []*strategyv1.StrategyInfo {
	var out []*strategyv1.StrategyInfo
	for _, e := range catalogue.Entries() {
		info := &strategyv1.StrategyInfo{Name: e.Name, Summary: e.Summary}
		for _, game := range e.Games {
			info.Games = append(info.Games, wire.Kind(game))
		}
		for _, p := range e.Parameters {
			info.Parameters = append(info.Parameters, parameter(p))
		}
		out = append(out, info)
	}
	return out
}

func parameter(p catalogue.Parameter) *strategyv1.Parameter {
	return &strategyv1.Parameter{
		Name:    p.Name,
		Summary: p.Summary,
		Minimum: p.Minimum,
		Maximum: p.Maximum,
		Default: p.Default,
		Values:  p.Values,
	}
}
