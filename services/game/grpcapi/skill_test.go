package grpcapi

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"

	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/robots"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// seedProvider records the seed of a call and chooses a move at once.
type seedProvider struct {
	strategyv1.StrategyServiceClient
	seed int64
}

func (f *seedProvider) SearchMove(
	_ context.Context, in *strategyv1.SearchMoveRequest, _ ...grpc.CallOption,
) (grpc.ServerStreamingClient[strategyv1.SearchMoveResponse], error) {
	f.seed = in.GetSeed()
	return &fakeStream{
		messages: []*strategyv1.SearchMoveResponse{chosenMessage("d3")}, err: io.EOF,
	}, nil
}

func othelloStart(t *testing.T) rules.Position {
	t.Helper()
	_, p, err := reversi.Setup{Shape: reversi.Square}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// chooseWithSkill lets a robot of a skill choose a move and returns the seed and the time.
func chooseWithSkill(
	ctx context.Context, t *testing.T, id string, seed int64,
) (sent int64, took time.Duration, err error) {
	t.Helper()
	provider := &seedProvider{}
	s := NewStrategies(
		func(string) strategyv1.StrategyServiceClient { return provider }, time.Minute, nil)
	start, chosen := time.Now(), time.Duration(-1)
	_, err = s.ChooseMove(ctx, robots.Request{
		GameID: id, Position: othelloStart(t), Seed: seed, Robot: game.Robot{Strategy: []byte(`{"skill":7}`)},
		Chosen: func() { chosen = time.Since(start) },
	})
	if chosen != 0 {
		t.Errorf("Chosen is called after %v, want at once", chosen)
	}
	return provider.seed, time.Since(start), err
}

// Four choices take 0.4 s and twice 0.3 s.
func TestARobotOfASkillTakesAHumanTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if _, took, err := chooseWithSkill(t.Context(), t, "a", 0); err != nil || took != time.Second {
			t.Errorf("it takes %v, %v; want 1s", took, err)
		}
	})
}

func TestThePauseLeavesTimeBeforeTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		if _, took, err := chooseWithSkill(ctx, t, "a", 0); err != nil || took != time.Second/2 {
			t.Errorf("it takes %v, %v; want a quarter of 2s", took, err)
		}
	})
}

func TestThePauseEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		if _, took, err := chooseWithSkill(ctx, t, "a", 0); err == nil || took != time.Millisecond {
			t.Errorf("it takes %v, %v; want an error after 1ms", took, err)
		}
	})
}

func TestASkillWithoutASeedVariesWithTheGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seeds := map[int64]bool{}
		for _, id := range []string{"a", "b", "a"} {
			seed, _, err := chooseWithSkill(t.Context(), t, id, 0)
			if err != nil {
				t.Fatal(err)
			}
			seeds[seed] = true
		}
		if len(seeds) != 2 || seeds[0] {
			t.Errorf("two games have the seeds %v", seeds)
		}
		if seed, _, _ := chooseWithSkill(t.Context(), t, "a", 9); seed != 9 {
			t.Errorf("the seed 9 became %d", seed)
		}
	})
}
