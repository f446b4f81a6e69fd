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

// apart is a server that is many processes, each on a host of its own: two of Strategy and two of Game, which find each other
// by name, and a gateway.
type apart struct {
	daemon
	nats    *natstest.Server
	members []member
	// otherGame is where the second process of Game listens; the first one is oneGame.
	otherGame string
	// ways lead to the processes of Game and to those of Strategy.
	ways [2]*proxy
}

// member is one of the processes, and how it is started.
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

// newApart prepares a server on an empty database. It starts NATS, and none of the members.
func newApart(t testing.TB, database string, args ...string) *apart {
	t.Helper()
	if err := sqlstore.Migrate(t.Context(), database); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { verify(t, database) })
	hosts := dnstest.Hosts(t, 5)
	strategies, games, front := hosts[:2], hosts[2:4], hosts[4]
	a := &apart{nats: natstest.Start(t, nil)}
	args = append([]string{
		"--database-url", database, "--nats-url", a.nats.URL(), "--call-rate", "1000000", "--player-rate", "1000000",
		"--strategy-target", dnstest.Serve(t, strategyPort, strategies...), "--game-target", dnstest.Serve(t, gamePort, games...),
	}, args...)
	for i, role := range []app.Role{app.Strategy, app.Strategy, app.Game, app.Game, app.Gateway} {
		at := func(port string) string { return on(port, hosts[i])[0] }
		a.members = append(a.members, member{role, append(slices.Clone(args),
			"--http-addr", at(httpPort), "--game-addr", at(gamePort), "--strategy-addr", at(strategyPort), "--metrics-addr", at(metricsPort))})
	}
	a.ways = [2]*proxy{between(t, on(gamePort, games...)...), between(t, on(strategyPort, strategies...)...)}
	a.addrs = map[string]string{"http": on(httpPort, front)[0], "game": a.ways[0].addr(), "strategy": a.ways[1].addr()}
	a.data, a.metrics = database, on(metricsPort, hosts...)
	a.oneGame, a.otherGame = on(gamePort, games...)[0], on(gamePort, games...)[1]
	return a
}

// on returns the addresses of a port on hosts.
func on(port string, hosts ...netip.Addr) []string {
	var addrs []string
	for _, host := range hosts {
		addrs = append(addrs, host.String()+":"+port)
	}
	return addrs
}

// startApart starts a server of many in this process. It is stopped when the test ends, and its store is looked through.
func startApart(t *testing.T, args ...string) *daemon {
	t.Helper()
	return startApartOn(t, pgtest.Database(t), args...)
}

// startApartOn does so on a database.
func startApartOn(t *testing.T, database string, args ...string) *daemon {
	t.Helper()
	return newApart(t, database, args...).start(t)
}

// start starts all members in this process, until the test ends.
func (a *apart) start(t *testing.T) *daemon {
	t.Helper()
	for _, m := range a.members {
		startRole(t, m.role, m.args)
	}
	a.awaitReady(t, http.StatusOK)
	return &a.daemon
}

// TestWhatHappensInOneProcessIsToldInTheOthers moves in one process of Game what is waited for in the other, in each way there
// is to wait. Nothing is told by heartbeats here: they come once an hour.
func TestWhatHappensInOneProcessIsToldInTheOthers(t *testing.T) {
	t.Parallel()
	a := newApart(t, pgtest.Database(t), "--heartbeat-interval", "1h")
	a.start(t)
	here, there := a.join(t), a.join(t)
	here.via, there.via = overGRPC{dial(t, a.oneGame)}, overGRPC{dial(t, a.otherGame)}
	there.id, there.key = here.id, here.key
	g := here.create(t, hexagon(3), callers(), callers())
	games, err := here.games().WatchGame(here.ctx(t.Context()), &gamev1.WatchGameRequest{GameId: g.GetId()})
	if err != nil {
		t.Fatal(err)
	}
	turns, err := here.games().WatchTurns(here.ctx(t.Context()), &gamev1.WatchTurnsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	told := func(version int32) {
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
	told(g.GetVersion())
	// moves has the other process move, and returns how long it took until all were told here.
	moves := func() time.Duration {
		t.Helper()
		polled := make(chan *gamev1.Event, 1)
		go func() { polled <- here.waitFor(t, g.GetId(), g.GetVersion()) }()
		a.awaitMetric(t, `flipside_calls_in_flight{service="game"} 1`)
		start := time.Now()
		g = there.move(t, g.GetId())
		told(g.GetVersion())
		if e := <-polled; e.GetVersion() != g.GetVersion() {
			t.Errorf("the long poll told version %d, not %d", e.GetVersion(), g.GetVersion())
		}
		return time.Since(start)
	}
	t.Logf("with NATS they were told after %v", moves())
	a.nats.Stop()
	t.Logf("without NATS they were told after %v", moves())
	t.Logf("and then after %v", moves())
	a.nats.Start(t)
	a.awaitMetric(t, "flipside_feed_connected 2")
	t.Logf("with NATS again they were told after %v", moves())
}
