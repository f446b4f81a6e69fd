package triosearch

import (
	"math"
	"math/bits"
	"sync"

	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// request is the answering of one question.
type request struct {
	meter    *limits.Meter
	position *threetrios.Position
	leader   *worker
	helpers  sync.WaitGroup
}

// begin sets up a search and sets its helpers to work.
func begin(meter *limits.Meter, p *threetrios.Position, o limits.Options) *request {
	g := newGame(p)
	roots := g.roots(p, strategy.Placements(p))
	r := &request{meter: meter, position: p}
	t := newTable(tableBits(p, o))
	r.leader = newWorker(newBoard(g, p), t, meter, roots)
	r.leader.leads = true
	for i := 1; i < o.Threads; i++ {
		helper := newWorker(newBoard(g, p), t, meter, roots)
		r.helpers.Go(func() {
			helper.deepen(1+i%2, o.Plies(helper.board.left), 1, func(finding) bool { return true })
		})
	}
	return r
}

// end stops the helpers.
func (r *request) end() {
	r.meter.Stop()
	r.helpers.Wait()
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
	r.leader.Check()
	a.Nodes, a.Time = r.meter.Spent()
	return a
}

// The bounds on a table: 2^12 to 2^22 entries, which are 64 KiB to 64 MiB.
const fewestBits, mostBits = 12, 22

// visitedBits is how many of the bits that number all lines of play a search needs to number the positions it visits;
// that is what solving three by three takes.
const visitedBits = 0.6

// LogNodes returns the binary logarithm of the nodes that suffice for a table of a search of so many plies; 0 plies
// are all.
func LogNodes(p *threetrios.Position, depth int) float64 {
	lines, hand, other := 0.0, len(p.Hand(p.Turn())), len(p.Hand(p.Turn().Other()))
	left := movesLeft(p)
	for ahead := range (limits.Limits{Depth: depth}).Plies(left) {
		lines += math.Log2(float64((left - ahead) * hand))
		hand, other = other, hand-1
	}
	return max(fewestBits, min(math.Ceil(visitedBits*lines), mostBits))
}

// tableBits chooses a table that is large enough for the search, but no larger: one that does not fit into the
// processor's cache makes every look into it slower.
func tableBits(p *threetrios.Position, o limits.Options) int {
	o.Nodes = roundUp(o.Nodes)
	useful := min(o.Table, o.TableBytes(LogNodes(p, o.Depth), o.Threads)) / limits.EntryBytes
	return max(fewestBits, bits.Len(uint(useful))-1)
}

// roundUp returns the least power of two that is n or more; 0 for 0.
func roundUp(n int64) int64 {
	if n == 0 {
		return 0
	}
	return 1 << bits.Len64(uint64(n-1))
}
