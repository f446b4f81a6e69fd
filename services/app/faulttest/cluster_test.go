package faulttest

import (
	"net/http"
	"net/netip"
	"slices"
	"testing"
	"time"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/app"
	"github.com/flipside-games/flipside/services/game/natsfeed/natstest"
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
	"github.com/flipside-games/flipside/services/internal/dnstest"
)

// cluster is a server of five processes with one host each: two of Strategy and two of Game, which
// find each other by DNS, and a gateway. They share PostgreSQL and NATS.
type cluster struct {
	daemon
	nats    *natstest.Server
	members []member
	// secondGame is the address of the second Game process; firstGame is that of the first.
	secondGame string
	// proxies lead clients to the Game and the Strategy processes, round robin.
	proxies [2]*proxy
}

// member is the role and the arguments of a process.
type member struct {
	role app.Role
	args []string
}

// The ports are the same on every host.
const (
	httpPort     = "8080"
	gamePort     = "9090"
	strategyPort = "9091"
	metricsPort  = "9092"
)

// newCluster prepares a cluster on an empty database. It starts NATS, but no process of the
// cluster.
func newCluster(t testing.TB, database string, args ...string) *cluster {
	t.Helper()
	return newClusterOnAll(t, []string{database}, args...)
}

// newClusterOnAll is newCluster on several databases.
func newClusterOnAll(t testing.TB, databases []string, args ...string) *cluster {
	t.Helper()
	for i, database := range databases {
		if err := sqlstore.Migrate(t.Context(), database); err != nil {
			t.Fatal(err)
		}
		shard := sqlstore.Shard{Number: i, Count: len(databases)}
		t.Cleanup(func() { verifyShard(t, database, shard) })
		args = append(args, "--database-url", database)
	}
	hosts := dnstest.Hosts(t, 5)
	strategies, games, gateway := hosts[:2], hosts[2:4], hosts[4]
	c := &cluster{nats: natstest.Start(t, nil)}
	args = append([]string{
		"--nats-url", c.nats.URL(),
		"--call-rate", "1000000", "--player-rate", "1000000",
		"--strategy-target", dnstest.Serve(t, strategyPort, strategies...),
		"--game-target", dnstest.Serve(t, gamePort, games...),
	}, args...)
	for i, role := range []app.Role{app.Strategy, app.Strategy, app.Game, app.Game, app.Gateway} {
		addr := func(port string) string { return addrs(port, hosts[i])[0] }
		c.members = append(c.members, member{role, append(slices.Clone(args),
			"--http-addr", addr(httpPort), "--game-addr", addr(gamePort),
			"--strategy-addr", addr(strategyPort), "--metrics-addr", addr(metricsPort))})
	}
	c.proxies = [2]*proxy{
		newProxy(t, addrs(gamePort, games...)...), newProxy(t, addrs(strategyPort, strategies...)...),
	}
	c.addrs = map[string]string{
		"http": addrs(httpPort, gateway)[0], "game": c.proxies[0].addr(), "strategy": c.proxies[1].addr(),
	}
	c.data, c.metrics = databases[0], addrs(metricsPort, hosts...)
	c.firstGame, c.secondGame = addrs(gamePort, games...)[0], addrs(gamePort, games...)[1]
	return c
}

// addrs returns the addresses of a port on hosts.
func addrs(port string, hosts ...netip.Addr) []string {
	var all []string
	for _, host := range hosts {
		all = append(all, host.String()+":"+port)
	}
	return all
}

// startCluster starts a cluster on two databases within the test process until the test ends, and
// then verifies its store.
func startCluster(t *testing.T, args ...string) *daemon {
	t.Helper()
	databases := []string{pgtest.Database(t), pgtest.Database(t)}
	return newClusterOnAll(t, databases, args...).start(t)
}

// startClusterOn is like startCluster, on one database.
func startClusterOn(t *testing.T, database string, args ...string) *daemon {
	t.Helper()
	return newCluster(t, database, args...).start(t)
}

// start starts all members within the test process until the test ends.
func (c *cluster) start(t *testing.T) *daemon {
	t.Helper()
	for _, m := range c.members {
		startRole(t, m.role, m.args)
	}
	c.awaitReady(t, http.StatusOK)
	return &c.daemon
}

// run starts all members as processes of their own.
func (c *cluster) run(t *testing.T) []*process {
	t.Helper()
	var running []*process
	for _, m := range c.members {
		running = append(running, runRole(t, m.role, m.args))
	}
	c.awaitReady(t, http.StatusOK)
	return running
}

// The test plays in one Game process and waits in the other one, in every way to wait. Heartbeats
// are too rare to deliver anything.
func TestEventsReachOtherProcesses(t *testing.T) {
	t.Parallel()
	c := newCluster(t, pgtest.Database(t), "--heartbeat-interval", "1h")
	c.start(t)
	watcher := c.join(t)
	watcher.via = overGRPC{dial(t, c.firstGame)}
	mover := &player{id: watcher.id, key: watcher.key, via: overGRPC{dial(t, c.secondGame)}}
	g := watcher.create(t, hexagon(3), callerSeat(), callerSeat())
	games, err := watcher.games().WatchGame(watcher.ctx(t.Context()), &gamev1.WatchGameRequest{GameId: g.GetId()})
	if err != nil {
		t.Fatal(err)
	}
	turns, err := watcher.games().WatchTurns(watcher.ctx(t.Context()), &gamev1.WatchTurnsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	awaitStreams := func(version int32) {
		t.Helper()
		for got := int32(0); got < version; {
			m, err := games.Recv()
			if err != nil {
				t.Fatal(err)
			}
			got = m.GetVersion()
		}
		for got := int32(0); got < version; {
			m, err := turns.Recv()
			if err != nil {
				t.Fatal(err)
			}
			got = m.GetTurn().GetVersion()
		}
	}
	awaitStreams(g.GetVersion())
	// move plays a move and returns the time until the streams and a long poll have delivered it.
	move := func() time.Duration {
		t.Helper()
		polled := make(chan *gamev1.Event, 1)
		go func() { polled <- watcher.awaitEvent(t, g.GetId(), g.GetVersion()) }()
		c.awaitMetric(t, `flipside_calls_in_flight{service="game"} 1`)
		start := time.Now()
		g = mover.move(t, g.GetId())
		awaitStreams(g.GetVersion())
		if e := <-polled; e.GetVersion() != g.GetVersion() {
			t.Errorf("the long poll returned version %d, want %d", e.GetVersion(), g.GetVersion())
		}
		return time.Since(start)
	}
	t.Logf("delay with NATS: %v", move())
	c.nats.Stop()
	t.Logf("delay without NATS: %v, then %v", move(), move())
	c.nats.Start(t)
	c.awaitMetric(t, "flipside_feed_connected 2")
	t.Logf("delay with NATS again: %v", move())
}
