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

// SmallestReply guesses what the opponent plays and keeps the moves after which his reply flips least; of those, the
// moves that flip most themselves. When the time is up it keeps the best it has looked at, and so
// perhaps nothing. A grid of more than threetrios.MaxSmallestReplyCells is BUDGET_EXCEEDED.
type SmallestReply struct{}

// Keep is that of strategy.Strategy. The position is one of Three Trios.
func (SmallestReply) Keep(
	w *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	t := newTable(p)
	if n := t.CardCells(); n > threetrios.MaxSmallestReplyCells {
		return nil, fault.New(fault.BudgetExceeded, "smallestReply plays on at most %d card cells, not %d", threetrios.MaxSmallestReplyCells, n).
			With("limit", threetrios.MaxSmallestReplyCells).With("cardCells", n)
	}
	reply := guess(t.Position)
	kept, mostNow := []strategy.Candidate(nil), 0
	for _, c := range candidates {
		now := t.flipsOf(c.Move)
		if len(kept) > 0 && kept[0].Value == 0 && now < mostNow {
			continue // no reply is smaller than none
		}
		replied, finished := replyFlips(w, t.PlayCard(t.index[c.Move.Card], c.Move.Cell), reply)
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

// guess tells from the position what the opponent of the side to move plays.
func guess(p *threetrios.Position) strategy.Strategy {
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

// lastWasLeastExposed reports whether the last move was the side's and its card, where it lies, is now no more
// exposed to the hand of the other side than any card of the side's hand would be on any cell.
func lastWasLeastExposed(p *threetrios.Position, side, other rules.Side) bool {
	cell, by, ok := p.LastMove()
	if !ok || by != side {
		return false
	}
	against := p.Hand(other)
	now := exposure(p, cell, p.At(cell.RowColumn()).Card, against)
	for _, c := range p.EmptyCells() {
		for _, card := range p.Hand(side) {
			if exposure(p, c, card, against) < now {
				return false
			}
		}
	}
	return true
}

// replyFlips returns how many cards the opponent's reply by a strategy flips; 0 if no cell is left. It reports false if the
// time was up before it was found.
func replyFlips(w *limits.Meter, p *threetrios.Position, by strategy.Strategy) (flips int, finished bool) {
	if !w.Visit() {
		return 0, false
	}
	if p.Turn() == rules.NoSide {
		return 0, true
	}
	all := strategy.Placements(p)
	kept, err := by.Keep(w, p, all)
	if err != nil {
		return 0, false
	}
	if len(kept) == 0 {
		kept = all
	}
	return newTable(p).flipsOf(kept[0].Move), true
}

// leastAnswer keeps the first move that leaves the opponent the fewest flips if he then flips as many as he can. It is
// what SmallestReply guesses of an opponent who plays SmallestReply, without the guessing.
type leastAnswer struct{}

func (leastAnswer) Keep(w *limits.Meter, p rules.Position, candidates []strategy.Candidate) ([]strategy.Candidate, error) {
	t := newTable(p)
	fewest, first := math.MaxInt, []strategy.Candidate(nil)
	for i, c := range candidates {
		if !w.Visit() {
			return nil, strategy.Unfinished()
		}
		next := t.PlayCard(t.index[c.Move.Card], c.Move.Cell)
		if answer := mostFlips(next, fewest); answer < fewest {
			fewest, first = answer, candidates[i:i+1]
		}
		if fewest == 0 {
			break
		}
	}
	return first, nil
}
