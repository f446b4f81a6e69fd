package commands

import (
	"github.com/spf13/cobra"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

func newGameResign(p *program) *cobra.Command {
	request := &gamev1.ResignRequest{}
	cmd := &cobra.Command{
		Use:   "resign ID",
		Short: "Resign a game",
		Args:  exactArgs(1),
	}
	sideFlag(cmd, &request.Side, "side to resign for, if you play both")
	return change[*gamev1.ResignRequest, *gamev1.ResignResponse]{
		call: gamev1.GameServiceClient.Resign, request: request,
		gameID: &request.GameId, requestID: &request.RequestId,
	}.command(p, cmd)
}
