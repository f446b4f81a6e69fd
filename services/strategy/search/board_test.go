package search

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/rulestest"
)

// wantSameGame plays a random game and checks after each move that the board agrees with the rules.
func wantSameGame(t *testing.T, from *reversi.Position, seed uint64) {
	t.Helper()
	g := newTestGame(from)
	positions, moves := rulestest.RandomGame(t, from, seed)
	for i, m := range moves {
		p := positions[i].(*reversi.Position)
		if err := g.check(p); err != nil {
			t.Fatalf("%s: %v", p.Notation(), err)
		}
		want := map[rules.Cell]int{}
		for _, at := range p.Placements() {
			want[at.Cell] = at.Flips
		}
		if diff := cmp.Diff(want, g.placements(), cmp.Comparer(func(a, b rules.Cell) bool { return a == b })); diff != "" {
			t.Fatalf("placements in %s (-rules +search):\n%s", p.Notation(), diff)
		}
		if m == rules.Pass {
			g = g.after(nil)
		} else {
			g = g.after(&m.Cell)
		}
	}
}

func TestEveryBoardAgreesWithTheRules(t *testing.T) {
	t.Parallel()
	for name, setup := range everyBoard() {
		for _, minFlips := range []int{1, 2} {
			setup.MinFlips = minFlips
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				wantSameGame(t, start(t, setup), uint64(minFlips))
			})
		}
	}
}

// FuzzAgreesWithTheRules adds positions that no game reaches, such as those where all cells can be
// filled.
func FuzzAgreesWithTheRules(f *testing.F) {
	f.Add("reversi/hex:2 ___/_XO_/_OXX_/_XO_/___ X 0", uint64(1))
	f.Add("reversi/hex:3 ____/_____/__XO__/__OOX__/__XO__/_____/____ X 0 pass_rule=forced", uint64(2))
	f.Add("reversi/square:6 __X___/_OOX__/XOXXO_/_XXOO_/__OX__/______ X 0 min_flips=2 empties_to_winner=true", uint64(3))
	f.Add("reversi/square:4 X___/____/____/____ X 0 pass_rule=voluntary", uint64(4))
	f.Fuzz(func(t *testing.T, notation string, seed uint64) {
		if p, err := reversi.Parse(notation); err == nil && p.Turn() != rules.NoSide {
			wantSameGame(t, p, seed)
		}
	})
}

func TestPerft(t *testing.T) {
	t.Parallel()
	for _, v := range rulestest.ReversiVectors(t, "perft") {
		leaves, depth := rulestest.Number(t, v.Value), rulestest.Number(t, v.Key)
		if leaves > 5000 {
			continue // These counts take too long.
		}
		setup := square(v.Size)
		if v.Hexagonal {
			setup = hexagon(v.Size)
		}
		if got := newTestGame(start(t, setup)).perft(depth); got != leaves {
			t.Errorf("%s: %d leaves, want %d", v.Name(), got, leaves)
		}
	}
}

func TestDifferentPositionsHaveDifferentKeys(t *testing.T) {
	t.Parallel()
	from := start(t, hexagon(5))
	g := newTestGame(from)
	seen := map[uint64]string{}
	var walk func(p *reversi.Position, g testGame, depth int)
	walk = func(p *reversi.Position, g testGame, depth int) {
		discs := p.Notation()
		if before, ok := seen[g.key()]; ok && before != discs {
			t.Fatalf("%s and %s have the same key", before, discs)
		}
		seen[g.key()] = discs
		for _, m := range p.Legal() {
			if depth > 0 && m != rules.Pass {
				walk(play(t, p, m), g.after(&m.Cell), depth-1)
			}
		}
	}
	walk(from, g, 5)
}
