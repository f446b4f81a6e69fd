package commands

import (
	"github.com/spf13/cobra"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

func newGameClaim(p *program) *cobra.Command {
	request := &gamev1.ClaimAbandonmentRequest{}
	return change[*gamev1.ClaimAbandonmentRequest, *gamev1.ClaimAbandonmentResponse]{
		call: gamev1.GameServiceClient.ClaimAbandonment, request: request,
		gameID: &request.GameId, requestID: &request.RequestId,
	}.command(p, &cobra.Command{
		Use:   "claim ID",
		Short: "Claim a game when the opponent has left: their turn takes longer than --claim-after of the game",
		Args:  exactArgs(1),
	})
}
