package search

import (
	"testing"

	"github.com/flipside-games/flipside/services/strategy/hashtable"
)

func TestTheTableHoldsBothBounds(t *testing.T) {
	t.Parallel()
	table := newTable(1 << 10)
	table.store(1, 20, 5, 30, true, 7)
	table.store(1, 20, 5, 40, false, noMove)
	if got, want := probe(t, table, 1), (entry{30, 40, 5, 7}); got != want {
		t.Errorf("the entry is %+v, want %+v", got, want)
	}
	table.store(1, 20, 6, -20, false, 9)
	if got, want := probe(t, table, 1), (entry{-unbounded, -20, 6, 9}); got != want {
		t.Errorf("at another depth the entry is %+v, want %+v", got, want)
	}
}

func TestTheTableKeepsAnExactValue(t *testing.T) {
	t.Parallel()
	table := newTable(1 << 10)
	table.store(1, 20, toEnd, -3, true, 7)
	table.store(1, 20, 9, 500, true, 8)
	if got, want := probe(t, table, 1), (entry{-3, unbounded, toEnd, 7}); got != want {
		t.Errorf("the entry is %+v, want %+v", got, want)
	}
}

func TestTheTableKeepsTheDeeperEntry(t *testing.T) {
	t.Parallel()
	table := newTable(1 << 10)
	table.store(2, 20, 9, 30, true, 7)
	table.store(2, 20, 4, -50, false, 8)
	if got, want := probe(t, table, 2), (entry{30, unbounded, 9, 7}); got != want {
		t.Errorf("the entry is %+v, want %+v", got, want)
	}
}

// A bucket holds four entries.
func TestAFullBucketReplacesTheShallowestEntry(t *testing.T) {
	t.Parallel()
	table := newTable(0)
	for i, depth := range []uint8{7, 5, 9, 6, 8} {
		table.store(uint64(i+1), 20, depth, 0, true, noMove)
	}
	for i, want := range []bool{true, false, true, true, true} {
		if _, found := table.probe(uint64(i + 1)); found != want {
			t.Errorf("the table holds position %d: %v, want %v", i+1, found, want)
		}
	}
}

// A search to the end costs more with more empty cells.
func TestAFullBucketReplacesTheCheapestExactValue(t *testing.T) {
	t.Parallel()
	table := newTable(0)
	for i, empties := range []int32{14, 12, 9, 13, 5, 7} {
		table.store(uint64(i+1), empties, toEnd, 0, true, noMove)
	}
	for i, want := range []bool{true, true, false, true, false, true} {
		if _, found := table.probe(uint64(i + 1)); found != want {
			t.Errorf("the table holds position %d: %v, want %v", i+1, found, want)
		}
	}
}

// A search of a later move replaces what only the earlier moves needed, however deep it was.
func TestAFullBucketReplacesEntriesOfEarlierSearches(t *testing.T) {
	t.Parallel()
	table := newTable(0)
	for i, depth := range []uint8{7, 9, 8, 6} {
		table.store(uint64(i+1), 20, depth, 0, true, noMove)
	}
	for range hashtable.MaxAge - 1 {
		table.NextAge()
	}
	for i := range uint64(4) {
		table.store(10+i, 18, 1, 0, true, 2047)
		if e := probe(t, table, 10+i); e.bestMove != 2047 {
			t.Errorf("the best move is %d", e.bestMove)
		}
	}
	for i := range uint64(4) {
		if _, found := table.probe(i + 1); found {
			t.Errorf("the table still holds position %d", i+1)
		}
	}
}

func probe(t *testing.T, table *table, key uint64) entry {
	t.Helper()
	got, found := table.probe(key)
	if !found {
		t.Fatal("the table holds no entry")
	}
	return got
}
