package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/procfs"
	"google.golang.org/grpc/metadata"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/wire"
)

// process is a server in a process of its own, with connections to it. Its log goes to a file.
type process struct {
	network
	cmd        *exec.Cmd
	grpc, http string // addresses
}

// start starts a program and returns when it listens. args returns its arguments. The process ends
// with the scope.
func (b *bench) start(ctx context.Context, program string, args func(*process) []string) *process {
	p := &process{grpc: freeAddr(ctx), http: freeAddr(ctx)}
	log := must(os.CreateTemp(b.dir, "log-"))
	defer log.Close()
	//nolint:gosec // This program, or the one that its user names.
	p.cmd = exec.CommandContext(ctx, program, args(p)...)
	p.cmd.Stdout, p.cmd.Stderr = log, os.Stderr
	check(p.cmd.Start())
	b.cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	})
	p.network = b.dial(p.grpc, connections)
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", p.grpc)
		if err == nil {
			_ = conn.Close()
			return p
		}
		if time.Now().After(deadline) {
			check(fmt.Errorf("%s does not listen on %s: %w", program, p.grpc, err))
		}
	}
}

// freeAddr returns an address on which no program listens.
func freeAddr(ctx context.Context) string {
	lis := must((&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0"))
	defer lis.Close()
	return lis.Addr().String()
}

// memory returns the resident memory of the process in bytes.
func (p *process) memory() float64 { return float64(p.stat().ResidentMemory()) }

// cpu returns the processor time that the process has used, in microseconds; 0 for no process.
func (p *process) cpu() float64 {
	if p == nil {
		return 0
	}
	return 1e6 * p.stat().CPUTime()
}

func (p *process) stat() procfs.ProcStat {
	return must(must(procfs.NewProc(p.cmd.Process.Pid)).Stat())
}

// product is a running daemon with a player for every caller.
type product struct {
	*process
	game    gamev1.GameServiceClient // decodes responses, unlike the calls that are measured
	players []*player
}

// startProduct starts the daemon with default settings, except for free ports, its own database and
// high limits per key.
func (b *bench) startProduct(ctx context.Context, database string, more ...string) *product {
	p := &product{process: b.start(ctx, b.daemon, func(p *process) []string {
		return append([]string{"--http-addr", p.http, "--game-addr", p.grpc,
			"--strategy-addr", "127.0.0.1:0", "--metrics-addr", "",
			"--max-streams", "20000", "--call-rate", "1e6", "--player-rate", "1e6",
			"--database-url", database, "--migrate"}, more...)
	})}
	p.game = gamev1.NewGameServiceClient(p.network[0])
	players := gamev1.NewPlayerServiceClient(p.network[0])
	for caller := range callers {
		created := must(players.CreatePlayer(ctx, &gamev1.CreatePlayerRequest{}))
		key := "Bearer " + created.GetKey()
		calls := metadata.AppendToOutgoingContext(ctx, "authorization", key)
		p.players = append(p.players, &player{p, caller, key, calls, "", len(script())})
	}
	return p
}

// sqlite returns the URL of a new SQLite database, which has a folder of its own.
func (b *bench) sqlite() string {
	return "sqlite:" + filepath.Join(must(os.MkdirTemp(b.dir, "")), "games.db")
}

// player plays games of the script to the end, one after the other, one move per call.
type player struct {
	server        *product
	caller        int
	authorization string          // the header with the key
	ctx           context.Context // of the player's calls
	game          string
	next          int // index into the script
}

// create creates a game of 8x8 with the player on both seats.
func (p *player) create() error {
	seat := &gamev1.Seat{Holder: &gamev1.Seat_Caller_{Caller: &gamev1.Seat_Caller{}}}
	created, err := p.server.game.CreateGame(p.ctx, &gamev1.CreateGameRequest{
		Setup: wire.Setup(square8), Seats: []*gamev1.Seat{seat, seat},
	})
	p.game, p.next = created.GetGame().GetId(), 0
	return err
}

// play plays one move. At the start and after the end of a game it creates the next one first.
func (p *player) play() error {
	if p.next == len(script()) {
		if err := p.create(); err != nil {
			return err
		}
	}
	return p.server.call(p.ctx, p.caller, gamev1.GameService_PlayMove_FullMethodName, p.move())
}

// move returns the next move with a request id, as clients send it that may retry.
func (p *player) move() *gamev1.PlayMoveRequest {
	p.next++
	return &gamev1.PlayMoveRequest{
		GameId: p.game, Notation: script()[p.next-1], RequestId: uuid.NewString(),
	}
}

// script returns the moves of a whole game of 8x8. It is always the same game.
var script = sync.OnceValue(func() (moves []string) {
	random := rand.New(rand.NewPCG(1, 1)) //nolint:gosec // The same game each time.
	for p := startOf(square8); p.Turn() != rules.NoSide; {
		var move string
		p, move = playRandom(p, random)
		moves = append(moves, move)
	}
	return moves
})
