package commands

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/render"
	flipside "github.com/flipside-games/flipside/clients/go"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

func newTurns(p *program) *cobra.Command {
	request := &gamev1.WatchTurnsRequest{}
	cmd := &cobra.Command{
		Use:   "turns",
		Short: "Follow all your games and show when it is your turn",
		Long: `Follow all your games and show when it is your turn, starting with the games that wait
for you now. Run until interrupted, across lost connections and restarts of the server.`,
		Args: exactArgs(0),
		RunE: p.withGames(func(ctx context.Context, games gamev1.GameServiceClient, _ []string) error {
			out := &render.Series{Printer: &p.Printer}
			defer out.Close()
			for m, err := range flipside.Turns(ctx, games, request, p.streams()) {
				if err == nil && (m.GetTurn() != nil || m.GetGameOver() != nil) {
					err = out.Print(m, render.TurnMessage(m))
				}
				if err != nil {
					return unlessInterrupted(ctx, err)
				}
			}
			return nil
		}),
	}
	cmd.Flags().StringVar(&request.AfterCursor, "after", "",
		"start after this `cursor` of an earlier message")
	return cmd
}
