package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

func newGame(p *program) *cobra.Command {
	return group("game", "Create, play and follow games, one call a command",
		newGameCreate(p), newGameList(p), newGameShow(p), newGameJoin(p), newGameMove(p), newGameLegal(p),
		newGameResign(p), newGameClaim(p), newGameAbort(p), newGameFork(p), newGameRobot(p), newGameBoard(p), newGameWatch(p))
}

// requestFlag is the id that makes it safe to send a change again.
type requestFlag struct{ id string }

func (f *requestFlag) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.id, "request-id", "",
		"a `uuid`; the same command with the same one gets the same answer and changes nothing (default: a new one)")
}

// requestID returns the user's id or a fresh one.
func (f *requestFlag) requestID() string {
	if f.id != "" {
		return f.id
	}
	return uuid.NewString()
}

// changed is the reply of every call that changes a game.
type changed interface {
	proto.Message
	GetGame() *gamev1.Game
	GetReplayed() bool
}

// changed prints the game as it is after a change.
func (p *program) changed(reply changed, err error) error {
	if err != nil {
		return err
	}
	p.noteReplay(reply)
	return p.reply(reply, func(w io.Writer) { table(w, gameRows(reply.GetGame())...) })
}

func (p *program) noteReplay(reply changed) {
	if reply.GetReplayed() {
		p.note("This was done before, by the same request id; nothing changed now.")
	}
}

// gameRows tell all about a game but its board.
func gameRows(game *gamev1.Game) []string {
	c := castOf(game)
	rows := []string{
		row("game", game.GetId()),
		row("kind", setupName(game.GetSetup())),
		row("state", nameOf(states, game.GetState())),
	}
	for _, seat := range game.GetSeats() {
		rows = append(rows, row(c.side(seat.GetSide()), holder(seat)))
	}
	rows = append(rows, row("score", c.score(game.GetScore())), row("version", fmt.Sprint(game.GetVersion())))
	if game.GetTurn() != nil {
		rows = append(rows, row("turn", c.turn(game)))
	}
	rows = append(rows, c.clockRows(game)...)
	if game.GetOutcome() != nil {
		rows = append(rows, row("result", c.turn(game)))
	}
	return rows
}

func newGameCreate(p *program) *cobra.Command {
	return group("create", "Create a game",
		newGameCreateOn(p, &hexFlags{}, &cobra.Command{
			Use:   "hex [p1 [p2 [rings]]]",
			Short: "Create a game of Reversi on a hexagon of rings round a centre cell (default 5)",
			Example: "  flipside game create hex me hard\n  flipside game create hex alphabeta easy 3 --depth 3\n" +
				"  flipside game create hex me open --clock 5m+3s",
			Args: takes(0, 3),
		}),
		newGameCreateOn(p, &squareFlags{}, &cobra.Command{
			Use:     "square [p1 [p2 [side]]]",
			Short:   "Create a game of Reversi on a square of so many cells along one side (default 8)",
			Example: "  flipside game create square me hard\n  flipside game create square open me 6",
			Args:    takes(0, 3),
		}),
		newGameCreateOn(p, &triosFlags{}, &cobra.Command{
			Use:     "trios [X [Y [[A] B]]]",
			Short:   "Create a game of Three Trios by the rules A and B: " + oneOf(names(cardRules)),
			Example: "  flipside game create trios me hard\n  flipside game create trios me strategy2 same plus",
			Args:    takes(0, 4),
		}))
}

type createFlags struct {
	requestFlag
	robotFlags
	clockFlags
	visibility gamev1.Visibility
}

func (f *createFlags) register(flags *pflag.FlagSet) {
	f.requestFlag.register(flags)
	f.robotFlags.register(flags)
	f.clockFlags.register(flags)
	flags.Var(newChoice(&f.visibility, visibilities), "visibility", "who may see the game (default: public)")
}

// newGameCreateOn completes a command that creates a game on some board.
func newGameCreateOn(p *program, board setupFlags, cmd *cobra.Command) *cobra.Command {
	f := &createFlags{}
	cmd.Long = cmd.Short + ".\nIt starts as soon as no seat is open; who is named first moves first.\n\n" + seatsHelp(board.kind())
	cmd.RunE = p.do(func(ctx context.Context, args []string) error { return f.run(ctx, p, args, board) })
	f.register(cmd.Flags())
	board.register(cmd.Flags())
	return cmd
}

func seatsHelp(kind rulesv1.GameKind) string {
	return "Players are me (or human, as in play), open, player:ID, or a robot: " + strings.Join(plays(kind), ", ") + `,
or the JSON of a strategy of the API. Without players you sit first and the other seat is open.`
}

func (f *createFlags) run(ctx context.Context, p *program, args []string, board setupFlags) error {
	players, rest := args[:min(2, len(args))], args[min(2, len(args)):]
	control, err := f.control(&f.robotFlags, board.kind())
	if err != nil {
		return err
	}
	seats, err := f.seats(players, board.kind())
	if err != nil {
		return err
	}
	if err := board.arguments(rest); err != nil {
		return err
	}
	setup, err := board.setup()
	if err != nil {
		return err
	}
	games, err := p.games(ctx)
	if err != nil {
		return err
	}
	created, err := games.CreateGame(ctx, &gamev1.CreateGameRequest{
		Setup: setup, Seats: seats, Visibility: f.visibility, TimeControl: control, RequestId: f.requestID(),
	})
	return p.changed(created, err)
}

func newGameJoin(p *program) *cobra.Command {
	var f struct {
		requestFlag
		side rulesv1.Side
	}
	cmd := &cobra.Command{
		Use:   "join ID",
		Short: "Take an open seat of a game",
		Args:  takes(1, 1),
		RunE: p.do(func(ctx context.Context, args []string) error {
			games, err := p.games(ctx)
			if err != nil {
				return err
			}
			request := &gamev1.JoinGameRequest{GameId: args[0], Side: f.side, RequestId: f.requestID()}
			return p.changed(games.JoinGame(ctx, request))
		}),
	}
	f.register(cmd.Flags())
	cmd.Flags().Var(newChoice(&f.side, sides), "side", "which seat (default: the first that is open)")
	return cmd
}

func newGameResign(p *program) *cobra.Command {
	var f struct {
		requestFlag
		side rulesv1.Side
	}
	cmd := &cobra.Command{
		Use:   "resign ID",
		Short: "Give a game up",
		Args:  takes(1, 1),
		RunE: p.do(func(ctx context.Context, args []string) error {
			games, err := p.games(ctx)
			if err != nil {
				return err
			}
			request := &gamev1.ResignRequest{GameId: args[0], Side: f.side, RequestId: f.requestID()}
			return p.changed(games.Resign(ctx, request))
		}),
	}
	f.register(cmd.Flags())
	cmd.Flags().Var(newChoice(&f.side, sides), "side", "which side gives up, if both are yours")
	return cmd
}

func newGameClaim(p *program) *cobra.Command {
	var f requestFlag
	cmd := &cobra.Command{
		Use:   "claim ID",
		Short: "Claim that your opponent is away: his turn lasts longer than the game's --claim-after",
		Args:  takes(1, 1),
		RunE: p.do(func(ctx context.Context, args []string) error {
			games, err := p.games(ctx)
			if err != nil {
				return err
			}
			request := &gamev1.ClaimAbandonmentRequest{GameId: args[0], RequestId: f.requestID()}
			return p.changed(games.ClaimAbandonment(ctx, request))
		}),
	}
	f.register(cmd.Flags())
	return cmd
}

func newGameAbort(p *program) *cobra.Command {
	var f requestFlag
	cmd := &cobra.Command{
		Use:   "abort ID",
		Short: "Call a game off before both sides have moved",
		Args:  takes(1, 1),
		RunE: p.do(func(ctx context.Context, args []string) error {
			games, err := p.games(ctx)
			if err != nil {
				return err
			}
			return p.changed(games.AbortGame(ctx, &gamev1.AbortGameRequest{GameId: args[0], RequestId: f.requestID()}))
		}),
	}
	f.register(cmd.Flags())
	return cmd
}

func newGameFork(p *program) *cobra.Command {
	var f createFlags
	var version int32
	cmd := &cobra.Command{
		Use:   "fork ID [p1 [p2]]",
		Short: "Create a new game from a position of another",
		Long: "Create a new game from a position of another, where p1 takes the side of who moved first.\n\n" +
			seatsHelp(everyGame),
		Args: takes(1, 3),
		RunE: p.do(func(ctx context.Context, args []string) error {
			control, err := f.control(&f.robotFlags, everyGame)
			if err != nil {
				return err
			}
			seats, err := f.seats(args[1:], everyGame)
			if err != nil {
				return err
			}
			request := &gamev1.ForkGameRequest{
				GameId: args[0], Seats: seats, Visibility: f.visibility, TimeControl: control, RequestId: f.requestID(),
			}
			if f.flags.Changed("version") {
				request.Version = &version
			}
			games, err := p.games(ctx)
			if err != nil {
				return err
			}
			return p.changed(games.ForkGame(ctx, request))
		}),
	}
	f.register(cmd.Flags())
	cmd.Flags().Int32Var(&version, "version", 0, "the version after which to branch off (default: the latest)")
	return cmd
}

func newGameRobot(p *program) *cobra.Command {
	var f struct {
		requestFlag
		robotFlags
		side rulesv1.Side
	}
	cmd := &cobra.Command{
		Use:   "robot ID STRATEGY",
		Short: "Change what a robot plays, in the middle of a game",
		Long: "Change what a robot plays, in the middle of a game.\n\n" +
			"Strategies are " + strings.Join(plays(everyGame), ", ") + ",\nor the JSON of one of the API's.",
		Args: takes(2, 2),
		RunE: p.do(func(ctx context.Context, args []string) error {
			strategy, err := f.strategy(args[1], everyGame)
			if err == nil {
				err = f.check()
			}
			if err != nil {
				return err
			}
			games, err := p.games(ctx)
			if err != nil {
				return err
			}
			return p.changed(games.SetRobot(ctx, &gamev1.SetRobotRequest{
				GameId: args[0], Side: f.side, Strategy: strategy, Provider: f.provider, Seed: f.seed,
				RequestId: f.requestID(),
			}))
		}),
	}
	f.requestFlag.register(cmd.Flags())
	f.robotFlags.register(cmd.Flags())
	cmd.Flags().Var(newChoice(&f.side, sides), "side", "which seat, if both are robots")
	return cmd
}
