// Package search finds the best moves of Reversi on any board: it is principal-variation search with iterative
// deepening over positions packed line by line into words, and solves a game exactly once the rest of it is within
// reach. It knows one position at a time and no opponent; the usual board of 8x8 has a faster search of its own in package
// othello.
package search

import (
	"context"
	"iter"
	"math"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
)

// Limits bound a search. The zero value of each is no limit, but for those that say otherwise. Whichever comes first
// counts, the end of the context too.
type Limits struct {
	// Depth is how many placements to look ahead, from 1.
	Depth int
	// Nodes is how many positions to look at, by all threads together.
	Nodes int64
	Time  time.Duration
	// Threads is how many goroutines search at once; 0 is one. With one thread, limits of depth and nodes alone give the
	// same answer every time.
	Threads int
	// Lines is how many of the best moves to tell, each with its line; 0 is one.
	Lines int
	// FullWidth forbids selective cuts: every depth is searched in full, and takes much longer.
	FullWidth bool
	// Table bounds the memory for positions, in bytes; 0 is 64 MiB. It is less where the other limits, or the few cells
	// left, make so much useless.
	Table int
}

// Analyze yields what is known of a position each time a depth has been searched, at least once, and marks as exact
// what no deeper search can change. Scores are in discs for the side to move. The position must not be over.
//
// Passing is taken to be as if forced, and scores are those of forced play, with one exception: where passing is
// voluntary, the opponent has just passed, and the side to move leads, a pass wins on the spot and is the answer. A
// line goes on to the last placement; the passes that then end a voluntary game are left out.
func Analyze(ctx context.Context, p *reversi.Position, limits Limits) iter.Seq[strategy.Analysis] {
	if analysis, wins := PassToWin(p); wins {
		return func(yield func(strategy.Analysis) bool) { yield(analysis) }
	}
	e := &effort{ctx: ctx, start: time.Now(), maxNodes: limits.Nodes}
	if limits.Time > 0 {
		e.deadline = e.start.Add(limits.Time)
	}
	if deadline, ok := ctx.Deadline(); ok && (limits.Time == 0 || deadline.Before(e.deadline)) {
		e.deadline = deadline
	}
	return newGame(p).analyze(e, limits)
}

// filled puts the defaults in, for a position with so many cells left to fill and so much time.
func (l Limits) filled(empties int, left time.Duration) Limits {
	l.Threads, l.Lines = max(l.Threads, 1), max(l.Lines, 1)
	if l.Table == 0 {
		l.Table = defaultTable
	}
	l.Table = l.usefulTable(empties, left)
	return l
}

const (
	defaultTable = 64 << 20
	// perSecond is more positions than are looked at in a second.
	perSecond = 8 << 20
	// perPly is the memory that suffices for a search of one ply; each ply more takes less than twice as many positions.
	perPly = 1 << 10
)

// usefulTable is how much of the memory the positions may fill, as far as the limits tell.
func (l Limits) usefulTable(empties int, left time.Duration) int {
	plies := empties
	if l.Depth > 0 {
		plies = min(plies, l.Depth)
	}
	useful := min(float64(l.Table), math.Ldexp(perPly, plies))
	if l.Nodes > 0 {
		useful = min(useful, float64(l.Nodes)*entryBytes)
	}
	if left > 0 {
		useful = min(useful, left.Seconds()*perSecond*entryBytes)
	}
	return int(useful)
}

// PassToWin knows the one pass that is worth making with placements left.
func PassToWin(p *reversi.Position) (strategy.Analysis, bool) {
	score := p.FinalScore().Margin(p.Turn())
	if p.PassRule() != reversi.Voluntary || p.Passes() == 0 || score <= 0 {
		return strategy.Analysis{}, false
	}
	line := strategy.Line{Score: score, Moves: []rules.Move{rules.Pass}}
	return strategy.Analysis{Depth: 1, Exact: true, Confidence: 100, Lines: []strategy.Line{line}}, true
}

// game is a position with its tables, whatever the number of words they take.
type game interface {
	analyze(e *effort, limits Limits) iter.Seq[strategy.Analysis]
}

// newGame takes words for as many slots as the position needs.
func newGame(p *reversi.Position) game {
	g := newGeometry(p)
	starts, count := g.pack()
	switch {
	case count <= 2:
		return newSized[[2]uint64](p, g, starts)
	case count <= 3:
		return newSized[[3]uint64](p, g, starts)
	case count <= 4:
		return newSized[[4]uint64](p, g, starts)
	case count <= 8:
		return newSized[[8]uint64](p, g, starts)
	case count <= 16:
		return newSized[[16]uint64](p, g, starts)
	}
	return newSized[[32]uint64](p, g, starts)
}

// sized is a game in a number of words.
type sized[W words] struct {
	*layout[W]
	board board[W]
}

func newSized[W words](p *reversi.Position, g geometry, starts []int) sized[W] {
	l := newLayout[W](p, g, starts)
	return sized[W]{l, l.newBoard(p)}
}
