package faulttest

import (
	"net/netip"
	"slices"
	"testing"

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
		"--database-url", database, "--nats-url", a.nats.URL(), "--call-rate", "1000000",
		"--strategy-target", dnstest.Serve(t, strategyPort, strategies...), "--game-target", dnstest.Serve(t, gamePort, games...),
	}, args...)
	for i, role := range []app.Role{app.Strategy, app.Strategy, app.Game, app.Game, app.Gateway} {
		at := func(port string) string { return on(port, hosts[i])[0] }
		a.members = append(a.members, member{role, append(slices.Clone(args),
			"--http-addr", at(httpPort), "--game-addr", at(gamePort), "--strategy-addr", at(strategyPort), "--metrics-addr", at(metricsPort))})
	}
	a.ways = [2]*proxy{between(t, on(gamePort, games...)...), between(t, on(strategyPort, strategies...)...)}
	a.addrs = map[string]string{"http": on(httpPort, front)[0], "game": a.ways[0].addr(), "strategy": a.ways[1].addr()}
	a.data, a.metrics, a.oneGame = database, on(metricsPort, hosts...), on(gamePort, games...)[0]
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
	a := newApart(t, pgtest.Database(t), args...)
	for _, m := range a.members {
		startRole(t, m.role, m.args)
	}
	a.awaitReady(t, 200)
	return &a.daemon
}
