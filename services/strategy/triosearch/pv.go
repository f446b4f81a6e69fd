package triosearch

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// principalVariation returns the principal variation of a root. After an exact search it reaches
// the end of the game, if time allows; else it is as long as the table knows it.
func (w *worker) principalVariation(r root, exact bool) []move {
	b := w.board
	pv, undos := []move{r.move}, []undo{b.makeMove(r.move)}
	value := -r.value
	for b.left > 0 {
		m := w.table.probe(b.key).bestMove
		if exact {
			m = w.moveOfValue(value)
		}
		if m == noMove || !b.legal(m) {
			break
		}
		pv, undos = append(pv, m), append(undos, b.makeMove(m))
		value = -value
	}
	for i, m := range slices.Backward(pv) {
		b.unmakeMove(m, undos[i])
	}
	return pv
}

// moveOfValue returns a move that reaches the exact value of the position, or noMove if a limit
// interrupts it.
func (w *worker) moveOfValue(value int) move {
	b := w.board
	ply, base := w.ply(), len(w.moves)
	w.generate(ply, w.table.probe(b.key).bestMove)
	defer func() { w.moves = w.moves[:base] }()
	for i := range w.moves[base:] {
		m := pick(w.moves[base:], i).move()
		undo := b.makeMove(m)
		v := -w.search(b.left, -value, -value+1, ply+1)
		b.unmakeMove(m, undo)
		if w.Stopped() {
			return noMove
		}
		if v >= value {
			return m
		}
	}
	return noMove
}

// legal reports whether a table move is legal. A table entry can belong to another position with
// the same key.
func (b *board) legal(m move) bool {
	return b.owner[m.cell()] == emptyCell && m.cell() != 0 && b.hands[b.turn].count[m.slot()] > 0
}

// rulesMoves converts moves that are played one after the other from p. Of identical cards it plays
// the first in hand first.
func (g *game) rulesMoves(p *threetrios.Position, moves []move) []rules.Move {
	side := p.Turn()
	hands := [3][]threetrios.Card{
		rules.First: p.Hand(rules.First), rules.Second: p.Hand(rules.Second),
	}
	converted := make([]rules.Move, len(moves))
	for i, m := range moves {
		v := g.slots[sideOf(side)][m.slot()].values
		for j, card := range hands[side] {
			if valuesOf(card) == v {
				converted[i] = rules.Play(card.Name, g.at[m.cell()])
				hands[side] = append(hands[side][:j:j], hands[side][j+1:]...)
				break
			}
		}
		side = side.Other()
	}
	return converted
}
