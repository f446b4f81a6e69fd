package othello

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/flipside-games/flipside/services/strategy/othello/internal/pattern"
)

// Engine searches boards. It may be used by any number of goroutines at once: all searches share one table of bounded
// size, so a search profits from those before it and beside it. Where an answer must not depend on them, make an
// engine for it alone: with one thread and limits of depth or nodes it then answers the same on every run.
type Engine struct {
	table   *table
	scoring Scoring
	weights *pattern.Weights
	// idle workers wait here for the next search.
	mu   sync.Mutex
	idle []*worker
}

// Options are the settings of an Engine.
type Options struct {
	// TableBytes bounds the shared table; 0 means 64 MiB. Each thread of a search takes another two.
	TableBytes int
	// Scoring is the meaning of scores. A table holds scores of one kind, hence an engine does.
	Scoring Scoring
	// Weights value boards; nil means the trained ones.
	Weights *pattern.Weights
}

// New makes an engine.
func New(o Options) *Engine {
	if o.TableBytes == 0 {
		o.TableBytes = 64 << 20
	}
	if o.Weights == nil {
		o.Weights = trained()
	}
	return &Engine{table: newTable(o.TableBytes), scoring: o.Scoring, weights: o.Weights}
}

// Limits end a search early. The deadline of the context does so too.
type Limits struct {
	// Depth is the number of plies looked ahead; 0 means no limit. From Depth empty cells on, the search is exact.
	Depth int
	// Nodes is the number of boards visited; 0 means no limit. A search ends within a thousand of it per thread.
	Nodes int64
	// FullWidth forbids selective cuts: every round is certain for its depth, and takes much longer.
	FullWidth bool
	// Threads search at once; 0 means one.
	Threads int
	// Lines is how many of the best moves are wanted, each with a score of its own; 0 means one.
	Lines int
}

// Info is what a search knows of one move of the board it was given.
type Info struct {
	// Score is in discs, for the side to move: the final difference if Exact, else the expected one.
	Score int
	// Depth is the number of plies looked ahead: with Percent at 100 and no cell left beyond, Exact holds.
	Depth int
	// Percent is the confidence that selective cuts have not changed the score: 100 when none were made.
	Percent int
	Exact   bool
	// Lower and Upper bound the score as far as the search can tell; they meet unless it ended in between.
	Lower, Upper int
	// Line starts with the move and goes on with the best play found, passes included. It is empty if the game is over.
	Line []Square
	// Nodes counts the boards visited in the whole search so far.
	Nodes int64
}

// task is a search under way, seen by all its workers.
type task struct {
	stop  atomic.Bool
	nodes atomic.Int64
	limit int64
	crew  crew
}

// Search looks for the best moves of a board until a limit, the context or the end of the game stops it. It reports
// after each round, on the calling goroutine, and after one that was cut short if that found a better move and one line
// is wanted. It returns the last report: the best moves first, one legal move at least, even if the context had ended
// before, when there is nothing to report. A board where the side to move must pass has one move, Pass; a finished
// one has no move and its exact score.
func (e *Engine) Search(ctx context.Context, b Board, limits Limits, report func([]Info)) []Info {
	t := &task{limit: limits.Nodes}
	limits.Threads = max(limits.Threads, 1)
	t.stop.Store(ctx.Err() != nil)
	defer context.AfterFunc(ctx, func() { t.stop.Store(true) })()
	w := e.take(t)
	defer e.give(w)
	t.crew.hire(e, t, limits.Threads-1)
	defer t.crew.dismiss()
	r := newRoot(w, b, limits, report)
	r.deepen()
	return r.infos
}

// take is an idle worker or a new one.
func (e *Engine) take(t *task) *worker {
	e.mu.Lock()
	defer e.mu.Unlock()
	var w *worker
	if last := len(e.idle) - 1; last >= 0 {
		w, e.idle = e.idle[last], e.idle[:last]
	} else {
		w = newWorker(e)
	}
	w.task, w.nodes, w.flushed, w.abort = t, 0, 0, false
	return w
}

// give returns a worker.
func (e *Engine) give(w *worker) {
	w.task = nil
	e.mu.Lock()
	defer e.mu.Unlock()
	e.idle = append(e.idle, w)
}
