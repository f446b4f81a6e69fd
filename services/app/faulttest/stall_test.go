//go:build !race

package faulttest

import (
	"flag"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/app"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
)

// stallTime can be longer: go test ./services/app/faulttest -run StoppedProcess -stall 60s
var stallTime = flag.Duration("stall", 2*time.Second, "duration of the stop of a process")

// The test stops one of two processes with SIGSTOP while both play, and checks that the other one
// goes on playing.
func TestStoppedProcessDelaysNoOther(t *testing.T) {
	data := pgtest.Database(t)
	args := []string{"--call-rate", "1000000", "--player-rate", "1000000", "--robot-lease", "1s"}
	stopped, healthy := run(t, data, args...), run(t, data, args...)
	load, _ := startLoad(t, 4, stopped.addrs["game"], stopped.addrs["http"])
	load.awaitMoves(30)
	if err := stopped.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	gap := healthy.longestGap(t, *stallTime)
	if err := stopped.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	load.awaitMoves(30)
	load.stop()
	if gap > time.Second {
		t.Errorf("the other process played no move for %v", gap)
	}
	t.Logf("longest gap between moves: %v", gap)
}

// longestGap plays games of several players for a while and returns the longest time between two
// moves.
func (d *daemon) longestGap(t *testing.T, duration time.Duration) (longest time.Duration) {
	t.Helper()
	var mu sync.Mutex
	var playing sync.WaitGroup
	begin := time.Now()
	last := begin
	for range 4 {
		p := d.join(t)
		playing.Go(func() {
			g := p.create(t, hexagon(5), callerSeat(), callerSeat())
			for time.Since(begin) < duration {
				if g = p.move(t, g.GetId()); g.GetTurn() == nil {
					g = p.create(t, hexagon(5), callerSeat(), callerSeat())
				}
				mu.Lock()
				now := time.Now()
				longest, last = max(longest, now.Sub(last)), now
				mu.Unlock()
			}
		})
	}
	playing.Wait()
	return max(longest, time.Since(last))
}

// The test stops all processes of PostgreSQL with SIGSTOP while clients play. Connections stay
// open, but nothing is answered. Calls must fail in limited time.
func TestSilentPostgres(t *testing.T) {
	t.Parallel()
	postgres, address := pgtest.Start(t)
	address += "&connect_timeout=1"
	server := run(t, address, "--call-rate", "1000000", "--player-rate", "1000000")
	load, host := startLoad(t, 4, server.addrs["game"], server.addrs["http"])
	load.awaitMoves(30)
	ann := server.join(t)
	g := ann.create(t, hexagon(2), callerSeat(), callerSeat())
	moves, err := ann.legal(t.Context(), g.GetId())
	if err != nil {
		t.Fatal(err)
	}
	host.createRobotGame()

	if err := postgres.Pause(); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	move := &gamev1.PlayMoveRequest{
		GameId: g.GetId(), Notation: moves[0], RequestId: uuid.NewString(),
	}
	err = ann.via.call(t.Context(), ann.key, "PlayMove", move, &gamev1.PlayMoveResponse{})
	if took := time.Since(begin); took > waitTimeout {
		t.Errorf("the call failed after %v", took)
	}
	if err := postgres.Resume(); err != nil {
		t.Fatal(err)
	}
	checkError(t, err, codes.Unavailable, "STORE_UNAVAILABLE")

	eventually(t, func() error {
		return ann.via.call(t.Context(), ann.key, "PlayMove", move, &gamev1.PlayMoveResponse{})
	})
	if got := ann.get(t, g.GetId()); got.GetVersion() != g.GetVersion()+1 {
		t.Errorf("the game is at version %d, want %d", got.GetVersion(), g.GetVersion()+1)
	}
	load.awaitMoves(30)
	load.stop()
	server.checkStop(t, waitTimeout)
	verify(t, address)
}

// The test replaces each Game process of a cluster, one after the other, while clients play and
// watch.
func TestRollingUpgrade(t *testing.T) {
	t.Parallel()
	server := newCluster(t, pgtest.Database(t), "--robot-lease", "1s", "--heartbeat-interval", "1s")
	running := server.run(t)
	load, host := startLoad(t, 4, server.addrs["game"], server.addrs["http"])
	for name, w := range watchers(t, server.addrs["game"], server.addrs["http"]) {
		load.running.Go(func() { load.watch(name, w, server) })
	}
	for i, m := range server.members {
		if m.role != app.Game {
			continue
		}
		host.createRobotGame()
		load.awaitMoves(30)
		running[i].checkStop(t, waitTimeout)
		load.awaitMoves(30)
		running[i] = runRole(t, m.role, m.args)
	}
	load.awaitMoves(30)
	load.stop()
	if load.watched.Load() == 0 {
		t.Error("no client watched a game to its end")
	}
}
