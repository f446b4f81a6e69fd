package reversi_test

import (
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/rulestest"
)

func parse(notation string) (rules.Position, error) { return reversi.Parse(notation) }

// No first placement flips more than one disc, so games with min_flips=2 start from later
// positions.
const (
	hexagonOfTwoFlips = "reversi/hex:4 _____/__OX__/___X___/___XO___/___X_O___/__XXOOOO/___O___/__O___/_____ O 0 " +
		"pass_rule=forced min_flips=2"
	squareOfEveryOption = "reversi/square:6 ______/OXO___/_XXOO_/_XXO__/X_XO__/___O__ O 0 " +
		"pass_rule=voluntary min_flips=2 empties_to_winner=true"
)

func TestSuite(t *testing.T) {
	setups := map[string]reversi.Setup{
		"hexagon, one ring, voluntary":  {Size: 1},
		"hexagon, one ring, forced":     {Size: 1, PassRule: reversi.Forced},
		"hexagon, two rings, voluntary": {Size: 2},
		"hexagon, two rings, forced":    {Size: 2, PassRule: reversi.Forced},
		"hexagon, five rings":           {},
		"hexagon, at least two flips":   {StartFrom: hexagonOfTwoFlips},
		"square, side four, voluntary":  {Shape: reversi.Square, Size: 4, PassRule: reversi.Voluntary},
		"square, side four, forced":     {Shape: reversi.Square, Size: 4},
		"square, side eight, mirrored":  {Shape: reversi.Square, Start: reversi.Mirrored},
		"square, every option":          {StartFrom: squareOfEveryOption},
		"from a game that is over":      {StartFrom: "reversi/hex:1 XO/O_X/XO - 2"},
	}
	if !testing.Short() {
		setups["hexagon, twelve rings"] = reversi.Setup{Size: reversi.MaxRings}
		setups["square, side sixteen"] = reversi.Setup{Shape: reversi.Square, Size: reversi.MaxSide}
	}
	starts := map[string]rules.Position{}
	for name, setup := range setups {
		starts[name] = start(t, setup)
	}
	rulestest.Suite(t, starts, parse)
}

func TestPlaythroughs(t *testing.T) {
	for _, c := range []struct {
		name  string
		setup reversi.Setup
		seed  uint64
	}{
		{"hexagon-voluntary", reversi.Setup{Size: 3}, 5},
		{"hexagon-forced-empties-to-winner", reversi.Setup{Size: 2, PassRule: reversi.Forced, EmptiesToWinner: new(true)}, 1},
		{"square-forced-with-passes", reversi.Setup{Shape: reversi.Square, Size: 4}, 3},
		{"square-at-least-two-flips", reversi.Setup{StartFrom: squareOfEveryOption}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			first := start(t, c.setup)
			_, moves := rulestest.RandomGame(t, first, c.seed)
			rulestest.Playthrough(t, c.name, first, moves)
		})
	}
}
