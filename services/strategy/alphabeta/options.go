package alphabeta

import (
	"cmp"
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
)

// option is a move that the search considers.
type option struct {
	move rules.Move
	// flips is how many pieces it flips, which matters only for the order.
	flips int
}

// options returns the legal moves but the pass: where it is to be in order those that flip most first, since they are
// the most likely to be good, and else in reading order, which takes less time.
func options(p rules.Position, inOrder bool) []option {
	var all []option
	switch p := p.(type) {
	case *reversi.Position:
		all = places(p)
	case *threetrios.Position:
		all = plays(p, inOrder)
	default:
		for _, c := range strategy.Placements(p) {
			all = append(all, option{move: c.Move})
		}
	}
	if inOrder {
		slices.SortStableFunc(all, func(a, b option) int { return cmp.Compare(b.flips, a.flips) })
	}
	return all
}

func places(p *reversi.Position) []option {
	placements := p.Placements()
	all := make([]option, len(placements))
	for i, at := range placements {
		all[i] = option{rules.Place(at.Cell), at.Flips}
	}
	return all
}

func plays(p *threetrios.Position, countFlips bool) []option {
	hand, cells := p.Hand(p.Turn()), p.EmptyCells()
	all := make([]option, 0, len(hand)*len(cells))
	for _, cell := range cells {
		for i, card := range hand {
			o := option{move: rules.Play(card.Name, cell)}
			if countFlips {
				o.flips = p.FlipCount(i, cell)
			}
			all = append(all, o)
		}
	}
	return all
}

// play returns the position after a move that is among the options, or a pass where there are none.
func play(p rules.Position, m rules.Move) rules.Position {
	if m == rules.Pass {
		return p.WithTurn(p.Turn().Other())
	}
	next, _, err := p.Play(m)
	if err != nil {
		panic("alphabeta: a legal move is refused: " + err.Error())
	}
	return next
}

// finished reports whether the game is over, or would be if passing were forced: neither side can place.
func finished(p rules.Position) bool {
	if p.Turn() == rules.NoSide {
		return true
	}
	r, ok := p.(*reversi.Position)
	return ok && r.PassRule() == reversi.Voluntary && r.CountPlacements() == 0 &&
		r.WithTurn(r.Turn().Other()).(*reversi.Position).CountPlacements() == 0
}
