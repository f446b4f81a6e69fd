// Package threetrios implements the rules of the card game Three Trios: grids and decks, the flips
// that a played card causes, and positions with their notation and their text drawing. Red is
// rules.First, Blue is rules.Second.
//
// The package does not check which player sends a move, does not store games and does not choose
// moves. All exported values are immutable and safe for concurrent use. The caller owns every slice
// that a function returns.
package threetrios

import (
	"slices"
	"strings"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// game holds the parts of a position that no move changes. Inside this package, a card is
// identified by its index in cards.
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
	// board holds the card on each cell. It is undefined for cells without a card.
	board []uint8
	// cells holds the card cells by the owner of the card on them; NoSide for the empty ones.
	cells [3]cellSet
	hands [3][]uint8
	turn  rules.Side
	// last is the cell of the last move, or nowhere.
	last int
}

var _ rules.Position = (*Position)(nil)

// newPosition returns an empty grid without cards, for the caller to complete.
func newPosition(grid *Grid, on ruleSet, countOwn bool) *Position {
	p := &Position{game: &game{grid: grid, rules: on, countOwn: countOwn}, last: nowhere}
	p.board = make([]uint8, len(grid.next))
	p.cells[rules.NoSide] = grid.card
	return p
}

// addCard adds a card to the game and returns its index. A game has at most 256 cards.
func (g *game) addCard(c Card) uint8 {
	var values [directions]uint8
	for d := range directions {
		values[d] = uint8(c.Value(d))
	}
	c.Name = strings.Clone(c.Name) // The name must not keep the text that it was read from.
	g.cards, g.values = append(g.cards, c), append(g.values, values)
	return uint8(len(g.cards) - 1)
}

// HasCard reports whether the game has a card of this name, in a hand or on the grid.
func (g *game) HasCard(name string) bool {
	return slices.ContainsFunc(g.cards, func(c Card) bool { return c.Name == name })
}

// addHand adds cards to the game and to the hand of a side.
func (p *Position) addHand(side rules.Side, cards []Card) {
	for _, c := range cards {
		p.hands[side] = append(p.hands[side], p.addCard(c))
	}
}

// setTurn gives the turn to a side, or ends the game if every card cell has a card. It also ends
// the game if the hand of the side is empty, which happens only after WithTurn.
func (p *Position) setTurn(side rules.Side) {
	p.turn = side
	if p.empty() == 0 || len(p.hands[side]) == 0 {
		p.turn = rules.NoSide
	}
}

// empty returns the number of card cells without a card.
func (p *Position) empty() int { return p.cells[rules.NoSide].size() }

// Kind returns rules.ThreeTrios.
func (p *Position) Kind() rules.Kind { return rules.ThreeTrios }

// Turn returns the side to move, or NoSide once every card cell has a card.
func (p *Position) Turn() rules.Side { return p.turn }

// WithTurn returns the same position with another side to move, from its own hand. A side always
// has a card until the game is over, unless WithTurn gave it several turns in a row. If its hand is
// empty, the result is a finished game.
func (p *Position) WithTurn(side rules.Side) rules.Position {
	if p.turn == rules.NoSide || p.turn == side || side == rules.NoSide {
		return p
	}
	next := *p
	next.setTurn(side)
	return &next
}

// Legal returns a move for every empty card cell, in reading order, and every card in the hand of
// the side to move, in hand order.
func (p *Position) Legal() []rules.Move {
	moves := make([]rules.Move, 0, p.CountLegal())
	for at := range p.cells[rules.NoSide].all() {
		for _, card := range p.hands[p.turn] {
			moves = append(moves, rules.Play(p.cards[card].Name, p.grid.cell(at)))
		}
	}
	return moves
}

// CountLegal returns the number of legal moves. It is faster than len(Legal()).
func (p *Position) CountLegal() int { return p.empty() * len(p.hands[p.turn]) }

// Score returns the number of cards of each side, on the grid and in hand.
func (p *Position) Score() rules.Score {
	return rules.Score{First: p.countCards(rules.First), Second: p.countCards(rules.Second)}
}

func (p *Position) countCards(side rules.Side) int {
	return p.cells[side].size() + len(p.hands[side])
}

// FinalScore returns Score. Three Trios awards nothing at the end.
func (p *Position) FinalScore() rules.Score { return p.Score() }

// Hand returns the cards in the hand of a side. The index in the slice is the hand index.
func (p *Position) Hand(side rules.Side) []Card {
	cards := make([]Card, len(p.hands[side]))
	for i, card := range p.hands[side] {
		cards[i] = p.cards[card]
	}
	return cards
}

// Rules returns the rules in force in canonical order, including Default or Reverse.
func (p *Position) Rules() []Rule { return p.rules.names() }

// CountOwnCards reports whether the mover's own neighbours count for Same and Plus.
func (p *Position) CountOwnCards() bool { return p.countOwn }

// LastMove returns the cell of the last move and the side that made it. It returns false at the
// start of a game, and if the game starts from a notation without a last move.
func (p *Position) LastMove() (cell rules.Cell, by rules.Side, ok bool) {
	if p.last == nowhere {
		return rules.Cell{}, rules.NoSide, false
	}
	// The card of the last move cannot have flipped, so its owner made the move.
	return p.grid.cell(p.last), p.owner(p.last), true
}

// Bytes estimates the memory of the position. The positions of one game share their grid and cards,
// which count for each of them.
func (p *Position) Bytes() int {
	const fixed, perCell, perCard = 600, 9, 54
	bytes := fixed + perCell*len(p.board) + perCard*cap(p.cards)
	for i := range p.cards {
		bytes += max(8, len(p.cards[i].Name))
	}
	return bytes
}
