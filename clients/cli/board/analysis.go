package board

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/session"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// Limits of an analysis.
const (
	analysisTime  = 10 * time.Second
	analysisLines = 3
)

// analysis is the analysis of the shown position.
type analysis struct {
	version int32 // of the position
	latest  *strategyv1.Analysis
	cancel  context.CancelFunc
}

// toggleAnalysis turns the analysis on or off. A game between two people is analysed only after its
// end.
func (g *game) toggleAnalysis() tea.Cmd {
	switch {
	case g.analysis != nil:
		g.stopAnalysis()
		return nil
	case !g.isOver() && g.robotSide() < 0 && (!g.mine(0) || !g.mine(1)):
		g.notice = notice{"Games between two people are analysed after their end.", true}
		return nil
	case g.isOver() && !g.isPast():
		g.inform("Walk through the moves with , and . or the arrow keys.")
		g.focus = onMoves
	}
	g.analysis = &analysis{version: -1}
	return g.analyseShown()
}

func (g *game) stopAnalysis() {
	if g.analysis != nil && g.analysis.cancel != nil {
		g.analysis.cancel()
	}
	g.analysis = nil
}

// analyseShown starts the analysis of the shown position, if the analysis is on.
func (g *game) analyseShown() tea.Cmd {
	entry := g.entry()
	if g.analysis == nil || g.analysis.version == entry.Version {
		return nil
	}
	g.stopAnalysis()
	ctx, cancel := context.WithCancel(g.ctx)
	current := &analysis{version: entry.Version, cancel: cancel}
	g.analysis = current
	request := &strategyv1.AnalyzePositionRequest{
		Position: &rulesv1.Position{Notation: entry.Position.GetNotation()}, MultiPv: analysisLines,
		Strategy: &strategyv1.Strategy{Kind: &strategyv1.Strategy_Engine{
			Engine: &strategyv1.Engine{MaxTime: durationpb.New(analysisTime)},
		}},
	}
	go func() {
		if err := g.analyse(ctx, request, current); err != nil {
			g.post(func() tea.Cmd {
				if g.analysis == current { // no later one has replaced it
					g.stopAnalysis()
					g.notice = notice{"No analysis: " + render.Explain(err), true}
				}
				return nil
			})
		}
	}()
	return nil
}

// analyse reads the stream of an analysis.
func (g *game) analyse(
	ctx context.Context, request *strategyv1.AnalyzePositionRequest, current *analysis,
) error {
	stream, err := g.server.Strategies.AnalyzePosition(ctx, request)
	if err != nil {
		return err
	}
	return session.Receive(stream, func(m *strategyv1.AnalyzePositionResponse) error {
		g.post(func() tea.Cmd {
			current.latest = m.GetAnalysis()
			return nil
		})
		return nil
	})
}
