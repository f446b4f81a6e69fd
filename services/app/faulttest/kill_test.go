//go:build !race

package faulttest

import (
	"path/filepath"
	"testing"
)

// The test kills the daemon with SIGKILL many times and restarts it on the same file, while clients
// play over gRPC and REST.
func TestKillingTheDaemonLosesNoMove(t *testing.T) {
	t.Parallel()
	clients, kills := 32, 10
	if testing.Short() {
		clients, kills = 8, 3
	}
	data := filepath.Join(t.TempDir(), "games.db")
	args := []string{"--robot-lease", "1s"}
	server := run(t, data, args...)
	game, rest := newProxy(t, server.addrs["game"]), newProxy(t, server.addrs["http"])
	load, host := startLoad(t, clients, game.addr(), rest.addr())
	for range kills {
		host.createRobotGame()
		load.awaitMoves(10 * clients)
		server.kill()
		server = run(t, data, args...)
		game.setTargets(server.addrs["game"])
		rest.setTargets(server.addrs["http"])
	}
	load.stop()
	server.checkStop(t, waitTimeout)
	verify(t, data)
}
