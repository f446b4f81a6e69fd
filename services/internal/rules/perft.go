package rules

// legalCounter is a Position that counts its legal moves faster than it lists them.
type legalCounter interface{ CountLegal() int }

// Perft counts the lines of play from a position. A pass is a ply like any other. exact counts the
// lines of exactly depth plies; total also counts every line that ended earlier. It takes time in
// proportion to total, and panics if a move is listed as legal and then refused, since every count
// would be wrong.
func Perft(p Position, depth int) (exact, total uint64) {
	switch {
	case depth <= 0:
		return 1, 1
	case p.Turn() == NoSide:
		return 0, 1
	case depth == 1:
		n := countLegal(p)
		return n, n
	}
	for _, m := range p.Legal() {
		next, _, err := p.Play(m)
		if err != nil {
			panic("rules: perft: the legal move " + p.MoveNotation(m) + " is refused: " + err.Error())
		}
		e, t := Perft(next, depth-1)
		exact += e
		total += t
	}
	return exact, total
}

// countLegal is what makes the last ply cheap: its moves are counted, not played.
func countLegal(p Position) uint64 {
	if c, ok := p.(legalCounter); ok {
		return uint64(c.CountLegal())
	}
	return uint64(len(p.Legal()))
}
