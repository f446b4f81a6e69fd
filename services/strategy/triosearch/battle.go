package triosearch

// fight flips what a card of the side to move flips when it is laid on a cell, and appends it to b.flipped. Which
// cards flip in the end does not depend on the order of the chain: a card flips once, and what it shows to its
// neighbours never changes. So there are no waves here but the first.
func (b *board) fight(cell uint8, v values) {
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

// attack flips the opposing neighbours that a card beats by the base rule. It is the innermost loop of the search,
// and written out for it.
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

// firstWave returns the directions, a bit each, in which a card flips its neighbour by the base rule, Same or Plus.
func (b *board) firstWave(cell uint8, v values) (directionSet uint) {
	var sums [directions]uint8 // of the neighbours that count; no sum is 0
	matching, beaten, opposing := uint(0), uint(0), uint(0)
	for d, at := range b.next[cell] {
		owner := b.owner[at]
		if owner > second || owner == b.turn && !b.own {
			continue
		}
		mine, his := v.at(d), b.cards[at].at(opposite(d))
		sums[d] = mine + his
		if mine == his {
			matching |= 1 << d
		}
		if owner != b.turn {
			opposing |= 1 << d
			beaten |= uint(b.beats[mine&15]>>his&1) << d
		}
	}
	flipping := beaten
	if b.same && matching&(matching-1) != 0 {
		flipping |= matching
	}
	if b.plus {
		flipping |= equalSums(&sums)
	}
	return flipping & opposing
}

// equalSums returns the directions whose sum is that of another direction as well.
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
