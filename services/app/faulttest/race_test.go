package faulttest

import (
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/status"

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

// TestMovesAtTheSameTimeAreAsIfOneCameAfterTheOther has callers race for every move of a game, by gRPC and REST, and looks for
// an order in which each of them could have seen what he saw.
func TestMovesAtTheSameTimeAreAsIfOneCameAfterTheOther(t *testing.T) {
	server := start(t)
	ann := server.join(t)
	g := ann.create(t, hexagon(3), callers(), callers())
	var mu sync.Mutex
	var history []porcupine.Operation
	begin := time.Now()
	var racing sync.WaitGroup
	for client := range 6 {
		p := &player{key: ann.key, via: overGRPC{dial(t, server.addrs["game"])}}
		if client%2 == 1 {
			p.via = newREST(t, server.addrs["http"])
		}
		record := func(in step, do func() seen) seen {
			call := time.Since(begin)
			out := do()
			mu.Lock()
			defer mu.Unlock()
			history = append(history, porcupine.Operation{
				ClientId: client, Input: in, Call: int64(call), Output: out, Return: int64(time.Since(begin)),
			})
			return out
		}
		racing.Go(func() {
			for over := false; !over; {
				var now gamev1.GetGameResponse
				record(step{}, func() seen {
					if err := p.via.call(t.Context(), p.key, "GetGame", &gamev1.GetGameRequest{GameId: g.GetId()}, &now); err != nil {
						t.Error(err)
					}
					return seen{version: now.GetGame().GetVersion()}
				})
				moves, err := p.legal(t.Context(), g.GetId())
				if over = err != nil || now.GetGame().GetTurn() == nil; over || len(moves) == 0 {
					continue
				}
				version := now.GetGame().GetVersion()
				record(step{version}, func() seen { return p.race(t, g.GetId(), moves[0], version) })
			}
		})
	}
	racing.Wait()
	log := ann.log(t, g.GetId())
	if log[len(log)-1].GetFinished() == nil {
		t.Errorf("the game is at version %d", len(log))
	}
	if !porcupine.CheckOperations(oneAfterTheOther, history) {
		t.Errorf("what the callers saw fits no order of their moves: %+v", history)
	}
}

// race plays a move if the game is at a version.
func (p *player) race(t *testing.T, id, move string, version int32) seen {
	in := &gamev1.PlayMoveRequest{GameId: id, Notation: move, ExpectedVersion: version}
	var out gamev1.PlayMoveResponse
	err := p.via.call(t.Context(), p.key, "PlayMove", in, &out)
	if err == nil {
		return seen{version: out.GetGame().GetVersion(), played: true}
	}
	if _, reason := reasonOf(err); reason != "VERSION_MISMATCH" {
		t.Errorf("at version %d: %v", version, err)
	}
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok {
			current, _ := strconv.Atoi(info.GetMetadata()["currentVersion"])
			return seen{version: int32(current)}
		}
	}
	return seen{}
}
