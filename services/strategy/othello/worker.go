package othello

// worker is the state of one thread of a search. All memory a search needs is here; searching allocates nothing.
type worker struct {
	nodes   int64
	scoring Scoring
	shared  *table
	local   *table
	abort   bool
	lists   [65]moveList
}

// localBytes is the size of a worker's own table: it fits into a second-level cache.
const localBytes = 1 << 20

func newWorker(shared *table, scoring Scoring) *worker {
	return &worker{shared: shared, scoring: scoring, local: newTable(localBytes)}
}

// stopped reports that the search is to end now.
func (w *worker) stopped() bool { return w.abort }
