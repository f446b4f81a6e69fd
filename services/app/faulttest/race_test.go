package faulttest

import (
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/google/uuid"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// operation is a call: it plays a move at an expected version, or reads the version if expected is
// 0.
type operation struct{ expected int32 }

// result is the result of an operation: the version of the game, and whether the move was played.
type result struct {
	version int32
	played  bool
}

// sequentialGame is the model of a game with one caller: a move is played if and only if the game
// has the expected version.
var sequentialGame = porcupine.Model{
	Init: func() any { return int32(2) },
	Step: func(state, input, output any) (bool, any) {
		version, in, out := state.(int32), input.(operation), output.(result)
		if out.played {
			return version == in.expected, out.version
		}
		return version != in.expected && version == out.version, version
	},
}

// In the test, callers race for every move of a game, over gRPC and REST.
func TestConcurrentMovesAreLinearizable(t *testing.T) {
	inEach(t, testConcurrentMovesAreLinearizable)
}

func testConcurrentMovesAreLinearizable(t *testing.T, start starter) {
	server := start(t)
	ann := server.join(t)
	r := &race{T: t, game: ann.create(t, hexagon(3), callerSeat(), callerSeat()).GetId(), begin: time.Now()}
	var racing sync.WaitGroup
	for client := range 6 {
		var via caller = overGRPC{dial(t, server.addrs["game"])}
		if client%2 == 1 {
			via = newREST(t, server.addrs["http"])
		}
		racing.Go(func() {
			r.run(client, func(method string, in, out proto.Message) error {
				return via.call(t.Context(), ann.key, method, in, out)
			})
		})
	}
	racing.Wait()
	r.check(ann)
}

// race is a game in which callers race for every move, and the history of their operations.
type race struct {
	*testing.T
	game    string
	begin   time.Time
	mu      sync.Mutex
	history []porcupine.Operation
}

// run plays as one of the callers until the game ends.
func (r *race) run(client int, call func(method string, in, out proto.Message) error) {
	for {
		var now gamev1.GetGameResponse
		r.record(client, operation{}, func() (result, error) {
			err := call("GetGame", &gamev1.GetGameRequest{GameId: r.game}, &now)
			return result{version: now.GetGame().GetVersion()}, err
		})
		if now.GetGame().GetTurn() == nil {
			return
		}
		var legal gamev1.ListLegalMovesResponse
		if err := call("ListLegalMoves", &gamev1.ListLegalMovesRequest{GameId: r.game}, &legal); err != nil || len(legal.GetMoves()) == 0 {
			continue // The game has ended.
		}
		in := &gamev1.PlayMoveRequest{
			GameId: r.game, Notation: legal.GetMoves()[0].GetNotation(), ExpectedVersion: now.GetGame().GetVersion(),
			RequestId: uuid.NewString(),
		}
		r.record(client, operation{in.GetExpectedVersion()}, func() (result, error) {
			var out gamev1.PlayMoveResponse
			err := call("PlayMove", in, &out)
			if version, ok := currentVersion(err); ok {
				return result{version: version}, nil
			}
			return result{version: out.GetGame().GetVersion(), played: true}, err
		})
	}
}

// record records an operation of a caller with its times and its result.
func (r *race) record(client int, in operation, do func() (result, error)) {
	call := time.Since(r.begin)
	out, err := do()
	if err != nil {
		r.Errorf("game %s: %v", r.game, err)
		runtime.Goexit()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.history = append(r.history, porcupine.Operation{
		ClientId: client, Input: in, Call: int64(call), Output: out, Return: int64(time.Since(r.begin)),
	})
}

// check checks that the game has ended and that its history is linearizable.
func (r *race) check(p *player) {
	r.Helper()
	if log := p.log(r, r.game); log[len(log)-1].GetFinished() == nil {
		r.Errorf("game %s has not ended at version %d", r.game, len(log))
	}
	if !porcupine.CheckOperations(sequentialGame, r.history) {
		r.Errorf("the history of game %s is not linearizable: %+v", r.game, r.history)
	}
}

// currentVersion returns the version of the game from a VERSION_MISMATCH error.
func currentVersion(err error) (version int32, ok bool) {
	if _, reason := reasonOf(err); reason != "VERSION_MISMATCH" {
		return 0, false
	}
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok {
			current, _ := strconv.Atoi(info.GetMetadata()["currentVersion"])
			version = int32(current)
		}
	}
	return version, true
}
