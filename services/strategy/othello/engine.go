package othello

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/flipside-games/flipside/services/strategy/othello/pattern"
)

// Engine searches boards. All methods are safe for concurrent use. Its searches share one transposition
// table of bounded size, so that each profits from earlier and concurrent ones. For deterministic
// results use a new Engine for each search, one thread, and limits of depth or nodes.
type Engine struct {
	table   *table
	scoring Scoring
	weights *pattern.Weights
	// idle holds workers for the next searches.
	mu   sync.Mutex
	idle []*worker
}

// Options configures an [Engine].
type Options struct {
	// TableBytes bounds the shared table; 0 means 64 MiB. Each thread of a search takes another two MiB.
	TableBytes int
	// Scoring defines the score of a finished game.
	Scoring Scoring
	// Weights are the weights of the evaluation; nil means the embedded ones.
	Weights *pattern.Weights
}

// New returns an engine.
func New(o Options) *Engine {
	if o.TableBytes == 0 {
		o.TableBytes = 64 << 20
	}
	if o.Weights == nil {
		o.Weights = trainedWeights()
	}
	return &Engine{table: newTable(o.TableBytes), scoring: o.Scoring, weights: o.Weights}
}

// Limits bound a search; 0 means no limit. The search stops at the first limit it reaches or when its
// context ends.
type Limits struct {
	// Depth is the number of plies. From Depth empty cells on, the search is exact.
	Depth int
	// Nodes is the number of nodes. A search exceeds it by at most a thousand per thread.
	Nodes int64
	// FullWidth turns off selective cuts: scores are certain for their depth and take much longer.
	FullWidth bool
	// Threads is the number of threads; 0 means one.
	Threads int
	// Lines is the number of best moves that the search scores; 0 means one.
	Lines int
}

// Info is the result of a search for one move of its board.
type Info struct {
	// Score is for the side to move, in discs: the final difference if Exact, else the expected one.
	Score int
	// Depth is the number of plies of the search.
	Depth int
	// Percent is the confidence that selective cuts did not change the score, 100 without such cuts.
	Percent int
	// Exact reports whether the search was full-width and went to the end of the game.
	Exact bool
	// Lower and Upper bound the score. They are equal except in a round that was stopped.
	Lower, Upper int
	// PrincipalVariation starts with the move and continues with best play, passes included. It is
	// empty if the game is over.
	PrincipalVariation []Square
	// Nodes counts the nodes of the whole search so far.
	Nodes int64
}

// search is one call of [Engine.Search], shared by its workers.
type search struct {
	stop     atomic.Bool
	nodes    atomic.Int64
	maxNodes int64
	helpers  helpers
}

// Search finds the best moves of a board by iterative deepening. It ends with the exact score, at a
// limit or when ctx ends, and returns one Info per requested move, the best first. It passes the same
// result to report, unless that is nil, on the calling goroutine: after each round and, if one move is
// requested, after a stopped round that has found a better move.
//
// The result has at least one legal move, even if ctx ends before the first round, which is not
// reported. If the side to move must pass, the only move is [Pass]. If the game is over, the result
// has its exact score and no move.
func (e *Engine) Search(
	ctx context.Context, b Board, limits Limits, report func([]Info),
) []Info {
	s := &search{maxNodes: limits.Nodes}
	s.stop.Store(ctx.Err() != nil)
	defer context.AfterFunc(ctx, func() { s.stop.Store(true) })()
	w := e.acquire(s)
	defer e.release(w)
	s.helpers.start(e, s, max(limits.Threads, 1)-1)
	defer s.helpers.stop()
	r := newRoot(w, b, limits, report)
	r.deepen()
	return r.infos
}

// acquire returns an idle worker or a new one.
func (e *Engine) acquire(s *search) *worker {
	e.mu.Lock()
	defer e.mu.Unlock()
	var w *worker
	if last := len(e.idle) - 1; last >= 0 {
		w, e.idle = e.idle[last], e.idle[:last]
	} else {
		w = newWorker(e)
	}
	w.search, w.nodes, w.flushed, w.abort = s, 0, 0, false
	return w
}

// release makes a worker idle.
func (e *Engine) release(w *worker) {
	w.search = nil
	e.mu.Lock()
	defer e.mu.Unlock()
	e.idle = append(e.idle, w)
}
