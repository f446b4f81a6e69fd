package sqlstore

import (
	"container/list"
	"hash/maphash"
	"sync"

	"github.com/flipside-games/flipside/services/game"
)

// stripes is how many groups of games are told apart when their changes are counted.
const stripes = 4096

// cache keeps the games last used, decoded, up to a size. It is never behind what this process wrote: from before a
// transaction commits until its games are stored here, readers of these games get nothing. Where no other process
// writes, that is the database; of PostgreSQL the store asks whether it has gone on. A reader may fill the cache with what he
// read if no change of this process came between: see stamp.
type cache struct {
	mu       sync.Mutex
	capacity int
	size     int
	entries  map[string]*list.Element // of *entry
	recent   *list.List               // most recently used first
	seed     maphash.Seed
	// clock counts beginnings and ends of changes.
	clock   stamp
	stripes [stripes]stripe
}

type entry struct {
	game game.Game
	// size is the memory that it takes, in bytes.
	size int
}

// stripe is when a change to some of the games last began or ended, and how many have not ended.
type stripe struct {
	last    stamp
	pending int
}

// stamp is a time on the clock of a cache.
type stamp uint64

func newCache(capacity int) *cache {
	return &cache{
		capacity: capacity, entries: map[string]*list.Element{}, recent: list.New(), seed: maphash.MakeSeed(),
	}
}

func (c *cache) stripe(id string) *stripe {
	return &c.stripes[maphash.String(c.seed, id)%stripes]
}

// game returns the game as the last commit of this process, or what a reader found since, left it.
func (c *cache) game(id string) (game.Game, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, ok := c.entries[id]
	if !ok || c.stripe(id).pending > 0 {
		return game.Game{}, false
	}
	c.recent.MoveToFront(found)
	return found.Value.(*entry).game, true
}

// stamp must be taken before games are read from the database that are to be stored here.
func (c *cache) stamp() stamp {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.clock
}

// fill stores a game that was read after a stamp was taken, unless a change to it went on since.
func (c *cache) fill(g game.Game, read stamp) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.stripe(g.ID); s.pending == 0 && s.last <= read {
		c.store(g)
	}
}

// begin must be called before a transaction that changes a game commits, and end when its outcome is known.
func (c *cache) begin(id string) { c.pending(id, 1) }
func (c *cache) end(id string)   { c.pending(id, -1) }

func (c *cache) pending(id string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stripe(id)
	s.pending += n
	c.clock++
	s.last = c.clock
}

// change stores a game that was committed.
func (c *cache) change(g game.Game) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.store(g)
}

// forget drops a game of which nobody knows whether it changed.
func (c *cache) forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found, ok := c.entries[id]; ok {
		c.remove(found)
	}
}

// close drops everything and keeps nothing from now on.
func (c *cache) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.capacity, c.size = 0, 0
	clear(c.entries)
	c.recent.Init()
}

// store adds a game or puts it in the place of what is known of it, and drops the least recently used ones beyond the capacity.
func (c *cache) store(g game.Game) {
	if old, ok := c.entries[g.ID]; ok {
		c.remove(old)
	}
	e := &entry{game: g, size: sizeOf(g)}
	c.entries[g.ID] = c.recent.PushFront(e)
	c.size += e.size
	for c.size > c.capacity {
		c.remove(c.recent.Back())
	}
}

func (c *cache) remove(found *list.Element) {
	e := c.recent.Remove(found).(*entry)
	delete(c.entries, e.game.ID)
	c.size -= e.size
}

// sizeOf estimates the memory of a game in bytes. What can be big is what callers wrote: decks, grids and strategies.
func sizeOf(g game.Game) int {
	const fixed = 2048
	size := fixed
	if s := g.Setup.Reversi; s != nil {
		size += len(s.StartFrom)
	}
	if s := g.Setup.ThreeTrios; s != nil {
		size += 4 * (len(s.Grid) + len(s.Deck) + len(s.StartFrom))
	}
	if c := g.TimeControl; c != nil && c.Robot != nil {
		size += len(c.Robot.Strategy)
	}
	for _, seat := range g.Seats {
		if seat.Robot != nil {
			size += len(seat.Robot.Strategy)
		}
	}
	return size
}
