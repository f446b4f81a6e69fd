package threetrios

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// usualFlips is the number of flips of one move for which no slice is allocated.
const usualFlips = 16

// Play returns the position after a move, and the flips. An illegal move returns a *fault.Error.
// Its reason is the first that applies of INVALID_FIELD (the move plays no card, or has a hexagonal
// cell), GAME_OVER, OFF_BOARD, CARD_NOT_IN_HAND, HOLE and CELL_TAKEN. Play does not check which
// player sends the move.
func (p *Position) Play(m rules.Move) (rules.Position, []rules.Flip, error) {
	if err := p.checkKind(m); err != nil {
		return nil, nil, err
	}
	index, at, err := p.locate(m)
	if err != nil {
		return nil, nil, err
	}
	var room [usualFlips]flip
	flipped := p.flips(index, at, room[:0])
	flips := make([]rules.Flip, len(flipped))
	for i, f := range flipped {
		flips[i] = rules.Flip{Cell: p.grid.cell(int(f.at)), Wave: int(f.wave), Cause: f.cause}
	}
	return p.makeMove(index, at, flipped), flips, nil
}

// PlayCard returns the position after the side to move plays the card at an index of its hand, or
// nil if the move is illegal. It is faster than Play, for searches.
func (p *Position) PlayCard(index int, c rules.Cell) *Position {
	at, ok := p.canPlay(index, c)
	if !ok {
		return nil
	}
	var room [usualFlips]flip
	return p.makeMove(index, at, p.flips(index, at, room[:0]))
}

// FlipCount returns the number of cards that flip, in all waves, if the side to move plays the card
// at an index of its hand. It returns 0 if the move is illegal. Up to sixteen flips need no
// allocation.
func (p *Position) FlipCount(index int, c rules.Cell) int {
	at, ok := p.canPlay(index, c)
	if !ok {
		return 0
	}
	var room [usualFlips]flip
	return len(p.flips(index, at, room[:0]))
}

// canPlay returns the index of a cell and reports whether the card at a hand index can be played
// there.
func (p *Position) canPlay(index int, c rules.Cell) (at int, ok bool) {
	at = p.grid.indexOf(c)
	return at, p.turn != rules.NoSide && index >= 0 && index < len(p.hands[p.turn]) &&
		at != nowhere && p.cells[rules.NoSide].has(at)
}

// checkKind rejects a move that this game does not have, and any move once the game is over.
func (p *Position) checkKind(m rules.Move) error {
	switch {
	case m.Kind != rules.PlayCard:
		return fault.Invalid("a move in Three Trios plays a card").With("game", rules.ThreeTrios)
	case m.Cell.Hexagonal():
		return fault.Invalid("a cell of a grid has a row and a column, not q and r")
	case p.turn == rules.NoSide:
		return fault.New(fault.GameOver, "the game is over")
	}
	return nil
}

// locate returns the hand index and the cell of a move. It returns an error if the move is illegal.
func (p *Position) locate(m rules.Move) (index, at int, err error) {
	index = slices.IndexFunc(p.hands[p.turn],
		func(card uint8) bool { return p.cards[card].Name == m.Card })
	at = p.grid.indexOf(m.Cell)
	switch {
	case at == nowhere:
		err = p.illegal(fault.OffBoard, m.Cell, "is off the grid")
	case index < 0:
		err = fault.New(fault.CardNotInHand, "%s has no card %s in hand",
			rules.ThreeTrios.SideName(p.turn), quote(m.Card)).With("card", shorten(m.Card))
	case !p.grid.card.has(at):
		err = p.illegal(fault.Hole, m.Cell, "is a hole")
	case !p.cells[rules.NoSide].has(at):
		err = p.illegal(fault.CellTaken, m.Cell, "already has a card")
	}
	return index, at, err
}

func (p *Position) illegal(reason fault.Reason, c rules.Cell, problem string) error {
	cell := p.CellNotation(c)
	return fault.New(reason, "the cell %s %s", cell, problem).With("cell", cell)
}

// flips appends the flips of a legal move to list, which is empty.
func (p *Position) flips(index, at int, list []flip) []flip {
	opposing := p.cells[p.turn.Other()]
	b := battle{game: p.game, board: p.board, opposing: opposing, counting: opposing}
	if p.countOwn {
		b.counting = union(opposing, p.cells[p.turn])
	}
	return b.fight(p.hands[p.turn][index], at, list)
}

// makeMove returns the position after a legal move with these flips.
func (p *Position) makeMove(index, at int, flips []flip) *Position {
	next := *p
	own, hand := p.turn, p.hands[p.turn]
	next.board = slices.Clone(p.board)
	next.board[at] = hand[index]
	next.cells[rules.NoSide].remove(at)
	next.cells[own].add(at)
	next.hands[own] = slices.Concat(hand[:index], hand[index+1:])
	for _, f := range flips {
		next.cells[own.Other()].remove(int(f.at))
		next.cells[own].add(int(f.at))
	}
	next.last = at
	next.setTurn(own.Other())
	return &next
}
