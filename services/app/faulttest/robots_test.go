package faulttest

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/wire"
)

// The test plays games of robots that fail in every way, and of one that works.
func TestGamesWithFailingRobotsEnd(t *testing.T) {
	inEach(t, testGamesWithFailingRobotsEnd)
}

func testGamesWithFailingRobotsEnd(t *testing.T, start starter) {
	garbage := &rulesv1.Move{Kind: &rulesv1.Move_PlayCard_{PlayCard: &rulesv1.Move_PlayCard{Card: "no such card"}}}
	always := func(answer *strategyv1.ChooseMoveResponse) provider {
		return func(context.Context, *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
			return answer, nil
		}
	}
	providers := map[string]provider{
		"works":   firstMove,
		"silent":  neverAnswer,
		"illegal": always(chosen(wire.Move(rules.Place(rules.HexCell(99, 99))))),
		"garbage": always(chosen(garbage)),
		"empty":   always(&strategyv1.ChooseMoveResponse{}),
		"nothing": always(nil),
		"panics": func(context.Context, *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
			panic("a bug")
		},
		"slow": func(ctx context.Context, in *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
			<-time.After(300 * time.Millisecond) // It ignores the end of the call.
			return firstMove(ctx, in)
		},
	}
	args := []string{"--robot-grace-period", "100ms", "--robot-retry-delay", "1ms", "--strategy-provider", "dead=127.0.0.1:1"}
	for name, p := range providers {
		args = append(args, "--strategy-provider", name+"="+p.serve(t))
	}
	providers["dead"] = nil
	server := start(t, args...)
	ann := server.join(t)
	for name := range providers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := ann.create(t, hexagon(2), robotSeat(name), robotSeat(name))
			delays := ann.countDelays(t, g.GetId())
			automatic, chosen := 0, 0
			for _, e := range ann.log(t, g.GetId()) {
				switch m := e.GetMovePlayed(); {
				case m == nil:
				case m.GetAutomatic():
					automatic++
				default:
					chosen++
				}
			}
			// On a busy machine, the robot that works may be late too.
			if works := name == "works"; works == (chosen == 0) || !works && (automatic == 0 || delays == 0) {
				t.Errorf("%d moves of robots, %d automatic moves, %d delays", chosen, automatic, delays)
			}
		})
	}
}

// countDelays watches a game to its end and counts the messages about delayed robots.
func (p *player) countDelays(t testing.TB, id string) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*waitTimeout)
	defer cancel()
	stream, err := p.games().WatchGame(p.ctx(ctx), &gamev1.WatchGameRequest{GameId: id})
	delays := 0
	for err == nil {
		var m *gamev1.WatchGameResponse
		if m, err = stream.Recv(); m.GetEnd() != nil {
			return delays
		}
		if m.GetRobotDelayed() != nil {
			delays++
		}
	}
	t.Fatalf("game %s did not end: %v", id, err)
	return delays
}

// The server drops analyses of robots that are too long or invalid.
func TestAnalysesOfRobotsAreBounded(t *testing.T) { //nolint:tparallel // The cases share a server.
	t.Parallel()
	analyzing := func(analysis *strategyv1.Analysis) provider {
		return func(ctx context.Context, in *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
			out, err := firstMove(ctx, in)
			out.Analysis = analysis
			return out, err
		}
	}
	variation := func(moves int) *strategyv1.Analysis {
		return &strategyv1.Analysis{Depth: 3, PrincipalVariation: slices.Repeat([]string{"-1,2"}, moves)}
	}
	tests := []struct {
		name     string
		analysis *strategyv1.Analysis
		kept     bool
	}{
		{"short", variation(60), true},
		{"long", variation(100_000), false},
		{"invalid", &strategyv1.Analysis{Time: &durationpb.Duration{Seconds: 1, Nanos: -1}}, false},
	}
	var args []string
	for _, tt := range tests {
		args = append(args, "--strategy-provider", tt.name+"="+analyzing(tt.analysis).serve(t))
	}
	server := start(t, args...)
	ann := server.join(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := ann.create(t, hexagon(2), robotSeat(tt.name), callerSeat())
			m := ann.awaitEvent(t, g.GetId(), g.GetVersion()).GetMovePlayed()
			if m == nil || m.GetAutomatic() || (m.GetAnalysis() != nil) != tt.kept {
				t.Errorf("got the move %v, want an analysis: %v", m, tt.kept)
			}
			if tt.kept && !proto.Equal(m.GetAnalysis(), tt.analysis) {
				t.Errorf("got the analysis %v", m.GetAnalysis())
			}
		})
	}
}

func TestASilentRobotCanBeReplaced(t *testing.T) {
	inEach(t, testASilentRobotCanBeReplaced)
}

func testASilentRobotCanBeReplaced(t *testing.T, start starter) {
	server := start(t, "--strategy-provider", "silent="+provider(neverAnswer).serve(t), "--robot-grace-period", "1h")
	ann := server.join(t)
	g := ann.create(t, hexagon(2), callerSeat(), robotSeat("silent"))
	g = ann.move(t, g.GetId())
	var out gamev1.SetRobotResponse
	set := &gamev1.SetRobotRequest{GameId: g.GetId(), Strategy: easy()}
	if err := ann.via.call(t.Context(), ann.key, "SetRobot", set, &out); err != nil {
		t.Fatal(err)
	}
	if m := ann.awaitEvent(t, g.GetId(), out.GetGame().GetVersion()).GetMovePlayed(); m == nil || m.GetAutomatic() {
		t.Errorf("after SetRobot: %v, want a move of the new robot", m)
	}
}

// In the test, a provider is down during a game and starts later.
func TestARestartedStrategyServiceIsUsedAgain(t *testing.T) {
	inEach(t, testARestartedStrategyServiceIsUsedAgain)
}

func testARestartedStrategyServiceIsUsedAgain(t *testing.T, start starter) {
	var calls atomic.Int32
	counted := provider(func(ctx context.Context, in *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
		calls.Add(1)
		return firstMove(ctx, in)
	})
	proxy := newProxy(t, "127.0.0.1:1")
	server := start(t, "--strategy-provider", "restarted="+proxy.addr(), "--robot-grace-period", "1s", "--robot-retry-delay", "1ms")
	ann := server.join(t)
	g := ann.create(t, hexagon(3), callerSeat(), robotSeat("restarted"))
	g = ann.move(t, g.GetId())
	if m := ann.awaitEvent(t, g.GetId(), g.GetVersion()).GetMovePlayed(); !m.GetAutomatic() {
		t.Errorf("a provider that is down chose a move: %v", m)
	}
	proxy.setTargets(counted.serve(t))
	for end := time.Now().Add(waitTimeout); calls.Load() == 0; {
		if time.Now().After(end) {
			t.Fatal("the restarted provider got no call")
		}
		g = ann.create(t, hexagon(2), robotSeat("restarted"), callerSeat())
		ann.awaitEvent(t, g.GetId(), g.GetVersion())
	}
}

// In the test, the search time of a robot exceeds the grace period.
func TestTheGracePeriodComesOnTopOfTheSearchTime(t *testing.T) {
	inEach(t, testTheGracePeriodComesOnTopOfTheSearchTime)
}

func testTheGracePeriodComesOnTopOfTheSearchTime(t *testing.T, start starter) {
	server := start(t, "--robot-grace-period", "500ms")
	ann := server.join(t)
	robot := &gamev1.Seat{Holder: &gamev1.Seat_Robot{Robot: &gamev1.Robot{Strategy: deep(time.Second)}}}
	g := ann.create(t, hexagon(6), callerSeat(), robot)
	g = ann.move(t, g.GetId())
	if m := ann.awaitEvent(t, g.GetId(), g.GetVersion()).GetMovePlayed(); m == nil || m.GetAutomatic() {
		t.Errorf("the server did not wait for the robot: %v", m)
	}
}
