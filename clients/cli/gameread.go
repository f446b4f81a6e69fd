package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

func newGameList(p *program) *cobra.Command {
	var all bool
	request := &gamev1.ListGamesRequest{}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List public games and your own, the newest first",
		Args:  takes(0, 0),
		RunE: p.do(func(ctx context.Context, _ []string) error {
			games, err := p.games(ctx)
			if err != nil {
				return err
			}
			return p.listGames(ctx, games, request, all)
		}),
	}
	flags := cmd.Flags()
	flags.Var(newChoice(&request.State, states), "state", "only games in this state")
	flags.Var(newChoice(&request.Kind, kinds), "kind", "only games of this kind")
	flags.StringVar(&request.PlayerId, "player", "", "only games of this player; `id` or me")
	flags.Int32Var(&request.PageSize, "page-size", 0, "how many games at most (default 100)")
	flags.StringVar(&request.PageToken, "page-token", "", "go on where an earlier list ended")
	flags.BoolVar(&all, "all", false, "list them all, however many there are")
	return cmd
}

func (p *program) listGames(
	ctx context.Context, games gamev1.GameServiceClient, request *gamev1.ListGamesRequest, all bool,
) error {
	whole, err := games.ListGames(ctx, request)
	for page := whole; err == nil && all && page.GetNextPageToken() != ""; {
		request.PageToken = page.GetNextPageToken()
		if page, err = games.ListGames(ctx, request); err == nil {
			whole.Games = append(whole.Games, page.GetGames()...)
			whole.NextPageToken = page.GetNextPageToken()
		}
	}
	if err != nil {
		return err
	}
	err = list(p, whole, whole.GetGames(), func(w io.Writer) { table(w, listRows(whole.GetGames())...) })
	if whole.GetNextPageToken() != "" && p.flags.output != jsonFormat {
		p.note("There are more: give --all, or --page-token %s", whole.GetNextPageToken())
	}
	return err
}

func listRows(games []*gamev1.Game) []string {
	rows := []string{row("GAME", "KIND", "STATE", "FIRST", "SECOND", "SCORE", "TURN", "UPDATED")}
	for _, game := range games {
		c, turn, holders := castOf(game), "-", []string{"-", "-"}
		if game.GetTurn() != nil {
			turn = c.side(game.GetTurn().GetSide())
		}
		for i, seat := range game.GetSeats() {
			holders[i%2] = holder(seat)
		}
		rows = append(rows, row(game.GetId(), setupName(game.GetSetup()), nameOf(states, game.GetState()),
			holders[0], holders[1], c.score(game.GetScore()), turn, stamp(game.GetUpdateTime())))
	}
	return rows
}

func newGameShow(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show a game and its board",
		Args:  takes(1, 1),
		RunE: p.do(func(ctx context.Context, args []string) error {
			games, err := p.games(ctx)
			if err != nil {
				return err
			}
			got, err := games.GetGame(ctx, &gamev1.GetGameRequest{GameId: args[0]})
			if err != nil {
				return err
			}
			if p.flags.output != textFormat {
				return p.reply(got, nil)
			}
			board, err := boardOf(ctx, games, args[0], got.GetGame().GetVersion())
			if err != nil {
				return err
			}
			table(p.Out, gameRows(got.GetGame())...)
			fmt.Fprint(p.Out, "\n", board)
			return nil
		}),
	}
}

// boardOf returns the board after a version as lines of text with labels.
func boardOf(ctx context.Context, games gamev1.GameServiceClient, id string, version int32) (string, error) {
	picture, err := games.RenderGame(ctx, &gamev1.RenderGameRequest{
		GameId: id, Version: version, Format: gamev1.Format_FORMAT_TEXT, Labels: true,
	})
	return string(wholeLines(picture.GetData())), err
}

// wholeLines ends text with the end of a line.
func wholeLines(text []byte) []byte {
	if len(text) == 0 || bytes.HasSuffix(text, []byte("\n")) {
		return text
	}
	return append(text, '\n')
}

func newGameBoard(p *program) *cobra.Command {
	request := &gamev1.RenderGameRequest{Format: gamev1.Format_FORMAT_TEXT}
	cmd := &cobra.Command{
		Use:     "board ID",
		Short:   "Draw the board, as text or SVG",
		Example: "  flipside game board ID --selected -1,2\n  flipside game board ID --format svg > board.svg",
		Args:    takes(1, 1),
		RunE: p.do(func(ctx context.Context, args []string) error {
			games, err := p.games(ctx)
			if err != nil {
				return err
			}
			request.GameId = args[0]
			picture, err := games.RenderGame(ctx, request)
			if err != nil {
				return err
			}
			return p.reply(picture, func(w io.Writer) { _, _ = w.Write(wholeLines(picture.GetData())) })
		}),
	}
	flags := cmd.Flags()
	flags.Var(newChoice(&request.Format, pictures), "format", "as what to draw it")
	flags.Int32Var(&request.Version, "version", 0, "the `version` to show (default: the latest)")
	flags.StringVar(&request.Selected, "selected", "", "a `cell` to show as selected, such as d3 or -1,2")
	flags.BoolVar(&request.Labels, "labels", false, "name rows and columns")
	flags.BoolVar(&request.Hints, "hints", false, "show on each cell how much the side to move would flip there")
	flags.Var(newChoice(&request.Theme, themes), "theme", "the colours of an SVG (default: light)")
	return cmd
}
