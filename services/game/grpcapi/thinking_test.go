package grpcapi

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// tryTwo nests a strategy in two, several times.
func tryTwo(strategy string, times int) string {
	for range times {
		strategy = strings.ReplaceAll(`{"tryTwo":{"first":S,"second":S}}`, "S", strategy)
	}
	return strategy
}

func TestLimitTime(t *testing.T) {
	const slow = `{"engine":{"maxTime":"600s"}}`
	for name, tt := range map[string]struct {
		strategy, limited string
		time              time.Duration
	}{
		"no search":            {`{"level":"LEVEL_EXPERT"}`, `{"level":"LEVEL_EXPERT"}`, 0},
		"a skill":              {`{"skill":20}`, `{"skill":20}`, 2500 * time.Millisecond},
		"short search":         {`{"engine":{"maxTime":"0.9s"}}`, `{"engine":{"maxTime":"0.9s"}}`, 900 * time.Millisecond},
		"the limit":            {`{"engine":{"maxTime":"30s"}}`, `{"engine":{"maxTime":"30s"}}`, 30 * time.Second},
		"more than the limit":  {slow, `{"engine":{"maxTime":"30s"}}`, 30 * time.Second},
		"search without limit": {`{"engine":{}}`, `{"engine":{"maxTime":"10s"}}`, 10 * time.Second},
		"deep search":          {`{"alphaBeta":{"maxDepth":5}}`, `{"alphaBeta":{"maxDepth":5,"maxTime":"10s"}}`, 10 * time.Second},
		"default depth":        {`{"alphaBeta":{}}`, `{"alphaBeta":{}}`, 0},
		"nested searches":      {tryTwo(slow, 2), tryTwo(`{"engine":{"maxTime":"7.5s"}}`, 2), 30 * time.Second},
		"assumed search":       {`{"minimax":{"assumed":` + slow + `}}`, `{"minimax":{"assumed":{"engine":{"maxTime":"30s"}}}}`, 30 * time.Second},
		"one level of minimax": {`{"minimax":{"assumed":{"greedy":{}}}}`, `{"minimax":{"assumed":{"greedy":{}}}}`, 0},
		"nested minimax": {`{"minimax":{"assumed":{"level":"LEVEL_EXPERT"}}}`,
			`{"minimax":{"assumed":{"level":"LEVEL_EXPERT"}}}`, 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			got := limitTime(read(t, tt.strategy), 30*time.Second)
			if want := read(t, tt.limited); !proto.Equal(got.message, want) || got.time != tt.time {
				t.Errorf("got %v and %v, want %v and %v", got.message, got.time, want, tt.time)
			}
		})
	}
}

func read(t *testing.T, strategy string) *strategyv1.Strategy {
	t.Helper()
	var read strategyv1.Strategy
	if err := protojson.Unmarshal([]byte(strategy), &read); err != nil {
		t.Fatal(err)
	}
	return &read
}
