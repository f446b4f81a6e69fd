package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// arenaBoard is the game that a match is played in.
type arenaBoard int

const (
	hexArena arenaBoard = iota
	squareArena
	triosArena
)

var arenaBoards = []word[arenaBoard]{{"hex", hexArena}, {"square", squareArena}, {"trios", triosArena}}

// arenaFlags say which match to play.
type arenaFlags struct {
	limitFlags
	board              arenaBoard
	size, games        positive
	cards              triosFlags
	openings, parallel int32
	seed               int64
	sprt               string
}

func (f *arenaFlags) register(flags *pflag.FlagSet) {
	f.limitFlags.register(flags)
	f.cards.register(flags)
	flags.Var(newChoice(&f.board, arenaBoards), "on", "the board to play on (default: hex)")
	flags.Var(&f.size, "size", "rings of the hexagon (default 5) or side of the square (default 8)")
	flags.StringArrayVar(&f.cards.rules, "rule", nil, "a `rule` of the card game, once for each (default: default)")
	f.games = 100
	flags.Var(&f.games, "games", "how many games to play")
	flags.Int64Var(&f.seed, "seed", 0, "a `number` that decides on openings, deals and equal moves (0: of those the first)")
	flags.Int32Var(&f.openings, "opening", 0, "how many random `plies` each pair of games begins with "+
		"(default: 4 in Reversi; 0 with cards, of which each pair has a deal of its own)")
	flags.Int32Var(&f.parallel, "parallel", 0, "how many games at once (default: as many as the server has cores)")
	flags.StringVar(&f.sprt, "sprt", "", "end the match once it is decided which of two differences in `elo0,elo1` it is")
}

// usualOpening is how many random moves a pair of games of Reversi begins with. Without any, two strategies that leave
// nothing to chance would play the same two games again and again.
const usualOpening = 4

func newArena(p *program) *cobra.Command {
	f := &arenaFlags{}
	cmd := &cobra.Command{
		Use:   "arena A B",
		Short: "Let two strategies play a match, and say how much stronger the first one is",
		Long: "Let two strategies play a match. Games come in pairs that begin alike, with the seats swapped.\n\n" +
			"Strategies are " + strings.Join(plays(everyGame), ", ") + ", or the JSON of a strategy of the API.",
		Example: "  flipside arena expert hard --games 200 --seed 1\n" +
			"  flipside arena alphabeta greedy --on square --depth 4\n" +
			"  flipside arena strategy2 strategy4 --on trios --seed 1",
		Args: takes(2, 2),
		RunE: p.do(func(ctx context.Context, args []string) error {
			request, err := f.request(args)
			if err != nil {
				return err
			}
			return p.arena(ctx, request, args)
		}),
	}
	f.register(cmd.Flags())
	return cmd
}

func (f *arenaFlags) request(args []string) (*strategyv1.PlayMatchRequest, error) {
	setup, kind, err := f.setup()
	if err != nil {
		return nil, err
	}
	if f.board != triosArena && !f.flags.Changed("opening") {
		f.openings = usualOpening
	}
	request := &strategyv1.PlayMatchRequest{
		Setup: setup, Games: int32(f.games), Seed: f.seed, OpeningPlies: f.openings, Parallel: f.parallel,
	}
	if request.First, err = f.strategy(args[0], kind); err != nil {
		return nil, err
	}
	if request.Second, err = f.strategy(args[1], kind); err != nil {
		return nil, err
	}
	if request.Sprt, err = readSprt(f.sprt); err != nil {
		return nil, err
	}
	return request, f.check()
}

func (f *arenaFlags) setup() (*rulesv1.Setup, rulesv1.GameKind, error) {
	var board setupFlags
	switch f.board {
	case triosArena:
		setup, err := f.cards.setup()
		return setup, trios, err
	case squareArena:
		board = &squareFlags{reversiFlags: reversiFlags{startFrom: f.cards.startFrom, flags: f.cards.flags}, side: f.size}
	default:
		board = &hexFlags{reversiFlags: reversiFlags{startFrom: f.cards.startFrom, flags: f.cards.flags}, rings: f.size}
	}
	setup, err := board.setup()
	return setup, reversi, err
}

// readSprt reads the two differences of a sequential test, "" for none.
func readSprt(text string) (*strategyv1.PlayMatchRequest_Sprt, error) {
	if text == "" {
		return nil, nil
	}
	lower, upper, _ := strings.Cut(text, ",")
	elo0, err0 := strconv.ParseFloat(lower, 64)
	elo1, err1 := strconv.ParseFloat(upper, 64)
	if err0 != nil || err1 != nil {
		return nil, usagef("--sprt takes two numbers such as 0,10, not %q", text)
	}
	return &strategyv1.PlayMatchRequest_Sprt{Elo0: elo0, Elo1: elo1}, nil
}

func (p *program) arena(ctx context.Context, request *strategyv1.PlayMatchRequest, names []string) error {
	strategies, err := p.strategies()
	if err != nil {
		return err
	}
	match, err := strategies.PlayMatch(ctx, request)
	if err != nil {
		return err
	}
	out := &series{p: p}
	defer out.close()
	bar := &progress{p: p, games: request.GetGames()}
	for {
		m, err := match.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			bar.clear()
			return err
		}
		if err := p.matchMessage(out, bar, m, names); err != nil {
			return err
		}
	}
}

// matchMessage prints a game when it has ended, and the result of the match when it is over.
func (p *program) matchMessage(out *series, bar *progress, m *strategyv1.PlayMatchResponse, names []string) error {
	result := m.GetSummary()
	if result != nil && !result.GetFinal() {
		bar.draw(result)
		return nil
	}
	bar.clear()
	if result != nil {
		return out.item(m, matchResult(result, names))
	}
	return out.item(m, matchGame(m.GetGame(), names))
}

// matchGame tells a game in a line.
func matchGame(g *strategyv1.MatchGame, names []string) string {
	first, second := names[0], names[1]
	if g.GetFirstSide() == rulesv1.Side_SIDE_SECOND {
		first, second = second, first
	}
	result := "draw"
	switch g.GetWinner() {
	case rulesv1.Side_SIDE_FIRST:
		result = first + " wins"
	case rulesv1.Side_SIDE_SECOND:
		result = second + " wins"
	case rulesv1.Side_SIDE_UNSPECIFIED:
	}
	return fmt.Sprintf("%4d  %s - %s  %d-%d  %s\n", g.GetNumber(), first, second,
		g.GetScore().GetFirst(), g.GetScore().GetSecond(), result)
}

// matchResult tells the result of a match in a line.
func matchResult(s *strategyv1.MatchSummary, names []string) string {
	text := fmt.Sprintf("%s against %s: %s", names[0], names[1], standing(s))
	if s.GetLlr() != 0 {
		text += fmt.Sprintf(", LLR %.2f", s.GetLlr())
	}
	return text + "\n"
}

func standing(s *strategyv1.MatchSummary) string {
	return fmt.Sprintf("%d won, %d drawn, %d lost; Elo %+.0f ± %.0f",
		s.GetWins(), s.GetDraws(), s.GetLosses(), s.GetElo(), s.GetEloError())
}

// progress is a bar that shows somebody at a terminal how far a match has come.
type progress struct {
	p     *program
	games int32
	shown bool
}

// width is how many characters the bar itself has.
const width = 30

func (b *progress) draw(s *strategyv1.MatchSummary) {
	if !b.p.interactive {
		return
	}
	played := s.GetWins() + s.GetDraws() + s.GetLosses()
	full := min(int(width*played/max(b.games, 1)), width)
	fmt.Fprintf(b.p.Err, "\r\x1b[K[%s%s] %d of %d: %s",
		strings.Repeat("#", full), strings.Repeat(".", width-full), played, b.games, standing(s))
	b.shown = true
}

// clear makes room for a line of text.
func (b *progress) clear() {
	if b.shown {
		fmt.Fprint(b.p.Err, "\r\x1b[K")
		b.shown = false
	}
}
