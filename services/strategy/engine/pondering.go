package engine

import (
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// pondering is a search of a position while the opponent thinks. It fills the idle table of its
// game, so that it takes no memory of its own, and counts as no running search.
type pondering struct {
	game string
	stop context.CancelFunc
	// ended is closed when the table is free.
	ended chan struct{}
}

// AllowPondering lets [Search.Ponder] search for at most a duration, 0 for not at all.
func (b *MemoryBudget) AllowPondering(atMost time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ponderingTime = atMost
}

// StopPondering ends all pondering, waits for that and allows none from then on.
func (b *MemoryBudget) StopPondering() {
	b.AllowPondering(0)
	b.mu.Lock()
	b.stopAllBut(0)
	b.mu.Unlock()
	b.ponderings.Wait()
}

// Ponder starts to search a position in the background, so that the next search of the game
// continues this one. p is the position after the move that s has chosen, and the opponent is to
// move. Ponder does nothing if the memory budget does not allow it, without a game, and with a
// limit of depth or nodes, since the player would become stronger than this limit means.
//
// The search ends when the game has another search, when running searches need its processor or its
// memory, after the time that the budget allows, or with the exact score. One processor stays free.
func (s Search) Ponder(p rules.Position) {
	if s.Memory == nil || s.Game == "" || s.Depth > 0 || s.Nodes > 0 ||
		p.Turn() == rules.NoSide || rules.MustPass(p) {
		return
	}
	s.Memory.ponder(s.Game, continues(p), func(ctx context.Context, t table) {
		o := limits.Options{Threads: 1, Table: t.bytes}
		for range analyze(limits.NewMeter(ctx), p, o, &t) {
		}
	})
}

// ponder calls search in the background with the idle table of an engine that continues.
func (b *MemoryBudget) ponder(
	game string, continues func(engine any) bool, search func(ctx context.Context, t table),
) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ponderingTime == 0 || b.spareProcessors() == 0 {
		return
	}
	i := b.indexIdle(request{continues: continues})
	if i < 0 {
		return
	}
	t := b.idle[i]
	ctx, stop := context.WithTimeout(context.Background(), b.ponderingTime)
	copied, p := *t, &pondering{game: game, stop: stop, ended: make(chan struct{})}
	t.pondering = p
	b.stopAllBut(b.spareProcessors())
	b.ponderings.Go(func() {
		defer stop()
		search(ctx, copied)
		b.mu.Lock()
		defer b.mu.Unlock()
		t.pondering = nil
		close(p.ended)
	})
}

// spareProcessors returns the number of processors for pondering: those that no search uses but
// one, which is for all other calls. The caller holds the lock.
func (b *MemoryBudget) spareProcessors() int {
	return max(0, runtime.GOMAXPROCS(0)-b.threads-1)
}

// stopAllBut stops all ponderings but the latest ones. The caller holds the lock.
func (b *MemoryBudget) stopAllBut(latest int) {
	for _, t := range slices.Backward(b.idle) {
		if t.pondering == nil {
			continue
		}
		if latest--; latest < 0 {
			t.pondering.stop()
		}
	}
}

// endPondering ends the pondering for a game and waits until its table is free: a thread notices
// the end within a millisecond.
func (b *MemoryBudget) endPondering(game string) {
	b.mu.Lock()
	i := slices.IndexFunc(b.idle, func(t *table) bool {
		return t.pondering != nil && t.pondering.game == game
	})
	if i < 0 {
		b.mu.Unlock()
		return
	}
	p := b.idle[i].pondering
	b.mu.Unlock()
	p.stop()
	<-p.ended
}
