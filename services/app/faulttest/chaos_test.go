//go:build !race

package faulttest

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
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

// Flags of the chaos test: go test ./services/app/faulttest -run Chaos -faults 10m -timeout 20m
var (
	chaosTime = flag.Duration("faults", 20*time.Second, "duration of the chaos test")
	chaosSeed = flag.Uint64("seed", 0, "seed of the faults of the chaos test; 0 for a random seed")
)

// TestChaos kills, pauses and stops processes of a cluster at random, and NATS and PostgreSQL too,
// while clients play, race and watch over gRPC and REST. Clients retry every call with its request
// id, often at another process.
func TestChaos(t *testing.T) {
	t.Parallel()
	duration := *chaosTime
	if testing.Short() {
		duration = min(duration, 5*time.Second)
	}
	postgres, database := pgtest.Start(t)
	server := newCluster(t, database, "--robot-lease", "1s", "--heartbeat-interval", "1s")
	seed := cmp.Or(*chaosSeed, uint64(time.Now().UnixNano()))
	t.Logf("repeat with -seed %d", seed)
	faults := &faults{
		T: t, cluster: server, postgres: postgres, random: rand.New(rand.NewPCG(seed, 1)), count: map[string]int{},
	}
	faults.running = server.run(t)
	before := faults.goroutines()

	load, host := startLoad(t, 16, server.addrs["game"], server.addrs["http"])
	load.running.Go(func() { load.race(server) })
	for name, w := range watchers(t, server.addrs["game"], server.addrs["http"]) {
		load.running.Go(func() { load.watch(name, w, server) })
	}
	for end := time.Now().Add(duration); time.Now().Before(end); {
		host.createRobotGame()
		faults.inject()
	}
	load.stop()
	t.Logf("faults: %v", faults.count)
	if load.moves.Load() == 0 || load.races.Load() == 0 || load.watched.Load() == 0 {
		t.Error("the clients did not play, race and watch")
	}
	faults.checkGoroutines(before)
}

// faults injects faults into a cluster.
type faults struct {
	*testing.T
	*cluster
	running  []*process
	postgres *pgtest.Server
	random   *rand.Rand
	count    map[string]int
}

// inject injects a fault and repairs it after a while.
func (f *faults) inject() {
	i := f.random.IntN(len(f.running))
	p, m := f.running[i], f.members[i]
	fault := ""
	switch f.random.IntN(9) {
	case 0, 1, 2:
		fault = fmt.Sprintf("%s killed", m.role)
		p.kill()
		f.pause(time.Second)
		f.running[i] = runRole(f, m.role, m.args)
	case 3, 4, 5:
		fault = fmt.Sprintf("%s paused", m.role)
		f.signal(p, syscall.SIGSTOP)
		f.pause(3 * time.Second)
		f.signal(p, syscall.SIGCONT)
	case 6:
		fault = "NATS stopped"
		f.nats.Stop()
		f.pause(3 * time.Second)
		f.nats.Start(f)
	case 7:
		fault = "PostgreSQL stopped"
		if err := f.postgres.Stop(); err != nil {
			f.Fatal(err)
		}
		f.pause(time.Second)
		if err := f.postgres.Start(context.Background()); err != nil {
			f.Fatal(err)
		}
	case 8:
		fault = fmt.Sprintf("%s stopped", m.role)
		p.checkStop(f, waitTimeout)
		f.running[i] = runRole(f, m.role, m.args)
	}
	f.count[fault]++
	for _, proxy := range f.proxies {
		proxy.cut()
	}
	f.pause(time.Second)
}

func (f *faults) signal(p *process, signal syscall.Signal) {
	if err := p.cmd.Process.Signal(signal); err != nil {
		f.Fatal(err)
	}
}

// pause waits for a random time up to a limit.
func (f *faults) pause(limit time.Duration) {
	<-time.After(time.Duration(f.random.Int64N(int64(limit))))
}

// goroutines returns the number of goroutines of each process.
func (f *faults) goroutines() []float64 {
	var all []float64
	for _, addr := range f.metrics {
		all = append(all, metric(f, addr, "go_goroutines"))
	}
	return all
}

// checkGoroutines waits until each process has about as many goroutines as before the load.
func (f *faults) checkGoroutines(before []float64) {
	const tolerance = 60 // Open connections to databases and of clients.
	leaked := func(now, before float64) bool { return now > before+tolerance }
	var now []float64
	for end := time.Now().Add(waitTimeout); time.Now().Before(end); <-time.After(100 * time.Millisecond) {
		now = f.goroutines()
		if slices.EqualFunc(now, before, func(now, before float64) bool { return !leaked(now, before) }) {
			f.Logf("goroutines before %v, after %v", before, now)
			return
		}
	}
	f.Errorf("goroutines leaked: before %v, after %v", before, now)
}

// race races for the moves of one game after the other until the load ends.
func (l *load) race(server *cluster) {
	host := l.newClient(overGRPC{dial(l.t, server.addrs["game"])})
	var callers []caller
	for range 2 {
		callers = append(callers, retrying{overGRPC{dial(l.t, server.addrs["game"])}},
			retrying{newREST(l.t, server.addrs["http"])})
	}
	for !l.ending.Load() {
		r := &race{T: l.t, game: host.create(hexagon(3), callerSeat(), callerSeat()).GetId(), begin: time.Now()}
		var racing sync.WaitGroup
		for client, via := range callers {
			racing.Go(func() {
				r.run(client, func(method string, in, out proto.Message) error {
					return via.call(context.Background(), host.key, method, in, out)
				})
			})
		}
		racing.Wait()
		r.check(host.player)
		l.races.Add(1)
	}
}

// watch watches one game of robots after the other until the load ends. It resumes the stream many
// times and checks that no event is missing.
func (l *load) watch(name string, w watcher, server *cluster) {
	c := l.newClient(overGRPC{dial(l.t, server.addrs["game"])})
	for !l.ending.Load() {
		id := c.create(hexagon(5), robotSeat(""), robotSeat("")).GetId()
		received := &receivedLog{}
		for end := time.Now().Add(4 * waitTimeout); !received.over; {
			if time.Now().After(end) {
				l.t.Errorf("%s: game %s does not end", name, id)
				return
			}
			received.read(l.t, w, c.player, id, c.random.IntN(40))
		}
		received.check(l.t, name, c.finishedLog(id))
		l.watched.Add(1)
	}
}

// The test kills the process that works on a robot's turn and measures the time until another
// process plays the move.
func TestARobotsTurnFailsOver(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	silentOnce := provider(func(ctx context.Context, in *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
		if calls.Add(1) == 1 {
			return neverAnswer(ctx, in)
		}
		return firstMove(ctx, in)
	})
	const lease = 3 * time.Second
	server := newCluster(t, pgtest.Database(t), "--strategy-provider", "once="+silentOnce.serve(t),
		"--robot-grace-period", "1h", "--robot-lease", lease.String())
	running := server.run(t)
	ann := server.join(t)
	g := ann.create(t, hexagon(2), robotSeat("once"), callerSeat())
	server.awaitMetric(t, "flipside_robots_at_work 1")
	<-time.After(2 * lease) // The process renews the lease.
	if calls.Load() != 1 {
		t.Errorf("the provider got %d calls before the fault, want 1", calls.Load())
	}
	for i, m := range server.members {
		if m.role == app.Game && metric(t, server.metrics[i], "flipside_robots_at_work") == 1 {
			running[i].kill()
		}
	}
	killed := time.Now()
	rest := &player{key: ann.key, via: retrying{newREST(t, server.addrs["http"])}}
	if m := rest.awaitEvent(t, g.GetId(), g.GetVersion()).GetMovePlayed(); m.GetAutomatic() {
		t.Errorf("the server played an automatic move instead of the robot: %v", m)
	}
	took := time.Since(killed)
	t.Logf("the failover took %v", took)
	if took > lease+5*time.Second {
		t.Errorf("the failover took %v, want at most %v", took, lease+5*time.Second)
	}
}
