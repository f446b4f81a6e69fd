package triosearch

import (
	"iter"
	"math"
	"sync"

	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
)

// request is the answering of one question.
type request struct {
	work     *strategy.Work
	position *threetrios.Position
	effort   *effort
	leader   *worker
	helpers  sync.WaitGroup
	// counted are the positions that the work knows of.
	counted int64
}

// deepen searches some of the moves, which are in reading order and at least one.
func (s Search) deepen(
	w *strategy.Work, p *threetrios.Position, moves []strategy.Candidate, lines int,
) iter.Seq[strategy.Analysis] {
	return func(yield func(strategy.Analysis) bool) {
		r := s.begin(w, p, moves)
		defer r.end()
		r.leader.deepen(1, s.depth(), lines, func(f finding) bool { return yield(r.analysis(f)) })
	}
}

func (s Search) depth() int {
	if s.MaxDepth > 0 {
		return s.MaxDepth
	}
	return math.MaxInt
}

// begin sets up a search and sets its helpers to work.
func (s Search) begin(w *strategy.Work, p *threetrios.Position, moves []strategy.Candidate) *request {
	g := newGame(p)
	roots := g.roots(p, moves)
	r := &request{work: w, position: p, effort: newEffort(w, s.MaxNodes, len(roots))}
	t := newTable(s.tableBits(p))
	r.leader = newWorker(newBoard(g, p), t, r.effort, roots)
	r.leader.leads = true
	for i := 1; i < s.Threads; i++ {
		helper := newWorker(newBoard(g, p), t, r.effort, roots)
		r.helpers.Go(func() { helper.deepen(1+i%2, s.depth(), 1, func(finding) bool { return true }) })
	}
	return r
}

// end stops the helpers.
func (r *request) end() {
	r.effort.over.Store(true)
	r.helpers.Wait()
	r.count()
}

func (r *request) count() {
	total := r.effort.nodes.Load()
	r.work.Count(total - r.counted)
	r.counted = total
}

// analysis writes down what was found.
func (r *request) analysis(f finding) strategy.Analysis {
	a := strategy.Analysis{Depth: f.depth, Exact: f.exact, Confidence: 100}
	for i, best := range f.best {
		a.Lines = append(a.Lines, strategy.Line{
			Score: int(math.Round(float64(best.value) / cardValue)),
			Moves: r.leader.board.named(r.position, f.lines[i]),
		})
	}
	r.leader.report()
	r.count()
	a.Nodes, a.Time = r.work.Spent()
	return a
}

// The bounds on a table: 2^12 to 2^22 entries, which are 64 KiB to 64 MiB.
const fewestBits, mostBits, entryBytes = 12, 22, 16

// visitedBits is how many of the bits that number all lines of play a search needs to number the positions it visits;
// that is what solving three by three takes.
const visitedBits = 0.6

// Useful returns how large a table, in bytes, a search of a position without a Table of its own would have.
func (s Search) Useful(p *threetrios.Position) int {
	s.Table = 0
	return entryBytes << s.tableBits(p)
}

// tableBits chooses a table that is large enough for the search, but no larger: one that does not fit into the
// processor's cache makes every look into it slower.
func (s Search) tableBits(p *threetrios.Position) int {
	lines, hand, other := 0.0, len(p.Hand(p.Turn())), len(p.Hand(p.Turn().Other()))
	left := movesLeft(p)
	for ahead := range min(left, s.depth()) {
		lines += math.Log2(float64((left - ahead) * hand))
		hand, other = other, hand-1
	}
	most := min(math.Ceil(visitedBits*lines), mostBits)
	if s.MaxNodes > 0 {
		most = min(most, math.Ceil(math.Log2(float64(s.MaxNodes))))
	}
	if s.Table > 0 {
		most = min(most, math.Floor(math.Log2(float64(s.Table)/entryBytes)))
	}
	return int(max(fewestBits, most))
}
