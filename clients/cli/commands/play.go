package commands

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/board"
	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/session"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

func newPlay(p *program) *cobra.Command {
	f := &openFlags{}
	cmd := &cobra.Command{
		Use:   "play [ID]",
		Short: "Play in the terminal, with people at the same keyboard or against robots",
		Long: `Play in the terminal: start a game, open one by its id or link, or join one.

On a terminal the board fills the screen; ? shows its keys. Without a terminal, or with --lines,
moves are read from the standard input, one on each line.`,
		Example: `  flipside play hex human easy
  flipside play 01kb0x7e9t3m2s6d4v8w5y1z0q
  flipside play --join 01kb0x7e9t3m2s6d4v8w5y1z0q`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && !board.HasGameID(args[0]) {
				return unknownCommand(cmd, args[0], "hex, square, trios or the id of a game")
			}
			return argsBetween(0, 1)(cmd, args)
		},
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.join == "" && len(args) == 0 {
			return cmd.Help()
		}
		p.parsed = true
		return f.open(cmd.Context(), p, args)
	}
	cmd.Flags().Var(settings.Text(&f.join), "join",
		"take the open seat of the game with this `id` or link")
	p.screen.register(cmd.PersistentFlags())
	cmd.AddCommand(newPlayHex(p), newPlaySquare(p), newPlayTrios(p))
	return cmd
}

const (
	hexHelp = ` with a number of rings around the centre cell (default 5).
p1 plays Black and moves first, p2 plays White.`
	squareHelp = ` with a number of cells along each side (default 8).
p1 plays Black and moves first, p2 plays White.`
	triosHelp = `. X plays Red and moves first, Y plays Blue.
Rules of battle, which can be combined: default or reverse, fallen-ace, same, plus; "" is default.`
)

func newPlayHex(p *program) *cobra.Command {
	return newPlayOn(p, &settings.Hex{}, "1,-2", &cobra.Command{
		Use:     "hex [p1 [p2 [rings]]]",
		Short:   "Play Reversi on a hexagon (default: two people, five rings)",
		Long:    "Play Reversi on a hexagon" + hexHelp,
		Example: "  flipside play hex human easy 3\n  flipside play hex human=Ada human=Ben",
		Args:    argsBetween(0, 3),
	})
}

func newPlaySquare(p *program) *cobra.Command {
	return newPlayOn(p, &settings.Square{}, "d3", &cobra.Command{
		Use:     "square [p1 [p2 [side]]]",
		Short:   "Play Reversi on a square (default: two people, 8 by 8 cells)",
		Long:    "Play Reversi on a square" + squareHelp,
		Example: "  flipside play square human alphabeta --depth 5\n  flipside play square hard greedy 6",
		Args:    argsBetween(0, 3),
	})
}

func newPlayTrios(p *program) *cobra.Command {
	return newPlayOn(p, &settings.Cards{}, "anchor@0,2 (card, row, column)", &cobra.Command{
		Use:   "trios X Y [rule]...",
		Short: "Play Three Trios",
		Long:  "Play Three Trios" + triosHelp,
		Example: `  flipside play trios human strategy2 same plus
  flipside play trios human human --grid grid.txt --deck deck.txt`,
		Args: triosArgs,
	})
}

func triosArgs(_ *cobra.Command, args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("name the players of Red and Blue, such as: human strategy1")
	}
	return nil
}

// newPlayOn completes a command that plays on a board.
func newPlayOn(p *program, setup settings.Board, move string, cmd *cobra.Command) *cobra.Command {
	f := &playFlags{board: setup}
	cmd.Long += `

Players:
  human      a person at this keyboard; human=NAME gives them a name

Robots:
` + render.StrategyHelp(setup.Kind()) + `
On a terminal the board fills the screen; ? shows its keys. Without a terminal, or with --lines,
type one move on each line, such as ` + move + `, or help for other commands.`
	cmd.ValidArgsFunction = cobra.FixedCompletions(
		playerNames(setup.Kind()), cobra.ShellCompDirectiveNoFileComp)
	cmd.RunE = p.command(func(ctx context.Context, args []string) error {
		return f.play(ctx, p, args)
	})
	f.Register(cmd.Flags())
	setup.Register(cmd.Flags())
	cmd.Flags().BoolVar(&f.invite, "invite", false,
		"leave the second seat open and show how a friend joins")
	return cmd
}

func playerNames(kind rulesv1.GameKind) []string {
	return append([]string{"human", "human=NAME"}, render.StrategyNames(kind)...)
}

type playFlags struct {
	settings.NewGame
	board  settings.Board
	invite bool
}

func (f *playFlags) play(ctx context.Context, p *program, args []string) error {
	players, names, err := f.players(args)
	if err != nil {
		return err
	}
	request := &gamev1.CreateGameRequest{RequestId: uuid.NewString()}
	if err := f.Fill(request, players, f.board, args); err != nil {
		return err
	}
	if p.fullScreen() {
		return p.showBoard(ctx, board.Options{Create: request, Names: names})
	}
	games, err := p.games(ctx)
	if err != nil {
		return err
	}
	created, err := games.CreateGame(ctx, request)
	if err != nil {
		return err
	}
	game := created.GetGame()
	if game.GetState() == gamev1.GameState_GAME_STATE_WAITING {
		p.Note("The second player joins with: flipside play --join %s", game.GetId())
	}
	s := session.New(games, game)
	s.PlayerID = game.GetCreatorId()
	return p.playLines(ctx, s, names)
}

// playLines plays a game with lines of text.
func (p *program) playLines(ctx context.Context, s *session.Session, names [2]string) error {
	p.dialer.Retry.Attempts = session.Attempts
	s.Note, s.Retry = p.Note, p.dialer.Retry
	lines := &session.Lines{
		Session: s, Describer: render.Describer{Kind: s.Game.GetKind(), Names: names},
		Printer: &p.Printer, In: p.in, Prompt: p.interactive,
	}
	return lines.Run(ctx)
}

// players returns the players, by default two people, and the names that are given to them.
func (f *playFlags) players(args []string) (players, names [2]string, err error) {
	players = playersOr("human", "human", args)
	if f.invite {
		if len(args) > 1 {
			return players, names, settings.Usagef("--invite leaves the second seat open: name one player")
		}
		players[1] = "open"
	}
	allowed := playerNames(f.board.Kind())
	for i, player := range players {
		known := slices.Contains(allowed, player) || render.IsSkill(player) || f.invite && i == 1
		if name, named := strings.CutPrefix(player, "human="); named {
			players[i], names[i] = "human", render.OneLine(name)
		} else if !known {
			return players, names, settings.UnknownPlayer(player, allowed, f.board.Kind())
		}
	}
	return players, names, nil
}
