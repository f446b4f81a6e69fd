package commands

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/session"
	"github.com/flipside-games/flipside/clients/cli/settings"
	"github.com/flipside-games/flipside/clients/records"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

func newImport(p *program) *cobra.Command {
	var visibility gamev1.Visibility
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Create games from files",
		Long: "Create games from files. You hold both seats of each game. Print the id of each game,\n" +
			"and with -o json its record, which keeps the names of the players.\n\n" + filesHelp,
		Example: `  flipside import games.ggf
  flipside import WTH_2001.wtb WTHOR.JOU WTHOR.TRN --visibility private`,
		Args:              argsBetween(1, math.MaxInt),
		ValidArgsFunction: completeFiles,
		RunE: p.command(func(ctx context.Context, args []string) error {
			files, names, err := p.readFiles(args)
			if err != nil {
				return err
			}
			importer := &importer{program: p, visibility: visibility}
			if importer.games, err = p.games(ctx); err != nil {
				return err
			}
			if importer.strategies, err = p.strategies(ctx); err != nil {
				return err
			}
			return importer.run(ctx, files, names)
		}),
	}
	cmd.Flags().Var(settings.Choice(&visibility, render.Visibilities), "visibility",
		"show the games to everyone, to people who know their ids, or to you (default: public)")
	return cmd
}

// importer creates games from records.
type importer struct {
	*program
	games      gamev1.GameServiceClient
	strategies strategyv1.StrategyServiceClient
	visibility gamev1.Visibility
}

// run imports the games of files in order, up to the first one with an illegal move.
func (i *importer) run(ctx context.Context, files []gameFile, names *records.Names) error {
	all, count, err := allRecords(files, names)
	if err != nil {
		return err
	}
	out := &render.Series{Printer: &i.Printer}
	defer out.Close()
	defer i.clearLine()
	done := 0
	for r, err := range all {
		if err == nil {
			i.progress(done, count, "games")
			err = i.one(ctx, r)
		}
		if err != nil {
			return err
		}
		done++
		i.clearLine()
		if err := out.Print(records.Message(r), importedLine(r)); err != nil {
			return err
		}
	}
	return nil
}

// importedLine describes an imported game.
func importedLine(r *records.Record) string {
	players := strings.Trim(r.Players[0].Name+" - "+r.Players[1].Name, " -")
	if players != "" {
		players = r.Players[0].Name + " - " + r.Players[1].Name + ", "
	}
	return fmt.Sprintf("%s  %s%d moves\n", r.ID, players, len(r.Moves))
}

// one creates the game of a record, plays its moves, and ends it as the record does. It sets the id.
func (i *importer) one(ctx context.Context, r *records.Record) error {
	replayed, err := session.Replay(ctx, i.strategies, r)
	if err != nil {
		return err
	}
	seat := &gamev1.Seat{Holder: &gamev1.Seat_Caller_{Caller: &gamev1.Seat_Caller{}}}
	request := &gamev1.CreateGameRequest{
		Setup: r.Setup, Seats: []*gamev1.Seat{seat, seat}, Visibility: i.visibility,
		RequestId: uuid.NewString(),
	}
	created, err := patient(ctx, i.program, func() (*gamev1.CreateGameResponse, error) {
		return i.games.CreateGame(ctx, request)
	})
	if err != nil {
		return fmt.Errorf("%s: the server rejects the setup: %w", r.Name(), err)
	}
	game := created.GetGame()
	r.ID = game.GetId()
	for _, step := range replayed.Steps {
		if game, err = i.play(ctx, r, game, step); err != nil {
			return err
		}
	}
	if game.GetState() != gamev1.GameState_GAME_STATE_ACTIVE || r.Result == nil {
		return nil
	}
	return i.end(ctx, r)
}

// play plays a move. It skips a pass that the server has played, as it does in a game with auto_pass.
func (i *importer) play(
	ctx context.Context, r *records.Record, game *gamev1.Game, step session.Step,
) (*gamev1.Game, error) {
	switch game.GetPosition().GetNotation() {
	case step.After.GetNotation():
		return game, nil
	case step.Before.GetNotation():
	default:
		return nil, r.Errorf("the setup does not lead to the start: game %s is at %q before %s",
			game.GetId(), game.GetPosition().GetNotation(), step.Notation)
	}
	request := &gamev1.PlayMoveRequest{
		GameId: game.GetId(), Notation: step.Notation, RequestId: uuid.NewString(),
	}
	played, err := patient(ctx, i.program, func() (*gamev1.PlayMoveResponse, error) {
		return i.games.PlayMove(ctx, request)
	})
	return played.GetGame(), err
}

// end ends an active game by resignation or agreement, if the record ends so.
func (i *importer) end(ctx context.Context, r *records.Record) error {
	loser := rulesv1.Side_SIDE_FIRST
	if r.Result.Winner == rulesv1.Side_SIDE_FIRST {
		loser = rulesv1.Side_SIDE_SECOND
	}
	var err error
	switch r.Result.Ending {
	case gamev1.Ending_ENDING_RESIGNATION:
		request := &gamev1.ResignRequest{GameId: r.ID, Side: loser, RequestId: uuid.NewString()}
		_, err = patient(ctx, i.program, func() (*gamev1.ResignResponse, error) {
			return i.games.Resign(ctx, request)
		})
	case gamev1.Ending_ENDING_AGREEMENT:
		request := &gamev1.OfferRequest{
			GameId: r.ID, Kind: gamev1.OfferKind_OFFER_KIND_DRAW, Side: loser,
			RequestId: uuid.NewString(),
		}
		_, err = patient(ctx, i.program, func() (*gamev1.OfferResponse, error) {
			return i.games.Offer(ctx, request)
		})
	default: // The game goes on: no call ends it by a lost time or by absence.
	}
	return err
}
