package othello

import (
	"iter"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Supports reports whether the engine plays on the board and by the rules of p.
func Supports(p *reversi.Position) bool {
	b := p.Board()
	return b.Shape() == reversi.Square && b.Size() == 8 && p.MinFlips() == 1
}

// BoardOf returns the board of a position that the engine supports.
func BoardOf(p *reversi.Position) (b Board) {
	for x := range Pass {
		switch p.At(x.cell()) {
		case p.Turn():
			b.Mover |= 1 << x
		case p.Turn().Other():
			b.Opponent |= 1 << x
		default:
		}
	}
	return b
}

// ScoringOf returns the scoring of the rules of p.
func ScoringOf(p *reversi.Position) Scoring {
	if p.EmptiesToWinner() {
		return EmptiesToWinner
	}
	return DiscDifference
}

// Continues reports whether the table of the engine is of use for p, which it supports: an earlier
// search has visited the position.
func (e *Engine) Continues(p *reversi.Position) bool {
	return e.scoring == ScoringOf(p) && e.knows(BoardOf(p))
}

func (x Square) cell() rules.Cell { return rules.SquareCell(int(x)/8, int(x)%8) }

// AnalyzePosition is [Engine.Analyze] for a position that the engine supports and that is not over.
func (e *Engine) AnalyzePosition(
	meter *limits.Meter, p *reversi.Position, o limits.Options,
) iter.Seq[strategy.Analysis] {
	return func(yield func(strategy.Analysis) bool) {
		for infos := range e.Analyze(meter, BoardOf(p), o) {
			if !yield(analysis(infos)) {
				return
			}
		}
	}
}

func analysis(infos []Info) strategy.Analysis {
	best := infos[0]
	a := strategy.Analysis{Depth: best.Depth, Exact: best.Exact, Confidence: best.Percent}
	for _, info := range infos {
		line := strategy.Line{Score: info.Score}
		for _, x := range info.PrincipalVariation {
			m := rules.Pass
			if x != Pass {
				m = rules.Place(x.cell())
			}
			line.Moves = append(line.Moves, m)
		}
		a.Lines = append(a.Lines, line)
	}
	return a
}
