package search

// unit is one disc in the evaluation's fixed point.
const unit = 32

// phases is in how many steps a board fills. Each has weights of its own.
const phases = 8

// evaluation is what makes an estimate of a position: features, and shapes where there are weights for them.
type evaluation struct {
	features *[phases][features]int32
	// tables are the weights of all shapes one after another, nil without shapes.
	tables *[phases][]int16
	places []placed
	// margins are how far its scores from different depths lie apart.
	margins *margins
}

// placed is a shape in one of its places on the board.
type placed struct {
	segments []segment
	// table is where the weights of the shape start.
	table int32
}

// evaluate estimates the score of the game, for the side to move, in units. It reports whether that is no estimate,
// since the game is over.
func (l *layout[W]) evaluate(b *board[W]) (value int, over bool) {
	f, over := l.activity(b)
	if l.rules.minFlips > 1 {
		passed := b.passed()
		over = !l.canPlace(b) && !l.canPlace(&passed)
	}
	if over {
		return l.final(b.lead, b.empties) * unit, true
	}
	phase := l.phase(b.empties)
	w := &l.eval.features[phase]
	sum := w[mobility]*f[mobility] + w[frontier]*f[frontier] + w[turn] + w[parity]*f[parity]
	if l.eval.tables != nil {
		return l.within(int(sum + l.shapes(b, l.eval.tables[phase]))), false
	}
	l.count(b, &f)
	for i := int32(safeCells); i < features; i++ {
		sum += w[i] * f[i]
	}
	return l.within(int(sum)), false
}

func (l *layout[W]) shapes(b *board[W], table []int16) (sum int32) {
	for i := range l.eval.places {
		at := &l.eval.places[i]
		sum += int32(table[l.filled(b, at)])
	}
	return sum
}

// filled is where a table has the weight for the way in which the cells of a shape are filled.
func (l *layout[W]) filled(b *board[W], at *placed) int32 {
	index := at.table
	for k := range at.segments {
		s := &at.segments[k]
		own, opp := b.own[s.word]>>s.shift&s.mask, b.opp[s.word]>>s.shift&s.mask
		index += s.scale * int32(s.digits[own]+2*s.digits[opp])
	}
	return index
}

// phase is how full the board is.
func (l *layout[W]) phase(empties int32) int {
	return (len(l.cells) - int(empties)) * phases / (len(l.cells) + 1)
}

// within keeps an estimate between the scores that a game can end with.
func (l *layout[W]) within(value int) int {
	most := (len(l.cells) + l.dead) * unit
	return min(max(value, -most), most)
}
