package threetrios

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// battle is what laying one card sets off. It writes to no board, so asking what a card would flip and
// playing it are the same work.
type battle struct {
	*game
	board []uint8
	// opposing are the cards that the mover can still flip.
	opposing cellSet
	// counting are the cards that count towards the two of Same and Plus.
	counting cellSet
}

// flip is one card that changes sides.
type flip struct {
	at    int16
	wave  uint8
	cause rules.Cause
}

// fight returns what flips when the mover lays a card on a cell, appended to flips, which is empty. The
// card's neighbours come first. Then each card that flipped in the last wave fights its own neighbours,
// until a wave is empty.
func (b *battle) fight(card uint8, at int, flips []flip) []flip {
	flips = b.firstWave(card, at, flips)
	for wave, done := uint8(1), 0; done < len(flips); wave++ {
		last := flips[done:]
		done = len(flips)
		for _, f := range last {
			b.opposing.remove(int(f.at))
		}
		for _, f := range last {
			flips = b.chain(int(f.at), wave, flips, done)
		}
	}
	return flips
}

// firstWave judges every opposing neighbour of the card that was laid by all rules in force, on one
// snapshot of the neighbours.
func (b *battle) firstWave(card uint8, at int, flips []flip) []flip {
	var room [directions]neighbour
	snapshot := b.neighbours(card, at, &b.counting, room[:0])
	for _, n := range snapshot {
		if !b.opposing.has(int(n.at)) {
			continue
		}
		if cause := b.rules.cause(n, snapshot); cause != rules.NoCause {
			flips = addToWave(flips, 0, flip{n.at, 0, cause})
		}
	}
	return flips
}

// chain lets a card that has just flipped fight its opposing neighbours by the base rule only. The wave
// this belongs to starts at flips[start].
func (b *battle) chain(at int, wave uint8, flips []flip, start int) []flip {
	var room [directions]neighbour
	for _, n := range b.neighbours(b.board[at], at, &b.opposing, room[:0]) {
		if cause := b.rules.base(n.a, n.d); cause != rules.NoCause {
			flips = addToWave(flips, start, flip{n.at, wave, cause})
		}
	}
	return flips
}

// neighbour is a card beside an attacker: a is the attacker's value towards it, d its value towards the
// attacker.
type neighbour struct {
	at   int16
	a, d uint8
}

// neighbours appends to list what lies around a card on a cell, as far as it belongs to the set.
func (b *battle) neighbours(card uint8, at int, of *cellSet, list []neighbour) []neighbour {
	for d, to := range b.grid.next[at] {
		if to != nowhere && of.has(int(to)) {
			towards := Direction(d)
			list = append(list, neighbour{to, b.values[card][towards], b.values[b.board[to]][towards.Opposite()]})
		}
	}
	return list
}

// addToWave puts a flip into the wave that starts at flips[start], in reading order. A card that several
// attackers beat flips once, for the first of their causes.
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

// cause returns the first rule in force that flips an opposing neighbour of the card that was laid.
func (r ruleSet) cause(n neighbour, snapshot []neighbour) rules.Cause {
	switch {
	case r.base(n.a, n.d) != rules.NoCause:
		return r.base(n.a, n.d)
	case r.same && n.matches() && count(snapshot, neighbour.matches) >= 2:
		return rules.CauseSame
	case r.plus && count(snapshot, func(m neighbour) bool { return m.sum() == n.sum() }) >= 2:
		return rules.CausePlus
	}
	return rules.NoCause
}

// base is the base rule: it returns why a beats d, or NoCause if it does not.
func (r ruleSet) base(a, d uint8) rules.Cause {
	switch {
	case !r.reverse && a > d:
		return rules.CauseGreater
	case r.reverse && a < d:
		return rules.CauseLess
	case r.fallenAce && !r.reverse && a == 1 && d == Ace:
		return rules.CauseFallenAce
	case r.fallenAce && r.reverse && a == Ace && d == 1:
		return rules.CauseFallenAce
	}
	return rules.NoCause
}

func (n neighbour) matches() bool { return n.a == n.d }
func (n neighbour) sum() uint8    { return n.a + n.d }

func count(snapshot []neighbour, like func(neighbour) bool) int {
	n := 0
	for _, m := range snapshot {
		if like(m) {
			n++
		}
	}
	return n
}
