package sqlstore

import (
	"fmt"
	"hash/maphash"
	"sync"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/cache"
)

const (
	// cacheWeight is the weight of the game cache in the budget of the process.
	cacheWeight = 4
	// buckets is the number of groups of games whose commits are tracked together.
	buckets = 4096
)

// gameCache holds decoded games. It never returns a game that is older than the last commit of this
// process. Commits of other processes make entries stale; [Store.Game] checks for that.
//
// Two rules keep the cache consistent with the commits of this process. While a commit of a game is
// in progress, get finds nothing, because either version may be the current one. A reader takes the
// time before it reads the database, and fill rejects its game if a commit of that game began or
// ended since. Commits are tracked for each bucket of games, so that a commit of one game affects
// all games of its bucket for a moment.
type gameCache struct {
	games *cache.Cache[string, game.Game]
	seed  maphash.Seed

	mu      sync.Mutex
	clock   logicalTime
	buckets [buckets]bucket
}

// logicalTime counts the beginnings and ends of all commits.
type logicalTime uint64

// bucket tracks the commits of a group of games: when one last began or ended, and how many are in
// progress.
type bucket struct {
	last       logicalTime
	inProgress int
}

func newGameCache(budget *cache.Budget, of Shard) *gameCache {
	name := "games"
	if of.Number > 0 {
		name = fmt.Sprintf("games_%d", of.Number+1)
	}
	return &gameCache{games: cache.New(budget, name, cacheWeight, sizeOf), seed: maphash.MakeSeed()}
}

func (c *gameCache) bucket(id string) *bucket {
	return &c.buckets[maphash.String(c.seed, id)%buckets]
}

// get returns a game unless a commit of it is in progress.
func (c *gameCache) get(id string) (game.Game, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bucket(id).inProgress > 0 {
		return game.Game{}, false
	}
	return c.games.Get(id)
}

// time returns the current logical time. A reader calls it before it reads games that it passes to
// fill.
func (c *gameCache) time() logicalTime {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.clock
}

// fill stores a game that was read after a time, unless a commit of it began or ended since.
func (c *gameCache) fill(g game.Game, read logicalTime) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if b := c.bucket(g.ID); b.inProgress == 0 && b.last <= read {
		c.games.Put(g.ID, g)
	}
}

// begin marks the beginning of a commit, before its transaction, and end its end, when the outcome
// is known.
func (c *gameCache) begin(id string) { c.track(id, 1) }
func (c *gameCache) end(id string)   { c.track(id, -1) }

func (c *gameCache) track(id string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.bucket(id)
	b.inProgress += n
	c.clock++
	b.last = c.clock
}

// put stores a committed game. The writer calls it before end.
func (c *gameCache) put(g game.Game) { c.games.Put(g.ID, g) }

// remove removes a game whose commit has an unknown outcome. The writer calls it before end.
func (c *gameCache) remove(id string) { c.games.Delete(id) }

// close removes all games and rejects new ones.
func (c *gameCache) close() { c.games.Close() }

// sizeOf estimates the bytes that a game keeps in memory.
func sizeOf(_ string, g game.Game) int { return g.Bytes() }
