package sqlstore_test

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/internal/cache"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// callers is the number of concurrent callers.
const callers = 64

// parallel runs the benchmark in about as many goroutines as there are callers.
func parallel(b *testing.B, body func(pb *testing.PB)) {
	b.SetParallelism(callers / 2)
	b.RunParallel(body)
}

// script returns the decisions of a whole 8x8 game between two players, which any number of games
// can repeat.
func script(b *testing.B) []game.Decision {
	b.Helper()
	random := rand.New(rand.NewPCG(1, 1))
	d, err := game.Create("script", game.Created{
		Creator: "ann", Visibility: game.Public, Setup: games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 8}},
		Seats: game.Seats{{Player: "01k00000000000000000000ann", Name: "Ann"}, {Player: "01k00000000000000000000bob", Name: "Bob"}},
	}, time.Now())
	if err != nil {
		b.Fatal(err)
	}
	decisions := []game.Decision{d}
	for !d.Game.State.Over() {
		legal := d.Game.Position.Legal()
		d, err = d.Game.Play(d.Game.Seats.Of(d.Game.Turn()).Player, legal[random.IntN(len(legal))], 0, time.Now())
		if err != nil {
			b.Fatal(err)
		}
		decisions = append(decisions, d)
	}
	return decisions
}

// changeOf returns the change of one decision of the script, applied to another game.
func changeOf(id string, d game.Decision) game.Change {
	c := game.Change{Game: d.Game, Events: append([]game.Event(nil), d.Events...)}
	c.Game.ID = id
	c.Game.Seats[0].Player, c.Game.Seats[1].Player = "a"+id[1:], "b"+id[1:]
	for i := range c.Events {
		c.Events[i].GameID = id
	}
	c.Request = &game.Request{
		Caller: c.Game.Seats[0].Player, ID: fmt.Sprintf("%s-%d", id, d.Game.Version), GameID: id,
		First: c.Events[0].Version, Last: c.Game.Version,
	}
	return c
}

// player plays games of the script, one change per call.
type player struct {
	script []game.Decision
	id     string
	next   int
}

var lastID atomic.Int64

func (p *player) change() game.Change {
	if p.next %= len(p.script); p.next == 0 {
		p.id = fmt.Sprintf("01k%023d", lastID.Add(1))
	}
	p.next++
	return changeOf(p.id, p.script[p.next-1])
}

func BenchmarkCommit(b *testing.B) {
	decisions := script(b)
	b.Run("callers=64", func(b *testing.B) {
		s := open(b, b.TempDir(), sqlstore.Options{})
		defer s.Close()
		parallel(b, func(pb *testing.PB) {
			for p := (player{script: decisions}); pb.Next(); {
				if err := s.Commit(b.Context(), p.change()); err != nil {
					b.Error(err)
				}
			}
		})
	})
	b.Run("callers=1", func(b *testing.B) {
		s := open(b, b.TempDir(), sqlstore.Options{})
		defer s.Close()
		for p := (player{script: decisions}); b.Loop(); {
			if err := s.Commit(b.Context(), p.change()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// fill commits n games and returns their ids.
func fill(b *testing.B, s *sqlstore.Store, n int) []string {
	b.Helper()
	decisions := script(b)
	var ids []string
	for range n {
		p := player{script: decisions[:5]}
		for range p.script {
			if err := s.Commit(b.Context(), p.change()); err != nil {
				b.Fatal(err)
			}
		}
		ids = append(ids, p.id)
	}
	return ids
}

func BenchmarkGame(b *testing.B) {
	for name, bytes := range map[string]int64{"warm": cache.DefaultBytes, "cold": 1} {
		b.Run(name, func(b *testing.B) {
			s := open(b, b.TempDir(), sqlstore.Options{Caches: cache.NewBudget(bytes)})
			defer s.Close()
			ids := fill(b, s, 100)
			b.ResetTimer()
			parallel(b, func(pb *testing.PB) {
				for i := 0; pb.Next(); i++ {
					if _, err := s.Game(b.Context(), ids[i%len(ids)]); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}

func BenchmarkGames(b *testing.B) {
	for name, bytes := range map[string]int64{"warm": cache.DefaultBytes, "cold": 1} {
		b.Run(name, func(b *testing.B) {
			s := open(b, b.TempDir(), sqlstore.Options{Caches: cache.NewBudget(bytes)})
			defer s.Close()
			fill(b, s, 200)
			for _, limit := range []int{1, 100} {
				b.Run(fmt.Sprint("limit=", limit), func(b *testing.B) {
					for b.Loop() {
						if _, err := s.Games(b.Context(), game.Filter{Viewer: "ann", Limit: limit}); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}

func BenchmarkEvents(b *testing.B) {
	s := open(b, b.TempDir(), sqlstore.Options{})
	defer s.Close()
	id := fill(b, s, 1)[0]
	for b.Loop() {
		if _, err := s.Events(b.Context(), id, 4, 10); err != nil {
			b.Fatal(err)
		}
	}
}
