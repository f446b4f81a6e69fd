package threetrios

import "github.com/flipside-games/flipside/services/internal/rules"

// MaxSmallestReplyCells is the largest number of card cells on which the strategy smallestReply
// plays. It looks at every reply to every move. The limit is here because both services enforce it:
// Strategy rejects larger grids, and Game does not seat such a robot.
const MaxSmallestReplyCells = 25

// GridCell is the content of a cell: a hole, an empty card cell, or a card and its owner.
type GridCell struct {
	Hole bool
	// Owner is NoSide for a hole and for an empty cell.
	Owner rules.Side
	Card  Card
}

// Rows returns the number of rows of the grid.
func (p *Position) Rows() int { return p.grid.rows }

// Columns returns the number of columns of the grid.
func (p *Position) Columns() int { return p.grid.columns }

// Contains reports whether a cell is on the grid. Holes are on the grid.
func (p *Position) Contains(c rules.Cell) bool { return p.grid.indexOf(c) != nowhere }

// At returns the content of a cell. A cell off the grid is a hole.
func (p *Position) At(row, column int) GridCell {
	at := p.grid.index(row, column)
	if at == nowhere {
		return GridCell{Hole: true}
	}
	return p.at(at)
}

func (p *Position) at(at int) GridCell {
	owner := p.owner(at)
	if owner == rules.NoSide {
		return GridCell{Hole: !p.grid.card.has(at)}
	}
	return GridCell{Owner: owner, Card: p.cards[p.board[at]]}
}

func (p *Position) owner(at int) rules.Side {
	switch {
	case p.cells[rules.First].has(at):
		return rules.First
	case p.cells[rules.Second].has(at):
		return rules.Second
	}
	return rules.NoSide
}

// CardCells returns the number of card cells of the grid, with and without a card.
func (p *Position) CardCells() int { return p.grid.card.size() }

// EmptyCells returns the card cells without a card, in reading order.
func (p *Position) EmptyCells() []rules.Cell {
	cells := make([]rules.Cell, 0, p.empty())
	for at := range p.cells[rules.NoSide].all() {
		cells = append(cells, p.grid.cell(at))
	}
	return cells
}

// Neighbour returns the card cell next to a cell in a direction. It returns false at an edge, at a
// hole and for a cell off the grid.
func (p *Position) Neighbour(c rules.Cell, d Direction) (rules.Cell, bool) {
	at := p.grid.indexOf(c)
	if at == nowhere || p.grid.next[at][d] == nowhere {
		return rules.Cell{}, false
	}
	return p.grid.cell(int(p.grid.next[at][d])), true
}
