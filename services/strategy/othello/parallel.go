package othello

import (
	"sync"
	"sync/atomic"

	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/othello/pattern"
)

// A search with several threads splits nodes by the Young Brothers Wait Concept (Feldmann, Monien,
// Mysliwietz and Vornberger, "Distributed Game-Tree Search", 1989): when the first move of a node
// is searched without a cutoff, idle helpers search the other moves. In a well ordered tree most
// cutoffs come from first moves, so little of this effort is wasted. A worker that waits for the
// helpers of its own split point meanwhile helps with nodes below it.

// splitDepth is the least depth at which a search is split: below, waking a helper costs more than
// it saves.
const splitDepth = 8

// splitPoint is a node whose moves several workers search.
type splitPoint struct {
	// parent is the split point that its owner was searching.
	parent *splitPoint
	// cutoff is set when a move scored above alpha: no search below the node has a use any more.
	cutoff atomic.Bool
	// The owner sets contents, list and selectivity before it wakes helpers.
	contents    pattern.Pair
	list        *moveList
	selectivity selectivity
	// The lock of type helpers guards next, best and bestMove of the node, and helperCount.
	partialNode
	helperCount int
}

// partialNode is a node of which some moves are searched: those before index next.
type partialNode struct {
	board          Board
	alpha          int
	n, depth, next int
	best           int
	bestMove       Square
}

// isBelow reports whether s is top or a descendant of it. Every split point is below nil.
func (s *splitPoint) isBelow(top *splitPoint) bool {
	for ; s != nil; s = s.parent {
		if s == top {
			return true
		}
	}
	return top == nil
}

// obsolete reports whether s or a split point above it has a cutoff.
func (s *splitPoint) obsolete() bool {
	for ; s != nil; s = s.parent {
		if s.cutoff.Load() {
			return true
		}
	}
	return false
}

// helpers is the set of helper threads of a search. Idle workers are helpers without a split point
// and owners of split points that wait for their helpers.
type helpers struct {
	mu        sync.Mutex
	idle      []*worker
	idleCount atomic.Int32
	stopped   bool
	running   sync.WaitGroup
}

// start starts count helper threads. The caller must call stop.
func (h *helpers) start(e *Engine, meter *limits.Meter, count int) {
	for range count {
		w := e.acquire(meter, h)
		h.running.Go(func() {
			defer e.release(w)
			for sp := h.wait(w, nil); sp != nil; sp = h.wait(w, nil) {
				w.help(sp)
			}
		})
	}
}

// stop ends the helper threads, which must all be idle, and waits for them to return.
func (h *helpers) stop() {
	h.mu.Lock()
	h.stopped = true
	for _, w := range h.idle {
		w.wake <- nil
	}
	h.setIdle(nil)
	h.mu.Unlock()
	h.running.Wait()
}

// setIdle replaces the idle workers. The caller holds the lock.
func (h *helpers) setIdle(idle []*worker) {
	h.idle = idle
	h.idleCount.Store(int32(len(idle)))
}

// wait blocks until there is a split point for this worker to help with. It returns nil if the
// helpers of the worker's own split point have left or, without an own one, when the helpers stop.
func (h *helpers) wait(w *worker, own *splitPoint) *splitPoint {
	h.mu.Lock()
	if own == nil && h.stopped || own != nil && own.helperCount == 0 {
		h.mu.Unlock()
		return nil
	}
	w.waitsFor = own
	h.setIdle(append(h.idle, w))
	h.mu.Unlock()
	return <-w.wake
}

// wake assigns the split point to idle workers, at most one per remaining move. A worker that waits
// for its own split point helps only below it.
func (h *helpers) wake(sp *splitPoint) {
	h.mu.Lock()
	defer h.mu.Unlock()
	idle := h.idle[:0]
	for _, w := range h.idle {
		if sp.helperCount < sp.list.size-sp.next-1 && sp.isBelow(w.waitsFor) {
			sp.helperCount++
			w.wake <- sp
		} else {
			idle = append(idle, w)
		}
	}
	h.setIdle(idle)
}

// leave removes a helper from the split point. The last one wakes the owner if it waits.
func (h *helpers) leave(sp *splitPoint) {
	h.mu.Lock()
	defer h.mu.Unlock()
	sp.helperCount--
	if sp.helperCount > 0 {
		return
	}
	for i, w := range h.idle {
		if w.waitsFor == sp {
			h.setIdle(append(h.idle[:i], h.idle[i+1:]...))
			w.wake <- nil
			return
		}
	}
}

// nextMove returns the next move to search, or nil if there is none.
func (h *helpers) nextMove(sp *splitPoint) *move {
	h.mu.Lock()
	defer h.mu.Unlock()
	if sp.next == sp.list.size || sp.cutoff.Load() {
		return nil
	}
	sp.next++
	return sp.list.at(sp.next - 1)
}

// addScore adds the score of a move to the split point.
func (h *helpers) addScore(sp *splitPoint, m *move, score int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if score <= sp.best || sp.cutoff.Load() {
		return
	}
	sp.best, sp.bestMove = score, m.x
	if score > sp.alpha {
		sp.cutoff.Store(true)
	}
}

// canSplit reports whether to split a node with this many moves left.
func (w *worker) canSplit(depth, left int) bool {
	return depth >= splitDepth && left > 1 && w.helpers.idleCount.Load() > 0
}

// splitSearch searches the remaining moves of a node together with idle helpers. It returns the
// best score and move of the whole node.
func (w *worker) splitSearch(p partialNode) (best int, bestMove Square) {
	sp := &w.splitPoints[p.n]
	sp.cutoff.Store(false)
	sp.parent, sp.contents = w.splitPoint, w.frames[p.n]
	sp.list, sp.selectivity = &w.lists[p.n], w.selectivity
	sp.partialNode, sp.helperCount = p, 0
	h := w.helpers
	h.wake(sp)
	w.searchMoves(sp)
	for other := h.wait(w, sp); other != nil; other = h.wait(w, sp) {
		w.help(other)
	}
	// A cutoff at this split point alone no longer aborts the worker. The check is due even before
	// its interval: if a helper has stopped, the score of the node is not valid.
	w.Check()
	w.abort = w.Stopped() || w.splitPoint.obsolete()
	return sp.best, sp.bestMove
}

// help searches moves of another worker's split point.
func (w *worker) help(sp *splitPoint) {
	w.frames[sp.n], w.selectivity = sp.contents, sp.selectivity
	w.searchMoves(sp)
	w.helpers.leave(sp)
}

// searchMoves searches moves of a split point until none is left.
func (w *worker) searchMoves(sp *splitPoint) {
	outer := w.splitPoint
	w.splitPoint = sp
	h := w.helpers
	for m := h.nextMove(sp); m != nil; m = h.nextMove(sp) {
		score := -w.zeroWindowMove(sp.board, m, -sp.alpha-1, sp.n, sp.depth)
		if w.abort {
			break
		}
		h.addScore(sp, m, score)
	}
	w.splitPoint = outer
	w.abort = false
}
