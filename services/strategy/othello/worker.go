package othello

import (
	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/othello/pattern"
)

// worker is the state of one thread of a search. It holds all memory that a search needs; searching
// allocates nothing.
type worker struct {
	limits.Counter
	scoring Scoring
	// selectivity is the level of the current round.
	selectivity selectivity
	weights     *pattern.Weights
	shared      *table
	local       *table
	helpers     *helpers
	// abort is set when the search has stopped. The caller must discard every score returned since.
	abort bool
	// The worker searches moves of splitPoint. It created waitsFor and waits for its helpers. A split
	// point to help with, or nil, arrives in wake.
	splitPoint, waitsFor *splitPoint
	wake                 chan *splitPoint
	// The move lists, pattern contents and split points of the current variation, by the number of
	// empty cells. A pass does not change the index.
	lists       [65]moveList
	frames      [65]pattern.Pair
	splitPoints [65]splitPoint
}

// stopped reports whether this worker must return from its current node.
func (w *worker) stopped() bool {
	if w.abort {
		return true
	}
	if w.Due() {
		w.Check()
	}
	w.abort = w.Stopped() || w.splitPoint.obsolete()
	return w.abort
}

// newWorker returns a worker that no search uses yet.
func newWorker(e *Engine) *worker {
	return &worker{
		shared: e.table, scoring: e.scoring, weights: e.weights,
		local: newTable(limits.ThreadTable), wake: make(chan *splitPoint, 1),
	}
}

// acquire returns a worker for a search, an idle one if possible.
func (e *Engine) acquire(meter *limits.Meter, h *helpers) *worker {
	e.mu.Lock()
	defer e.mu.Unlock()
	var w *worker
	if last := len(e.idle) - 1; last >= 0 {
		w, e.idle = e.idle[last], e.idle[:last]
	} else {
		w = newWorker(e)
	}
	w.Counter = limits.Counter{Meter: meter, Interval: limits.Interval}
	w.helpers, w.abort = h, false
	w.Check()
	return w
}

// release makes a worker idle.
func (e *Engine) release(w *worker) {
	w.Report()
	w.Counter, w.helpers = limits.Counter{}, nil
	e.mu.Lock()
	defer e.mu.Unlock()
	e.idle = append(e.idle, w)
}
