package threetrios_test

import (
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// Every card can be played on every empty cell, so the expected counts are products.
func TestPerft(t *testing.T) {
	for _, c := range []struct {
		name, grid   string
		depth        int
		exact, total uint64
	}{
		{"three by three, four plies", "", 4, 9 * 5 * 8 * 5 * 7 * 4 * 6 * 4, 9 * 5 * 8 * 5 * 7 * 4 * 6 * 4},
		{"five in a row, to the end", "1 5\nCCCCC", 5, 5 * 3 * 4 * 3 * 3 * 2 * 2 * 2 * 1 * 1, 4320},
		{"five in a row, beyond the end", "1 5\nCCCCC", 6, 0, 4320},
		{"one cell", "1 1\nC", 1, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			exact, total := rules.Perft(start(t, threetrios.Setup{Grid: c.grid}), c.depth)
			if exact != c.exact || total != c.total {
				t.Errorf("Perft = %d, %d, want %d, %d", exact, total, c.exact, c.total)
			}
		})
	}
}

// BenchmarkPerft reports the positions at the last ply, per second.
func BenchmarkPerft(b *testing.B) {
	for _, bench := range []struct {
		name  string
		setup threetrios.Setup
		depth int
	}{
		{"3x3", threetrios.Setup{}, 4},
		{"3x3-to-the-end", threetrios.Setup{StartFrom: endgame}, 5},
		{"3x3-same-plus", threetrios.Setup{Rules: []threetrios.Rule{threetrios.Same, threetrios.Plus}}, 4},
	} {
		b.Run(bench.name, func(b *testing.B) {
			p := start(b, bench.setup)
			var positions uint64
			for b.Loop() {
				exact, _ := rules.Perft(p, bench.depth)
				positions += exact
			}
			b.ReportMetric(float64(positions)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}

// endgame is a position of the built-in game with five cells left.
const endgame = "threetrios/RR_/_B_/B__ R 2,0 default grid anchor:5A33 candle:6186 bell:4782 drum:3675 " +
	"red ember:51A5 goblet:54A2 iris:6195 blue falcon:9354 harp:18A2 juniper:4854"

// BenchmarkBattle compares FlipCount, PlayCard and Play in the middle of a game.
func BenchmarkBattle(b *testing.B) {
	p := start(b, threetrios.Setup{StartFrom: endgame})
	cell := rules.SquareCell(1, 0)
	b.Run("FlipCount", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			p.FlipCount(0, cell)
		}
	})
	b.Run("PlayCard", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			p.PlayCard(0, cell)
		}
	})
	b.Run("Play", func(b *testing.B) {
		b.ReportAllocs()
		move := rules.Play("ember", cell)
		for b.Loop() {
			if _, _, err := p.Play(move); err != nil {
				b.Fatal(err)
			}
		}
	})
}
