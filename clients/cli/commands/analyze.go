package commands

import (
	"context"
	"io"
	"math"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/review"
	"github.com/flipside-games/flipside/clients/cli/session"
	"github.com/flipside-games/flipside/clients/cli/settings"
	"github.com/flipside-games/flipside/clients/records"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// reportFormat is a format of a review.
type reportFormat int

const (
	reportTable reportFormat = iota
	reportJSON
	reportSVG
)

var reportFormats = render.Enum[reportFormat]{
	{Name: "table", Value: reportTable},
	{Name: "json", Value: reportJSON},
	{Name: "svg", Value: reportSVG},
}

// moveTime limits the analysis of each position of a game without another limit. Problems have no
// limit: they are solved.
const moveTime = time.Second

func newAnalyze(p *program) *cobra.Command {
	a := &analyzer{program: p, summary: &review.Summary{}}
	cmd := &cobra.Command{
		Use:   "analyze ID|FILE...",
		Short: "Compare the moves of games with the engine's, and solve problem sets",
		Long: "Compare the moves of games with the engine's choice: the loss of each move in discs or\n" +
			"cards, and the turning points, where a win or a draw is lost. Each position gets a second\n" +
			"unless a flag sets another limit. Positions without moves, as in OBF, are solved to the\n" +
			"end and compared with the values in the file.\n\n" + filesHelp,
		Example: `  flipside analyze games.ggf
  flipside analyze ID --depth 12 --format svg > game.svg
  flipside analyze problems.obf`,
		Args:              argsBetween(1, math.MaxInt),
		ValidArgsFunction: completeFiles,
		RunE:              p.command(a.run),
	}
	a.limits.Register(cmd.Flags())
	cmd.Flags().Var(settings.Choice(&a.format, reportFormats), "format", "format of the reports")
	a.limited = func() bool {
		flags := cmd.Flags()
		return flags.Changed("depth") || flags.Changed("time") || flags.Changed("nodes")
	}
	return cmd
}

// analyzer reviews games and solves problems.
type analyzer struct {
	*program
	limits     settings.Limits
	limited    func() bool // the user set a limit
	format     reportFormat
	strategies strategyv1.StrategyServiceClient
	engine     *strategyv1.Strategy
	out        *render.Series
	summary    *review.Summary
	count      int // the number of records
}

func (a *analyzer) run(ctx context.Context, args []string) (err error) {
	if a.engine, err = a.limits.Strategy("engine", render.AnyGame); err != nil {
		return err
	}
	if a.strategies, err = a.program.strategies(ctx); err != nil {
		return err
	}
	if a.format == reportJSON && a.Format == render.Text {
		a.Format = render.JSON
	}
	a.out = &render.Series{Printer: &a.Printer}
	defer a.clearLine()
	if a.format != reportSVG {
		defer a.out.Close()
	}
	var all []*reviewed
	err = a.eachRecord(ctx, args, func(r *records.Record, replayed *session.Replayed) error {
		all = append(all, &reviewed{r, replayed})
		return nil
	})
	if err != nil {
		return err
	}
	if a.format == reportSVG && (len(all) != 1 || len(all[0].replayed.Steps) == 0) {
		return settings.Usagef("--format svg draws one game with moves, not %d records", len(all))
	}
	a.count = len(all)
	return a.reviewAll(ctx, all)
}

// reviewed is a record to review.
type reviewed struct {
	record   *records.Record
	replayed *session.Replayed
}

func (a *analyzer) reviewAll(ctx context.Context, all []*reviewed) error {
	for i, each := range all {
		handle := a.reviewGame
		if len(each.replayed.Steps) == 0 {
			handle = a.solve
		}
		if err := handle(ctx, i, each); err != nil {
			return err
		}
	}
	if a.summary.Problems == 0 {
		return nil
	}
	a.clearLine()
	return a.out.Print(a.summary, a.summary.Text())
}

// solve solves the start of a record.
func (a *analyzer) solve(ctx context.Context, i int, each *reviewed) error {
	a.progress(i, a.count, "problems")
	found, err := a.analysis(ctx, each.replayed.Start, a.engine, 1)
	if err != nil {
		return err
	}
	problem := &review.Problem{
		Number: i + 1, Comment: each.record.Comment,
		Value: int(found.GetScore()), Exact: found.GetExact(), Depth: int(found.GetDepth()),
		Nodes: found.GetNodes(), Seconds: found.GetTime().AsDuration().Seconds(),
	}
	if pv := found.GetPrincipalVariation(); len(pv) > 0 {
		problem.Move = pv[0]
	}
	if best, value := bestOf(each.record.Values); len(best) > 0 {
		problem.Check(best, value)
	}
	a.summary.Add(problem)
	a.clearLine()
	return a.out.Print(problem, problem.Text())
}

// bestOf returns the moves with the greatest value, and the value.
func bestOf(values []records.Value) (best []string, value int) {
	for _, v := range values {
		switch {
		case len(best) == 0 || v.Value > value:
			best, value = []string{v.Notation}, v.Value
		case v.Value == value:
			best = append(best, v.Notation)
		}
	}
	return best, value
}

// reviewGame reviews the moves of a game.
func (a *analyzer) reviewGame(ctx context.Context, _ int, each *reviewed) error {
	engine := a.engine
	if !a.limited() {
		engine = &strategyv1.Strategy{Kind: &strategyv1.Strategy_Engine{Engine: &strategyv1.Engine{
			MaxTime: durationpb.New(moveTime), Threads: a.engine.GetEngine().GetThreads(),
		}}}
	}
	played, err := a.analyses(ctx, engine, each.replayed.Steps)
	if err != nil {
		return err
	}
	kind := render.Reversi
	if each.record.Setup.GetThreeTrios() != nil {
		kind = render.Trios
	}
	names := [2]string{each.record.Players[0].Name, each.record.Players[1].Name}
	report := review.New(each.record.Name(), names, kind, played)
	a.clearLine()
	if a.format == reportSVG {
		_, err := io.WriteString(a.Out, report.SVG())
		return err
	}
	return a.out.Print(report, report.Text())
}

// maxLines is the largest number of principal variations of an analysis.
const maxLines = 32

// analyses analyzes each position of a game.
func (a *analyzer) analyses(
	ctx context.Context, engine *strategyv1.Strategy, steps []session.Step,
) ([]review.Played, error) {
	played := make([]review.Played, len(steps))
	for i, step := range steps {
		a.progress(i, len(steps), "moves")
		over := records.Turn(step.After.GetNotation()) == rulesv1.Side_SIDE_UNSPECIFIED
		lines := int32(1)
		if over {
			lines = maxLines
		}
		found, err := a.analysis(ctx, step.Before, engine, lines)
		if err != nil {
			return nil, err
		}
		played[i] = review.Played{Side: step.Side, Notation: step.Notation, Before: found}
		if i > 0 {
			played[i-1].After = found
		}
		if last := i == len(steps)-1; last && !over {
			if played[i].After, err = a.analysis(ctx, step.After, engine, 1); err != nil {
				return nil, err
			}
		}
	}
	return played, nil
}

// analysis returns the final analysis of a position.
func (a *analyzer) analysis(
	ctx context.Context, position *rulesv1.Position, engine *strategyv1.Strategy, lines int32,
) (*strategyv1.Analysis, error) {
	stream, err := a.strategies.AnalyzePosition(ctx, &strategyv1.AnalyzePositionRequest{
		Position: position, Strategy: engine, MultiPv: lines,
	})
	if err != nil {
		return nil, err
	}
	var last *strategyv1.Analysis
	err = session.Receive(stream, func(m *strategyv1.AnalyzePositionResponse) error {
		last = m.GetAnalysis()
		return nil
	})
	return last, err
}
