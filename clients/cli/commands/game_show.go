package commands

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/session"
	"github.com/flipside-games/flipside/clients/cli/settings"
	flipside "github.com/flipside-games/flipside/clients/go"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

func newGameShow(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show a game and its board",
		Args:  exactArgs(1),
		RunE: p.withGames(func(ctx context.Context, games gamev1.GameServiceClient, args []string) error {
			got, err := games.GetGame(ctx, &gamev1.GetGameRequest{GameId: args[0]})
			if err != nil {
				return err
			}
			if p.Format != render.Text {
				return p.Print(got, "")
			}
			board, err := session.Board(ctx, games, args[0], got.GetGame().GetVersion())
			if err != nil {
				return err
			}
			return p.Print(got, render.Game(got.GetGame())+"\n"+board)
		}),
	}
}

func newGameBoard(p *program) *cobra.Command {
	request := &gamev1.RenderGameRequest{Format: gamev1.Format_FORMAT_TEXT}
	cmd := &cobra.Command{
		Use:   "board ID",
		Short: "Draw the board as text, SVG or PNG",
		Example: `  flipside game board ID --selected -1,2
  flipside game board ID --format svg > board.svg`,
		Args: exactArgs(1),
		RunE: p.withGames(func(ctx context.Context, games gamev1.GameServiceClient, args []string) error {
			png := request.GetFormat() == gamev1.Format_FORMAT_PNG && p.Format == render.Text
			if png && isTerminal(p.out.Writer) {
				return settings.Usagef("a PNG is not text for a terminal: write it to a file " +
					"with > board.png")
			}
			request.GameId = args[0]
			board, err := games.RenderGame(ctx, request)
			if err != nil {
				return err
			}
			return p.Print(board, string(board.GetData()))
		}),
	}
	flags := cmd.Flags()
	flags.Var(settings.Choice(&request.Format, render.BoardFormats), "format", "format of the drawing")
	flags.Int32Var(&request.Version, "version", 0,
		"draw the board after this `version` (default: the latest)")
	flags.Var(settings.Text(&request.Selected), "selected", "mark a `cell` as selected, such as d3 or -1,2")
	flags.BoolVar(&request.Labels, "labels", false, "label rows and columns")
	flags.BoolVar(&request.Hints, "hints", false,
		"show on each cell how many the side to move would flip")
	flags.Var(settings.Text(&request.Card), "card",
		"show how many cards this `card` of a hand would flip")
	flags.Var(settings.Choice(&request.Theme, render.Themes), "theme",
		"colours of an SVG or a PNG (default: light)")
	return cmd
}

func newGameLegal(p *program) *cobra.Command {
	request := &gamev1.ListLegalMovesRequest{}
	cmd := &cobra.Command{
		Use:   "legal ID",
		Short: "List the legal moves, with the cells that each flips",
		Args:  exactArgs(1),
		RunE: p.withGames(func(ctx context.Context, games gamev1.GameServiceClient, args []string) error {
			request.GameId = args[0]
			legal, err := flipside.LegalMoves(ctx, games, request)
			if err != nil {
				return err
			}
			return render.PrintList(&p.Printer, legal, legal.GetMoves(), render.LegalMoves(legal.GetMoves()))
		}),
	}
	sideFlag(cmd, &request.Side, "side whose moves to list (default: the side to move)")
	cmd.Flags().Var(settings.Text(&request.Card), "card",
		"list only moves of the card with this `name`")
	return cmd
}
