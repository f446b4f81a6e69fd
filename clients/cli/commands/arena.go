package commands

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"google.golang.org/grpc"

	"github.com/flipside-games/flipside/clients/cli/ratings"
	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/session"
	"github.com/flipside-games/flipside/clients/cli/settings"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// arenaBoard is the board of a match.
type arenaBoard int

const (
	arenaHex arenaBoard = iota
	arenaSquare
	arenaTrios
)

var arenaBoards = render.Enum[arenaBoard]{
	{Name: "hex", Value: arenaHex},
	{Name: "square", Value: arenaSquare},
	{Name: "trios", Value: arenaTrios},
}

// arenaFlags configure a match.
type arenaFlags struct {
	settings.Limits
	board              arenaBoard
	size, games        settings.Positive
	cards              settings.Cards
	openings, parallel int32
	seed               int64
	sprt               string
	players            [2]settings.Provider
	flags              *pflag.FlagSet
}

func (f *arenaFlags) register(flags *pflag.FlagSet) {
	f.flags, f.games = flags, 100
	f.Register(flags)
	f.cards.Register(flags)
	flags.Var(settings.Choice(&f.board, arenaBoards), "on", "board to play on")
	flags.Var(&f.size, "size",
		"size of the board (default: 5 rings of the hexagon, 8 cells along a side of the square)")
	flags.StringArrayVar(&f.cards.Rules, "rule", nil,
		"`rule` of battle in Three Trios; repeat the flag for several")
	flags.Var(&f.games, "games", "number of games")
	flags.Int64Var(&f.seed, "seed", 0,
		"`seed` for openings, deals and the choice between equally good moves (0: the first)")
	flags.Int32Var(&f.openings, "opening", 0, "random `plies` at the start of each pair of games "+
		"(default: 4 in Reversi, 0 in Three Trios, where each pair has a new deal)")
	flags.Int32Var(&f.parallel, "parallel", 0,
		"play `n` games at once (default: one for each core of the server)")
	f.players[0].Register(flags, "first-", "A")
	f.players[1].Register(flags, "second-", "B")
	flags.Var(settings.Text(&f.sprt), "sprt",
		"stop early by a sequential probability ratio test between two Elo differences, `elo0,elo1`")
}

// mostStrategies is the greatest number of strategies, each two of which play a match.
const mostStrategies = 24

// defaultOpening is the number of random plies at the start of a pair of games of Reversi. Without
// them two deterministic strategies would play the same two games in each pair.
const defaultOpening = 4

func newArena(p *program) *cobra.Command {
	f := &arenaFlags{}
	cmd := &cobra.Command{
		Use:   "arena A B [C]...",
		Short: "Play matches between strategies and measure their differences in strength",
		Long: "Play a match between each two of the strategies and measure their differences in\n" +
			"strength. Each pair of games has the same start and swapped seats. Several strategies\n" +
			"get ratings on one scale at the end: Elo and its 95 % interval. Strategies:\n" +
			strategiesHelp(render.AnyGame),
		Example: "  flipside arena expert hard --games 200 --seed 1\n" +
			"  flipside arena alphabeta greedy --on square --depth 4\n" +
			"  flipside arena strategy2 strategy4 --on trios --seed 1\n" +
			"  flipside arena easy hard --first-provider mine\n" +
			"  flipside arena skill:1 skill:5 skill:9 hard --seed 1",
		Args: argsBetween(2, mostStrategies),
		RunE: p.command(func(ctx context.Context, args []string) error {
			matches, err := f.matches(args)
			if err != nil {
				return err
			}
			return p.playMatches(ctx, matches, f.names(args))
		}),
	}
	f.register(cmd.Flags())
	return cmd
}

// arenaMatch is a match between two of the strategies of the command line, by their indices.
type arenaMatch struct {
	first, second int
	request       *strategyv1.PlayMatchRequest
}

// matches returns a match for each two of the strategies.
func (f *arenaFlags) matches(args []string) (matches []arenaMatch, err error) {
	if len(args) > 2 && (f.players[0].Name != "" || f.players[1].Name != "") {
		return nil, settings.Usagef("--first-provider and --second-provider are for two strategies")
	}
	for second := range args {
		for first := range second {
			request, err := f.request([]string{args[first], args[second]})
			if err != nil {
				return nil, err
			}
			matches = append(matches, arenaMatch{first, second, request})
		}
	}
	return matches, f.Check()
}

// names returns the names of the strategies, with their providers if there are two.
func (f *arenaFlags) names(args []string) []string {
	if len(args) > 2 {
		return args
	}
	return []string{f.players[0].Describe(args[0]), f.players[1].Describe(args[1])}
}

func (f *arenaFlags) request(args []string) (*strategyv1.PlayMatchRequest, error) {
	setup, kind, err := f.setup()
	if err != nil {
		return nil, err
	}
	if kind == render.Reversi && !f.flags.Changed("opening") {
		f.openings = defaultOpening
	}
	request := &strategyv1.PlayMatchRequest{
		Setup: setup, Games: int32(f.games), Seed: f.seed, OpeningPlies: f.openings, Parallel: f.parallel,
	}
	if request.First, err = f.Strategy(args[0], kind); err != nil {
		return nil, err
	}
	if request.Second, err = f.Strategy(args[1], kind); err != nil {
		return nil, err
	}
	if request.Sprt, err = parseSPRT(f.sprt); err != nil {
		return nil, err
	}
	request.FirstProvider, request.SecondProvider = f.players[0].Name, f.players[1].Name
	if request.FirstOptions, err = f.players[0].Options(); err != nil {
		return nil, err
	}
	if request.SecondOptions, err = f.players[1].Options(); err != nil {
		return nil, err
	}
	return request, nil
}

// checkBoard returns a UsageError for a flag that the board of the match does not have.
func (f *arenaFlags) checkBoard() error {
	if f.board == arenaTrios {
		if f.flags.Changed("size") {
			return settings.Usagef("--size is for --on hex and --on square: " +
				"a file for --grid sets the size of a grid")
		}
		return nil
	}
	for _, name := range []string{"rule", "grid", "deck", "count-own-cards", "shuffle-seed"} {
		if f.flags.Changed(name) {
			return settings.Usagef("--%s is for --on trios", name)
		}
	}
	return nil
}

func (f *arenaFlags) setup() (*rulesv1.Setup, rulesv1.GameKind, error) {
	if err := f.checkBoard(); err != nil {
		return nil, 0, err
	}
	if f.board == arenaTrios {
		setup, err := f.cards.Setup()
		return setup, render.Trios, err
	}
	reversi := &rulesv1.ReversiSetup{StartFrom: f.cards.StartFrom}
	if f.board == arenaSquare {
		square := &rulesv1.SquareBoard{Side: int32(f.size)}
		reversi.Board = &rulesv1.ReversiSetup_Square{Square: square}
	} else {
		hexagon := &rulesv1.HexagonBoard{Rings: int32(f.size)}
		reversi.Board = &rulesv1.ReversiSetup_Hexagon{Hexagon: hexagon}
	}
	return &rulesv1.Setup{Game: &rulesv1.Setup_Reversi{Reversi: reversi}}, render.Reversi, nil
}

// parseSPRT reads the two Elo differences of a sequential test, "" for no test.
func parseSPRT(text string) (*strategyv1.PlayMatchRequest_Sprt, error) {
	if text == "" {
		return nil, nil
	}
	lower, upper, _ := strings.Cut(text, ",")
	elo0, err0 := strconv.ParseFloat(lower, 64)
	elo1, err1 := strconv.ParseFloat(upper, 64)
	if err0 != nil || err1 != nil || !finite(elo0) || !finite(elo1) {
		return nil, settings.Usagef("--sprt %q: use two numbers such as 0,10", text)
	}
	return &strategyv1.PlayMatchRequest_Sprt{Elo0: elo0, Elo1: elo1}, nil
}

func finite(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }

// playMatches plays matches one after the other and prints their games and results. After several
// ones it prints the ratings of all strategies.
func (p *program) playMatches(ctx context.Context, matches []arenaMatch, names []string) error {
	strategies, err := p.strategies(ctx)
	if err != nil {
		return err
	}
	out := &render.Series{Printer: &p.Printer}
	defer out.Close()
	defer p.clearLine()
	var results []ratings.Match
	for _, m := range matches {
		match, err := strategies.PlayMatch(ctx, m.request)
		if err != nil {
			return err
		}
		final, err := p.followMatch(match, out, m.request.GetGames(),
			[]string{names[m.first], names[m.second]})
		if err != nil {
			return err
		}
		results = append(results, ratings.Match{
			First: m.first, Second: m.second,
			Points: float64(final.GetWins()) + float64(final.GetDraws())/2,
			Games:  int(final.GetWins() + final.GetDraws() + final.GetLosses()),
		})
	}
	if len(matches) == 1 {
		return nil
	}
	list := render.NewRatings(names, ratings.Fit(len(names), results))
	return out.Print(list, list.Table())
}

// followMatch prints each game and the result, which it returns. On a terminal it shows a progress
// bar between them.
func (p *program) followMatch(
	match grpc.ServerStreamingClient[strategyv1.PlayMatchResponse], out *render.Series, games int32,
	names []string,
) (final *strategyv1.MatchSummary, err error) {
	err = session.Receive(match, func(m *strategyv1.PlayMatchResponse) error {
		p.clearLine()
		summary := m.GetSummary()
		switch {
		case summary == nil:
			return out.Print(m, render.MatchGame(m.GetGame(), names))
		case summary.GetFinal():
			final = summary
			return out.Print(m, render.MatchResult(summary, names))
		case p.interactive:
			fmt.Fprint(p.Err, render.MatchProgress(summary, games))
		}
		return nil
	})
	return final, err
}

// clearLine clears the line of the progress bar.
func (p *program) clearLine() {
	if p.interactive {
		fmt.Fprint(p.Err, "\r\x1b[K")
	}
}
