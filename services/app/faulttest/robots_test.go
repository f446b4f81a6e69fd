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

// silent is a provider that never answers.
func silent(ctx context.Context, _ *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestEveryRobotsGameEnds seats strategies that do all that a strategy must not do, beside one that does well.
func TestEveryRobotsGameEnds(t *testing.T) {
	t.Parallel()
	inEach(t, everyRobotsGameEnds)
}

func everyRobotsGameEnds(t *testing.T, start starter) {
	garbage := &rulesv1.Move{Kind: &rulesv1.Move_PlayCard_{PlayCard: &rulesv1.Move_PlayCard{Card: "no such card"}}}
	always := func(answer *strategyv1.ChooseMoveResponse) provider {
		return func(context.Context, *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
			return answer, nil
		}
	}
	providers := map[string]provider{
		"well":    first,
		"silent":  silent,
		"illegal": always(choose(wire.Move(rules.Place(rules.HexCell(99, 99))))),
		"garbage": always(choose(garbage)),
		"empty":   always(&strategyv1.ChooseMoveResponse{}),
		"nothing": always(nil),
		"panics": func(context.Context, *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
			panic("a bug")
		},
		"slow": func(ctx context.Context, in *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
			<-time.After(300 * time.Millisecond) // It does not hear that nobody waits any more.
			return first(ctx, in)
		},
	}
	args := []string{"--robot-patience", "100ms", "--robot-pause", "1ms", "--strategy-provider", "dead=127.0.0.1:1"}
	for name, p := range providers {
		args = append(args, "--strategy-provider", name+"="+p.serve(t))
	}
	providers["dead"] = nil
	server := start(t, args...)
	ann := server.join(t)
	for name := range providers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := ann.create(t, hexagon(2), robotOf(name), robotOf(name))
			late := ann.lateRobots(t, g.GetId())
			automatic, byThemselves := 0, 0
			for _, e := range ann.log(t, g.GetId()) {
				switch m := e.GetMovePlayed(); {
				case m == nil:
				case m.GetAutomatic():
					automatic++
				default:
					byThemselves++
				}
			}
			// On a busy machine, one that does well may be late.
			if well := name == "well"; well == (byThemselves == 0) || !well && (automatic == 0 || late == 0) {
				t.Errorf("%d moves were made by robots, %d for them, and %d times they were late", byThemselves, automatic, late)
			}
		})
	}
}

// lateRobots watches a game to its end, and counts how often it was said that a robot is late.
func (p *player) lateRobots(t testing.TB, id string) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	stream, err := p.games().WatchGame(p.ctx(ctx), &gamev1.WatchGameRequest{GameId: id})
	late := 0
	for err == nil {
		var m *gamev1.WatchGameResponse
		if m, err = stream.Recv(); m.GetEnd() != nil {
			return late
		}
		if m.GetRobotDelayed() != nil {
			late++
		}
	}
	t.Fatalf("game %s did not end: %v", id, err)
	return late
}

// TestWhatARobotSaysOfItsMoveIsBounded has robots say more than anybody reads, and what cannot be written.
func TestWhatARobotSaysOfItsMoveIsBounded(t *testing.T) {
	says := func(analysis *strategyv1.Analysis) provider {
		return func(ctx context.Context, in *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
			out, err := first(ctx, in)
			out.Analysis = analysis
			return out, err
		}
	}
	line := func(moves int) *strategyv1.Analysis {
		return &strategyv1.Analysis{Depth: 3, PrincipalVariation: slices.Repeat([]string{"-1,2"}, moves)}
	}
	tests := []struct {
		name string
		says *strategyv1.Analysis
		kept bool
	}{
		{"brief", line(60), true},
		{"long", line(100_000), false},
		{"unwritable", &strategyv1.Analysis{Time: &durationpb.Duration{Seconds: 1, Nanos: -1}}, false},
	}
	var args []string
	for _, tt := range tests {
		args = append(args, "--strategy-provider", tt.name+"="+says(tt.says).serve(t))
	}
	server := start(t, args...)
	ann := server.join(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := ann.create(t, hexagon(2), robotOf(tt.name), callers())
			m := ann.waitFor(t, g.GetId(), g.GetVersion()).GetMovePlayed()
			if m == nil || m.GetAutomatic() || (m.GetAnalysis() != nil) != tt.kept {
				t.Errorf("played was %v", m)
			}
			if tt.kept && !proto.Equal(m.GetAnalysis(), tt.says) {
				t.Errorf("said was %v", m.GetAnalysis())
			}
		})
	}
}

// TestARobotThatDoesNotAnswerCanBeReplaced has somebody lose patience with a robot that is silent.
func TestARobotThatDoesNotAnswerCanBeReplaced(t *testing.T) {
	t.Parallel()
	inEach(t, aRobotThatDoesNotAnswerCanBeReplaced)
}

func aRobotThatDoesNotAnswerCanBeReplaced(t *testing.T, start starter) {
	server := start(t, "--strategy-provider", "silent="+provider(silent).serve(t), "--robot-patience", "1h")
	ann := server.join(t)
	g := ann.create(t, hexagon(2), callers(), robotOf("silent"))
	g = ann.move(t, g.GetId())
	var out gamev1.SetRobotResponse
	set := &gamev1.SetRobotRequest{GameId: g.GetId(), Strategy: easy()}
	if err := ann.via.call(t.Context(), ann.key, "SetRobot", set, &out); err != nil {
		t.Fatal(err)
	}
	if m := ann.waitFor(t, g.GetId(), out.GetGame().GetVersion()).GetMovePlayed(); m == nil || m.GetAutomatic() {
		t.Errorf("after the robot was replaced came %v", m)
	}
}

// TestAStrategyServiceThatComesBackIsAskedAgain has a provider die in mid-game and come back.
func TestAStrategyServiceThatComesBackIsAskedAgain(t *testing.T) {
	t.Parallel()
	inEach(t, aStrategyServiceThatComesBackIsAskedAgain)
}

func aStrategyServiceThatComesBackIsAskedAgain(t *testing.T, start starter) {
	var asked atomic.Int32
	counted := provider(func(ctx context.Context, in *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
		asked.Add(1)
		return first(ctx, in)
	})
	way := between(t, "127.0.0.1:1")
	server := start(t, "--strategy-provider", "way="+way.addr(), "--robot-patience", "1s", "--robot-pause", "1ms")
	ann := server.join(t)
	g := ann.create(t, hexagon(3), callers(), robotOf("way"))
	g = ann.move(t, g.GetId())
	if m := ann.waitFor(t, g.GetId(), g.GetVersion()).GetMovePlayed(); !m.GetAutomatic() {
		t.Errorf("a provider that is not there has moved: %v", m)
	}
	way.lead(counted.serve(t))
	for end := time.Now().Add(patience); asked.Load() == 0; {
		if time.Now().After(end) {
			t.Fatal("the provider was not asked again")
		}
		g = ann.create(t, hexagon(2), robotOf("way"), callers())
		ann.waitFor(t, g.GetId(), g.GetVersion())
	}
}

// TestARobotsMoveMayTakeAsLongAsItMeansTo has a robot think longer than patience lasts, as it was told to.
func TestARobotsMoveMayTakeAsLongAsItMeansTo(t *testing.T) {
	t.Parallel()
	inEach(t, aRobotsMoveMayTakeAsLongAsItMeansTo)
}

func aRobotsMoveMayTakeAsLongAsItMeansTo(t *testing.T, start starter) {
	server := start(t, "--robot-patience", "500ms")
	ann := server.join(t)
	robot := &gamev1.Seat{Holder: &gamev1.Seat_Robot{Robot: &gamev1.Robot{Strategy: deep(time.Second)}}}
	g := ann.create(t, hexagon(6), callers(), robot)
	g = ann.move(t, g.GetId())
	if m := ann.waitFor(t, g.GetId(), g.GetVersion()).GetMovePlayed(); m == nil || m.GetAutomatic() {
		t.Errorf("the robot was not waited for: %v", m)
	}
}
