package commands

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/session"
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
