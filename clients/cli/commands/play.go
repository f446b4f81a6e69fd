package commands

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/session"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

func newPlay(p *program) *cobra.Command {
	return group("play", "Play a game in the terminal, with people at the same keyboard or against robots",
		newPlayHex(p), newPlaySquare(p), newPlayTrios(p))
}

const playHelp = `Enter one move a line; the board and the events are printed. A rejected move changes nothing: enter another.
Besides moves a line can be pass, resign, hints, board or help.`

func newPlayHex(p *program) *cobra.Command {
	return newPlayOn(p, &settings.Hex{}, &cobra.Command{
		Use:     "hex [p1 [p2 [rings]]]",
		Short:   "Play Reversi on a hexagon (default: two people, five rings)",
		Long:    "Play Reversi on a hexagon with this number of rings (default 5).",
		Example: "  flipside play hex human easy 3\n  flipside play hex human=Ada human=Ben",
		Args:    argsBetween(0, 3),
	})
}

func newPlaySquare(p *program) *cobra.Command {
	return newPlayOn(p, &settings.Square{}, &cobra.Command{
		Use:     "square [p1 [p2 [side]]]",
		Short:   "Play Reversi on a square (default: two people, 8 by 8 cells)",
		Long:    "Play Reversi on a square with sides of this many cells (default 8).",
		Example: "  flipside play square human alphabeta --depth 5\n  flipside play square hard greedy 6",
		Args:    argsBetween(0, 3),
	})
}

func newPlayTrios(p *program) *cobra.Command {
	return newPlayOn(p, &settings.Cards{}, &cobra.Command{
		Use:   "trios X Y [[A] B]",
		Short: "Play Three Trios",
		Long: "Play Three Trios. X is Red and moves first; Y is Blue.\nA and B are rules: " +
			render.Or(render.CardRules.Names()) + `; "" is default.`,
		Example: `  flipside play trios human strategy2 same plus
  flipside play trios human human --grid grid.txt --deck deck.txt`,
		Args: triosArgs,
	})
}

func triosArgs(_ *cobra.Command, args []string) error {
	switch {
	case len(args) < 2:
		return fmt.Errorf("name the players of Red and Blue, such as: human strategy1")
	case len(args) > 4:
		return fmt.Errorf("%d rules are too many: use at most two of %s",
			len(args)-2, render.Or(render.CardRules.Names()))
	}
	return nil
}

// newPlayOn completes a command that plays on a board.
func newPlayOn(p *program, board settings.Board, cmd *cobra.Command) *cobra.Command {
	f := &playFlags{board: board}
	players := playerNames(board.Kind())
	cmd.Long += "\n\nPlayers: " + strings.Join(players, ", ") + ".\n\n" + playHelp
	cmd.ValidArgsFunction = cobra.FixedCompletions(players, cobra.ShellCompDirectiveNoFileComp)
	cmd.RunE = p.command(func(ctx context.Context, args []string) error { return f.play(ctx, p, args) })
	f.robots.Register(cmd.Flags())
	f.timeControl.Register(cmd.Flags())
	board.Register(cmd.Flags())
	return cmd
}

func playerNames(kind rulesv1.GameKind) []string {
	return append([]string{"human", "human=NAME"}, render.StrategyNames(kind)...)
}

type playFlags struct {
	robots      settings.Robots
	timeControl settings.TimeControl
	board       settings.Board
}

func (f *playFlags) play(ctx context.Context, p *program, args []string) error {
	request, names, err := f.request(args)
	if err != nil {
		return err
	}
	p.dialer.Retry.Attempts = session.Attempts
	games, err := p.games(ctx)
	if err != nil {
		return err
	}
	created, err := games.CreateGame(ctx, request)
	if err != nil {
		return err
	}
	s := session.New(games, created.GetGame())
	s.Note, s.Pause = p.Note, p.dialer.Retry.Pause
	lines := &session.Lines{
		Session: s, Describer: render.Describer{Kind: f.board.Kind(), Names: names},
		Printer: &p.Printer, In: p.in, Prompt: p.interactive,
	}
	return lines.Run(ctx)
}

// request returns the game to create and the names of its players.
func (f *playFlags) request(args []string) (*gamev1.CreateGameRequest, [2]string, error) {
	control, err := f.timeControl.Control(&f.robots, f.board.Kind())
	if err != nil {
		return nil, [2]string{}, err
	}
	seats, names, err := f.seats(args)
	if err != nil {
		return nil, names, err
	}
	if err := f.board.SetArgs(args[min(2, len(args)):]); err != nil {
		return nil, names, err
	}
	setup, err := f.board.Setup()
	return &gamev1.CreateGameRequest{
		Setup: setup, Seats: seats, TimeControl: control, RequestId: uuid.NewString(),
	}, names, err
}

// seats reads the players: by default two people.
func (f *playFlags) seats(args []string) (seats []*gamev1.Seat, names [2]string, err error) {
	players, kind := [2]string{"human", "human"}, f.board.Kind()
	copy(players[:], args)
	for i, player := range players {
		name, named := strings.CutPrefix(player, "human=")
		seat := settings.CallerSeat()
		switch {
		case named:
			names[i] = render.OneLine(name)
		case player == "human":
		case slices.Contains(render.StrategyNames(kind), player):
			if seat, err = f.robots.RobotSeat(player, kind); err != nil {
				return nil, names, err
			}
		default:
			return nil, names, settings.Usagef("unknown player %q: use %s", player, render.Or(playerNames(kind)))
		}
		seats = append(seats, seat)
	}
	return seats, names, f.robots.Check()
}
