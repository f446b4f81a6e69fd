// Package review compares the moves of a game with the engine's analyses of its positions. It makes
// no calls and knows no rules.
package review

import (
	"github.com/flipside-games/flipside/clients/cli/render"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// Report is the review of a game.
type Report struct {
	Name    string    `json:"name"` // the id of the game, or its place in a file
	Players [2]string `json:"players"`
	Moves   []Move    `json:"moves"`
	Sides   [2]Side   `json:"sides"`

	describe render.Describer
}

// Move is the review of a move. Values are differences in discs or cards, for the side that moves.
type Move struct {
	Number    int    `json:"number"` // from 1
	Side      string `json:"side"`   // SIDE_FIRST or SIDE_SECOND
	Notation  string `json:"notation"`
	Best      string `json:"best"` // the engine's choice
	BestValue int    `json:"bestValue"`
	Value     int    `json:"value"` // of the position after the move
	Loss      int    `json:"loss"`  // BestValue less Value, at least 0
	// Exact reports whether both values are exact, not estimates.
	Exact bool `json:"exact"`
	// TurningPoint reports whether the move turns a win into a draw or a loss, or a draw into a loss.
	TurningPoint bool `json:"turningPoint"`

	index int // of the side, 0 or 1
}

// Side is the sum of a side's moves.
type Side struct {
	Moves         int `json:"moves"`
	Best          int `json:"best"` // moves without a loss
	Loss          int `json:"loss"`
	TurningPoints int `json:"turningPoints"`
}

// Played is a move to review.
type Played struct {
	Side     rulesv1.Side
	Notation string
	// Before is the analysis of the position before the move, with a principal variation for each
	// move if the move ends the game.
	Before *strategyv1.Analysis
	// After is the analysis of the position after the move, nil if the move ends the game.
	After *strategyv1.Analysis
}

// New returns the review of a game with a name.
func New(name string, players [2]string, kind rulesv1.GameKind, played []Played) *Report {
	r := &Report{Name: name, Players: players, describe: render.Describer{Kind: kind}}
	for i, each := range played {
		m := each.review()
		m.Number = i + 1
		r.Moves = append(r.Moves, m)
		side := &r.Sides[m.index]
		side.Moves++
		side.Loss += m.Loss
		if m.Loss == 0 {
			side.Best++
		}
		if m.TurningPoint {
			side.TurningPoints++
		}
	}
	return r
}

// index returns 0 for the first side and 1 for the second side.
func (p Played) index() int {
	if p.Side == rulesv1.Side_SIDE_SECOND {
		return 1
	}
	return 0
}

func (p Played) review() Move {
	m := Move{
		Side: p.Side.String(), Notation: p.Notation, BestValue: int(p.Before.GetScore()),
		index: p.index(),
	}
	if pv := p.Before.GetPrincipalVariation(); len(pv) > 0 {
		m.Best = pv[0]
	}
	m.Value, m.Exact = p.value()
	m.Loss = max(0, m.BestValue-m.Value)
	m.TurningPoint = sign(m.Value) < sign(m.BestValue)
	return m
}

// value returns the value of the move for its side. The engine's own choice has the value of the
// position.
func (p Played) value() (value int, exact bool) {
	for _, pv := range p.Before.GetMultiPv() {
		if moves := pv.GetPrincipalVariation(); len(moves) > 0 && moves[0] == p.Notation {
			if p.After == nil || pv == p.Before.GetMultiPv()[0] {
				return int(pv.GetScore()), pv.GetExact()
			}
		}
	}
	if p.After == nil {
		return int(p.Before.GetScore()), false
	}
	return -int(p.After.GetScore()), p.Before.GetExact() && p.After.GetExact()
}

func sign(n int) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}
