package skill

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/othello"
)

// settings define a level.
type settings struct {
	// overlook is the probability to overlook a move that has no appeal. A move with the highest
	// appeal is never overlooked, and the probability is linear between the two.
	overlook float64
	// naive is the weight of a move's appeal against the score of its search, from 0 to 1.
	naive float64
	// noise is the standard deviation of the errors of judgement, in discs or cards.
	noise float64
	// depth and nodes limit the search; 0 means no limit.
	depth int
	nodes int64
}

func (s settings) limits() limits.Limits { return limits.Limits{Depth: s.depth, Nodes: s.nodes} }

// lines returns how many moves the search compares exactly: all of them if the player can prefer
// a worse one. It varies its openings among a few.
func (s settings) lines(opening bool, all int) int {
	const openingLines = 3
	switch {
	case s.overlook > 0 || s.naive > 0 || s.noise > 0:
		return all
	case opening:
		return min(openingLines, all)
	}
	return 1
}

// inOpening reports whether a game has just begun, so that the player varies its moves.
func inOpening(p rules.Position) bool {
	switch p := p.(type) {
	case *reversi.Position:
		const discs = 12
		score := p.Score()
		return score.First+score.Second < discs
	case *threetrios.Position:
		return p.CardCells()-len(p.EmptyCells()) < 2
	}
	return false
}

// settingsOf returns the settings of a level in a position.
func settingsOf(p rules.Position, level int) settings {
	levels := &onBoards
	switch p := p.(type) {
	case *threetrios.Position:
		levels = &withCards
	case *reversi.Position:
		if othello.Supports(p) {
			levels = &onEight
		}
	}
	return levels[level-1]
}

// shallow limits the nodes of a search to a few plies, which can take long on a large board.
const shallow = 20_000

// The levels of 8x8, of all other boards of Reversi and of Three Trios. They are chosen by matches
// between neighbours; docs/strength.md has the results.
var (
	onEight = [Highest]settings{
		{0.47, 0.85, 2.0, 1, shallow},
		{0.45, 0.79, 2.0, 1, shallow},
		{0.41, 0.73, 2.0, 1, shallow},
		{0.38, 0.66, 2.0, 1, shallow},
		{0.34, 0.57, 2.0, 1, shallow},
		{0.25, 0.38, 2.0, 1, shallow},
		{0.20, 0.33, 2.7, 2, shallow},
		{0.15, 0.15, 2.7, 2, shallow},
		{0.15, 0.10, 2.7, 3, shallow},
		{0.10, 0.00, 2.3, 3, shallow},
		{0.04, 0.00, 1.2, 3, shallow},
		{0.06, 0.00, 1.7, 4, shallow},
		{0.03, 0.00, 0.8, 4, shallow},
		{nodes: 600},
		{nodes: 1_450},
		{nodes: 3_500},
		{nodes: 8_500},
		{nodes: 20_000},
		{nodes: 50_000},
		{nodes: 120_000},
	}
	onBoards = [Highest]settings{
		{0.50, 1.00, 2.0, 1, shallow},
		{0.49, 0.88, 2.0, 1, shallow},
		{0.47, 0.81, 2.0, 1, shallow},
		{0.43, 0.75, 2.0, 1, shallow},
		{0.38, 0.65, 2.0, 1, shallow},
		{0.31, 0.52, 2.0, 1, shallow},
		{0.20, 0.33, 2.0, 1, shallow},
		{0.09, 0.15, 2.0, 1, shallow},
		{0.14, 0.12, 2.1, 2, shallow},
		{0.05, 0.01, 1.5, 2, shallow},
		{0.09, 0.06, 1.8, 3, shallow},
		{0.03, 0.01, 1.1, 3, shallow},
		{0.02, 0.01, 1.0, 4, shallow},
		{nodes: 330},
		{nodes: 600},
		{nodes: 1_200},
		{nodes: 4_000},
		{nodes: 15_000},
		{nodes: 100_000},
		{nodes: 2_000_000},
	}
	withCards = [Highest]settings{
		{0.50, 1.00, 1.0, 1, shallow},
		{0.55, 0.85, 1.4, 2, shallow},
		{0.42, 0.70, 1.3, 2, shallow},
		{0.35, 0.59, 1.2, 2, shallow},
		{0.28, 0.46, 1.2, 2, shallow},
		{0.18, 0.26, 1.2, 2, shallow},
		{0.13, 0.16, 1.0, 2, shallow},
		{0.08, 0.02, 0.8, 2, shallow},
		{0.08, 0.10, 1.1, 3, shallow},
		{0.04, 0.01, 0.8, 3, shallow},
		{0.02, 0.00, 0.5, 3, shallow},
		{0.01, 0.00, 1.0, 4, shallow},
		{0.00, 0.00, 0.7, 4, shallow},
		{0.00, 0.00, 0.4, 4, shallow},
		{nodes: 1_600},
		{nodes: 4_000},
		{nodes: 6_500},
		{nodes: 28_000},
		{nodes: 250_000},
		{nodes: 2_000_000},
	}
)
