package sqlstore

import (
	"fmt"
	"testing"

	"github.com/flipside-games/flipside/services/game"
)

func version(n int) game.Game { return game.Game{ID: "game", Version: n} }

func TestCache(t *testing.T) {
	for _, test := range []struct {
		name string
		do   func(c *cache)
		want int // the version that readers get, 0 for none
	}{
		{"empty", func(*cache) {}, 0},
		{"filled by a reader", func(c *cache) { c.fill(version(1), c.stamp()) }, 1},
		{"filled by a writer", func(c *cache) { c.begin("game"); c.change(version(2)); c.end("game") }, 2},
		{"not shown while a change is under way", func(c *cache) {
			c.fill(version(1), c.stamp())
			c.begin("game")
		}, 0},
		{"not shown while another change is under way", func(c *cache) {
			c.begin("game")
			c.begin("game")
			c.change(version(2))
			c.end("game")
		}, 0},
		{"shown again after a change that was refused", func(c *cache) {
			c.fill(version(1), c.stamp())
			c.begin("game")
			c.end("game")
		}, 1},
		{"not filled by who read while a change was under way", func(c *cache) {
			c.begin("game")
			read := c.stamp()
			c.end("game")
			c.fill(version(1), read)
		}, 0},
		{"not filled while a change is under way", func(c *cache) {
			c.begin("game")
			c.fill(version(1), c.stamp())
			c.end("game")
		}, 0},
		{"not filled by who read before a change", func(c *cache) {
			read := c.stamp()
			c.begin("game")
			c.change(version(2))
			c.end("game")
			c.fill(version(1), read)
		}, 2},
		{"not even when that was dropped since", func(c *cache) {
			read := c.stamp()
			c.begin("game")
			c.end("game")
			c.forget("game")
			c.fill(version(1), read)
		}, 0},
		{"forgotten", func(c *cache) { c.fill(version(1), c.stamp()); c.forget("game") }, 0},
		{"closed", func(c *cache) { c.fill(version(1), c.stamp()); c.close(); c.fill(version(1), c.stamp()) }, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newCache(1 << 20)
			test.do(c)
			if g, _ := c.game("game"); g.Version != test.want {
				t.Errorf("version %d, want %d", g.Version, test.want)
			}
		})
	}
}

func TestCacheDropsTheLeastRecentlyUsed(t *testing.T) {
	const room = 10
	c := newCache(room * sizeOf(game.Game{}))
	for i := range room {
		c.fill(game.Game{ID: fmt.Sprint(i)}, c.stamp())
	}
	c.game("0")
	c.fill(game.Game{ID: "new"}, c.stamp())
	for id, want := range map[string]bool{"0": true, "1": false, "2": true, "new": true} {
		if _, got := c.game(id); got != want {
			t.Errorf("game %s is there: %t, want %t", id, got, want)
		}
	}
	if c.size > c.capacity || len(c.entries) != c.recent.Len() {
		t.Errorf("%d bytes of %d, %d entries, %d in order", c.size, c.capacity, len(c.entries), c.recent.Len())
	}
}
