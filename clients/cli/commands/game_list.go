package commands

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

func newGameList(p *program) *cobra.Command {
	var all bool
	request := &gamev1.ListGamesRequest{}
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List public games and your own, the newest first",
		Example: "  flipside game list --player me --state active\n  flipside game list --all -o jsonl",
		Args:    exactArgs(0),
		RunE: p.withGames(func(ctx context.Context, games gamev1.GameServiceClient, _ []string) error {
			return p.listGames(ctx, games, request, all)
		}),
	}
	flags := cmd.Flags()
	flags.Var(settings.Choice(&request.State, render.GameStates), "state",
		"list only games in this state")
	flags.Var(settings.Choice(&request.Kind, render.GameKinds), "kind", "list only games of this kind")
	flags.Var(settings.Text(&request.PlayerId), "player",
		"list only games of the player with this `id`, or your own: me")
	flags.Int32Var(&request.PageSize, "page-size", 0, "list at most `n` games (default 100)")
	flags.StringVar(&request.PageToken, "page-token", "", "continue an earlier list with its `token`")
	flags.BoolVar(&all, "all", false, "list all pages")
	return cmd
}

func (p *program) listGames(
	ctx context.Context, games gamev1.GameServiceClient, request *gamev1.ListGamesRequest, all bool,
) error {
	list, err := games.ListGames(ctx, request)
	for page := list; err == nil && all && page.GetNextPageToken() != ""; {
		request.PageToken = page.GetNextPageToken()
		if page, err = games.ListGames(ctx, request); err == nil {
			list.Games = append(list.Games, page.GetGames()...)
			list.NextPageToken = page.GetNextPageToken()
		}
	}
	if err != nil {
		return err
	}
	err = render.PrintList(&p.Printer, list, list.GetGames(), render.Games(list.GetGames()))
	if list.GetNextPageToken() != "" && p.Format != render.JSON {
		p.Note("There are more games: use --all, or --page-token %s", list.GetNextPageToken())
	}
	return err
}
