package commands

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/board"
	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/session"
	"github.com/flipside-games/flipside/clients/cli/settings"
	"github.com/flipside-games/flipside/clients/records"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// exportFormats are the values of --format.
var exportFormats = render.Enum[records.Format]{
	{Name: "json", Value: records.JSON},
	{Name: "transcript", Value: records.Transcript},
	{Name: "ggf", Value: records.GGF},
	{Name: "obf", Value: records.OBF},
}

func newExport(p *program) *cobra.Command {
	format := records.JSON
	cmd := &cobra.Command{
		Use:   "export ID|FILE...",
		Short: "Write games in a file format",
		Long: "Write games of the server, or of files, in a file format. The formats transcript and ggf\n" +
			"take games of Reversi on squares. The format obf is the position after the last move.\n\n" +
			filesHelp,
		Example: `  flipside export ID > game.json
  flipside export games.ggf --format transcript`,
		Args:              argsBetween(1, math.MaxInt),
		ValidArgsFunction: completeFiles,
		RunE: p.command(func(ctx context.Context, args []string) error {
			return p.eachRecord(ctx, args, func(r *records.Record, replayed *session.Replayed) error {
				if format == records.OBF && len(r.Moves) > 0 {
					r.Start, r.Moves = replayed.Last().GetNotation(), nil
				}
				text, err := records.Write(r, format)
				if err != nil {
					return err
				}
				_, err = io.WriteString(p.Out, text)
				return err
			})
		}),
	}
	cmd.Flags().Var(settings.Choice(&format, exportFormats), "format", "file format")
	return cmd
}

// eachRecord handles the games that arguments name, each an id or a file, with their positions.
func (p *program) eachRecord(
	ctx context.Context, args []string, handle func(*records.Record, *session.Replayed) error,
) error {
	for _, arg := range args {
		if !isFile(arg) {
			r, replayed, err := p.storedRecord(ctx, arg)
			if err != nil {
				return err
			}
			if err := handle(r, replayed); err != nil {
				return fmt.Errorf("game %s: %w", arg, err)
			}
		}
	}
	return p.eachFileRecord(ctx, args, handle)
}

// eachFileRecord handles the games of the files among the arguments.
func (p *program) eachFileRecord(
	ctx context.Context, args []string, handle func(*records.Record, *session.Replayed) error,
) error {
	var paths []string
	for _, arg := range args {
		if isFile(arg) {
			paths = append(paths, arg)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	files, names, err := p.readFiles(paths)
	if err != nil {
		return err
	}
	all, _, err := allRecords(files, names)
	if err != nil {
		return err
	}
	strategies, err := p.strategies(ctx)
	if err != nil {
		return err
	}
	for r, err := range all {
		if err != nil {
			return err
		}
		replayed, err := session.Replay(ctx, strategies, r)
		if err != nil {
			return err
		}
		if err := handle(r, replayed); err != nil {
			return r.Errorf("%s", err)
		}
	}
	return nil
}

// storedRecord returns the record of a game on the server, by its id or a link to it.
func (p *program) storedRecord(
	ctx context.Context, link string,
) (*records.Record, *session.Replayed, error) {
	id := board.FindGameID(link)
	games, err := p.games(ctx)
	if err != nil {
		return nil, nil, err
	}
	got, err := patient(ctx, p, func() (*gamev1.GetGameResponse, error) {
		return games.GetGame(ctx, &gamev1.GetGameRequest{GameId: id})
	})
	if err != nil {
		return nil, nil, err
	}
	log, err := events(ctx, p, games, id)
	if err != nil {
		return nil, nil, err
	}
	history := &session.History{}
	for _, event := range log {
		history.Apply(event)
	}
	r, replayed := recordOf(got.GetGame(), history)
	return r, replayed, nil
}

// recordOf returns the record of a game, without moves that were taken back.
func recordOf(game *gamev1.Game, history *session.History) (*records.Record, *session.Replayed) {
	start := history.Entries[0].Position
	r := &records.Record{
		ID: game.GetId(), Place: "Flipside", Setup: game.GetSetup(), Start: start.GetNotation(),
		Date: game.GetCreateTime().AsTime().UTC().Format(time.RFC3339),
	}
	for i, seat := range game.GetSeats() {
		r.Players[i%2].Name = render.Holder(seat)
	}
	replayed := &session.Replayed{Start: start}
	for i, entry := range history.Entries[1:] {
		move := entry.Move
		r.Moves = append(r.Moves, records.Move{Side: move.GetSide(), Notation: move.GetNotation()})
		replayed.Steps = append(replayed.Steps, session.Step{
			Side: move.GetSide(), Notation: move.GetNotation(),
			Before: history.Entries[i].Position, After: entry.Position,
		})
	}
	if outcome := game.GetOutcome(); outcome != nil {
		r.Result = &records.Result{
			Winner: outcome.GetWinner(), Ending: outcome.GetEnding(),
			Difference: float64(game.GetScore().GetFirst() - game.GetScore().GetSecond()),
		}
	}
	return r, replayed
}
