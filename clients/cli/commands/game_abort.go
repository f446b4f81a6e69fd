package commands

import (
	"github.com/spf13/cobra"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

func newGameAbort(p *program) *cobra.Command {
	request := &gamev1.AbortGameRequest{}
	return change[*gamev1.AbortGameRequest, *gamev1.AbortGameResponse]{
		call: gamev1.GameServiceClient.AbortGame, request: request,
		gameID: &request.GameId, requestID: &request.RequestId,
	}.command(p, &cobra.Command{
		Use:   "abort ID",
		Short: "Abort a game before both sides have moved",
		Args:  exactArgs(1),
	})
}
