package engine

import (
	"iter"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/othello"
	"github.com/flipside-games/flipside/services/strategy/search"
)

// isOthello reports whether package othello knows the board and the rules.
func isOthello(p *reversi.Position) bool {
	b := p.Board()
	return b.Shape() == reversi.Square && b.Size() == 8 && p.MinFlips() == 1
}

// analyzeOthello searches the usual board.
func analyzeOthello(meter *limits.Meter, p *reversi.Position, o limits.Options) iter.Seq[strategy.Analysis] {
	if won, wins := search.PassToWin(p); wins {
		return func(yield func(strategy.Analysis) bool) { yield(won) }
	}
	scoring := othello.DiscDifference
	if p.EmptiesToWinner() {
		scoring = othello.EmptiesToWinner
	}
	e := othello.New(othello.Options{TableBytes: o.Table, Scoring: scoring})
	return func(yield func(strategy.Analysis) bool) {
		for infos := range e.Analyze(meter, discs(p), o) {
			if !yield(asAnalysis(infos)) {
				return
			}
		}
	}
}

// discs returns the board of a position as the side to move sees it.
func discs(p *reversi.Position) othello.Board {
	var b othello.Board
	for i, c := range p.Board().Cells() {
		switch p.At(c) {
		case p.Turn():
			b.Mover |= 1 << i
		case p.Turn().Other():
			b.Opponent |= 1 << i
		default:
		}
	}
	return b
}

func asAnalysis(found []othello.Info) strategy.Analysis {
	best := found[0]
	a := strategy.Analysis{Depth: best.Depth, Exact: best.Exact, Confidence: best.Percent}
	for _, info := range found {
		line := strategy.Line{Score: info.Score, Moves: make([]rules.Move, len(info.PrincipalVariation))}
		for i, x := range info.PrincipalVariation {
			line.Moves[i] = rules.Pass
			if x != othello.Pass {
				line.Moves[i] = rules.Place(rules.SquareCell(int(x)/8, int(x)%8))
			}
		}
		a.Lines = append(a.Lines, line)
	}
	return a
}
