package commands

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

func newGame(p *program) *cobra.Command {
	return group("game", "Create, play and follow games, one step at a time",
		newGameCreate(p), newGameList(p), newGameShow(p), newGameJoin(p), newGameMove(p),
		newGameLegal(p), newGameOffer(p), newGameDecline(p), newGameResign(p), newGameClaim(p),
		newGameAbort(p), newGameFork(p),
		newGameRobot(p), newGameBoard(p), newGameWatch(p))
}

// explainIDs adds to the help of each command with an ID what that is.
func explainIDs(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		explainIDs(sub)
	}
	if strings.Contains(cmd.Use, " ID") {
		cmd.Long = cmp.Or(cmd.Long, cmd.Short+".") + "\n\nID is the id of a game, or a link to it."
	}
}

// sideFlag adds the flag --side to a command.
func sideFlag(cmd *cobra.Command, side *rulesv1.Side, usage string) {
	cmd.Flags().Var(settings.Choice(side, render.Sides), "side", usage)
}

// withGames makes a function that calls GameService the RunE of a command.
func (p *program) withGames(
	run func(ctx context.Context, games gamev1.GameServiceClient, args []string) error,
) func(*cobra.Command, []string) error {
	return with(p, p.games, run)
}
