package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

func newPlay(p *program) *cobra.Command {
	return group("play", "Play a game in the terminal, against people beside you or robots",
		newPlayHex(p), newPlaySquare(p), newPlayTrios(p))
}

const playHelp = `Moves are read from the standard input, one a line; the board and what happens go to the standard
output. A move that is refused changes nothing, and the next line is read. Beside moves a line may be pass,
resign, hints, board or help.`

func newPlayHex(p *program) *cobra.Command {
	return newPlayOn(p, &hexFlags{}, &cobra.Command{
		Use:     "hex [p1 [p2 [rings]]]",
		Short:   "Play Reversi on a hexagon; without arguments, two people on five rings",
		Long:    playersHelp("Play Reversi on a hexagon of rings round a centre cell (default 5).", reversi),
		Example: "  flipside play hex human easy 3\n  flipside play hex human=Ada human=Ben",
		Args:    takes(0, 3),
	})
}

func newPlaySquare(p *program) *cobra.Command {
	return newPlayOn(p, &squareFlags{}, &cobra.Command{
		Use:     "square [p1 [p2 [side]]]",
		Short:   "Play Reversi on a square; without arguments, two people on eight by eight cells",
		Long:    playersHelp("Play Reversi on a square of so many cells along one side (default 8).", reversi),
		Example: "  flipside play square human alphabeta --depth 5\n  flipside play square hard greedy 6",
		Args:    takes(0, 3),
	})
}

func newPlayTrios(p *program) *cobra.Command {
	return newPlayOn(p, &triosFlags{}, &cobra.Command{
		Use:   "trios X Y [[A] B]",
		Short: "Play Three Trios",
		Long: playersHelp("Play Three Trios. X is Red and moves first; Y is Blue.\nA and B are the rules in force: "+
			oneOf(names(cardRules))+`, where "" means default.`, trios),
		Example: `  flipside play trios human strategy2 same plus
  flipside play trios human human --grid grid.txt --deck deck.txt`,
		Args: triosArguments,
	})
}

func triosArguments(_ *cobra.Command, args []string) error {
	switch {
	case len(args) < 2:
		return fmt.Errorf("say who plays Red and who plays Blue, such as: human strategy1")
	case len(args) > 4:
		return fmt.Errorf("%d rules are too many: at most two of %s", len(args)-2, oneOf(names(cardRules)))
	}
	return nil
}

// playersHelp says what a command plays, and all that is the same for every game.
func playersHelp(what string, kind rulesv1.GameKind) string {
	return what + "\n\nPlayers: " + strings.Join(playerWords(kind), ", ") + ".\n\n" + playHelp
}

func playerWords(kind rulesv1.GameKind) []string {
	return append([]string{"human", "human=NAME"}, plays(kind)...)
}

// newPlayOn completes a command that plays on some board.
func newPlayOn(p *program, board setupFlags, cmd *cobra.Command) *cobra.Command {
	f := &playFlags{board: board}
	cmd.ValidArgsFunction = cobra.FixedCompletions(playerWords(board.kind()), cobra.ShellCompDirectiveNoFileComp)
	cmd.RunE = p.do(func(ctx context.Context, args []string) error { return f.run(ctx, p, args) })
	f.robotFlags.register(cmd.Flags())
	f.clockFlags.register(cmd.Flags())
	board.register(cmd.Flags())
	return cmd
}

type playFlags struct {
	robotFlags
	clockFlags
	board setupFlags
}

func (f *playFlags) run(ctx context.Context, p *program, args []string) error {
	request, c, err := f.read(args)
	if err != nil {
		return err
	}
	games, err := p.games(ctx)
	if err != nil {
		return err
	}
	created, err := games.CreateGame(ctx, request)
	if err != nil {
		return err
	}
	s := newSession(p, games, created.GetGame(), c)
	if err := s.run(ctx); err != nil {
		return s.leave(err)
	}
	return nil
}

// read turns the arguments into the game to create, and the names of those who play it.
func (f *playFlags) read(args []string) (*gamev1.CreateGameRequest, cast, error) {
	c := cast{kind: f.board.kind()}
	control, err := f.control(&f.robotFlags, c.kind)
	if err != nil {
		return nil, c, err
	}
	seats, err := f.sit(args, &c)
	if err != nil {
		return nil, c, err
	}
	if err := f.board.arguments(args[min(2, len(args)):]); err != nil {
		return nil, c, err
	}
	setup, err := f.board.setup()
	return &gamev1.CreateGameRequest{
		Setup: setup, Seats: seats, TimeControl: control, RequestId: (&requestFlag{}).requestID(),
	}, c, err
}

// sit reads the players: two people unless something else is said.
func (f *playFlags) sit(args []string, c *cast) ([]*gamev1.Seat, error) {
	players := []string{"human", "human"}
	copy(players, args)
	var seats []*gamev1.Seat
	for i, player := range players {
		if name, named := strings.CutPrefix(player, "human="); named || player == "human" {
			if named {
				c.names[i] = oneLine(name)
			}
			seats = append(seats, callerSeat())
			continue
		}
		if !slices.Contains(plays(c.kind), player) {
			return nil, usagef("unknown player %q: use %s", player, oneOf(playerWords(c.kind)))
		}
		seat, err := f.seat(player, c.kind)
		if err != nil {
			return nil, err
		}
		seats = append(seats, seat)
	}
	return seats, f.check()
}
