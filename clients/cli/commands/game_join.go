package commands

import (
	"github.com/spf13/cobra"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

func newGameJoin(p *program) *cobra.Command {
	request := &gamev1.JoinGameRequest{}
	cmd := &cobra.Command{
		Use:   "join ID",
		Short: "Take an open seat of a game",
		Args:  exactArgs(1),
	}
	sideFlag(cmd, &request.Side, "seat to take (default: the first open one)")
	return change[*gamev1.JoinGameRequest, *gamev1.JoinGameResponse]{
		call: gamev1.GameServiceClient.JoinGame, request: request,
		gameID: &request.GameId, requestID: &request.RequestId,
	}.command(p, cmd)
}
