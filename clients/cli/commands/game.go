package commands

import (
	"context"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

func newGame(p *program) *cobra.Command {
	return group("game", "Create, play and follow games, one step at a time",
		newGameCreate(p), newGameList(p), newGameShow(p), newGameJoin(p), newGameMove(p),
		newGameLegal(p), newGameResign(p), newGameClaim(p), newGameAbort(p), newGameFork(p),
		newGameRobot(p), newGameBoard(p), newGameWatch(p))
}

// changed is the reply of a call that changes a game.
type changed interface {
	GetGame() *gamev1.Game
	GetReplayed() bool
}

// change describes a command that changes a game with one call.
type change[Q any, R changed] struct {
	call      func(gamev1.GameServiceClient, context.Context, Q, ...grpc.CallOption) (R, error)
	request   Q                         // flags set its fields
	gameID    *string                   // field for the first argument; nil: the command has no game
	requestID *string                   // field for --request-id
	prepare   func(args []string) error // completes the request; nil: there is nothing to do
	text      func(R) string            // describes the reply; nil: describes the game
}

// command completes cmd: it makes the call, with a new request id unless the user gives one, and
// prints the reply.
func (c change[Q, R]) command(p *program, cmd *cobra.Command) *cobra.Command {
	cmd.Flags().Var(settings.Text(c.requestID), "request-id",
		"`uuid` of this change; repeat the command with the same id to retry it safely "+
			"(default: a new id)")
	cmd.RunE = p.command(func(ctx context.Context, args []string) error {
		if c.gameID != nil {
			*c.gameID = args[0]
		}
		if c.prepare != nil {
			if err := c.prepare(args); err != nil {
				return err
			}
		}
		games, err := p.games(ctx)
		if err != nil {
			return err
		}
		if *c.requestID == "" {
			*c.requestID = uuid.NewString()
		}
		reply, err := c.call(games, ctx, c.request)
		if err != nil {
			return err
		}
		if reply.GetReplayed() {
			p.Note("An earlier command with this request id did this; nothing changed now.")
		}
		if c.text != nil {
			return p.Print(reply, c.text(reply))
		}
		return p.Print(reply, render.Game(reply.GetGame()))
	})
	return cmd
}

// sideFlag adds the flag --side to a command.
func sideFlag(cmd *cobra.Command, side *rulesv1.Side, usage string) {
	cmd.Flags().Var(settings.Choice(side, render.Sides), "side", usage)
}

// withGames makes a function that calls GameService the RunE of a command.
func (p *program) withGames(
	run func(ctx context.Context, games gamev1.GameServiceClient, args []string) error,
) func(*cobra.Command, []string) error {
	return p.command(func(ctx context.Context, args []string) error {
		games, err := p.games(ctx)
		if err != nil {
			return err
		}
		return run(ctx, games, args)
	})
}
