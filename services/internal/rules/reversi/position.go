package reversi

import "github.com/flipside-games/flipside/services/internal/rules"

// Options are the rules that differ from game to game.
type Options struct {
	PassRule PassRule
	// MinFlips is the least number of discs that a placement must flip, 1 to MaxMinFlips.
	MinFlips int
	// EmptiesToWinner adds the empty cells to the final score of the winner. In a draw both sides
	// get half.
	EmptiesToWinner bool
}

// MaxMinFlips is the largest MinFlips. No placement on any board flips more discs.
const MaxMinFlips = maxFlips

// defaultOptions returns the options that apply on a shape if the setup leaves them out.
func defaultOptions(shape Shape) Options {
	if shape == Hexagon {
		return Options{PassRule: Voluntary, MinFlips: 1}
	}
	return Options{PassRule: Forced, MinFlips: 1}
}

// Position is one state of a game of Reversi. First is Black, Second is White. It is immutable and
// safe for concurrent use.
type Position struct {
	board   *Board
	options Options
	discs   string
	turn    rules.Side
	passes  int
	score   rules.Score
}

var _ rules.Position = (*Position)(nil)

// Placement is a cell where the side to move can place a disc, and the number of discs that flip.
type Placement struct {
	Cell  rules.Cell
	Flips int
}

// newPosition returns a position without a side to move, for one of the methods that set it.
func newPosition(b *Board, o Options, discs []byte) *Position {
	p := &Position{board: b, options: o, discs: string(discs) + string(rune(outside))}
	for _, letter := range discs {
		switch letter {
		case black:
			p.score.First++
		case white:
			p.score.Second++
		}
	}
	return p
}

// setTurn gives the turn to a side unless the game is over, and returns p.
func (p *Position) setTurn(side rules.Side) *Position {
	p.turn = side
	if p.isOver(side) {
		p.turn = rules.NoSide
	}
	return p
}

// Kind returns rules.Reversi.
func (p *Position) Kind() rules.Kind { return rules.Reversi }

// Turn returns the side to move, or NoSide once the game is over.
func (p *Position) Turn() rules.Side { return p.turn }

// WithTurn returns the same position with another side to move and no passes so far, so that a pass
// does not end the game. It returns p itself if the side has the turn already and once the game is
// over.
func (p *Position) WithTurn(side rules.Side) rules.Position {
	if side == p.turn || side == rules.NoSide || p.turn == rules.NoSide {
		return p
	}
	next := *p
	next.turn, next.passes = side, 0
	return &next
}

// Board returns the board.
func (p *Position) Board() *Board { return p.board }

// Contains reports whether a cell is on the board.
func (p *Position) Contains(c rules.Cell) bool { return p.board.Contains(c) }

// PassRule returns the pass rule in force.
func (p *Position) PassRule() PassRule { return p.options.PassRule }

// MinFlips returns the least number of discs that a placement must flip.
func (p *Position) MinFlips() int { return p.options.MinFlips }

// EmptiesToWinner reports whether the winner gets the empty cells.
func (p *Position) EmptiesToWinner() bool { return p.options.EmptiesToWinner }

// Passes returns the number of passes in a row that led to this position, 0 to 2.
func (p *Position) Passes() int { return p.passes }

// At returns the owner of the disc on a cell, or NoSide for an empty cell and for a cell off the
// board.
func (p *Position) At(c rules.Cell) rules.Side {
	if !p.board.sameShape(c) {
		return rules.NoSide
	}
	return sideOf(p.discs[p.board.index(c)])
}

// Rows returns the rows of the board from the top, as strings of X (black), O (white) and _
// (empty).
func (p *Position) Rows() []string {
	rows := make([]string, len(p.board.rows))
	for i, line := range p.board.rows {
		rows[i] = p.discs[line.start : line.start+line.length]
	}
	return rows
}

// CountPlacements returns the number of cells where the side to move can place a disc.
func (p *Position) CountPlacements() int {
	var counts flipCounts
	return p.countFlips(&counts)
}

// CountLegal returns the number of legal moves. It is faster than len(Legal()).
func (p *Position) CountLegal() int {
	n := p.CountPlacements()
	if p.mayPass(n) {
		n++
	}
	return n
}

// Placements returns the placements of the side to move in reading order. The caller owns the
// slice.
func (p *Position) Placements() []Placement {
	var counts flipCounts
	placements := make([]Placement, 0, p.countFlips(&counts))
	for i, c := range p.board.cells {
		if flips := int(counts[i]); flips >= p.options.MinFlips {
			placements = append(placements, Placement{Cell: c, Flips: flips})
		}
	}
	return placements
}

// countFlips returns the number of placements of the side to move and fills in the flips of each.
func (p *Position) countFlips(counts *flipCounts) int {
	if p.turn == rules.NoSide {
		return 0
	}
	return p.board.mobility(p.discs, letterOf(p.turn), p.options.MinFlips, maxCells, counts)
}

// Legal returns every legal move: the placements in reading order, pass last. The caller owns the
// slice.
func (p *Position) Legal() []rules.Move {
	placements := p.Placements()
	moves := make([]rules.Move, 0, len(placements)+1)
	for _, at := range placements {
		moves = append(moves, rules.Place(at.Cell))
	}
	if p.mayPass(len(placements)) {
		moves = append(moves, rules.Pass)
	}
	return moves
}

// Bytes estimates the memory of the position. All positions share the boards.
func (p *Position) Bytes() int {
	const fixed = 112
	return fixed + len(p.discs)
}
