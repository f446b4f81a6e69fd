package search

import "testing"

func TestTableRemembersBothBounds(t *testing.T) {
	t.Parallel()
	m := newTable(1 << 10)
	m.put(1, 20, 5, 30, true, 7)
	m.put(1, 20, 5, 40, false, noMove)
	if got, want := known(t, m, 1), (bounds{30, 40, 5, 7}); got != want {
		t.Errorf("%+v is known, want %+v", got, want)
	}
	m.put(1, 20, 6, -20, false, 9)
	if got, want := known(t, m, 1), (bounds{-unbounded, -20, 6, 9}); got != want {
		t.Errorf("from another depth %+v is known, want %+v", got, want)
	}
}

func TestTableKeepsWhatIsProved(t *testing.T) {
	t.Parallel()
	m := newTable(1 << 10)
	m.put(1, 20, toEnd, -3, true, 7)
	m.put(1, 20, 9, 500, true, 8)
	if got, want := known(t, m, 1), (bounds{-3, unbounded, toEnd, 7}); got != want {
		t.Errorf("%+v is known, want %+v", got, want)
	}
}

func TestTableKeepsTheDeeper(t *testing.T) {
	t.Parallel()
	m := newTable(1 << 10)
	m.put(2, 20, 9, 30, true, 7)
	m.put(2, 20, 4, -50, false, 8)
	if got, want := known(t, m, 2), (bounds{30, unbounded, 9, 7}); got != want {
		t.Errorf("%+v is known, want %+v", got, want)
	}
}

// TestTableForgetsTheShallowest: one set holds four, and the fifth takes the place of the least deep.
func TestTableForgetsTheShallowest(t *testing.T) {
	t.Parallel()
	m := newTable(0)
	for i, depth := range []uint8{7, 5, 9, 6, 8} {
		m.put(uint64(i+1), 20, depth, 0, true, noMove)
	}
	for i, want := range []bool{true, false, true, true, true} {
		if _, found := m.get(uint64(i + 1)); found != want {
			t.Errorf("position %d is remembered: %v, want %v", i+1, found, want)
		}
	}
}

// TestTableKeepsWhatTookLong: of what is proved, that of the most empty cells took the longest.
func TestTableKeepsWhatTookLong(t *testing.T) {
	t.Parallel()
	m := newTable(0)
	for i, empties := range []int32{14, 12, 9, 13, 5, 7} {
		m.put(uint64(i+1), empties, toEnd, 0, true, noMove)
	}
	for i, want := range []bool{true, true, false, true, false, true} {
		if _, found := m.get(uint64(i + 1)); found != want {
			t.Errorf("position %d is remembered: %v, want %v", i+1, found, want)
		}
	}
}

func TestTableIsBounded(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 63, 64, 1000, 1 << 20} {
		if got := len(newTable(size).sets) * 64; got > max(size, 64) || got*2 <= size {
			t.Errorf("a table of %d bytes takes %d", size, got)
		}
	}
}

func known(t *testing.T, m *table, key uint64) bounds {
	t.Helper()
	got, found := m.get(key)
	if !found {
		t.Fatal("nothing is known")
	}
	return got
}
