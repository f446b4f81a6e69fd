package triosearch

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// line returns the line of play behind a root: to the end of the game where that was searched and there is time, else
// as far as the table knows it.
func (w *worker) line(r root, exact bool) []move {
	b := w.board
	moves, undo := []move{r.move}, []before{b.lay(r.move)}
	value := -r.value
	for b.left > 0 {
		m := w.table.find(b.key).best
		if exact {
			m = w.reply(value)
		}
		if m == noMove || !b.legal(m) {
			break
		}
		moves, undo = append(moves, m), append(undo, b.lay(m))
		value = -value
	}
	for i, m := range slices.Backward(moves) {
		b.takeBack(m, undo[i])
	}
	return moves
}

// reply returns a move that reaches the value that the position is known to have, or noMove if it is not found in time.
func (w *worker) reply(value int) move {
	b := w.board
	ply, base := w.ply(), len(w.moves)
	w.list(ply, w.table.find(b.key).best)
	defer func() { w.moves = w.moves[:base] }()
	for i := range w.moves[base:] {
		m := pick(w.moves[base:], i).move()
		was := b.lay(m)
		v := -w.search(b.left, -value, -value+1, ply+1)
		b.takeBack(m, was)
		if w.Stopped() {
			return noMove
		}
		if v >= value {
			return m
		}
	}
	return noMove
}

// legal reports whether a move can be made. The table may know one of another position by the same key.
func (b *board) legal(m move) bool {
	return b.owner[m.cell()] == nobody && m.cell() != 0 && b.hands[b.turn].count[m.slot()] > 0
}

// named writes moves as the rules do. Of identical cards the first in hand is played first.
func (g *game) named(p *threetrios.Position, moves []move) []rules.Move {
	side := p.Turn()
	hands := [3][]threetrios.Card{rules.First: p.Hand(rules.First), rules.Second: p.Hand(rules.Second)}
	named := make([]rules.Move, len(moves))
	for i, m := range moves {
		v := g.slots[sideOf(side)][m.slot()].values
		for j, card := range hands[side] {
			if valuesOf(card) == v {
				named[i] = rules.Play(card.Name, g.at[m.cell()])
				hands[side] = append(hands[side][:j:j], hands[side][j+1:]...)
				break
			}
		}
		side = side.Other()
	}
	return named
}
