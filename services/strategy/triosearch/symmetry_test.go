package triosearch

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// transposed mirrors a grid at its main diagonal, with all cards.
func transposed(s threetrios.Setup) threetrios.Setup {
	rows := strings.Fields(s.Grid)[2:]
	grid := make([][]byte, len(rows[0]))
	for _, row := range rows {
		for column := range row {
			grid[column] = append(grid[column], row[column])
		}
	}
	s.Grid = gridText(grid)
	s.Deck = eachCard(s.Deck, func(n, s, e, w string) string { return strings.Join([]string{w, e, s, n}, " ") })
	return s
}

// mirrored mirrors a grid left to right, with all cards.
func mirrored(s threetrios.Setup) threetrios.Setup {
	var grid [][]byte
	for _, row := range strings.Fields(s.Grid)[2:] {
		reflected := []byte(row)
		slices.Reverse(reflected)
		grid = append(grid, reflected)
	}
	s.Grid = gridText(grid)
	s.Deck = eachCard(s.Deck, func(n, s, e, w string) string { return strings.Join([]string{n, s, w, e}, " ") })
	return s
}

func eachCard(deck string, turn func(n, s, e, w string) string) string {
	out := ""
	for line := range strings.Lines(deck) {
		f := strings.Fields(line)
		out += f[0] + " " + turn(f[1], f[2], f[3], f[4]) + "\n"
	}
	return out
}

// These two generate all eight symmetries of a square.
func TestSymmetriesOfTheGridKeepTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSetup(t, 5)
		want := last(analyze(t, limits.Options{}, resolve(t, s), 1)).Best().Score
		for name, other := range map[string]threetrios.Setup{"transposed": transposed(s), "mirrored": mirrored(s), "both": transposed(mirrored(s))} {
			if got := last(analyze(t, limits.Options{}, resolve(t, other), 1)).Best().Score; got != want {
				t.Fatalf("%+v is worth %d, but %d when %s", s, want, got, name)
			}
		}
	})
}

// swapColours gives everything of one side to the other.
func swapColours(b *board) {
	g := *b.game
	g.slots[first], g.slots[second] = g.slots[second], g.slots[first]
	b.game = &g
	for cell, owner := range b.owner {
		if owner < emptyCell {
			b.owner[cell] = 1 - owner
			b.key ^= b.flipKeys[cell]
		}
	}
	b.hands[first], b.hands[second] = b.hands[second], b.hands[first]
	b.turn, b.lead = 1-b.turn, -b.lead
}

func TestSwappingTheColoursKeepsTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPosition(t, 5)
		if p.Turn() == rules.NoSide {
			return
		}
		w, swapped := newTestWorker(p), newTestWorker(p)
		swapColours(swapped.board)
		for depth := range w.board.left + 1 {
			x, y := w.search(depth, -infinity, infinity, 0), swapped.search(depth, -infinity, infinity, 0)
			if x != y {
				t.Fatalf("%s is worth %d at depth %d, with the colours swapped %d", p.Notation(), x, depth, y)
			}
		}
	})
}
