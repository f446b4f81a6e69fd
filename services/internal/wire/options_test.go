package wire_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/wire"
)

// list returns a list within others.
func list(depth int) *structpb.Value {
	values := &structpb.ListValue{}
	if depth > 1 {
		values.Values = []*structpb.Value{list(depth - 1)}
	}
	return structpb.NewListValue(values)
}

func TestOptionsAreSmallFlatAndJSON(t *testing.T) {
	const overhead = 10 // bytes of the key x, and of the lengths around its text
	text := func(n int) *structpb.Value { return structpb.NewStringValue(strings.Repeat("a", n)) }
	for name, test := range map[string]struct {
		value *structpb.Value
		want  string // part of the message; "" for valid options
	}{
		"4 KiB":           {text(4096 - overhead - 3), ""},
		"more than 4 KiB": {text(4096), "at most 4096"},
		"8 levels":        {list(7), ""},
		"9 levels":        {list(8), "at most 8 levels"},
		"null":            {structpb.NewNullValue(), ""},
		"no value":        {&structpb.Value{}, "empty"},
		"infinite":        {structpb.NewNumberValue(math.Inf(1)), "not finite"},
		"NUL in a text":   {structpb.NewStringValue("a\x00b"), "NUL"},
		"NUL in a key": {structpb.NewStructValue(&structpb.Struct{
			Fields: map[string]*structpb.Value{"a\x00b": structpb.NewNullValue()},
		}), "NUL"},
		"not UTF-8":    {structpb.NewStringValue("\xff"), "not valid UTF-8"},
		"not a number": {structpb.NewNumberValue(math.NaN()), "not finite"},
	} {
		t.Run(name, func(t *testing.T) {
			options := &structpb.Struct{Fields: map[string]*structpb.Value{"x": test.value}}
			err := wire.ValidateOptions(options)
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			e, ok := errors.AsType[*fault.Error](err)
			if !ok || e.Reason != fault.InvalidField || !strings.Contains(e.Message, test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}
