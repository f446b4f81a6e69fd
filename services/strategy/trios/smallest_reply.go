package trios

import (
	"cmp"
	"math"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// SmallestReply guesses the opponent's strategy and keeps the moves after which the opponent's
// reply flips the fewest cards; of those, the moves that flip most themselves. When time runs out,
// it keeps the best moves so far, perhaps none. The error is BUDGET_EXCEEDED on a grid with more
// than [threetrios.MaxSmallestReplyCells] card cells.
type SmallestReply struct{}

// Keep implements [strategy.Strategy] for Three Trios.
func (SmallestReply) Keep(
	meter *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	pos := newPosition(p)
	const limit = threetrios.MaxSmallestReplyCells
	if n := pos.CardCells(); n > limit {
		return nil, fault.New(fault.BudgetExceeded,
			"smallestReply plays on at most %d card cells, not %d: choose another strategy", limit, n).
			With("limit", limit).With("cardCells", n)
	}
	guess := guessOpponent(pos.Position)
	kept, mostNow := []strategy.Candidate(nil), 0
	for _, c := range candidates {
		now := pos.flipsOf(c.Move)
		if len(kept) > 0 && kept[0].Value == 0 && now < mostNow {
			continue // no reply flips fewer than 0
		}
		replied, finished := replyFlips(meter, pos.PlayCard(pos.index[c.Move.Card], c.Move.Cell), guess)
		if !finished {
			break
		}
		c.Value, c.Measure = replied, strategy.Replies
		if len(kept) == 0 {
			kept, mostNow = append(kept, c), now
			continue
		}
		switch order := cmp.Or(cmp.Compare(replied, kept[0].Value), cmp.Compare(mostNow, now)); {
		case order < 0:
			kept, mostNow = append(kept[:0], c), now
		case order == 0:
			kept = append(kept, c)
		}
	}
	return kept, nil
}

// guessOpponent returns the strategy that the opponent is assumed to play.
func guessOpponent(p *threetrios.Position) strategy.Strategy {
	me, opponent := p.Turn(), p.Turn().Other()
	switch {
	case ownsCorner(p, opponent):
		return Corners{}
	case p.Score().Margin(opponent) > 0:
		return MostFlips{}
	case lastWasLeastExposed(p, opponent, me):
		return LeastExposed{}
	}
	return leastAnswer{}
}

func ownsCorner(p *threetrios.Position, side rules.Side) bool {
	for _, corner := range corners(p) {
		if p.At(corner.RowColumn()).Owner == side {
			return true
		}
	}
	return false
}

// lastWasLeastExposed reports whether side made the last move, and its card is now at most as
// exposed to the other hand as any card of side's hand would be on any cell.
func lastWasLeastExposed(p *threetrios.Position, side, other rules.Side) bool {
	cell, by, ok := p.LastMove()
	if !ok || by != side {
		return false
	}
	attackers := p.Hand(other)
	now := exposure(p, cell, p.At(cell.RowColumn()).Card, attackers)
	for _, c := range p.EmptyCells() {
		for _, card := range p.Hand(side) {
			if exposure(p, c, card, attackers) < now {
				return false
			}
		}
	}
	return true
}

// replyFlips returns the number of cards that the opponent's reply by a strategy flips, 0 if no
// cell is left. It returns false if time runs out.
func replyFlips(
	meter *limits.Meter, p *threetrios.Position, by strategy.Strategy,
) (flips int, finished bool) {
	if !meter.Visit() {
		return 0, false
	}
	if p.Turn() == rules.NoSide {
		return 0, true
	}
	all := strategy.Placements(p)
	kept, err := by.Keep(meter, p, all)
	if err != nil {
		return 0, false
	}
	if len(kept) == 0 {
		kept = all
	}
	return newPosition(p).flipsOf(kept[0].Move), true
}

// leastAnswer keeps the first move after which the opponent can flip the fewest cards.
// SmallestReply assumes it for an opponent that plays SmallestReply.
type leastAnswer struct{}

func (leastAnswer) Keep(
	meter *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	pos := newPosition(p)
	fewest, first := math.MaxInt, []strategy.Candidate(nil)
	for i, c := range candidates {
		if !meter.Visit() {
			return nil, strategy.Unfinished()
		}
		next := pos.PlayCard(pos.index[c.Move.Card], c.Move.Cell)
		if answer := mostFlips(next, fewest); answer < fewest {
			fewest, first = answer, candidates[i:i+1]
		}
		if fewest == 0 {
			break
		}
	}
	return first, nil
}

// mostFlips returns the greatest number of cards that the side to move can flip, at most limit. It
// tries only cells beside opposing cards, since a card elsewhere flips none.
func mostFlips(p *threetrios.Position, limit int) int {
	most, hand := 0, len(p.Hand(p.Turn()))
	for _, cell := range p.EmptyCells() {
		if !touchesOpponent(p, cell) {
			continue
		}
		for card := range hand {
			if most = max(most, p.FlipCount(card, cell)); most >= limit {
				return limit
			}
		}
	}
	return most
}

func touchesOpponent(p *threetrios.Position, c rules.Cell) bool {
	opponent := p.Turn().Other()
	for _, d := range directions {
		if beside, ok := p.Neighbour(c, d); ok && p.At(beside.RowColumn()).Owner == opponent {
			return true
		}
	}
	return false
}
