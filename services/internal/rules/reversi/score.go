package reversi

import "github.com/flipside-games/flipside/services/internal/rules"

// Score returns the number of discs of each side.
func (p *Position) Score() rules.Score { return p.score }

// FinalScore returns Score, plus the empty cells if the option EmptiesToWinner is on: they go to
// the leader, and in a draw each side gets half of them, rounded down.
func (p *Position) FinalScore() rules.Score {
	s := p.score
	if !p.options.EmptiesToWinner {
		return s
	}
	empties := len(p.board.cells) - s.First - s.Second
	switch s.Leader() {
	case rules.First:
		s.First += empties
	case rules.Second:
		s.Second += empties
	default:
		s.First += empties / 2
		s.Second += empties / 2
	}
	return s
}
