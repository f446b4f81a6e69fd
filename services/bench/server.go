//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// process is a server in a process of its own. Its log goes to a file.
type process struct {
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
func (p *process) memory() float64 {
	statm := must(os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.cmd.Process.Pid)))
	resident := must(strconv.ParseFloat(strings.Fields(string(statm))[1], 64))
	return resident * float64(os.Getpagesize())
}

// cpu returns the processor time that the process has used, in microseconds; 0 for no process.
func (p *process) cpu() float64 {
	if p == nil {
		return 0
	}
	stat := must(os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid)))
	// The name of the program, in parentheses, may contain spaces. A tick is 10 ms.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	return 10_000 * (must(strconv.ParseFloat(fields[11], 64)) + must(strconv.ParseFloat(fields[12], 64)))
}

// product is a running daemon with a player for every caller.
type product struct {
	*process
	game    gamev1.GameServiceClient // for calls that are not measured
	network network                  // for calls that are measured
	keys    []string
	as      []context.Context // the context of each caller's calls
}

// startProduct starts the daemon with default settings, except for free ports, its own data and high
// limits per key. data is the name of an SQLite file or a URL of PostgreSQL.
func (b *bench) startProduct(ctx context.Context, data string, more ...string) *product {
	store := []string{"--data", b.database(data)}
	if isPostgres(data) {
		store = []string{"--database-url", data, "--migrate"}
	}
	p := &product{process: b.start(ctx, b.daemon, func(p *process) []string {
		args := append(append([]string{"--http-addr", p.http, "--game-addr", p.grpc}, store...), more...)
		return append(args, "--strategy-addr", "127.0.0.1:0", "--metrics-addr", "",
			"--max-streams", "20000", "--call-rate", "1e6", "--player-rate", "1e6")
	})}
	conn := must(grpc.NewClient("passthrough:///"+p.grpc,
		grpc.WithTransportCredentials(insecure.NewCredentials())))
	b.cleanup(func() { _ = conn.Close() })
	p.game, p.network = gamev1.NewGameServiceClient(conn), b.dial(p.grpc, connections)
	players := gamev1.NewPlayerServiceClient(conn)
	for range callers {
		key := must(players.CreatePlayer(ctx, &gamev1.CreatePlayerRequest{})).GetKey()
		p.keys = append(p.keys, key)
		p.as = append(p.as, metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+key))
	}
	return p
}

func isPostgres(data string) bool { return strings.HasPrefix(data, "postgres:") }

// database returns data if it is a URL of PostgreSQL, and otherwise the path of the SQLite file
// with that name.
func (b *bench) database(data string) string {
	if isPostgres(data) {
		return data
	}
	return filepath.Join(b.dir, data)
}

// newGame creates a game of 8x8 with the caller on both seats.
func (p *product) newGame(caller int) (string, error) {
	seat := &gamev1.Seat{Holder: &gamev1.Seat_Caller_{Caller: &gamev1.Seat_Caller{}}}
	created, err := p.game.CreateGame(p.as[caller], &gamev1.CreateGameRequest{
		Setup: &rulesv1.Setup{Game: &rulesv1.Setup_Reversi{Reversi: &rulesv1.ReversiSetup{
			Board: &rulesv1.ReversiSetup_Square{Square: &rulesv1.SquareBoard{Side: 8}},
		}}},
		Seats: []*gamev1.Seat{seat, seat},
	})
	return created.GetGame().GetId(), err
}

// player plays games of the script to the end, one after the other, one move per call.
type player struct {
	product *product
	caller  int
	script  []string
	game    string
	next    int
}

// play plays one move. After the end of a game it creates the next one first.
func (p *player) play() (err error) {
	if p.next %= len(p.script); p.next == 0 {
		if p.game, err = p.product.newGame(p.caller); err != nil {
			return err
		}
	}
	return p.move()
}

// move plays the next move of the game.
func (p *player) move() error {
	request := encode(moveRequest(p.game, p.script[p.next]))
	p.next++
	const method = gamev1.GameService_PlayMove_FullMethodName
	return p.product.network.call(p.product.as[p.caller], p.caller, method, request)
}

// encode encodes a message that is valid.
func encode(m proto.Message) []byte { return must(proto.Marshal(m)) }

// moveRequest returns a move with a request id, as clients send it that may retry.
func moveRequest(game, notation string) *gamev1.PlayMoveRequest {
	return &gamev1.PlayMoveRequest{GameId: game, Notation: notation, RequestId: uuid.NewString()}
}

// script returns the moves of a whole game of 8x8. It is always the same game.
func script() []string {
	var moves []string
	random := rand.New(rand.NewPCG(1, 1)) //nolint:gosec // The same game each time.
	for g := newGame("", game.Seats{{Player: "ann"}, {Player: "bob"}}).Game; !g.State.Over(); {
		legal := g.Position.Legal()
		move := legal[random.IntN(len(legal))]
		moves = append(moves, g.Position.MoveNotation(move))
		g = must(g.Play(g.Seats.Of(g.Turn()).Player, move, 0, time.Now())).Game
	}
	return moves
}

// newGame creates a game of 8x8 without a server.
func newGame(id string, seats game.Seats) game.Decision {
	return must(game.Create(id, game.Created{
		Visibility: game.Public,
		Setup:      games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 8}},
		Seats:      seats,
	}, time.Now()))
}
