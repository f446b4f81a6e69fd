package sqlstore

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

func version(n int) game.Game { return game.Game{ID: "game", Version: n} }

func TestCache(t *testing.T) {
	for _, test := range []struct {
		name string
		do   func(c *gameCache)
		want int // the cached version, 0 for none
	}{
		{"empty", func(*gameCache) {}, 0},
		{"filled by a reader", func(c *gameCache) { c.fill(version(1), c.time()) }, 1},
		{"filled by a writer", func(c *gameCache) { c.begin("game"); c.put(version(2)); c.end("game") }, 2},
		{"hidden during a commit", func(c *gameCache) {
			c.fill(version(1), c.time())
			c.begin("game")
		}, 0},
		{"hidden during the second of two concurrent commits", func(c *gameCache) {
			c.begin("game")
			c.begin("game")
			c.put(version(2))
			c.end("game")
		}, 0},
		{"visible after a rejected commit", func(c *gameCache) {
			c.fill(version(1), c.time())
			c.begin("game")
			c.end("game")
		}, 1},
		{"not filled after a read during a commit", func(c *gameCache) {
			c.begin("game")
			read := c.time()
			c.end("game")
			c.fill(version(1), read)
		}, 0},
		{"not filled during a commit", func(c *gameCache) {
			c.begin("game")
			c.fill(version(1), c.time())
			c.end("game")
		}, 0},
		{"not filled after a read before a commit", func(c *gameCache) {
			read := c.time()
			c.begin("game")
			c.put(version(2))
			c.end("game")
			c.fill(version(1), read)
		}, 2},
		{"not filled after a read before a commit with unknown outcome", func(c *gameCache) {
			read := c.time()
			c.begin("game")
			c.remove("game")
			c.end("game")
			c.fill(version(1), read)
		}, 0},
		{"removed", func(c *gameCache) { c.fill(version(1), c.time()); c.remove("game") }, 0},
		{"closed", func(c *gameCache) { c.fill(version(1), c.time()); c.close(); c.fill(version(1), c.time()) }, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newGameCache(nil, Shard{})
			test.do(c)
			if g, _ := c.get("game"); g.Version != test.want {
				t.Errorf("version %d, want %d", g.Version, test.want)
			}
		})
	}
}

// TestSizeOfGames compares the estimated sizes with the heap that decoded games use.
func TestSizeOfGames(t *testing.T) {
	grid := "16 16\n" + strings.Repeat(strings.Repeat("C", 16)+"\n", 15) + strings.Repeat("C", 15) + "X\n"
	deck := func(name, blanks int) string {
		var deck strings.Builder
		for i := range 256 {
			fmt.Fprintf(&deck, "%02x%s %d %d A 1\n", i, strings.Repeat("n", name-2), i%9+1, i%7+1)
		}
		return deck.String() + strings.Repeat("\n", blanks)
	}
	for name, setup := range map[string]games.Setup{
		"small board": {Reversi: &reversi.Setup{Shape: reversi.Square, Size: 8}},
		"large board": {Reversi: &reversi.Setup{Shape: reversi.Square, Size: 16}},
		"small deck":  {ThreeTrios: &threetrios.Setup{}},
		"short names": {ThreeTrios: &threetrios.Setup{Grid: grid, Deck: deck(2, 0)}},
		"long names":  {ThreeTrios: &threetrios.Setup{Grid: grid, Deck: deck(64, 0)}},
		"blank lines": {ThreeTrios: &threetrios.Setup{Grid: grid, Deck: deck(2, 60_000)}},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := game.Create("game", game.Created{
				Creator: "ann", Visibility: game.Public, Setup: setup, Seats: game.Seats{{Player: "ann"}, {Player: "bob"}},
			}, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			c, err := newChange(game.Change{Game: d.Game, Events: d.Events})
			if err != nil {
				t.Fatal(err)
			}
			decoded := make([]game.Game, 200)
			before := heap()
			for i := range decoded {
				created, err := decodeCreation(strings.Clone(c.events[0].data))
				if err != nil {
					t.Fatal(err)
				}
				r := c.row
				r.seats, r.position = strings.Clone(r.seats), strings.Clone(r.position)
				if decoded[i], err = r.decode(created); err != nil {
					t.Fatal(err)
				}
			}
			used := float64(heap()-before)/float64(len(decoded)) + float64(reflect.TypeFor[game.Game]().Size())
			if estimate := float64(sizeOf("game", decoded[0])); estimate < used/1.2 || estimate > 2*used {
				t.Errorf("estimated %.0f bytes, used %.0f", estimate, used)
			}
		})
	}
}

func heap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
