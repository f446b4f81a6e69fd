package threetrios

import "github.com/flipside-games/flipside/services/internal/rules"

// GridCell is what a cell holds: nothing if it is a hole, else a card and its owner, or neither.
type GridCell struct {
	Hole bool
	// Owner is NoSide where no card lies.
	Owner rules.Side
	Card  Card
}

// Rows returns how many rows the grid has.
func (p *Position) Rows() int { return p.grid.rows }

// Columns returns how many columns the grid has.
func (p *Position) Columns() int { return p.grid.columns }

// Contains implements rules.Position.
func (p *Position) Contains(c rules.Cell) bool { return p.grid.find(c) != nowhere }

// At returns what a cell holds. Off the grid there are only holes.
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

// MaxSmallestReplyCells is how many card cells a grid may have for a strategy to look at all replies to all moves. On more, Strategy does
// not play such a strategy and Game does not seat it.
const MaxSmallestReplyCells = 25

// CardCells returns how many cells of the grid can take a card.
func (p *Position) CardCells() int { return p.grid.card.size() }

// EmptyCells returns the card cells without a card, in reading order.
func (p *Position) EmptyCells() []rules.Cell {
	cells := make([]rules.Cell, 0, p.empty())
	for at := range p.cells[rules.NoSide].all() {
		cells = append(cells, p.grid.cell(at))
	}
	return cells
}

// Neighbour returns the cell in a direction. It reports false beside an edge, a hole, and for a cell that
// is not on the grid.
func (p *Position) Neighbour(c rules.Cell, d Direction) (rules.Cell, bool) {
	at := p.grid.find(c)
	if at == nowhere || p.grid.next[at][d] == nowhere {
		return rules.Cell{}, false
	}
	return p.grid.cell(int(p.grid.next[at][d])), true
}

// Hand returns the cards a side holds, in order.
func (p *Position) Hand(side rules.Side) []Card {
	cards := make([]Card, len(p.hands[side]))
	for i, card := range p.hands[side] {
		cards[i] = p.cards[card]
	}
	return cards
}

// Rules returns the rules in force in canonical order, Default or Reverse among them.
func (p *Position) Rules() []Rule { return p.rules.names() }

// CountOwnCards reports whether one's own neighbours count towards the two that Same and Plus need.
func (p *Position) CountOwnCards() bool { return p.countOwn }

// LastMove returns the cell of the last move and who made it. It reports false when no move was made,
// and in a game from a position that does not tell.
func (p *Position) LastMove() (cell rules.Cell, by rules.Side, ok bool) {
	if p.last == nowhere {
		return rules.Cell{}, rules.NoSide, false
	}
	// A card that was just laid cannot have flipped.
	return p.grid.cell(p.last), p.owner(p.last), true
}

// Beats reports whether an attacker's value beats the value it touches by the base rule in force. Same
// and Plus have no say.
func (p *Position) Beats(a, d int) bool { return p.rules.base(uint8(a), uint8(d)) != rules.NoCause }

// FlipCount returns how many cards would flip if the side to move laid a card of its hand on the cell,
// chain and all rules included. It allocates nothing for battles of up to sixteen flips. Where the card cannot
// be laid it is 0.
func (p *Position) FlipCount(hand int, c rules.Cell) int {
	at, ok := p.canLay(hand, c)
	if !ok {
		return 0
	}
	var room [fewFlips]flip
	return len(p.flips(hand, at, room[:0]))
}

// PlayCard returns the position after the side to move laid a card of its hand on the cell: Play without
// its account of the flips, for searching. Where the card cannot be laid it returns nil.
func (p *Position) PlayCard(hand int, c rules.Cell) *Position {
	at, ok := p.canLay(hand, c)
	if !ok {
		return nil
	}
	var room [fewFlips]flip
	return p.after(hand, at, p.flips(hand, at, room[:0]))
}

func (p *Position) canLay(hand int, c rules.Cell) (at int, ok bool) {
	at = p.grid.find(c)
	return at, p.turn != rules.NoSide && hand >= 0 && hand < len(p.hands[p.turn]) &&
		at != nowhere && p.cells[rules.NoSide].has(at)
}
