package alphabeta

import (
	"cmp"
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
)

// move is a legal move with the number of discs or cards that it flips, for the move ordering.
type move struct {
	move  rules.Move
	flips int
}

// generate returns the legal moves except the pass: ordered, those that flip most come first, since
// they are the most likely to be good; else they are in reading order, which takes less time.
func generate(p rules.Position, ordered bool) []move {
	var moves []move
	switch p := p.(type) {
	case *reversi.Position:
		moves = generateReversi(p)
	case *threetrios.Position:
		moves = generateTrios(p, ordered)
	default:
		for _, c := range strategy.Placements(p) {
			moves = append(moves, move{move: c.Move})
		}
	}
	if ordered {
		slices.SortStableFunc(moves, func(a, b move) int { return cmp.Compare(b.flips, a.flips) })
	}
	return moves
}

func generateReversi(p *reversi.Position) []move {
	placements := p.Placements()
	moves := make([]move, len(placements))
	for i, at := range placements {
		moves[i] = move{rules.Place(at.Cell), at.Flips}
	}
	return moves
}

func generateTrios(p *threetrios.Position, countFlips bool) []move {
	hand, cells := p.Hand(p.Turn()), p.EmptyCells()
	moves := make([]move, 0, len(hand)*len(cells))
	for _, cell := range cells {
		for i, card := range hand {
			m := move{move: rules.Play(card.Name, cell)}
			if countFlips {
				m.flips = p.FlipCount(i, cell)
			}
			moves = append(moves, m)
		}
	}
	return moves
}

// play returns the position after a generated move, or after a pass if there is none.
func play(p rules.Position, m rules.Move) rules.Position {
	if m == rules.Pass {
		return p.WithTurn(p.Turn().Other())
	}
	next, _, err := p.Play(m)
	if err != nil {
		panic("alphabeta: a generated move is not legal: " + err.Error())
	}
	return next
}

// finished reports whether the game is over, or would be if passing were forced: neither side has a
// placement.
func finished(p rules.Position) bool {
	if p.Turn() == rules.NoSide {
		return true
	}
	r, ok := p.(*reversi.Position)
	return ok && r.PassRule() == reversi.Voluntary && r.CountPlacements() == 0 &&
		r.WithTurn(r.Turn().Other()).(*reversi.Position).CountPlacements() == 0
}
