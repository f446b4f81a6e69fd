package rules

// legalCounter is implemented by positions that count their legal moves faster than they list them.
type legalCounter interface{ CountLegal() int }

// Perft counts the sequences of legal moves from a position, to verify and to time a rules
// implementation. exact counts the sequences of exactly depth moves; total also counts every
// shorter sequence that ends the game. A pass counts as a move. The running time is proportional to
// total. Perft panics if Legal lists a move that Play rejects.
func Perft(p Position, depth int) (exact, total uint64) {
	switch {
	case depth <= 0:
		return 1, 1
	case p.Turn() == NoSide:
		return 0, 1
	case depth == 1: // The moves of the last ply are counted, not played.
		n := countLegal(p)
		return n, n
	}
	for _, m := range p.Legal() {
		next, _, err := p.Play(m)
		if err != nil {
			panic("rules: Legal lists " + p.MoveNotation(m) + " but Play rejects it: " + err.Error())
		}
		e, t := Perft(next, depth-1)
		exact += e
		total += t
	}
	return exact, total
}

func countLegal(p Position) uint64 {
	if c, ok := p.(legalCounter); ok {
		return uint64(c.CountLegal())
	}
	return uint64(len(p.Legal()))
}
