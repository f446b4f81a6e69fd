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
		Short: "Claim a game whose opponent has left",
		Long: `Claim a game whose opponent has left. This works when their turn takes longer than the
--claim-after of the game; flipside game show shows from when. The --absent of the game
decides the result.`,
		Args: exactArgs(1),
	})
}
