package grpcapi

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/cache"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// fullGrid returns the largest grid.
func fullGrid() string {
	return "16 16\n" + strings.Repeat(strings.Repeat("C", 16)+"\n", 15) + strings.Repeat("C", 15) + "X\n"
}

// fullDeck returns 256 cards with names of a length.
func fullDeck(name int) string {
	var deck strings.Builder
	for i := range 256 {
		fmt.Fprintf(&deck, "%02x%s %d %d A 1\n", i, strings.Repeat("n", name-2), i%9+1, i%7+1)
	}
	return deck.String()
}

// TestCachedMessagesAreCounted compares the estimated memory of cached messages with the heap.
func TestCachedMessagesAreCounted(t *testing.T) {
	nested := `{"greedy":{}}`
	for range 30 {
		nested = `{"minimax":{"assumed":` + nested + `}}`
	}
	robot := game.Seat{Robot: &game.Robot{Strategy: []byte(nested)}}
	lists := `{"x":[` + strings.Repeat("[],", 900) + `[]]}`
	withOptions := game.Seat{Robot: &game.Robot{Strategy: []byte(nested), Options: []byte(lists)}}
	for name, test := range map[string]struct {
		setup games.Setup
		seat  game.Seat
	}{
		"small board":     {games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 8}}, game.Seat{Player: "bob"}},
		"large board":     {games.Setup{Reversi: &reversi.Setup{Shape: reversi.Hexagon, Size: 12}}, game.Seat{Player: "bob"}},
		"nested strategy": {games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 8}}, robot},
		"options":         {games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 8}}, withOptions},
		"small deck":      {games.Setup{ThreeTrios: &threetrios.Setup{}}, game.Seat{Player: "bob"}},
		"short names":     {games.Setup{ThreeTrios: &threetrios.Setup{Grid: fullGrid(), Deck: fullDeck(2)}}, game.Seat{Player: "bob"}},
		"long names":      {games.Setup{ThreeTrios: &threetrios.Setup{Grid: fullGrid(), Deck: fullDeck(64)}}, game.Seat{Player: "bob"}},
	} {
		t.Run(name, func(t *testing.T) {
			budget := cache.NewBudget(1 << 30)
			s := NewServer(nil, nil, nil, budget)
			const n = 50
			before := heap()
			for i := range n {
				d, err := game.Create(fmt.Sprint("game", i), game.Created{
					Creator: "ann", Visibility: game.Public, Setup: test.setup, Seats: game.Seats{{Player: "ann"}, test.seat},
				}, time.Now())
				if err != nil {
					t.Fatal(err)
				}
				g, events := d.Game, d.Events
				if !g.State.Over() && g.State == game.StateActive {
					moved, err := g.Play("ann", g.Position.Legal()[0], 0, time.Now())
					if err != nil {
						t.Fatal(err)
					}
					g, events = moved.Game, append(events, moved.Events...)
				}
				for _, e := range events {
					if _, err := s.event(&e); err != nil {
						t.Fatal(err)
					}
				}
				s.game(g)
			}
			used := float64(heap() - before)
			stats := budget.Stats()[0]
			if ratio := float64(stats.Bytes) / used; ratio < 1 || ratio > 3 {
				t.Errorf("estimated %d bytes, used %.0f: ratio %.2f, want 1 to 3", stats.Bytes, used, ratio)
			}
			runtime.KeepAlive(s)
		})
	}
}

func heap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
