package reversi_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

func TestResolve(t *testing.T) {
	const hexagonNotation = "reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ O 1 min_flips=2 empties_to_winner=true"
	for _, c := range []struct {
		name  string
		setup reversi.Setup
		want  reversi.Setup
		turn  rules.Side
	}{
		{
			"an empty setup is a hexagon of five rings", reversi.Setup{},
			reversi.Setup{Shape: reversi.Hexagon, Size: 5, PassRule: reversi.Voluntary, MinFlips: 1, EmptiesToWinner: new(false)}, rules.First,
		},
		{
			"a square is eight wide, with forced passes", reversi.Setup{Shape: reversi.Square},
			reversi.Setup{
				Shape: reversi.Square, Size: 8, Start: reversi.Standard, PassRule: reversi.Forced, MinFlips: 1, EmptiesToWinner: new(false),
			}, rules.First,
		},
		{
			"given fields stay",
			reversi.Setup{
				Shape: reversi.Square, Size: 6, Start: reversi.Mirrored, PassRule: reversi.Voluntary, MinFlips: 3,
				EmptiesToWinner: new(true), AutoPass: true,
			},
			reversi.Setup{
				Shape: reversi.Square, Size: 6, Start: reversi.Mirrored, PassRule: reversi.Voluntary, MinFlips: 3,
				EmptiesToWinner: new(true), AutoPass: true,
			}, rules.First,
		},
		{
			"a notation has everything but autoPass", reversi.Setup{StartFrom: " " + hexagonNotation, AutoPass: true},
			reversi.Setup{
				Shape: reversi.Hexagon, Size: 2, PassRule: reversi.Voluntary, MinFlips: 2, EmptiesToWinner: new(true), AutoPass: true,
				StartFrom: hexagonNotation,
			}, rules.Second,
		},
		{
			"fields may repeat the notation",
			reversi.Setup{
				Shape: reversi.Square, Size: 8, Start: reversi.Standard, PassRule: reversi.Forced, MinFlips: 1,
				EmptiesToWinner: new(false), StartFrom: usualStart,
			},
			reversi.Setup{
				Shape: reversi.Square, Size: 8, PassRule: reversi.Forced, MinFlips: 1, EmptiesToWinner: new(false), StartFrom: usualStart,
			}, rules.First,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, p, err := c.setup.Resolve()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if p.Turn() != c.turn {
				t.Errorf("side %d moves first, want %d", p.Turn(), c.turn)
			}
			again, same, err := got.Resolve()
			if err != nil || same.Notation() != p.Notation() || !cmp.Equal(again, got) {
				t.Errorf("it resolves again to %+v with %s, %v", again, same.Notation(), err)
			}
		})
	}
}

func TestResolveErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		setup  reversi.Setup
		reason fault.Reason
		field  string
	}{
		{"no rings at all", reversi.Setup{Size: -1}, fault.InvalidField, "hexagon.rings"},
		{"too many rings", reversi.Setup{Size: 13}, fault.InvalidField, "hexagon.rings"},
		{"too short a side", reversi.Setup{Shape: reversi.Square, Size: 2}, fault.InvalidField, "square.side"},
		{"an odd side", reversi.Setup{Shape: reversi.Square, Size: 7}, fault.InvalidField, "square.side"},
		{"too long a side", reversi.Setup{Shape: reversi.Square, Size: 18}, fault.InvalidField, "square.side"},
		{"an unknown shape", reversi.Setup{Shape: "cube"}, fault.InvalidField, "shape"},
		{"an unknown start", reversi.Setup{Shape: reversi.Square, Start: "random"}, fault.InvalidField, "square.start"},
		{"a start of squares on a hexagon", reversi.Setup{Start: reversi.Mirrored}, fault.InvalidField, "square.start"},
		{"an unknown pass rule", reversi.Setup{PassRule: "never"}, fault.InvalidField, "passRule"},
		{"negative flips", reversi.Setup{MinFlips: -1}, fault.InvalidField, "minFlips"},
		{"too many flips", reversi.Setup{MinFlips: 67}, fault.InvalidField, "minFlips"},
		{"a malformed notation", reversi.Setup{StartFrom: "reversi/hex:2"}, fault.InvalidNotation, "startFrom"},
		{"another shape than the notation's", reversi.Setup{Shape: reversi.Hexagon, StartFrom: usualStart}, fault.InvalidField, "hexagon"},
		{"another size", reversi.Setup{Size: 6, StartFrom: usualStart}, fault.InvalidField, "square.side"},
		{"other rings", reversi.Setup{Size: 2, StartFrom: "reversi/hex:1 XO/O_X/XO X 0"}, fault.InvalidField, "hexagon.rings"},
		{"another start", reversi.Setup{Start: reversi.Mirrored, StartFrom: usualStart}, fault.InvalidField, "square.start"},
		{"a start for a hexagon", reversi.Setup{Start: reversi.Standard, StartFrom: "reversi/hex:1 XO/O_X/XO X 0"}, fault.InvalidField, "square.start"},
		{"another pass rule", reversi.Setup{PassRule: reversi.Voluntary, StartFrom: usualStart}, fault.InvalidField, "passRule"},
		{"other flips", reversi.Setup{MinFlips: 2, StartFrom: usualStart}, fault.InvalidField, "minFlips"},
		{"other empties", reversi.Setup{EmptiesToWinner: new(true), StartFrom: usualStart}, fault.InvalidField, "emptiesToWinner"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := c.setup.Resolve()
			wantFault(t, err, c.reason, c.field)
		})
	}
}

func TestLargestMinFlips(t *testing.T) {
	if got := start(t, reversi.Setup{MinFlips: reversi.MaxMinFlips}).MinFlips(); got != 66 {
		t.Errorf("MinFlips() = %d, want 66", got)
	}
}

// Games are stored with this JSON.
func TestSetupJSONStays(t *testing.T) {
	setup := reversi.Setup{
		Shape: reversi.Square, Size: 6, Start: reversi.Mirrored, PassRule: reversi.Voluntary, MinFlips: 2,
		EmptiesToWinner: new(false), AutoPass: true, StartFrom: "n",
	}
	const want = `{"shape":"square","size":6,"start":"mirrored","passRule":"voluntary","minFlips":2,` +
		`"emptiesToWinner":false,"autoPass":true,"startFrom":"n"}`
	got, err := json.Marshal(setup)
	if err != nil || string(got) != want {
		t.Errorf("the JSON is %s, %v, want %s", got, err, want)
	}
	var back reversi.Setup
	if err := json.Unmarshal(got, &back); err != nil || !cmp.Equal(back, setup) {
		t.Errorf("the JSON decodes to %+v, %v", back, err)
	}
}
