package commands

import (
	"cmp"
	"context"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// changed is the reply of a call that changes a game.
type changed interface {
	GetGame() *gamev1.Game
	GetReplayed() bool
}

// change completes a command that changes a game with one call. The flags of cmd set fields of the
// request, and prepare, unless it is nil, completes it. The first argument is the game, if the
// request has one. The request gets a new request id unless the user gives one.
func change[Q proto.Message, R changed](
	p *program, cmd *cobra.Command, request Q,
	call func(gamev1.GameServiceClient, context.Context, Q, ...grpc.CallOption) (R, error),
	prepare func(args []string) error,
) *cobra.Command {
	var requestID string
	cmd.Flags().Var(settings.Text(&requestID), "request-id",
		"`uuid` of this change; repeat the command with the same id to retry it safely "+
			"(default: a new id)")
	set := func(name protoreflect.Name, value string) {
		m := request.ProtoReflect()
		if field := m.Descriptor().Fields().ByName(name); field != nil {
			m.Set(field, protoreflect.ValueOfString(value))
		}
	}
	cmd.RunE = p.command(func(ctx context.Context, args []string) error {
		if len(args) > 0 {
			set("game_id", args[0])
		}
		if prepare != nil {
			if err := prepare(args); err != nil {
				return err
			}
		}
		games, err := p.games(ctx)
		if err != nil {
			return err
		}
		set("request_id", cmp.Or(requestID, uuid.NewString()))
		reply, err := call(games, ctx, request)
		if err != nil {
			return err
		}
		if reply.GetReplayed() {
			p.Note("An earlier command with this request id did this; nothing changed now.")
		}
		text := render.Game(reply.GetGame())
		if played, ok := any(reply).(*gamev1.PlayMoveResponse); ok {
			text = render.Played(played)
		}
		return p.Print(reply, text)
	})
	return cmd
}

func newGameJoin(p *program) *cobra.Command {
	request := &gamev1.JoinGameRequest{}
	cmd := &cobra.Command{
		Use:   "join ID",
		Short: "Take an open seat of a game",
		Args:  exactArgs(1),
	}
	sideFlag(cmd, &request.Side, "seat to take (default: the first open one)")
	return change(p, cmd, request, gamev1.GameServiceClient.JoinGame, nil)
}

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
	return change(p, cmd, request, gamev1.GameServiceClient.PlayMove, func(args []string) error {
		request.Notation = args[1]
		return nil
	})
}

func newGameResign(p *program) *cobra.Command {
	request := &gamev1.ResignRequest{}
	cmd := &cobra.Command{
		Use:   "resign ID",
		Short: "Resign a game",
		Args:  exactArgs(1),
	}
	sideFlag(cmd, &request.Side, "side to resign for, if you play both")
	return change(p, cmd, request, gamev1.GameServiceClient.Resign, nil)
}

func newGameClaim(p *program) *cobra.Command {
	return change(p, &cobra.Command{
		Use:   "claim ID",
		Short: "Claim a game whose opponent has left",
		Long: `Claim a game whose opponent has left. This works when their turn takes longer than the
--claim-after of the game; flipside game show shows from when. The --absent of the game
decides the result.`,
		Args: exactArgs(1),
	}, &gamev1.ClaimAbandonmentRequest{}, gamev1.GameServiceClient.ClaimAbandonment, nil)
}

func newGameOffer(p *program) *cobra.Command {
	request := &gamev1.OfferRequest{}
	cmd := &cobra.Command{
		Use:   "offer ID takeback|draw|rematch",
		Short: "Offer a takeback, a draw or a rematch, or accept the offer of the opponent",
		Args:  exactArgs(2),
	}
	sideFlag(cmd, &request.Side, "side to offer for, if you play both")
	return change(p, cmd, request, gamev1.GameServiceClient.Offer, func(args []string) error {
		return setOffer(&request.Kind, args[1])
	})
}

func newGameDecline(p *program) *cobra.Command {
	request := &gamev1.DeclineOfferRequest{}
	cmd := &cobra.Command{
		Use:   "decline ID takeback|draw|rematch",
		Short: "Decline an offer of the opponent, or withdraw your own",
		Args:  exactArgs(2),
	}
	sideFlag(cmd, &request.Side, "side to decline for, if you play both")
	return change(p, cmd, request, gamev1.GameServiceClient.DeclineOffer, func(args []string) error {
		return setOffer(&request.Kind, args[1])
	})
}

// setOffer sets the kind of an offer by its name.
func setOffer(kind *gamev1.OfferKind, name string) error {
	value, ok := render.OfferKinds.Value(name)
	if !ok {
		return settings.Usagef("unknown offer %q: use %s", name, render.Or(render.OfferKinds.Names()))
	}
	*kind = value
	return nil
}

func newGameAbort(p *program) *cobra.Command {
	return change(p, &cobra.Command{
		Use:   "abort ID",
		Short: "Abort a game before both sides have moved",
		Args:  exactArgs(1),
	}, &gamev1.AbortGameRequest{}, gamev1.GameServiceClient.AbortGame, nil)
}

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
	return change(p, cmd, request, gamev1.GameServiceClient.ForkGame, func(args []string) (err error) {
		if cmd.Flags().Changed("version") {
			request.Version = &version
		}
		request.Visibility = f.Visibility
		players := playersOr("me", "open", args[1:])
		request.Seats, request.TimeControl, err = f.Players(players, render.AnyGame)
		return err
	})
}

func newGameRobot(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "robot ID STRATEGY",
		Short: "Change the strategy of a robot during a game",
		Long: "Change the strategy of a robot during a game. Strategies:\n" +
			strategiesHelp(render.AnyGame),
		Example: `  flipside game robot ID expert
  flipside game robot ID alphabeta --depth 5 --side second`,
		Args: exactArgs(2),
	}
	robots, request := &settings.Robots{}, &gamev1.SetRobotRequest{}
	robots.Register(cmd.Flags())
	sideFlag(cmd, &request.Side, "side of the robot, if both are robots")
	return change(p, cmd, request, gamev1.GameServiceClient.SetRobot, func(args []string) (err error) {
		request.Provider, request.Seed = robots.Provider.Name, robots.Seed
		if request.Options, err = robots.Provider.Options(); err != nil {
			return err
		}
		if request.Strategy, err = robots.Strategy(args[1], render.AnyGame); err != nil {
			return err
		}
		return robots.Check()
	})
}
