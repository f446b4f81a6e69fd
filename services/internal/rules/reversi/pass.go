package reversi

import "github.com/flipside-games/flipside/services/internal/rules"

// PassRule decides when a player may pass and when the game ends.
type PassRule string

// The pass rules.
const (
	// Voluntary makes a pass always legal. Only two passes in a row end the game.
	Voluntary PassRule = "voluntary"
	// Forced makes a pass legal only for a side that has no placement. The game ends as soon as
	// neither side has a placement.
	Forced PassRule = "forced"
)

// mayPass reports whether the side to move may pass, given the number of its placements.
func (p *Position) mayPass(placements int) bool {
	return p.turn != rules.NoSide && (p.options.PassRule == Voluntary || placements == 0)
}

// isOver reports whether the game is over when the turn comes to a side. It looks at this side
// first, because it has a placement in nearly every position.
func (p *Position) isOver(side rules.Side) bool {
	if p.options.PassRule == Voluntary {
		return p.passes == 2
	}
	return !p.canPlace(side) && !p.canPlace(side.Other())
}

// canPlace reports whether a side has a placement.
func (p *Position) canPlace(side rules.Side) bool {
	var counts flipCounts
	return p.board.mobility(p.discs, letterOf(side), p.options.MinFlips, 1, &counts) > 0
}
