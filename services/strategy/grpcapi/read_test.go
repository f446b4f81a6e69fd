package grpcapi

import (
	"reflect"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/arena"
	"github.com/flipside-games/flipside/services/strategy/engine"
	"github.com/flipside-games/flipside/services/strategy/heuristic"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// The call of a match has no deadline that would end a search without limits.
func TestAnEngineWithoutLimitsHasASecondAMoveInAMatch(t *testing.T) {
	second := engine.Search{Limits: limits.Limits{Time: time.Second}}
	for text, want := range map[string]strategy.Strategy{
		`{"engine":{}}`:                                             second,
		`{"engine":{"threads":2}}`:                                  engine.Search{Limits: limits.Limits{Time: time.Second}, Threads: 2},
		`{"engine":{"maxDepth":3}}`:                                 engine.Search{Limits: limits.Limits{Depth: 3}},
		`{"engine":{"maxNodes":"9"}}`:                               engine.Search{Limits: limits.Limits{Nodes: 9}},
		`{"engine":{"maxTime":"0.1s"}}`:                             engine.Search{Limits: limits.Limits{Time: 100 * time.Millisecond}},
		`{"tryTwo":{"first":{"engine":{}},"second":{"greedy":{}}}}`: heuristic.TryTwo{First: second, Second: heuristic.Greedy{}},
	} {
		t.Run(text, func(t *testing.T) {
			var req strategyv1.PlayMatchRequest
			request := `{"setup":{"reversi":{"hexagon":{}}},"first":{"greedy":{}},"second":` + text + `}`
			if err := protojson.Unmarshal([]byte(request), &req); err != nil {
				t.Fatal(err)
			}
			got, err := NewServer(nil, 10*time.Minute, Providers{}).readMatch(&req)
			if err != nil || !reflect.DeepEqual(got.Second, arena.Strategy(want)) {
				t.Errorf("%v; got %v, want %v", err, got.Second, want)
			}
		})
	}
}
