package othello

import (
	"iter"
	"sync"

	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/othello/pattern"
)

// Engine searches boards. All methods are safe for concurrent use. Its searches share one
// transposition table of bounded size, so that each profits from earlier and concurrent ones. For
// deterministic results use a new Engine for each search, one thread, and limits of depth or nodes.
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
	// TableBytes bounds the shared table; 0 means 64 MiB. Each thread of a search takes another
	// half MiB.
	TableBytes int
	// Scoring defines the score of a finished game.
	Scoring Scoring
	// Weights are the weights of the evaluation; nil means the embedded ones.
	Weights *pattern.Weights
}

// New returns an engine.
func New(o Options) *Engine {
	if o.TableBytes == 0 {
		o.TableBytes = limits.DefaultTable
	}
	if o.Weights == nil {
		o.Weights = trainedWeights()
	}
	return &Engine{table: newTable(o.TableBytes), scoring: o.Scoring, weights: o.Weights}
}

// Info is the result of a search for one move of its board.
type Info struct {
	// Score is for the side to move, in discs: the final difference if Exact, else the expected
	// one. The score from a stopped round is a lower bound.
	Score int
	// Depth is the number of plies of the search.
	Depth int
	// Percent is the confidence that selective cuts did not change the score, 100 without such
	// cuts.
	Percent int
	// Exact reports whether the search was full-width and went to the end of the game.
	Exact bool
	// PrincipalVariation starts with the move and continues with best play, passes included. It is
	// empty if the game is over.
	PrincipalVariation []Square
	// Nodes counts the nodes of the whole search so far.
	Nodes int64
}

// Analyze finds the best moves of a board by iterative deepening. It yields one Info per requested
// move, the best first: after each round and, if one move is requested, after a stopped round that
// has found a better move. It ends with the exact score, at a limit, or when the meter stops.
// Within o.Depth plies of the end of the game, the search is exact. The table is the engine's:
// o.Table does not apply.
//
// It yields at least once, with at least one legal move. If the side to move must pass, the only
// move is [Pass]. If the game is over, the result has the exact score and no move.
func (e *Engine) Analyze(meter *limits.Meter, b Board, o limits.Options) iter.Seq[[]Info] {
	return func(yield func([]Info) bool) {
		o := o.WithDefaults()
		meter := meter.Within(o.Limits)
		h := &helpers{}
		w := e.acquire(meter, h)
		defer e.release(w)
		h.start(e, meter, o.Threads-1)
		defer h.stop()
		yielded := false
		r := newRoot(w, b, o, func(infos []Info) bool {
			yielded = true
			return yield(infos)
		})
		r.deepen()
		if !yielded {
			yield(r.infos)
		}
	}
}

// knows reports whether an earlier search has visited the board or one after a move.
func (e *Engine) knows(b Board) bool {
	if e.table.probe(keyOf(b.Mover, b.Opponent)) != noEntry {
		return true
	}
	for moves := b.Moves(); moves != 0; moves &= moves - 1 {
		child := b.Play(first(moves))
		if e.table.probe(keyOf(child.Mover, child.Opponent)) != noEntry {
			return true
		}
	}
	return false
}

// Search returns the last result of [Engine.Analyze].
func (e *Engine) Search(meter *limits.Meter, b Board, o limits.Options) (infos []Info) {
	for infos = range e.Analyze(meter, b, o) {
	}
	return infos
}
