// Package limits bounds searches by depth, nodes and time. It counts the nodes of all threads of a
// search and sizes their transposition tables. It knows no game, no position and no move.
package limits

import (
	"math"
	"time"
)

// Limits bound a search. The zero value of each means no limit; the first one that is reached ends
// the search. The context of a search bounds it too.
type Limits struct {
	// Depth is the number of plies to look ahead.
	Depth int
	// Nodes is the number of nodes that all threads may visit together. Threads count in steps, so
	// a search may visit a few more.
	Nodes int64
	// Time bounds the duration of the search.
	Time time.Duration
}

// Plies returns the depth of the deepest iteration in a position with left plies until the end of
// the game.
func (l Limits) Plies(left int) int {
	if l.Depth > 0 {
		return min(l.Depth, left)
	}
	return left
}

// Deterministic reports whether a search on one thread gives the same answer on every run.
func (l Limits) Deterministic() bool { return l.Time == 0 && (l.Depth > 0 || l.Nodes > 0) }

// The sizes of transposition tables, in bytes.
const (
	// EntryBytes is the size of one entry: a word that identifies the position and a word of data.
	EntryBytes = 16
	// SmallestTable and LargestTable bound the table of a search that shares a memory budget with
	// others.
	SmallestTable = 1 << 20
	LargestTable  = 128 << 20
	// DefaultTable bounds the table of a search that does not set a size.
	DefaultTable = 64 << 20
	// ThreadTable is the size of the table that a thread has for itself. It fits into half of a
	// second-level cache. It does not depend on the machine, since it affects which nodes a search
	// visits.
	ThreadTable = 256 << 10
)

// nodesPerSecond is about the most nodes that one thread stores in a second.
const nodesPerSecond = 3 << 20

// TableBytes returns the size of a table with an entry for each node of a search within l. A larger
// table costs time to clear and saves nothing. The number of nodes to the depth of the search is
// estimated as 2^log2Nodes. The size depends on nothing else, since it affects which nodes a search
// visits.
func (l Limits) TableBytes(log2Nodes float64, threads int) int {
	nodes := math.Exp2(min(log2Nodes, 50))
	if l.Nodes > 0 {
		nodes = min(nodes, float64(l.Nodes))
	}
	if l.Time > 0 {
		nodes = min(nodes, l.Time.Seconds()*nodesPerSecond*float64(max(1, threads)))
	}
	return int(nodes * EntryBytes)
}

// Options configure a search.
type Options struct {
	Limits
	// Threads is the number of goroutines that search; 0 means one.
	Threads int
	// Lines is the number of best moves to report, each with its score and principal variation; 0
	// means one.
	Lines int
	// Table bounds the transposition table, in bytes; 0 means DefaultTable. A search allocates less
	// where its limits or the plies left make the rest useless.
	Table int
	// FullWidth forbids selective cuts. A search to the same depth then takes much longer.
	FullWidth bool
}

// WithDefaults replaces zero values by their meaning.
func (o Options) WithDefaults() Options {
	o.Threads, o.Lines = max(o.Threads, 1), max(o.Lines, 1)
	if o.Table == 0 {
		o.Table = DefaultTable
	}
	return o
}
