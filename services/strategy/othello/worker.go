package othello

import "github.com/flipside-games/flipside/services/strategy/othello/pattern"

// worker is the state of one thread of a search. It holds all memory that a search needs; searching
// allocates nothing.
type worker struct {
	nodes   int64
	scoring Scoring
	// selectivity is the level of the current round.
	selectivity selectivity
	weights     *pattern.Weights
	shared      *table
	local       *table
	search      *search
	// abort is set when the search has stopped. The caller must discard every score returned since.
	abort bool
	// splitPoint is the split point this worker searches moves of, waitsFor the own one whose helpers
	// it waits for. A split point to help with, or nil, arrives in wake.
	splitPoint, waitsFor *splitPoint
	wake                 chan *splitPoint
	// flushed is the part of nodes that is included in the count of the search.
	flushed int64
	// The move lists, pattern contents and split points of the current variation, by the number of
	// empty cells. A pass does not change the index.
	lists       [65]moveList
	frames      [65]pattern.Pair
	splitPoints [65]splitPoint
}

func newWorker(e *Engine) *worker {
	return &worker{
		shared: e.table, scoring: e.scoring, weights: e.weights,
		local: newTable(localTableBytes), wake: make(chan *splitPoint, 1),
	}
}

// localTableBytes is the size of a worker's own table, which fits into a second-level cache.
const localTableBytes = 1 << 20

// stopped reports whether this worker must return from its current node.
func (w *worker) stopped() bool {
	if w.abort {
		return true
	}
	if w.nodes-w.flushed >= flushNodes {
		w.flush()
	}
	w.abort = w.search.stop.Load() || w.splitPoint.obsolete()
	return w.abort
}

// flushNodes is the number of nodes that a worker counts before it adds them to the search.
const flushNodes = 1 << 10

// flush adds the worker's nodes to the search, stops the search at its limit, and returns the nodes of
// all workers.
func (w *worker) flush() int64 {
	total := w.search.nodes.Add(w.nodes - w.flushed)
	w.flushed = w.nodes
	if w.search.maxNodes > 0 && total >= w.search.maxNodes {
		w.search.stop.Store(true)
	}
	return total
}
