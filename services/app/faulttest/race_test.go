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

// step is what one caller did to a game: look at its version, or, with an expected version, play a move.
type step struct{ expected int32 }

// seen is what came of it: the version of the game, and whether the move was played.
type seen struct {
	version int32
	played  bool
}

// oneAfterTheOther is a game as somebody sees it who is alone: a move is played exactly if the game is at the version that
// its player expects.
var oneAfterTheOther = porcupine.Model{
	Init: func() any { return int32(2) },
	Step: func(state, input, output any) (bool, any) {
		version, in, out := state.(int32), input.(step), output.(seen)
		if out.played {
			return version == in.expected, out.version
		}
		return version != in.expected && version == out.version, version
	},
}

// TestMovesAtTheSameTimeAreAsIfOneCameAfterTheOther has callers race for every move of a game, by gRPC and REST.
func TestMovesAtTheSameTimeAreAsIfOneCameAfterTheOther(t *testing.T) {
	t.Parallel()
	inEach(t, movesAtTheSameTimeAreAsIfOneCameAfterTheOther)
}

func movesAtTheSameTimeAreAsIfOneCameAfterTheOther(t *testing.T, start starter) {
	server := start(t)
	ann := server.join(t)
	r := &race{T: t, game: ann.create(t, hexagon(3), callers(), callers()).GetId(), begin: time.Now()}
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

// race is a game that callers race for every move of. What each of them sees is noted.
type race struct {
	*testing.T
	game    string
	begin   time.Time
	mu      sync.Mutex
	history []porcupine.Operation
}

// run plays as one of the callers until the game is over. call makes calls until they are answered.
func (r *race) run(client int, call func(method string, in, out proto.Message) error) {
	for {
		var now gamev1.GetGameResponse
		r.note(client, step{}, func() (seen, error) {
			err := call("GetGame", &gamev1.GetGameRequest{GameId: r.game}, &now)
			return seen{version: now.GetGame().GetVersion()}, err
		})
		if now.GetGame().GetTurn() == nil {
			return
		}
		var legal gamev1.ListLegalMovesResponse
		if err := call("ListLegalMoves", &gamev1.ListLegalMovesRequest{GameId: r.game}, &legal); err != nil || len(legal.GetMoves()) == 0 {
			continue // It has ended meanwhile.
		}
		in := &gamev1.PlayMoveRequest{
			GameId: r.game, Notation: legal.GetMoves()[0].GetNotation(), ExpectedVersion: now.GetGame().GetVersion(),
			RequestId: uuid.NewString(),
		}
		r.note(client, step{in.GetExpectedVersion()}, func() (seen, error) {
			var out gamev1.PlayMoveResponse
			err := call("PlayMove", in, &out)
			if version, other := mismatch(err); other {
				return seen{version: version}, nil
			}
			return seen{version: out.GetGame().GetVersion(), played: true}, err
		})
	}
}

// note notes what a caller did, when, and what came of it.
func (r *race) note(client int, in step, do func() (seen, error)) {
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

// check looks for an order in which each of the callers could have seen what he saw.
func (r *race) check(p *player) {
	r.Helper()
	if log := p.log(r, r.game); log[len(log)-1].GetFinished() == nil {
		r.Errorf("game %s is at version %d", r.game, len(log))
	}
	if !porcupine.CheckOperations(oneAfterTheOther, r.history) {
		r.Errorf("what the callers saw of game %s fits no order of their moves: %+v", r.game, r.history)
	}
}

// mismatch returns the version that a game is at, if an error says that it is not at the one expected.
func mismatch(err error) (version int32, ok bool) {
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
