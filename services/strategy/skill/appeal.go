package skill

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
)

// appeals rate how good moves look to a beginner.
type appeals struct {
	// values are the appeals of the candidates, at least 0, in the unit of the score of a search.
	values []float64
	most   float64
	// margin bounds how much worse a move may be to be an equal choice in the opening.
	margin float64
}

func appealsOf(p rules.Position, candidates []strategy.Candidate) appeals {
	a := appeals{values: make([]float64, len(candidates))}
	var appeal func(rules.Move) float64
	switch p := p.(type) {
	case *reversi.Position:
		a.margin, appeal = 1.5, appealOnReversi(p)
	case *threetrios.Position:
		a.margin, appeal = 1, appealOfCards(p)
	default:
		panic("skill: unknown game: " + p.Kind())
	}
	for i, c := range candidates {
		a.values[i] = appeal(c.Move)
	}
	a.most = slices.Max(a.values)
	return a
}

// share returns the appeal of a candidate as a part of the highest one.
func (a appeals) share(i int) float64 {
	if a.most == 0 {
		return 1
	}
	return a.values[i] / a.most
}

// highest returns the index of the first candidate with the highest appeal.
func (a appeals) highest() int { return slices.Index(a.values, a.most) }

// appealOnReversi counts the flips. A corner is worth cornerAppeal more.
func appealOnReversi(p *reversi.Position) func(rules.Move) float64 {
	const cornerAppeal = 2
	corners := p.Board().Corners()
	return func(m rules.Move) float64 {
		flips := float64(len(p.Flips(m)))
		if slices.Contains(corners, m.Cell) {
			return flips + cornerAppeal
		}
		return flips
	}
}

// appealOfCards counts the flips. A card with high values is worth up to one flip more.
func appealOfCards(p *threetrios.Position) func(rules.Move) float64 {
	const highestSum = 40
	sums, indices := map[string]float64{}, map[string]int{}
	for i, card := range p.Hand(p.Turn()) {
		indices[card.Name] = i
		for _, d := range directions {
			sums[card.Name] += float64(card.Value(d))
		}
	}
	return func(m rules.Move) float64 {
		return float64(p.FlipCount(indices[m.Card], m.Cell)) + sums[m.Card]/highestSum
	}
}

var directions = [...]threetrios.Direction{
	threetrios.North, threetrios.South, threetrios.East, threetrios.West,
}
