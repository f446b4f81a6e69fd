package cli

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

func newGameMove(p *program) *cobra.Command {
	var f struct {
		requestFlag
		version int32
	}
	cmd := &cobra.Command{
		Use:   "move ID MOVE",
		Short: "Play a move",
		Example: `  flipside game move ID d3
  flipside game move ID -1,2
  flipside game move ID knight@0,2
  flipside game move ID pass`,
		Args: takes(2, 2),
		RunE: p.do(func(ctx context.Context, args []string) error {
			games, err := p.games(ctx)
			if err != nil {
				return err
			}
			played, err := games.PlayMove(ctx, &gamev1.PlayMoveRequest{
				GameId: args[0], Notation: args[1], ExpectedVersion: f.version, RequestId: f.requestID(),
			})
			if err != nil {
				return err
			}
			p.noteReplay(played)
			return p.reply(played, func(w io.Writer) {
				c := castOf(played.GetGame())
				fmt.Fprintln(w, c.event(played.GetEvent()))
				fmt.Fprintln(w, sentence(c.turn(played.GetGame())))
			})
		}),
	}
	f.register(cmd.Flags())
	cmd.Flags().Int32Var(&f.version, "expected-version", 0, "refuse the move unless the game is at this `version`")
	return cmd
}

func newGameLegal(p *program) *cobra.Command {
	var f legalFlags
	cmd := &cobra.Command{
		Use:   "legal ID",
		Short: "List the legal moves with what each would do",
		Args:  takes(1, 1),
		RunE: p.do(func(ctx context.Context, args []string) error {
			games, err := p.games(ctx)
			if err != nil {
				return err
			}
			legal, err := f.all(ctx, games, args[0])
			if err != nil {
				return err
			}
			return list(p, legal, legal.GetMoves(), func(w io.Writer) { table(w, legalRows(legal.GetMoves())...) })
		}),
	}
	cmd.Flags().Var(newChoice(&f.side, sides), "side", "whose moves (default: those of the side to move)")
	cmd.Flags().StringVar(&f.card, "card", "", "only moves that play this card, by `name`")
	return cmd
}

type legalFlags struct {
	side rulesv1.Side
	card string
}

// all fetches the legal moves, page by page.
func (f *legalFlags) all(
	ctx context.Context, games gamev1.GameServiceClient, id string,
) (*gamev1.ListLegalMovesResponse, error) {
	request := &gamev1.ListLegalMovesRequest{GameId: id, Side: f.side, Card: f.card, PageSize: 1000}
	whole, err := games.ListLegalMoves(ctx, request)
	for page := whole; err == nil && page.GetNextPageToken() != ""; {
		request.PageToken = page.GetNextPageToken()
		if page, err = games.ListLegalMoves(ctx, request); err == nil {
			whole.Moves = append(whole.Moves, page.GetMoves()...)
			whole.NextPageToken = page.GetNextPageToken()
		}
	}
	return whole, err
}

func legalRows(moves []*rulesv1.LegalMove) []string {
	rows := []string{row("MOVE", "FLIPS", "CELLS")}
	for _, move := range moves {
		var cells []string
		for _, flip := range move.GetFlips() {
			cells = append(cells, flip.GetNotation()+because(flip))
		}
		rows = append(rows, row(move.GetNotation(), fmt.Sprint(move.GetFlipCount()), strings.Join(cells, "; ")))
	}
	return rows
}

// sentence makes a whole sentence of words that may be one already.
func sentence(text string) string {
	if strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}

var negative = regexp.MustCompile(`^-[0-9]`)

// negativesLast moves arguments that begin like a negative number, such as the cell -1,2, behind a "--", so that they
// are not taken for flags. Values of flags stay where they are.
func negativesLast(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil {
		return args
	}
	var others, negatives []string
	for i, arg := range args {
		if arg == "--" {
			return append(append(append(others, "--"), negatives...), args[i+1:]...)
		}
		if negative.MatchString(arg) && (i == 0 || !wantsValue(cmd, args[i-1])) {
			negatives = append(negatives, arg)
		} else {
			others = append(others, arg)
		}
	}
	if len(negatives) == 0 {
		return args
	}
	return append(append(others, "--"), negatives...)
}

// wantsValue tells whether an argument is a flag whose value is the next argument.
func wantsValue(cmd *cobra.Command, arg string) bool {
	name, long := strings.CutPrefix(arg, "--")
	if !long {
		return false
	}
	flag := cmd.Flag(name)
	return flag != nil && flag.NoOptDefVal == ""
}
