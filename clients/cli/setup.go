package cli

import (
	"os"
	"slices"

	"github.com/spf13/pflag"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// setupFlags say which game to set up. Each game has its own, and play and create share them.
type setupFlags interface {
	kind() rulesv1.GameKind
	register(flags *pflag.FlagSet)
	// arguments reads what follows the players.
	arguments(rest []string) error
	setup() (*rulesv1.Setup, error)
}

// reversiFlags are the options of Reversi on every board.
type reversiFlags struct {
	passRule        rulesv1.PassRule
	minFlips        positive
	autoPass        bool
	emptiesToWinner bool
	startFrom       string
	flags           *pflag.FlagSet
}

func (*reversiFlags) kind() rulesv1.GameKind { return reversi }

func (f *reversiFlags) register(flags *pflag.FlagSet) {
	f.flags = flags
	flags.Var(newChoice(&f.passRule, passRules), "pass-rule",
		"when a side may pass (default: voluntary on hexagons, forced on squares)")
	flags.Var(&f.minFlips, "min-flips", "how many discs a placement must flip at least")
	flags.BoolVar(&f.autoPass, "auto-pass", false, "let the server pass for a side that has no placement")
	flags.BoolVar(&f.emptiesToWinner, "empties-to-winner", false, "give the winner the empty cells at the end")
	flags.StringVar(&f.startFrom, "start-from", "", "the `notation` of the position to start from")
}

func (f *reversiFlags) reversi() *rulesv1.ReversiSetup {
	setup := &rulesv1.ReversiSetup{
		PassRule: f.passRule, MinFlips: int32(f.minFlips), AutoPass: f.autoPass, StartFrom: f.startFrom,
	}
	if f.flags.Changed("empties-to-winner") {
		setup.EmptiesToWinner = &f.emptiesToWinner
	}
	return setup
}

// hexFlags set up Reversi on a hexagon.
type hexFlags struct {
	reversiFlags
	rings positive
}

func (f *hexFlags) arguments(rest []string) error { return sizeArgument(&f.rings, "rings", rest) }

func (f *hexFlags) setup() (*rulesv1.Setup, error) {
	setup := f.reversi()
	setup.Board = &rulesv1.ReversiSetup_Hexagon{Hexagon: &rulesv1.HexagonBoard{Rings: int32(f.rings)}}
	return &rulesv1.Setup{Game: &rulesv1.Setup_Reversi{Reversi: setup}}, nil
}

// squareFlags set up Reversi on a square.
type squareFlags struct {
	reversiFlags
	side     positive
	mirrored bool
}

func (f *squareFlags) register(flags *pflag.FlagSet) {
	f.reversiFlags.register(flags)
	flags.BoolVar(&f.mirrored, "mirrored", false, "start with Black on the falling diagonal")
}

func (f *squareFlags) arguments(rest []string) error { return sizeArgument(&f.side, "side", rest) }

func (f *squareFlags) setup() (*rulesv1.Setup, error) {
	setup, board := f.reversi(), &rulesv1.SquareBoard{Side: int32(f.side)}
	if f.mirrored {
		board.Start = rulesv1.Start_START_MIRRORED
	}
	setup.Board = &rulesv1.ReversiSetup_Square{Square: board}
	return &rulesv1.Setup{Game: &rulesv1.Setup_Reversi{Reversi: setup}}, nil
}

// sizeArgument reads how large a board is, where that is said.
func sizeArgument(size *positive, name string, rest []string) error {
	if len(rest) == 0 {
		return nil
	}
	if err := size.Set(rest[0]); err != nil {
		return usagef("%q is no %s: %s", rest[0], name, err)
	}
	return nil
}

// triosFlags set up Three Trios.
type triosFlags struct {
	grid, deck    string
	rules         []string
	countOwnCards bool
	shuffleSeed   int64
	startFrom     string
	flags         *pflag.FlagSet
}

func (*triosFlags) kind() rulesv1.GameKind { return trios }

func (f *triosFlags) register(flags *pflag.FlagSet) {
	f.flags = flags
	flags.StringVar(&f.grid, "grid", "", "the `file` with the grid (default: 3 by 3 cells)")
	flags.StringVar(&f.deck, "deck", "", "the `file` with the cards (default: a built-in deck)")
	flags.BoolVar(&f.countOwnCards, "count-own-cards", false, "let one's own cards count for same and plus")
	flags.Int64Var(&f.shuffleSeed, "shuffle-seed", 0, "shuffle the deck by this `number`")
	flags.StringVar(&f.startFrom, "start-from", "", "the `notation` of the position to start from")
}

func (f *triosFlags) arguments(rest []string) error {
	f.rules = rest
	return nil
}

func (f *triosFlags) setup() (*rulesv1.Setup, error) {
	rules, err := parseRules(f.rules)
	if err != nil {
		return nil, err
	}
	setup := &rulesv1.ThreeTriosSetup{Rules: rules, StartFrom: f.startFrom}
	if setup.Grid, err = readFile(f.grid); err != nil {
		return nil, err
	}
	if setup.Deck, err = readFile(f.deck); err != nil {
		return nil, err
	}
	if f.flags.Changed("count-own-cards") {
		setup.CountOwnCards = &f.countOwnCards
	}
	if f.flags.Changed("shuffle-seed") {
		setup.ShuffleSeed = &f.shuffleSeed
	}
	return &rulesv1.Setup{Game: &rulesv1.Setup_ThreeTrios{ThreeTrios: setup}}, nil
}

// parseRules reads the words of rules; an empty one means default.
func parseRules(said []string) ([]rulesv1.Rule, error) {
	var rules []rulesv1.Rule
	for _, name := range said {
		rule, ok := meaning(cardRules, firstOf(name, "default"))
		if !ok {
			return nil, usagef(`unknown rule %q: use %s ("" means default)`, name, oneOf(names(cardRules)))
		}
		rules = append(rules, rule)
	}
	if slices.Contains(rules, rulesv1.Rule_RULE_DEFAULT) && slices.Contains(rules, rulesv1.Rule_RULE_REVERSE) {
		return nil, usagef("the rules default and reverse contradict each other: use one of them, or reverse with %s",
			oneOf(names(cardRules[2:])))
	}
	return rules, nil
}

// readFile returns what is in a file the user named, "" if he named none.
func readFile(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	text, err := os.ReadFile(path)
	return string(text), err
}
