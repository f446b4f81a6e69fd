package settings

import (
	"cmp"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"github.com/flipside-games/flipside/clients/cli/render"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// Board is the setup of a new game: flags, and the arguments after the players.
type Board interface {
	Kind() rulesv1.GameKind
	Register(flags *pflag.FlagSet)
	SetArgs(args []string) error
	Setup() (*rulesv1.Setup, error)
}

// reversi has the flags of Reversi on any board.
type reversi struct {
	passRule        rulesv1.PassRule
	minFlips        Positive
	autoPass        bool
	emptiesToWinner bool
	startFrom       string
	flags           *pflag.FlagSet
}

// Kind returns Reversi.
func (*reversi) Kind() rulesv1.GameKind { return render.Reversi }

// Register adds the flags to a command.
func (f *reversi) Register(flags *pflag.FlagSet) {
	f.flags = flags
	flags.Var(Choice(&f.passRule, render.PassRules), "pass-rule",
		"when a side may pass (default: voluntary on hexagons, forced on squares)")
	flags.Var(&f.minFlips, "min-flips", "least number of discs that a placement must flip")
	flags.BoolVar(&f.autoPass, "auto-pass", false,
		"pass automatically for a side that has no placement")
	flags.BoolVar(&f.emptiesToWinner, "empties-to-winner", false,
		"add the empty cells to the winner's score")
	flags.Var(Text(&f.startFrom), "start-from", "start from the position with this `notation`")
}

func (f *reversi) setup() *rulesv1.ReversiSetup {
	setup := &rulesv1.ReversiSetup{
		PassRule: f.passRule, MinFlips: int32(f.minFlips), AutoPass: f.autoPass, StartFrom: f.startFrom,
	}
	if f.flags.Changed("empties-to-winner") {
		setup.EmptiesToWinner = &f.emptiesToWinner
	}
	return setup
}

// Hex is Reversi on a hexagon.
type Hex struct {
	reversi
	rings Positive
}

// SetArgs reads the number of rings.
func (f *Hex) SetArgs(args []string) error { return setSize(&f.rings, "number of rings", args) }

// Setup returns the setup of the game.
func (f *Hex) Setup() (*rulesv1.Setup, error) {
	setup := f.setup()
	setup.Board = &rulesv1.ReversiSetup_Hexagon{Hexagon: &rulesv1.HexagonBoard{Rings: int32(f.rings)}}
	return &rulesv1.Setup{Game: &rulesv1.Setup_Reversi{Reversi: setup}}, nil
}

// Square is Reversi on a square.
type Square struct {
	reversi
	side     Positive
	mirrored bool
}

// Register adds the flags to a command.
func (f *Square) Register(flags *pflag.FlagSet) {
	f.reversi.Register(flags)
	flags.BoolVar(&f.mirrored, "mirrored", false, "start with Black's discs on the falling diagonal")
}

// SetArgs reads the length of a side.
func (f *Square) SetArgs(args []string) error { return setSize(&f.side, "length of a side", args) }

// Setup returns the setup of the game.
func (f *Square) Setup() (*rulesv1.Setup, error) {
	setup, board := f.setup(), &rulesv1.SquareBoard{Side: int32(f.side)}
	if f.mirrored {
		board.Start = rulesv1.Start_START_MIRRORED
	}
	setup.Board = &rulesv1.ReversiSetup_Square{Square: board}
	return &rulesv1.Setup{Game: &rulesv1.Setup_Reversi{Reversi: setup}}, nil
}

func setSize(size *Positive, name string, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if err := size.Set(args[0]); err != nil {
		return Usagef("%q is not a %s: %s", args[0], name, err)
	}
	return nil
}

// Cards is Three Trios.
type Cards struct {
	Rules     []string
	StartFrom string

	grid, deck    string
	countOwnCards bool
	shuffleSeed   int64
	flags         *pflag.FlagSet
}

// Kind returns Three Trios.
func (*Cards) Kind() rulesv1.GameKind { return render.Trios }

// Register adds the flags to a command.
func (f *Cards) Register(flags *pflag.FlagSet) {
	f.flags = flags
	flags.Var(Text(&f.grid), "grid", "`file` with the grid (default: 3 by 3 cells)")
	flags.Var(Text(&f.deck), "deck", "`file` with the cards (default: a built-in deck)")
	flags.BoolVar(&f.countOwnCards, "count-own-cards", false,
		"count own cards for the rules same and plus")
	flags.Int64Var(&f.shuffleSeed, "shuffle-seed", 0, "shuffle the deck with this `seed`")
	flags.Var(Text(&f.StartFrom), "start-from", "start from the position with this `notation`")
}

// SetArgs reads the rules.
func (f *Cards) SetArgs(args []string) error {
	f.Rules = args
	return nil
}

// Setup reads the files and returns the setup of the game.
func (f *Cards) Setup() (*rulesv1.Setup, error) {
	rules, err := cardRules(f.Rules)
	if err != nil {
		return nil, err
	}
	setup := &rulesv1.ThreeTriosSetup{Rules: rules, StartFrom: f.StartFrom}
	if setup.Grid, err = readFile("grid", f.grid); err != nil {
		return nil, err
	}
	if setup.Deck, err = readFile("deck", f.deck); err != nil {
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

// cardRules reads the names of rules; "" is default.
func cardRules(names []string) ([]rulesv1.Rule, error) {
	var rules []rulesv1.Rule
	for _, name := range names {
		rule, ok := render.CardRules.Value(cmp.Or(name, "default"))
		if !ok {
			return nil, Usagef(`unknown rule %q: use %s ("" is default)`,
				name, render.Or(render.CardRules.Names()))
		}
		rules = append(rules, rule)
	}
	if slices.Contains(rules, rulesv1.Rule_RULE_DEFAULT) &&
		slices.Contains(rules, rulesv1.Rule_RULE_REVERSE) {
		return nil, Usagef("the rules default and reverse contradict each other: use one of them, "+
			"or reverse with %s", render.Or(render.CardRules[2:].Names()))
	}
	return rules, nil
}

// readFile returns the content of the file of a flag, "" if path is "". An empty file is an error,
// since "" in the API is the built-in grid or deck.
func readFile(flag, path string) (string, error) {
	if path == "" {
		return "", nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("--%s: %w", flag, err)
	}
	if len(content) == 0 {
		return "", fmt.Errorf("--%s: the file %s is empty: it must contain a %s, "+
			"or leave out the flag for the built-in one", flag, path, flag)
	}
	return string(content), nil
}
