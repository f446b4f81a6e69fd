package grpcapi_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/durationpb"

	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/wire"
)

func TestListStrategiesListsAllFieldsOfStrategy(t *testing.T) {
	resp, err := client(t).ListStrategies(t.Context(), &strategyv1.ListStrategiesRequest{})
	if err != nil {
		t.Fatal(err)
	}
	fields := (&strategyv1.Strategy{}).ProtoReflect().Descriptor().Fields()
	if got := len(resp.GetStrategies()); got != fields.Len() {
		t.Errorf("a request can have %d strategies, but %d are listed", fields.Len(), got)
	}
	for _, info := range resp.GetStrategies() {
		field := fields.ByJSONName(info.GetName())
		if field == nil {
			t.Errorf("no request can have %s", info.GetName())
			continue
		}
		checkGames(t, info, field)
		for _, p := range info.GetParameters() {
			checkParameter(t, p, field)
		}
	}
}

// checkGames tries a strategy on both games.
func checkGames(t *testing.T, info *strategyv1.StrategyInfo, field protoreflect.FieldDescriptor) {
	t.Helper()
	s := &strategyv1.Strategy{}
	switch {
	case field.Enum() != nil:
		s.ProtoReflect().Set(field, protoreflect.ValueOfEnum(1))
	case field.Message() == nil:
		s.ProtoReflect().Set(field, protoreflect.ValueOfInt32(1))
	default:
		s.ProtoReflect().Set(field, s.ProtoReflect().NewField(field))
	}
	for _, game := range []rules.Kind{rules.Reversi, rules.ThreeTrios} {
		err := wire.ValidateStrategy(s, game)
		plays := err == nil || !strings.Contains(err.Error(), "does not play")
		if listed := slices.Contains(info.GetGames(), wire.Kind(game)); plays != listed {
			t.Errorf("%s plays %s: %t, but listed: %t", info.GetName(), game, plays, listed)
		}
	}
}

// checkParameter compares a parameter with its field and the validation rules.
func checkParameter(t *testing.T, p *strategyv1.Parameter, of protoreflect.FieldDescriptor) {
	t.Helper()
	field := of
	if of.Message() != nil {
		field = of.Message().Fields().ByJSONName(p.GetName())
	}
	if field == nil || field.JSONName() != p.GetName() {
		t.Errorf("%s has no parameter %s", of.JSONName(), p.GetName())
		return
	}
	validated, _ := proto.GetExtension(field.Options(), validate.E_Field).(*validate.FieldRules)
	minimum, maximum := "", ""
	switch {
	case validated.GetInt32() != nil:
		minimum, maximum = fmt.Sprint(validated.GetInt32().GetGte()), fmt.Sprint(validated.GetInt32().GetLte())
	case validated.GetInt64() != nil:
		minimum = fmt.Sprint(validated.GetInt64().GetGte())
	case validated.GetDuration() != nil:
		minimum, maximum = seconds(validated.GetDuration().GetGte()), seconds(validated.GetDuration().GetLte())
	}
	if minimum == "0" {
		minimum = "1" // 0 stands for the default.
	}
	if p.GetMinimum() != minimum || p.GetMaximum() != maximum {
		t.Errorf("%s is listed from %q to %q, but validated from %q to %q", p.GetName(), p.GetMinimum(), p.GetMaximum(), minimum, maximum)
	}
	if field.Enum() != nil {
		var values []string
		for i := 1; i < field.Enum().Values().Len(); i++ {
			values = append(values, string(field.Enum().Values().Get(i).Name()))
		}
		if !slices.Equal(values, p.GetValues()) {
			t.Errorf("%s has the values %v, but %v are listed", p.GetName(), values, p.GetValues())
		}
	}
}

func seconds(d *durationpb.Duration) string { return fmt.Sprintf("%ds", d.GetSeconds()) }

// Minimax asks the assumed strategy once for each move.
func TestSearchesWithinMinimaxShareTheTime(t *testing.T) {
	t.Parallel()
	c := client(t)
	for _, assumed := range []string{
		`{"engine":{}}`, `{"engine":{"maxTime":"6s"}}`, `{"alphaBeta":{"maxDepth":64}}`,
	} {
		t.Run(assumed, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			strategy := fmt.Sprintf(`{"minimax":{"assumed":%s}}`, assumed)
			resp, err := c.ChooseMove(ctx, chooseRequest(t, othello, strategy))
			if err != nil || resp.GetChosen().GetValue() != 1 {
				t.Errorf("chose %v, %v; the engine has one best reply", resp.GetChosen(), err)
			}
		})
	}
}
