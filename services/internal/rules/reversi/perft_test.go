package reversi_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/rulestest"
)

// start returns the start of a game. The setup must be valid.
func start(t testing.TB, s reversi.Setup) *reversi.Position {
	t.Helper()
	_, p, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// vectorStart returns the start of a published case under a pass rule.
func vectorStart(t testing.TB, v rulestest.ReversiVector, rule reversi.PassRule) *reversi.Position {
	t.Helper()
	shape := reversi.Square
	if v.Hexagonal {
		shape = reversi.Hexagon
	}
	return start(t, reversi.Setup{Shape: shape, Size: v.Size, PassRule: rule})
}

func TestPerft(t *testing.T) {
	const slow = 100_000
	for _, v := range rulestest.ReversiVectors(t, "perft", "vperft") {
		t.Run(v.Name(), func(t *testing.T) {
			exact, total := rulestest.Number(t, v.Value), rulestest.Number(t, v.Value2)
			if testing.Short() && total > slow {
				t.Skipf("%d lines take too long for a short run", total)
			}
			gotExact, gotTotal := rules.Perft(vectorStart(t, v, reversi.PassRule(v.Rule)), rulestest.Number(t, v.Key))
			if gotExact != uint64(exact) || gotTotal != uint64(total) {
				t.Errorf("Perft = %d, %d, want %d, %d", gotExact, gotTotal, exact, total)
			}
		})
	}
}

func TestPerftOfNoPlies(t *testing.T) {
	if exact, total := rules.Perft(start(t, reversi.Setup{}), 0); exact != 1 || total != 1 {
		t.Errorf("Perft of depth 0 = %d, %d, want 1, 1", exact, total)
	}
}

// plain hides CountLegal, so that Perft must list the moves.
type plain struct{ rules.Position }

func TestPerftWithoutCountLegal(t *testing.T) {
	p := start(t, reversi.Setup{Size: 2})
	if exact, total := rules.Perft(plain{p}, 1); exact != 7 || total != 7 {
		t.Errorf("Perft = %d, %d, want 7, 7", exact, total)
	}
}

// wrongLegal lists a pass that is illegal.
type wrongLegal struct{ rules.Position }

func (wrongLegal) Legal() []rules.Move { return []rules.Move{rules.Pass} }

func TestPerftPanicsIfLegalListsAnIllegalMove(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Perft counted an illegal move")
		}
	}()
	rules.Perft(wrongLegal{start(t, reversi.Setup{Shape: reversi.Square})}, 2)
}

// BenchmarkPerft reports the positions at the last ply, per second.
func BenchmarkPerft(b *testing.B) {
	for _, bench := range []struct {
		shape       reversi.Shape
		size, depth int
	}{
		{reversi.Square, 8, 8},
		{reversi.Hexagon, 5, 8},
		{reversi.Square, 16, 7},
		{reversi.Hexagon, 12, 7},
	} {
		name := fmt.Sprintf("%s%d/depth%s", bench.shape, bench.size, strconv.Itoa(bench.depth))
		b.Run(name, func(b *testing.B) {
			p := start(b, reversi.Setup{Shape: bench.shape, Size: bench.size, PassRule: reversi.Forced})
			var positions uint64
			for b.Loop() {
				_, total := rules.Perft(p, bench.depth)
				positions += total
			}
			b.ReportMetric(float64(positions)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}

// BenchmarkPlay times one placement from the usual start.
func BenchmarkPlay(b *testing.B) {
	p := start(b, reversi.Setup{Shape: reversi.Square})
	move := p.Legal()[0]
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := p.Play(move); err != nil {
			b.Fatal(err)
		}
	}
}
