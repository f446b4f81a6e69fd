package commands

import (
	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/render"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

func newGameMove(p *program) *cobra.Command {
	request := &gamev1.PlayMoveRequest{}
	cmd := &cobra.Command{
		Use:   "move ID MOVE",
		Short: "Play a move",
		Example: `  flipside game move ID d3
  flipside game move ID -1,2
  flipside game move ID anchor@0,2
  flipside game move ID pass`,
		Args: exactArgs(2),
	}
	cmd.Flags().Int32Var(&request.ExpectedVersion, "expected-version", 0,
		"play only if the game is at this `version`")
	return change[*gamev1.PlayMoveRequest, *gamev1.PlayMoveResponse]{
		call: gamev1.GameServiceClient.PlayMove, request: request,
		gameID: &request.GameId, requestID: &request.RequestId,
		prepare: func(args []string) error {
			request.Notation = args[1]
			return nil
		},
		text: render.Played,
	}.command(p, cmd)
}
