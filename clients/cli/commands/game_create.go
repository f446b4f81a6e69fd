package commands

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

func newGameCreate(p *program) *cobra.Command {
	return group("create", "Create a game",
		newGameCreateOn(p, &settings.Hex{}, &cobra.Command{
			Use:   "hex [p1 [p2 [rings]]]",
			Short: "Create a game of Reversi on a hexagon with this number of rings (default 5)",
			Example: "  flipside game create hex me hard\n  flipside game create hex alphabeta easy 3 --depth 3\n" +
				"  flipside game create hex me open --clock 5m+3s",
			Args: argsBetween(0, 3),
		}),
		newGameCreateOn(p, &settings.Square{}, &cobra.Command{
			Use:     "square [p1 [p2 [side]]]",
			Short:   "Create a game of Reversi on a square with sides of this many cells (default 8)",
			Example: "  flipside game create square me hard\n  flipside game create square open me 6",
			Args:    argsBetween(0, 3),
		}),
		newGameCreateOn(p, &settings.Cards{}, &cobra.Command{
			Use:     "trios [X [Y [[A] B]]]",
			Short:   "Create a game of Three Trios with the rules A and B: " + render.Or(render.CardRules.Names()),
			Example: "  flipside game create trios me hard\n  flipside game create trios me strategy2 same plus",
			Args:    argsBetween(0, 4),
		}))
}

// newGameCreateOn completes a command that creates a game on a board.
func newGameCreateOn(p *program, board settings.Board, cmd *cobra.Command) *cobra.Command {
	cmd.Long = cmd.Short + ".\nThe first player moves first. The game starts when both seats are taken.\n\n" + seatsHelp(board.Kind())
	f, request := &newGameFlags{}, &gamev1.CreateGameRequest{}
	f.register(cmd.Flags(), &request.Visibility)
	board.Register(cmd.Flags())
	return change[*gamev1.CreateGameRequest, *gamev1.CreateGameResponse]{
		call: gamev1.GameServiceClient.CreateGame, request: request, requestID: &request.RequestId,
		prepare: func(args []string) (err error) {
			n := min(2, len(args))
			if request.Seats, request.TimeControl, err = f.read(args[:n], board.Kind()); err != nil {
				return err
			}
			if err := board.SetArgs(args[n:]); err != nil {
				return err
			}
			request.Setup, err = board.Setup()
			return err
		},
	}.command(p, cmd)
}

// newGameFlags are the flags of commands that create or fork a game.
type newGameFlags struct {
	robots      settings.Robots
	timeControl settings.TimeControl
}

func (f *newGameFlags) register(flags *pflag.FlagSet, visibility *gamev1.Visibility) {
	f.robots.Register(flags)
	f.timeControl.Register(flags)
	flags.Var(settings.NewChoice(visibility, render.Visibilities), "visibility",
		"who can see the game: everyone, everyone who knows its id, or its players (default: public)")
}

// read returns the seats and the time control of the new game.
func (f *newGameFlags) read(players []string, kind rulesv1.GameKind) ([]*gamev1.Seat, *gamev1.TimeControl, error) {
	control, err := f.timeControl.Control(&f.robots, kind)
	if err != nil {
		return nil, nil, err
	}
	seats, err := f.robots.Seats(players, kind)
	return seats, control, err
}

func seatsHelp(kind rulesv1.GameKind) string {
	return `Players: me or human for yourself, open for a seat that anyone can join, player:ID to invite a player,
or a robot: ` + strings.Join(render.StrategyNames(kind), ", ") + `,
or a strategy of the API in JSON. Default: me and open.`
}
