package othello

import (
	"sync"
	"sync/atomic"

	"github.com/flipside-games/flipside/services/strategy/othello/internal/pattern"
)

// A search with several threads shares the boards it has begun ("young brothers wait"): once the first move of a board
// is searched and has not ended it, idle workers take the moves after it. The first move of a well ordered board ends
// most that end at all, so little of this work is wasted. A worker that waits for others to finish its board helps
// them with boards below it in the meantime.

// splitDepth is the least depth of a board worth sharing: below, waking another worker costs more than it brings.
const splitDepth = 8

// split is a board whose moves are searched by several workers.
type split struct {
	// above is the split its owner works for.
	above *split
	// cut is set when a move ended the board: all work for it is void.
	cut atomic.Bool
	// contents, list and precision are the owner's and do not change while the split is open.
	contents  pattern.Pair
	list      *moveList
	precision precision
	// The crew's lock guards next, best and bestMove of the job, and helpers.
	job
	helpers int
}

// job is a board as far as it has been searched: the moves from index next on are left.
type job struct {
	board          Board
	alpha          int
	n, depth, next int
	best           int
	bestMove       Square
}

// below reports whether s is top or was opened while working for it; everything is below nil.
func (s *split) below(top *split) bool {
	for ; s != nil; s = s.above {
		if s == top {
			return true
		}
	}
	return top == nil
}

// void reports that the work for this split has lost its purpose.
func (s *split) void() bool {
	for ; s != nil; s = s.above {
		if s.cut.Load() {
			return true
		}
	}
	return false
}

// crew is the workers of a task that wait, each for any work or for work below one split.
type crew struct {
	mu      sync.Mutex
	idle    []*worker
	waiting atomic.Int32
	closed  bool
	all     sync.WaitGroup
}

// hire starts helpers; dismiss ends them.
func (c *crew) hire(e *Engine, t *task, helpers int) {
	for range helpers {
		w := e.take(t)
		c.all.Go(func() {
			defer e.give(w)
			for s := c.wait(w, nil); s != nil; s = c.wait(w, nil) {
				w.help(s)
			}
			w.flush()
		})
	}
}

// dismiss ends the helpers, who all wait by now, and returns when they have gone.
func (c *crew) dismiss() {
	c.mu.Lock()
	c.closed = true
	for _, w := range c.idle {
		w.wake <- nil
	}
	c.idle = nil
	c.waiting.Store(0)
	c.mu.Unlock()
	c.all.Wait()
}

// wait is the next split for this worker to help with, or nil: if it waits for helpers at its own split, these have
// gone; else the crew is dismissed.
func (c *crew) wait(w *worker, own *split) *split {
	c.mu.Lock()
	if own == nil && c.closed || own != nil && own.helpers == 0 {
		c.mu.Unlock()
		return nil
	}
	w.awaits = own
	c.idle = append(c.idle, w)
	c.waiting.Store(int32(len(c.idle)))
	c.mu.Unlock()
	return <-w.wake
}

// call hands the split to the workers that wait for its like.
func (c *crew) call(s *split) {
	c.mu.Lock()
	defer c.mu.Unlock()
	rest := c.idle[:0]
	for _, w := range c.idle {
		if s.helpers < s.list.size-s.next-1 && s.below(w.awaits) {
			s.helpers++
			w.wake <- s
		} else {
			rest = append(rest, w)
		}
	}
	c.idle = rest
	c.waiting.Store(int32(len(c.idle)))
}

// leave ends the help for a split and wakes its owner when nobody is left.
func (c *crew) leave(s *split) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.helpers--
	if s.helpers > 0 {
		return
	}
	for i, w := range c.idle {
		if w.awaits == s {
			c.idle = append(c.idle[:i], c.idle[i+1:]...)
			c.waiting.Store(int32(len(c.idle)))
			w.wake <- nil
			return
		}
	}
}

// take is the next move to search, or nil.
func (c *crew) take(s *split) *move {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.next == s.list.size || s.cut.Load() {
		return nil
	}
	s.next++
	return &s.list.moves[s.next-1]
}

// found notes the score of a move.
func (c *crew) found(s *split, m *move, score int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if score <= s.best || s.cut.Load() {
		return
	}
	s.best, s.bestMove = score, m.x
	if score > s.alpha {
		s.cut.Store(true)
	}
}

// shareable reports whether the rest of a board should be shared now.
func (w *worker) shareable(depth, left int) bool {
	return depth >= splitDepth && left > 1 && w.task.crew.waiting.Load() > 0
}

// share does the rest of a job together with idle workers. It returns the best score and move of all.
func (w *worker) share(j job) (best int, bestMove Square) {
	s := &w.splits[j.n]
	s.cut.Store(false)
	s.above, s.contents, s.list, s.precision = w.under, w.frames[j.n], &w.lists[j.n], w.precision
	s.job, s.helpers = j, 0
	c := &w.task.crew
	c.call(s)
	w.work(s)
	for other := c.wait(w, s); other != nil; other = c.wait(w, s) {
		w.help(other)
	}
	// What was void for this split alone is settled now.
	w.abort = w.task.stop.Load() || w.under.void()
	return s.best, s.bestMove
}

// help works for a split of another worker.
func (w *worker) help(s *split) {
	w.frames[s.n], w.precision = s.contents, s.precision
	w.work(s)
	w.task.crew.leave(s)
}

// work searches moves of a split until there are none left.
func (w *worker) work(s *split) {
	before := w.under
	w.under = s
	for m := w.task.crew.take(s); m != nil; m = w.task.crew.take(s) {
		score := -w.searchAfter(s.board, m, -s.alpha-1, s.n, s.depth)
		if w.abort {
			break
		}
		w.task.crew.found(s, m, score)
	}
	w.under = before
	w.abort = false
}
