package commands

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/session"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

func newGameLegal(p *program) *cobra.Command {
	request := &gamev1.ListLegalMovesRequest{}
	cmd := &cobra.Command{
		Use:   "legal ID",
		Short: "List the legal moves, with the cells that each flips",
		Args:  exactArgs(1),
		RunE: p.withGames(func(ctx context.Context, games gamev1.GameServiceClient, args []string) error {
			request.GameId = args[0]
			legal, err := session.LegalMoves(ctx, games, request)
			if err != nil {
				return err
			}
			return render.PrintList(&p.Printer, legal, legal.GetMoves(), render.LegalMoves(legal.GetMoves()))
		}),
	}
	sideFlag(cmd, &request.Side, "side whose moves to list (default: the side to move)")
	cmd.Flags().StringVar(&request.Card, "card", "", "list only moves of the card with this `name`")
	return cmd
}
