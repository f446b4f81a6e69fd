package commands

import (
	"context"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/flipside-games/flipside/clients/cli/board"
	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/session"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

func newStrategy(p *program) *cobra.Command {
	return group("strategy", "List strategies, and let them choose moves and analyze positions",
		newStrategyList(p), newStrategyChoose(p), newStrategyAnalyze(p))
}

func newStrategyList(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the strategies of the server with their games and parameters",
		Args:  exactArgs(0),
		RunE: with(p, p.strategies, func(
			ctx context.Context, strategies strategyv1.StrategyServiceClient, _ []string,
		) error {
			all, err := strategies.ListStrategies(ctx, &strategyv1.ListStrategiesRequest{})
			if err != nil {
				return err
			}
			list := all.GetStrategies()
			return render.PrintList(&p.Printer, all, list, render.Strategies(list))
		}),
	}
}

// positionFlags select a strategy with its limits, and a position.
type positionFlags struct {
	settings.Limits
	game string
}

func (f *positionFlags) register(flags *pflag.FlagSet) {
	f.Register(flags)
	flags.Var(settings.Text(&f.game), "game",
		"use the current position of the game with this `id` or link")
}

const positionHelp = `POSITION is a notation, with or without quotes. Use --game for the position
of a game on the server.`

// read returns the strategy and the position.
func (f *positionFlags) read(
	ctx context.Context, p *program, args []string,
) (*strategyv1.Strategy, *rulesv1.Position, error) {
	strategy, err := f.Strategy(args[0], render.AnyGame)
	if err == nil {
		err = f.Check()
	}
	if err != nil {
		return nil, nil, err
	}
	if (len(args) > 1) == (f.game != "") {
		return nil, nil, settings.Usagef(
			"give one position: either a notation after the strategy, or --game")
	}
	if f.game == "" {
		return strategy, &rulesv1.Position{Notation: strings.Join(args[1:], " ")}, nil
	}
	games, err := p.games(ctx)
	if err != nil {
		return nil, nil, err
	}
	got, err := games.GetGame(ctx, &gamev1.GetGameRequest{GameId: board.FindGameID(f.game)})
	return strategy, got.GetGame().GetPosition(), err
}

func newStrategyChoose(p *program) *cobra.Command {
	var f positionFlags
	var seed int64
	cmd := &cobra.Command{
		Use:   "choose STRATEGY [POSITION]",
		Short: "Let a strategy choose a move",
		Long: "Let a strategy choose a move. Show all moves that it considers equally good.\n\n" +
			positionHelp,
		Example: `  flipside strategy choose hard reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0
  flipside strategy choose alphabeta --depth 5 --game ID`,
		Args: argsBetween(1, math.MaxInt),
		RunE: p.command(func(ctx context.Context, args []string) error {
			strategy, position, err := f.read(ctx, p, args)
			if err != nil {
				return err
			}
			strategies, err := p.strategies(ctx)
			if err != nil {
				return err
			}
			request := &strategyv1.ChooseMoveRequest{Position: position, Strategy: strategy, Seed: seed}
			choice, err := strategies.ChooseMove(ctx, request)
			if err != nil {
				return err
			}
			return p.Print(choice, render.Choice(choice))
		}),
	}
	f.register(cmd.Flags())
	cmd.Flags().Int64Var(&seed, "seed", 0,
		"`seed` for the choice between equally good moves (0: the first)")
	return cmd
}

func newStrategyAnalyze(p *program) *cobra.Command {
	var f positionFlags
	var lines int32
	cmd := &cobra.Command{
		Use:   "analyze STRATEGY [POSITION]",
		Short: "Analyze a position and show each depth of the search",
		Long: "Analyze a position with alphabeta or engine and show each depth of the search.\n\n" +
			positionHelp,
		Example: `  flipside strategy analyze engine --time 2s --game ID
  flipside strategy analyze alphabeta --depth 6 --lines 3 --game ID`,
		Args: argsBetween(1, math.MaxInt),
		RunE: p.command(func(ctx context.Context, args []string) error {
			strategy, position, err := f.read(ctx, p, args)
			if err != nil {
				return err
			}
			return p.analyze(ctx, &strategyv1.AnalyzePositionRequest{
				Position: position, Strategy: strategy, MultiPv: lines,
			})
		}),
	}
	f.register(cmd.Flags())
	cmd.Flags().Int32Var(&lines, "lines", 0,
		"show the `n` best principal variations, 1 to 32 (default 1)")
	return cmd
}

func (p *program) analyze(ctx context.Context, request *strategyv1.AnalyzePositionRequest) error {
	strategies, err := p.strategies(ctx)
	if err != nil {
		return err
	}
	analyses, err := strategies.AnalyzePosition(ctx, request)
	if err != nil {
		return err
	}
	out := &render.Series{Printer: &p.Printer}
	defer out.Close()
	first := true
	return session.Receive(analyses, func(m *strategyv1.AnalyzePositionResponse) error {
		text := render.Analysis(m.GetAnalysis())
		if m.GetAnalysis().GetFinal() && !first {
			text = "" // the same as the message before
		}
		first = false
		return out.Print(m, text)
	})
}
