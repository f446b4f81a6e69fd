package engine

import (
	"iter"

	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/othello"
	"github.com/flipside-games/flipside/services/strategy/search"
)

// analyzeOthello searches a position that package othello supports.
func analyzeOthello(
	meter *limits.Meter, p *reversi.Position, o limits.Options,
) iter.Seq[strategy.Analysis] {
	if won, wins := search.PassToWin(p); wins {
		return func(yield func(strategy.Analysis) bool) { yield(won) }
	}
	e := othello.New(othello.Options{TableBytes: o.Table, Scoring: othello.ScoringOf(p)})
	return e.AnalyzePosition(meter, p, o)
}
