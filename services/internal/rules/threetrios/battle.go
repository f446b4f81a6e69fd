package threetrios

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// battle computes the flips that one played card causes. It does not change the board, so that
// hints and moves can share it.
type battle struct {
	*game
	board []uint8
	// opposing are the cells of the opponent's cards that have not flipped yet.
	opposing cellSet
	// counting are the cells of the cards that count for Same and Plus.
	counting cellSet
}

// flip is a card that changes sides.
type flip struct {
	at    int16
	wave  uint8
	cause rules.Cause
}

// fight returns the flips if the side to move plays a card on a cell, appended to flips, which is
// empty. In wave 0 the played card attacks its neighbours by all rules in force. In each later
// wave, the cards that flipped in the wave before attack their own neighbours by the base rule. The
// last wave is empty.
func (b *battle) fight(card uint8, at int, flips []flip) []flip {
	flips = b.firstWave(card, at, flips)
	for wave, done := uint8(1), 0; done < len(flips); wave++ {
		attackers := flips[done:]
		done = len(flips)
		for _, f := range attackers {
			b.opposing.remove(int(f.at))
		}
		for _, f := range attackers {
			flips = b.chain(int(f.at), wave, flips, done)
		}
	}
	return flips
}

// firstWave compares the played card with a snapshot of its neighbours, so that all of them flip
// together.
func (b *battle) firstWave(card uint8, at int, flips []flip) []flip {
	var room [directions]neighbour
	counting := b.neighbours(card, at, &b.counting, room[:0])
	for _, n := range counting {
		if !b.opposing.has(int(n.at)) {
			continue
		}
		if cause := b.rules.cause(n, counting); cause != rules.NoCause {
			flips = addToWave(flips, 0, flip{n.at, 0, cause})
		}
	}
	return flips
}

// cause returns the first rule in force that flips a neighbour of the played card, or NoCause.
func (r ruleSet) cause(n neighbour, counting []neighbour) rules.Cause {
	if cause := r.baseRule(n.a, n.d); cause != rules.NoCause {
		return cause
	}
	switch {
	case r.same && flipsBySame(n, counting):
		return rules.CauseSame
	case r.plus && flipsByPlus(n, counting):
		return rules.CausePlus
	}
	return rules.NoCause
}

// chain adds the flips that a card causes which itself flipped in the wave before. The current wave
// starts at flips[start].
func (b *battle) chain(at int, wave uint8, flips []flip, start int) []flip {
	var room [directions]neighbour
	for _, n := range b.neighbours(b.board[at], at, &b.opposing, room[:0]) {
		if cause := b.rules.baseRule(n.a, n.d); cause != rules.NoCause {
			flips = addToWave(flips, start, flip{n.at, wave, cause})
		}
	}
	return flips
}

// neighbour is a card next to an attacking card: a is the attacker's value on the side that touches
// it, d its own value on the side that touches the attacker.
type neighbour struct {
	at   int16
	a, d uint8
}

// neighbours appends to list the neighbours of a card on a cell that lie in a set of cells.
func (b *battle) neighbours(card uint8, at int, in *cellSet, list []neighbour) []neighbour {
	for d, to := range b.grid.next[at] {
		if to != nowhere && in.has(int(to)) {
			side := Direction(d)
			list = append(list, neighbour{to, b.values[card][side], b.values[b.board[to]][side.Opposite()]})
		}
	}
	return list
}

func count(list []neighbour, matches func(neighbour) bool) int {
	n := 0
	for _, m := range list {
		if matches(m) {
			n++
		}
	}
	return n
}

// addToWave inserts a flip into the wave that starts at flips[start], in reading order. A card that
// several attackers beat flips once, with the first of their causes.
func addToWave(flips []flip, start int, f flip) []flip {
	i := len(flips)
	for i > start && flips[i-1].at > f.at {
		i--
	}
	if i > start && flips[i-1].at == f.at {
		flips[i-1].cause = min(flips[i-1].cause, f.cause)
		return flips
	}
	return slices.Insert(flips, i, f)
}
