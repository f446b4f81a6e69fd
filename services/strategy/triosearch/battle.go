package triosearch

// battle flips the cards that a card of the side to move flips from a cell, and appends them to
// b.flipped. The order of the waves does not change which cards flip, since a card flips once and
// its values never change: so the chain is a queue.
func (b *board) battle(cell uint8, v values) {
	done := len(b.flipped)
	if b.same || b.plus {
		b.flipAll(cell, b.firstWave(cell, v))
	} else {
		b.attack(cell, v)
	}
	for ; done < len(b.flipped); done++ {
		at := b.flipped[done]
		b.attack(at, b.cards[at])
	}
}

// attack flips the opposing neighbours that a card beats by the base rule. It is the innermost loop
// of the search, and therefore unrolled.
func (b *board) attack(cell uint8, v values) {
	me, next := b.turn, &b.next[cell]
	other := 1 - me
	if at := next[0]; b.owner[at] == other && b.beats[v.at(0)&15]>>b.cards[at].at(1)&1 != 0 {
		b.owner[at] = me
		b.flipped = append(b.flipped, at)
	}
	if at := next[1]; b.owner[at] == other && b.beats[v.at(1)&15]>>b.cards[at].at(0)&1 != 0 {
		b.owner[at] = me
		b.flipped = append(b.flipped, at)
	}
	if at := next[2]; b.owner[at] == other && b.beats[v.at(2)&15]>>b.cards[at].at(3)&1 != 0 {
		b.owner[at] = me
		b.flipped = append(b.flipped, at)
	}
	if at := next[3]; b.owner[at] == other && b.beats[v.at(3)&15]>>b.cards[at].at(2)&1 != 0 {
		b.owner[at] = me
		b.flipped = append(b.flipped, at)
	}
}

// firstWave returns the directions, a bit each, in which a played card flips its neighbour by the
// base rule, Same or Plus.
func (b *board) firstWave(cell uint8, v values) (directionSet uint) {
	var sums [directions]uint8 // 0 for neighbours that do not count
	equal, beaten, opposing := uint(0), uint(0), uint(0)
	for d, at := range b.next[cell] {
		owner := b.owner[at]
		if owner > second || owner == b.turn && !b.own {
			continue
		}
		attacker, defender := v.at(d), b.cards[at].at(opposite(d))
		sums[d] = attacker + defender
		if attacker == defender {
			equal |= 1 << d
		}
		if owner != b.turn {
			opposing |= 1 << d
			beaten |= uint(b.beats[attacker&15]>>defender&1) << d
		}
	}
	flipping := beaten
	if b.same && equal&(equal-1) != 0 {
		flipping |= equal
	}
	if b.plus {
		flipping |= equalSums(&sums)
	}
	return flipping & opposing
}

// equalSums returns the directions that share their sum with another direction.
func equalSums(sums *[directions]uint8) (directionSet uint) {
	for d, sum := range sums {
		for e := range d {
			if sum != 0 && sum == sums[e] {
				directionSet |= 1<<d | 1<<e
			}
		}
	}
	return directionSet
}

func (b *board) flipAll(cell uint8, directionSet uint) {
	for d, at := range b.next[cell] {
		if directionSet>>d&1 != 0 {
			b.owner[at] = b.turn
			b.flipped = append(b.flipped, at)
		}
	}
}
