package commands

import (
	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

func newGameFork(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fork ID [p1 [p2]]",
		Short: "Create a new game from a position of another game",
		Long: "Create a new game from a position of another game.\n" +
			"p1 plays Black or Red, p2 White or Blue.\n\n" + seatsHelp(render.AnyGame),
		Example: "  flipside game fork ID me hard --version 12",
		Args:    argsBetween(1, 3),
	}
	var version int32
	cmd.Flags().Int32Var(&version, "version", 0,
		"fork from the position after this `version` (default: the latest)")
	f, request := &settings.NewGame{}, &gamev1.ForkGameRequest{}
	f.Register(cmd.Flags())
	return change[*gamev1.ForkGameRequest, *gamev1.ForkGameResponse]{
		call: gamev1.GameServiceClient.ForkGame, request: request,
		gameID: &request.GameId, requestID: &request.RequestId,
		prepare: func(args []string) (err error) {
			if cmd.Flags().Changed("version") {
				request.Version = &version
			}
			request.Visibility = f.Visibility
			players := playersOr("me", "open", args[1:])
			request.Seats, request.TimeControl, err = f.Players(players, render.AnyGame)
			return err
		},
	}.command(p, cmd)
}
