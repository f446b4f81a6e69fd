package othello

import "github.com/flipside-games/flipside/services/strategy/othello/internal/pattern"

// worker is the state of one thread of a search. All memory a search needs is here; searching allocates nothing.
type worker struct {
	nodes   int64
	scoring Scoring
	// precision is that of the iteration under way.
	precision precision
	weights   *pattern.Weights
	shared    *table
	local     *table
	task      *task
	// abort is set once the task has stopped: all scores since mean nothing and are thrown away.
	abort bool
	// Of its place in the crew: the split it works for, the one it waits for, and where work comes in.
	under, awaits *split
	wake          chan *split
	// flushed is the part of nodes that the task knows of.
	flushed int64
	// Moves and pattern contents of the board under search, by its empty cells. A pass keeps the place.
	lists  [65]moveList
	frames [65]pattern.Pair
	splits [65]split
}

// localBytes is the size of a worker's own table: it fits into a second-level cache.
const localBytes = 1 << 20

func newWorker(e *Engine) *worker {
	return &worker{
		shared: e.table, scoring: e.scoring, weights: e.weights,
		local: newTable(localBytes), wake: make(chan *split, 1),
	}
}

// stopped reports that the search is to end now.
func (w *worker) stopped() bool {
	if w.abort {
		return true
	}
	if w.nodes-w.flushed >= flushNodes {
		w.flush()
	}
	w.abort = w.task.stop.Load() || w.under.void()
	return w.abort
}

// flushNodes is how many nodes a worker counts on its own before it tells the task.
const flushNodes = 1 << 10

// flush tells the task of the nodes counted, ends it when they are enough, and returns how many all have counted.
func (w *worker) flush() int64 {
	total := w.task.nodes.Add(w.nodes - w.flushed)
	w.flushed = w.nodes
	if w.task.limit > 0 && total >= w.task.limit {
		w.task.stop.Store(true)
	}
	return total
}
