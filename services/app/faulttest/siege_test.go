//go:build !race

package faulttest

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/app"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
)

// faults is how long the siege lasts: go test ./services/app/faulttest -run Siege -faults 10m -timeout 20m
var faults = flag.Duration("faults", 20*time.Second, "how long processes are killed and stopped at random")

// chance decides what is done to them, as far as one run is like another: -seed 7
var chance = flag.Uint64("seed", 0, "what decides what is done to processes; 0 is another one each time")

// TestNothingIsLostInASiege kills and stops the processes of a server of many at random, and NATS and PostgreSQL too, while
// callers play, race and watch, by gRPC and by REST, and make every call again with its request id until it is answered,
// often by another process.
func TestNothingIsLostInASiege(t *testing.T) {
	lasting := *faults
	if testing.Short() {
		lasting = min(lasting, 5*time.Second)
	}
	postgres, database := pgtest.Start(t)
	server := newApart(t, database, "--robot-lease", "1s", "--heartbeat-interval", "1s")
	seed := cmp.Or(*chance, uint64(time.Now().UnixNano()))
	t.Logf("to do the same again: -seed %d", seed)
	sabotage := &sabotage{T: t, apart: server, postgres: postgres, random: rand.New(rand.NewPCG(seed, 1))}
	for _, m := range server.members {
		sabotage.running = append(sabotage.running, runRole(t, m.role, m.args))
	}
	server.awaitReady(t, 200)
	quiet := sabotage.goroutines()

	s := &siege{t: t}
	host := s.caller(overGRPC{dial(t, server.addrs["game"])}) // who has robots play each other
	var playing sync.WaitGroup
	for i := range 16 {
		var via caller = overGRPC{dial(t, server.addrs["game"])}
		if i%2 == 1 {
			via = newREST(t, server.addrs["http"])
		}
		playing.Go(s.caller(via).play)
	}
	playing.Go(func() { s.race(server) })
	for name, w := range watchers(t, server.addrs["game"], server.addrs["http"]) {
		playing.Go(func() { s.watch(name, w, server) })
	}
	for end := time.Now().Add(lasting); time.Now().Before(end); {
		host.acked[host.create(hexagon(4), robotOf(""), robotOf("")).GetId()] = nil
		sabotage.commit()
	}
	s.ending.Store(true)
	playing.Wait()
	for _, b := range s.callers {
		b.check()
	}
	t.Logf("%d moves were acknowledged, %d of them when they were sent again; %d games were raced for, %d watched; faults: %v",
		s.moves.Load(), s.replayed.Load(), s.races.Load(), s.watched.Load(), sabotage.done)
	if s.moves.Load() == 0 || s.races.Load() == 0 || s.watched.Load() == 0 {
		t.Error("nothing happened")
	}
	sabotage.calmsDown(quiet)
}

// sabotage is what is done to the processes of a server.
type sabotage struct {
	*testing.T
	*apart
	running  []*process
	postgres *pgtest.Server
	random   *rand.Rand
	done     map[string]int
}

// commit does one thing to the server, and undoes it after a while.
func (s *sabotage) commit() {
	which := s.random.IntN(len(s.running))
	p, m := s.running[which], s.members[which]
	name := fmt.Sprintf("%s killed", m.role)
	switch s.random.IntN(9) {
	case 0, 1, 2:
		p.kill()
		s.while(time.Second)
		s.running[which] = runRole(s, m.role, m.args)
	case 3, 4, 5:
		name = fmt.Sprintf("%s stopped", m.role)
		s.signal(p, syscall.SIGSTOP)
		s.while(3 * time.Second)
		s.signal(p, syscall.SIGCONT)
	case 6:
		name = "NATS away"
		s.nats.Stop()
		s.while(3 * time.Second)
		s.nats.Start(s)
	case 7:
		name = "PostgreSQL away"
		if err := s.postgres.Stop(); err != nil {
			s.Fatal(err)
		}
		s.while(time.Second)
		if err := s.postgres.Start(context.Background()); err != nil {
			s.Fatal(err)
		}
	case 8:
		name = fmt.Sprintf("%s asked to stop", m.role)
		if code, took := p.stop(s); code != 0 || took > patience {
			s.Errorf("%s ended with exit code %d after %v: %s", m.role, code, took, p.errors)
		}
		s.running[which] = runRole(s, m.role, m.args)
	}
	if s.done == nil {
		s.done = map[string]int{}
	}
	s.done[name]++
	for _, way := range s.ways {
		way.cut()
	}
	s.while(time.Second)
}

func (s *sabotage) signal(p *process, signal syscall.Signal) {
	if err := p.cmd.Process.Signal(signal); err != nil {
		s.Fatal(err)
	}
}

// while waits for up to so long.
func (s *sabotage) while(most time.Duration) {
	<-time.After(time.Duration(s.random.Int64N(int64(most))))
}

// goroutines returns how many goroutines each process has.
func (s *sabotage) goroutines() []float64 {
	var all []float64
	for _, at := range s.metrics {
		all = append(all, metric(s, at, "go_goroutines"))
	}
	return all
}

// calmsDown waits until each process has about as many goroutines as it had before anybody called it.
func (s *sabotage) calmsDown(before []float64) {
	const more = 60 // connections to databases, and those of callers that are kept open
	var now []float64
	for end := time.Now().Add(patience); time.Now().Before(end); <-time.After(100 * time.Millisecond) {
		now = s.goroutines()
		grown := false
		for i := range now {
			grown = grown || now[i] > before[i]+more
		}
		if !grown {
			s.Logf("goroutines: before %v, after %v", before, now)
			return
		}
	}
	s.Errorf("goroutines are left: before %v, after %v", before, now)
}

// race has callers race for the moves of one game after the other until the siege ends.
func (s *siege) race(server *apart) {
	host := s.guest(overGRPC{dial(s.t, server.addrs["game"])})
	var ways []caller
	for i := range 4 {
		if i%2 == 0 {
			ways = append(ways, stubborn{overGRPC{dial(s.t, server.addrs["game"])}})
		} else {
			ways = append(ways, stubborn{newREST(s.t, server.addrs["http"])})
		}
	}
	for !s.ending.Load() {
		r := &race{T: s.t, game: host.create(hexagon(3), callers(), callers()).GetId(), begin: time.Now()}
		var racing sync.WaitGroup
		for client, way := range ways {
			racing.Go(func() {
				r.run(client, func(method string, in, out proto.Message) error {
					return way.call(context.Background(), host.key, method, in, out)
				})
			})
		}
		racing.Wait()
		r.check(host.player)
		s.races.Add(1)
	}
}

// watch watches one game of robots after the other until the siege ends, going away now and then, and misses nothing.
func (s *siege) watch(name string, w watcher, server *apart) {
	b := s.guest(overGRPC{dial(s.t, server.addrs["game"])})
	for !s.ending.Load() {
		id := b.create(hexagon(5), robotOf(""), robotOf("")).GetId()
		j := &joinedLog{}
		for late := time.Now().Add(4 * patience); !j.over; {
			if time.Now().After(late) {
				s.t.Errorf("%s: game %s does not end", name, id)
				return
			}
			j.read(s.t, w, b.player, id, b.random.IntN(40))
		}
		j.check(s.t, name, b.ended(id))
		s.watched.Add(1)
	}
}

// TestARobotsTurnIsTakenOverFromAProcessThatDies kills the process that works on it, and takes the time.
func TestARobotsTurnIsTakenOverFromAProcessThatDies(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	once := provider(func(ctx context.Context, in *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
		if asked.Add(1) == 1 {
			return silent(ctx, in)
		}
		return first(ctx, in)
	})
	const lease = 3 * time.Second
	server := newApart(t, pgtest.Database(t), "--strategy-provider", "once="+once.serve(t), "--robot-patience", "1h",
		"--robot-lease", lease.String())
	var running []*process
	for _, m := range server.members {
		running = append(running, runRole(t, m.role, m.args))
	}
	server.awaitReady(t, 200)
	ann := server.join(t)
	g := ann.create(t, hexagon(2), robotOf("once"), callers())
	server.awaitMetric(t, "flipside_robots_at_work 1")
	<-time.After(2 * lease) // The lease is renewed while the process lives.
	if asked.Load() != 1 {
		t.Errorf("the robot was asked %d times while it was waited for", asked.Load())
	}
	for i, m := range server.members {
		if m.role == app.Game && metric(t, server.metrics[i], "flipside_robots_at_work") == 1 {
			running[i].kill()
		}
	}
	dead := time.Now()
	rest := &player{key: ann.key, via: stubborn{newREST(t, server.addrs["http"])}}
	if m := rest.waitFor(t, g.GetId(), g.GetVersion()).GetMovePlayed(); m.GetAutomatic() {
		t.Errorf("the turn was not taken over: %v", m)
	}
	took := time.Since(dead)
	t.Logf("the turn was taken over after %v", took)
	if took > lease+5*time.Second {
		t.Errorf("it took %v", took)
	}
}
