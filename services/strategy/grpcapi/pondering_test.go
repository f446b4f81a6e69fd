package grpcapi_test

import (
	"runtime"
	"testing"
	"time"

	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/strategy/engine"
	"github.com/flipside-games/flipside/services/strategy/grpcapi"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

//nolint:tparallel // It sets GOMAXPROCS, which all tests of the process share.
func TestTheEnginePondersOnlyAfterItsMoveInAGame(t *testing.T) {
	const timed = `{"engine": {"maxTime": "1s"}}`
	const limited = `{"engine": {"maxTime": "10s", "maxDepth": 3}}`
	before := runtime.GOMAXPROCS(2)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	for name, test := range map[string]struct {
		game, strategy string
		want           int
	}{
		"in a game":             {"g", timed, 1},
		"without a game":        {"", timed, 0},
		"with a limit of depth": {"g", limited, 0},
	} {
		request := chooseRequest(t, othello, test.strategy)
		request.GameId = test.game
		for method, choose := range map[string]func(strategyv1.StrategyServiceClient) error{
			"ChooseMove": func(c strategyv1.StrategyServiceClient) error {
				_, err := c.ChooseMove(t.Context(), request)
				return err
			},
			"SearchMove": func(c strategyv1.StrategyServiceClient) error {
				searchMove(t, c, request)
				return nil
			},
		} {
			t.Run(method+" "+name, func(t *testing.T) {
				t.Parallel()
				budget := engine.NewMemoryBudget(4 * limits.LargestTable)
				budget.AllowPondering(time.Hour)
				defer budget.StopPondering()
				err := choose(clientOf(t, grpcapi.NewServer(budget, time.Minute, grpcapi.Providers{})))
				if use := budget.Usage(); err != nil || use.Pondering != test.want {
					t.Errorf("%v, the usage is %+v", err, use)
				}
			})
		}
	}
}
