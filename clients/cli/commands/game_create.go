package commands

import (
	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

func newGameCreate(p *program) *cobra.Command {
	return group("create", "Create a game",
		newGameCreateOn(p, &settings.Hex{}, &cobra.Command{
			Use:   "hex [p1 [p2 [rings]]]",
			Short: "Create a game of Reversi on a hexagon",
			Long:  "Create a game of Reversi on a hexagon" + hexHelp,
			Example: `  flipside game create hex me hard
  flipside game create hex alphabeta easy 3 --depth 3
  flipside game create hex me open --clock 5m+3s`,
			Args: argsBetween(0, 3),
		}),
		newGameCreateOn(p, &settings.Square{}, &cobra.Command{
			Use:   "square [p1 [p2 [side]]]",
			Short: "Create a game of Reversi on a square",
			Long:  "Create a game of Reversi on a square" + squareHelp,
			Example: `  flipside game create square me hard
  flipside game create square open me 6`,
			Args: argsBetween(0, 3),
		}),
		newGameCreateOn(p, &settings.Cards{}, &cobra.Command{
			Use:   "trios [X [Y [rule]...]]",
			Short: "Create a game of Three Trios",
			Long:  "Create a game of Three Trios" + triosHelp,
			Example: `  flipside game create trios me hard
  flipside game create trios me strategy2 same plus`,
			Args: cobra.ArbitraryArgs,
		}))
}

// newGameCreateOn completes a command that creates a game on a board.
func newGameCreateOn(p *program, board settings.Board, cmd *cobra.Command) *cobra.Command {
	cmd.Long += "\n\n" + seatsHelp(board.Kind())
	f, request := &settings.NewGame{}, &gamev1.CreateGameRequest{}
	f.Register(cmd.Flags())
	board.Register(cmd.Flags())
	return change(p, cmd, request, gamev1.GameServiceClient.CreateGame, func(args []string) error {
		return f.Fill(request, playersOr("me", "open", args), board, args)
	})
}

// playersOr returns the first two arguments, with defaults for those that are missing.
func playersOr(first, second string, args []string) [2]string {
	players := [2]string{first, second}
	copy(players[:], args)
	return players
}

func seatsHelp(kind rulesv1.GameKind) string {
	return `The game starts when both seats are taken. Players (default: me open):
  me, human  you
  open       the first player who uses: flipside game join
  player:ID  a player whom you invite

Robots:
` + strategiesHelp(kind)
}

func strategiesHelp(kind rulesv1.GameKind) string {
	return render.StrategyHelp(kind) +
		"  {...}      a strategy of the API in JSON; see: flipside strategy list"
}
