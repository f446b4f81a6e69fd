package threetrios

// flipsByPlus reports whether the rule Plus flips the neighbour n of a played card: at least two
// counting neighbours, n among them, touch the card with the same sum of values.
func flipsByPlus(n neighbour, counting []neighbour) bool {
	return count(counting, func(m neighbour) bool { return m.sum() == n.sum() }) >= 2
}

// sum returns the sum of the two touching values.
func (n neighbour) sum() uint8 { return n.a + n.d }
