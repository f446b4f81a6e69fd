package search

// unit is the value of one disc in the evaluation's fixed-point numbers.
const unit = 32

// phases is the number of phases of a game, by the number of discs. Each has its own weights.
const phases = 8

// A side with fewer than fewDiscs discs on lines loses missingDiscValue for each that is missing. The
// weights favour few discs, since the opponent then has few moves. Without this term, an engine with
// 8,000 nodes for a move lost 11 of 200 games on 10x10 and 9 of 60 on 12x12 to alphaBeta 3, each with
// no disc left. At equal nodes it scores the same with and without the term. The term applies from
// fewDiscsFrom discs of both sides together, since every game starts with few.
const (
	fewDiscs         = 5
	missingDiscValue = 2 * unit
	fewDiscsFrom     = 16
)

// evaluation holds the weights of a board: those of the features, and those of patterns if the
// model has any.
type evaluation struct {
	features *[phases][features]int32
	// tables are the weights of all patterns one after the other; nil without patterns.
	tables    *[phases][]int16
	instances *instances
	margins   *margins
}

// evaluate returns the static evaluation for the side to move, in units, of a position with these
// contents. If the game is over, it returns the final score and true.
func (l *layout[W]) evaluate(b *board[W], c contents) (value int, over bool) {
	f, over := l.openFeatures(b)
	if l.rules.minFlips > 1 {
		passed := b.pass()
		over = !l.canPlace(b) && !l.canPlace(&passed)
	}
	if over {
		return l.final(b.lead, b.empties) * unit, true
	}
	phase := l.phase(b.empties)
	w := &l.eval.features[phase]
	sum := w[mobility]*f[mobility] + w[frontier]*f[frontier] + w[turn] + w[parity]*f[parity]
	sum += l.fewDiscsValue(b)
	if l.eval.tables != nil {
		return l.clamp(int(sum + l.eval.patternSum(c, l.eval.tables[phase]))), false
	}
	l.addDiscFeatures(b, &f)
	for i := int32(cornerDiscs); i < features; i++ {
		sum += w[i] * f[i]
	}
	return l.clamp(int(sum)), false
}

// fewDiscsValue returns the part of the evaluation for few discs.
func (l *layout[W]) fewDiscsValue(b *board[W]) int32 {
	filled := int32(l.filled(b.empties))
	if filled < fewDiscsFrom {
		return 0
	}
	own := int32(0)
	for i := range len(b.own) {
		own += ones(b.own[i] & l.home[i])
	}
	return missingDiscValue * (max(0, fewDiscs-(filled-own)) - max(0, fewDiscs-own))
}

func (e *evaluation) patternSum(c contents, table []int16) (sum int32) {
	for k := range e.instances.tables {
		sum += int32(table[e.instances.index(c, k)])
	}
	return sum
}

// phase returns the phase of a position.
func (l *layout[W]) phase(empties int32) int {
	return l.filled(empties) * phases / (len(l.cells) + 1)
}

// filled returns the number of discs on lines.
func (l *layout[W]) filled(empties int32) int { return len(l.cells) - int(empties) }

// clamp limits a value to the range of final scores.
func (l *layout[W]) clamp(value int) int {
	most := (len(l.cells) + l.dead) * unit
	return min(max(value, -most), most)
}
