package sqlstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// callers is how many call at once where the benchmarks do not say otherwise.
const callers = 64

// parallel runs the benchmark in about that many goroutines.
func parallel(b *testing.B, body func(pb *testing.PB)) {
	b.SetParallelism(callers / 2)
	b.RunParallel(body)
}

// script is a whole game of 8x8 between two people, decision by decision. Any number of games can follow it.
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

// changeOf is the change of one decision of the script, made in another game.
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

// player plays games along the script, one move a call.
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

// BenchmarkBareGroupCommit is the ceiling of BenchmarkCommit: nothing but the same insert and update, on the same kind of
// file, with as many of them to a transaction as wait for one.
func BenchmarkBareGroupCommit(b *testing.B) {
	decisions := script(b)
	b.Run("callers=64", func(b *testing.B) {
		bare := openBare(b)
		defer bare.close()
		parallel(b, func(pb *testing.PB) {
			for p := (player{script: decisions}); pb.Next(); {
				bare.commit(p.change())
			}
		})
	})
	b.Run("callers=1", func(b *testing.B) {
		bare := openBare(b)
		defer bare.close()
		for p := (player{script: decisions}); b.Loop(); {
			bare.commit(p.change())
		}
	})
}

type bareChange struct {
	change game.Change
	data   string
	done   chan struct{}
}

type bare struct {
	queue chan bareChange
	done  chan struct{}
}

func openBare(b *testing.B) *bare {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(b.TempDir(), "bare.db")+
		"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate")
	if err != nil {
		b.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, text := range []string{
		`CREATE TABLE games (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, position TEXT NOT NULL, updated INTEGER NOT NULL)`,
		`CREATE TABLE events (game_id TEXT NOT NULL, version INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (game_id, version))
			WITHOUT ROWID`,
	} {
		if _, err := db.Exec(text); err != nil {
			b.Fatal(err)
		}
	}
	bare := &bare{queue: make(chan bareChange, callers), done: make(chan struct{})}
	go bare.run(b, db)
	return bare
}

func (w *bare) close() {
	close(w.queue)
	<-w.done
}

const bareData = `{"movePlayed":{"side":1,"move":{"kind":1,"cell":"r3c2"},"notation":"c4","flips":[{"cell":"r3c3"}],"position":"%s"}}`

func (w *bare) commit(c game.Change) {
	j := bareChange{change: c, data: fmt.Sprintf(bareData, c.Game.Position.Notation()), done: make(chan struct{})}
	w.queue <- j
	<-j.done
}

func (w *bare) run(b *testing.B, db *sql.DB) {
	defer close(w.done)
	defer db.Close()
	ctx := context.Background()
	conn, err := db.Conn(ctx)
	must(b, err)
	defer conn.Close()
	prepare := func(text string) *sql.Stmt {
		s, err := conn.PrepareContext(ctx, text)
		must(b, err)
		return s
	}
	insertGame := prepare(`INSERT INTO games (id, version, position, updated) VALUES ($1, $2, $3, $4)`)
	update := prepare(`UPDATE games SET version = $1, position = $2, updated = $3 WHERE id = $4`)
	insert := prepare(`INSERT INTO events (game_id, version, data) VALUES ($1, $2, $3)`)
	begin, commit := prepare("BEGIN IMMEDIATE"), prepare("COMMIT")
	exec := func(s *sql.Stmt, args ...any) {
		_, err := s.ExecContext(ctx, args...)
		must(b, err)
	}
	for first := range w.queue {
		batch := []bareChange{first}
		for len(w.queue) > 0 && len(batch) < 128 {
			batch = append(batch, <-w.queue)
		}
		exec(begin)
		for _, j := range batch {
			g := j.change.Game
			if j.change.Events[0].Version == 1 {
				exec(insertGame, g.ID, g.Version, g.Position.Notation(), g.Updated.UnixNano())
			} else {
				exec(update, g.Version, g.Position.Notation(), g.Updated.UnixNano(), g.ID)
			}
			exec(insert, g.ID, g.Version, j.data)
		}
		exec(commit)
		for _, j := range batch {
			close(j.done)
		}
	}
}

func must(b *testing.B, err error) {
	if err != nil {
		b.Error(err)
	}
}

// fill commits games and returns their ids.
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
	for name, options := range map[string]sqlstore.Options{"warm": {}, "cold": {CacheBytes: 1}} {
		b.Run(name, func(b *testing.B) {
			s := open(b, b.TempDir(), options)
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
	for name, options := range map[string]sqlstore.Options{"warm": {}, "cold": {CacheBytes: 1}} {
		b.Run(name, func(b *testing.B) {
			s := open(b, b.TempDir(), options)
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
