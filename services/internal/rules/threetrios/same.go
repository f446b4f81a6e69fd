package threetrios

// flipsBySame reports whether the rule Same flips the neighbour n of a played card: n and at least
// one other neighbour that counts touch the card with equal values.
func flipsBySame(n neighbour, counting []neighbour) bool {
	return n.equal() && count(counting, neighbour.equal) >= 2
}

// equal reports whether the two touching values are equal.
func (n neighbour) equal() bool { return n.a == n.d }
