// Package threetrios is the card game Three Trios: grids and decks, the battle that laying a card sets
// off, and positions with their notation and their picture in text. It does not decide whose request a move
// is, keeps no game, chooses no move and draws no pictures.
//
// Red is rules.First and Blue is rules.Second. Everything exported is immutable, pure, and may be used
// from many goroutines; slices belong to the caller.
package threetrios

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// game is what stays the same from the first move to the last. The cards in play are known by their
// index in cards.
type game struct {
	grid     *Grid
	cards    []Card
	values   [][directions]uint8
	rules    ruleSet
	countOwn bool
}

// Position is one state of a game.
type Position struct {
	*game
	// board is the card on each cell, and means nothing where none lies.
	board []uint8
	// cells are the card cells by who owns the card there; NoSide has the empty ones.
	cells [3]cellSet
	hands [3][]uint8
	turn  rules.Side
	// last is the cell of the last move, or nowhere.
	last int
}

var _ rules.Position = (*Position)(nil)

// newPosition returns an empty grid without any cards, which is not yet a position of a game.
func newPosition(grid *Grid, on ruleSet, countOwn bool) *Position {
	p := &Position{game: &game{grid: grid, rules: on, countOwn: countOwn}, last: nowhere}
	p.board = make([]uint8, len(grid.next))
	p.cells[rules.NoSide] = grid.card
	return p
}

// take makes a card one of the game, at most 256 of them.
func (g *game) take(c Card) uint8 {
	var values [directions]uint8
	for d := range directions {
		values[d] = uint8(c.Value(d))
	}
	g.cards, g.values = append(g.cards, c), append(g.values, values)
	return uint8(len(g.cards) - 1)
}

func (p *Position) give(side rules.Side, cards []Card) {
	for _, c := range cards {
		p.hands[side] = append(p.hands[side], p.take(c))
	}
}

// lay puts a card of one side on an empty card cell.
func (p *Position) lay(card uint8, side rules.Side, at int) {
	p.board[at] = card
	p.cells[rules.NoSide].remove(at)
	p.cells[side].add(at)
}

// turnOf gives the turn to a side. The game is over when every card cell holds a card. It is over, too,
// for a side without a card, which only As can bring about.
func (p *Position) turnOf(side rules.Side) {
	p.turn = side
	if p.empty() == 0 || len(p.hands[side]) == 0 {
		p.turn = rules.NoSide
	}
}

func (p *Position) empty() int { return p.cells[rules.NoSide].size() }

// Kind returns rules.ThreeTrios.
func (p *Position) Kind() rules.Kind { return rules.ThreeTrios }

// Turn returns the side to move, NoSide once every card cell holds a card.
func (p *Position) Turn() rules.Side { return p.turn }

// WithTurn returns the same position with side to move from its own hand. In a position that taking turns can
// reach, the side that is not on turn has a card as well until the game is over. Asking again and again between
// moves can use up a hand before the grid is full; the side that has none left then finds the game over.
func (p *Position) WithTurn(side rules.Side) rules.Position {
	if p.turn == rules.NoSide || p.turn == side || side == rules.NoSide {
		return p
	}
	next := *p
	next.turnOf(side)
	return &next
}

// Legal returns a move for every empty card cell in reading order and every card in the hand of the side
// to move.
func (p *Position) Legal() []rules.Move {
	moves := make([]rules.Move, 0, p.CountLegal())
	for at := range p.cells[rules.NoSide].all() {
		for _, card := range p.hands[p.turn] {
			moves = append(moves, rules.Play(p.cards[card].Name, p.grid.cell(at)))
		}
	}
	return moves
}

// CountLegal returns how many moves Legal lists, without listing them.
func (p *Position) CountLegal() int { return p.empty() * len(p.hands[p.turn]) }

// Play lays a card. The refusals are, in this order, INVALID_FIELD for a move that plays no card, or
// none on a cell with a row and a column; GAME_OVER; OFF_BOARD; CARD_NOT_IN_HAND; HOLE; CELL_TAKEN.
func (p *Position) Play(m rules.Move) (rules.Position, []rules.Flip, error) {
	if err := p.checkShape(m); err != nil {
		return nil, nil, err
	}
	hand, at, err := p.find(m)
	if err != nil {
		return nil, nil, err
	}
	var room [fewFlips]flip
	battle := p.flips(hand, at, room[:0])
	flips := make([]rules.Flip, len(battle))
	for i, f := range battle {
		flips[i] = rules.Flip{Cell: p.grid.cell(int(f.at)), Wave: int(f.wave), Cause: f.cause}
	}
	return p.after(hand, at, battle), flips, nil
}

// checkShape refuses what cannot be a move of this game at all, and any move once it is over.
func (p *Position) checkShape(m rules.Move) error {
	switch {
	case m.Kind != rules.PlayCard:
		return fault.New(fault.InvalidField, "a move in Three Trios plays a card").With("game", rules.ThreeTrios)
	case m.Cell.Hexagonal():
		return fault.New(fault.InvalidField, "a cell of a grid has a row and a column, not q and r")
	case p.turn == rules.NoSide:
		return fault.New(fault.GameOver, "the game is over")
	}
	return nil
}

// find returns the hand index and the cell of a move, or why the rules refuse it.
func (p *Position) find(m rules.Move) (hand, at int, err error) {
	hand = slices.IndexFunc(p.hands[p.turn], func(card uint8) bool { return p.cards[card].Name == m.Card })
	at = p.grid.find(m.Cell)
	switch {
	case at == nowhere:
		err = p.refuse(fault.OffBoard, m.Cell, "is not on the grid")
	case hand < 0:
		err = fault.New(fault.CardNotInHand, "%s does not hold the card %s", rules.ThreeTrios.SideName(p.turn), quote(m.Card)).
			With("card", shorten(m.Card))
	case !p.grid.card.has(at):
		err = p.refuse(fault.Hole, m.Cell, "is a hole")
	case !p.cells[rules.NoSide].has(at):
		err = p.refuse(fault.CellTaken, m.Cell, "already holds a card")
	}
	return hand, at, err
}

func (p *Position) refuse(reason fault.Reason, c rules.Cell, why string) error {
	cell := p.CellNotation(c)
	return fault.New(reason, "the cell %s %s", cell, why).With("cell", cell)
}

// fewFlips is room for the flips of nearly every move.
const fewFlips = 16

// flips appends what flips when the side to move lays a card of its hand on an empty card cell.
func (p *Position) flips(hand, at int, list []flip) []flip {
	opposing := p.cells[p.turn.Other()]
	b := battle{game: p.game, board: p.board, opposing: opposing, counting: opposing}
	if p.countOwn {
		b.counting = union(opposing, p.cells[p.turn])
	}
	return b.fight(p.hands[p.turn][hand], at, list)
}

// after returns the position in which a card of the hand lies on an empty card cell and these flips are
// done.
func (p *Position) after(hand, at int, flips []flip) *Position {
	next := *p
	mover, held := p.turn, p.hands[p.turn]
	next.board = slices.Clone(p.board)
	next.lay(held[hand], mover, at)
	next.hands[mover] = slices.Concat(held[:hand], held[hand+1:])
	for _, f := range flips {
		next.cells[mover.Other()].remove(int(f.at))
		next.cells[mover].add(int(f.at))
	}
	next.last = at
	next.turnOf(mover.Other())
	return &next
}

// Score returns the cards of each side on the grid and in hand.
func (p *Position) Score() rules.Score {
	return rules.Score{First: p.owns(rules.First), Second: p.owns(rules.Second)}
}

func (p *Position) owns(side rules.Side) int { return p.cells[side].size() + len(p.hands[side]) }

// FinalScore is Score: nothing is awarded at the end.
func (p *Position) FinalScore() rules.Score { return p.Score() }
