package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

func newStrategy(p *program) *cobra.Command {
	return group("strategy", "Ask strategies about positions",
		newStrategyList(p), newStrategyChoose(p), newStrategyAnalyze(p))
}

func newStrategyList(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the strategies, what they play and what can be set",
		Args:  takes(0, 0),
		RunE: p.do(func(ctx context.Context, _ []string) error {
			strategies, err := p.strategies()
			if err != nil {
				return err
			}
			all, err := strategies.ListStrategies(ctx, &strategyv1.ListStrategiesRequest{})
			if err != nil {
				return err
			}
			return list(p, all, all.GetStrategies(), func(w io.Writer) { table(w, strategyRows(all.GetStrategies())...) })
		}),
	}
}

func strategyRows(all []*strategyv1.StrategyInfo) []string {
	rows := []string{row("STRATEGY", "GAMES", "PARAMETERS", "WHAT IT DOES")}
	for _, each := range all {
		var games, parameters []string
		for _, kind := range each.GetGames() {
			games = append(games, nameOf(kinds, kind))
		}
		for _, parameter := range each.GetParameters() {
			parameters = append(parameters, parameter.GetName()+parameterRange(parameter))
		}
		rows = append(rows,
			row(each.GetName(), strings.Join(games, " "), strings.Join(parameters, ", "), each.GetSummary()))
	}
	return rows
}

func parameterRange(parameter *strategyv1.Parameter) string {
	switch {
	case len(parameter.GetValues()) > 0:
		return " " + strings.Join(parameter.GetValues(), "|")
	case parameter.GetMinimum() != "" || parameter.GetMaximum() != "":
		return " " + parameter.GetMinimum() + ".." + parameter.GetMaximum()
	default:
		return ""
	}
}

// askFlags say which position a strategy is asked about.
type askFlags struct {
	limitFlags
	game string
}

func (f *askFlags) register(flags *pflag.FlagSet) {
	f.limitFlags.register(flags)
	flags.StringVar(&f.game, "game", "", "ask about the position of this game, by `id`")
}

const askHelp = "The position is a notation, which may stand in quotes or not, or that of a game on the server."

// read returns the strategy and the position that the arguments name.
func (f *askFlags) read(
	ctx context.Context, p *program, args []string,
) (*strategyv1.Strategy, *rulesv1.Position, error) {
	strategy, err := f.strategy(args[0], everyGame)
	if err == nil {
		err = f.check()
	}
	if err != nil {
		return nil, nil, err
	}
	if (len(args) > 1) == (f.game != "") {
		return nil, nil, usagef("say which position: either a notation after the strategy, or --game")
	}
	if f.game == "" {
		return strategy, &rulesv1.Position{Notation: strings.Join(args[1:], " ")}, nil
	}
	games, err := p.games(ctx)
	if err != nil {
		return nil, nil, err
	}
	got, err := games.GetGame(ctx, &gamev1.GetGameRequest{GameId: f.game})
	return strategy, got.GetGame().GetPosition(), err
}

func newStrategyChoose(p *program) *cobra.Command {
	var f askFlags
	var seed int64
	cmd := &cobra.Command{
		Use:   "choose STRATEGY [POSITION]",
		Short: "Ask a strategy for a move",
		Long:  "Ask a strategy for a move, all the moves it holds equally good, and why.\n\n" + askHelp,
		Example: `  flipside strategy choose hard reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0
  flipside strategy choose alphabeta --depth 5 --game ID`,
		Args: takes(1, math.MaxInt),
		RunE: p.do(func(ctx context.Context, args []string) error {
			strategy, position, err := f.read(ctx, p, args)
			if err != nil {
				return err
			}
			strategies, err := p.strategies()
			if err != nil {
				return err
			}
			request := &strategyv1.ChooseMoveRequest{Position: position, Strategy: strategy, Seed: seed}
			chosen, err := strategies.ChooseMove(ctx, request)
			if err != nil {
				return err
			}
			return p.reply(chosen, func(w io.Writer) { table(w, choiceRows(chosen)...) })
		}),
	}
	f.register(cmd.Flags())
	cmd.Flags().Int64Var(&seed, "seed", 0, "pick among equally good moves by this `number` (default: the first)")
	return cmd
}

func choiceRows(chosen *strategyv1.ChooseMoveResponse) []string {
	rows := []string{row("MOVE", "VALUE", "")}
	for _, candidate := range chosen.GetCandidates() {
		value, mark := "-", ""
		if measure := candidate.GetMeasure(); measure != strategyv1.Measure_MEASURE_UNSPECIFIED {
			name := strings.ToLower(strings.TrimPrefix(measure.String(), "MEASURE_"))
			value = fmt.Sprintf("%d %s", candidate.GetValue(), name)
		}
		if candidate.GetNotation() == chosen.GetChosen().GetNotation() {
			mark = "chosen"
		}
		rows = append(rows, row(candidate.GetNotation(), value, mark))
	}
	if analysis := chosen.GetAnalysis(); analysis.GetDepth() > 0 {
		rows = append(rows, "", strings.TrimRight(analysisLine(analysis), "\n"))
	}
	return rows
}

func newStrategyAnalyze(p *program) *cobra.Command {
	var f askFlags
	var lines int32
	cmd := &cobra.Command{
		Use:   "analyze STRATEGY [POSITION]",
		Short: "Let a strategy that searches tell what it knows as it looks deeper",
		Long:  "Let a strategy that searches, alphabeta or engine, tell what it knows as it looks deeper.\n\n" + askHelp,
		Args:  takes(1, math.MaxInt),
		RunE: p.do(func(ctx context.Context, args []string) error {
			strategy, position, err := f.read(ctx, p, args)
			if err != nil {
				return err
			}
			request := &strategyv1.AnalyzePositionRequest{Position: position, Strategy: strategy, MultiPv: lines}
			return p.analyze(ctx, request)
		}),
	}
	f.register(cmd.Flags())
	cmd.Flags().Int32Var(&lines, "lines", 0, "how many best lines to show, 1 to 32 (default 1)")
	return cmd
}

func (p *program) analyze(ctx context.Context, request *strategyv1.AnalyzePositionRequest) error {
	strategies, err := p.strategies()
	if err != nil {
		return err
	}
	analyses, err := strategies.AnalyzePosition(ctx, request)
	if err != nil {
		return err
	}
	out := &series{p: p}
	defer out.close()
	for {
		m, err := analyses.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		text := analysisLine(m.GetAnalysis())
		if m.GetAnalysis().GetFinal() && out.count > 0 {
			text = "" // what people have read already
		}
		if err := out.item(m, text); err != nil {
			return err
		}
	}
}

// analysisLine puts what a search knows in a line, and each further line of play in one more.
func analysisLine(a *strategyv1.Analysis) string {
	text := fmt.Sprintf("depth %-2d  %s  %d nodes  %d/s  %.3fs\n", a.GetDepth(),
		play(worth(a.GetScore(), a.GetExact(), a.GetConfidence()), a.GetPrincipalVariation()),
		a.GetNodes(), a.GetNodesPerSecond(), a.GetTime().AsDuration().Seconds())
	for i, line := range a.GetMultiPv() {
		if i > 0 {
			moves := play(worth(line.GetScore(), line.GetExact(), a.GetConfidence()), line.GetPrincipalVariation())
			text += fmt.Sprintf("     %2d.  %s\n", i+1, strings.TrimRight(moves, " "))
		}
	}
	return text
}

// play is a line of play with its worth.
func play(worth string, moves []string) string {
	return fmt.Sprintf("%-9s  %-40s", worth, strings.Join(moves, " "))
}

// worth is a score, and whether it is proved or rests on branches that were left out.
func worth(score int32, exact bool, confidence int32) string {
	switch {
	case exact:
		return fmt.Sprintf("%+d exact", score)
	case confidence > 0 && confidence < 100:
		return fmt.Sprintf("%+d at %d%%", score, confidence)
	}
	return fmt.Sprintf("%+d", score)
}
