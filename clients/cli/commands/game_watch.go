package commands

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/session"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

func newGameWatch(p *program) *cobra.Command {
	var after int32
	cmd := &cobra.Command{
		Use:   "watch ID",
		Short: "Follow a game until it ends",
		Long: `Follow a game until it ends, across lost connections and restarts of the server.

Without --after, show the current state of the game and then each event. With --after, show the
events after that version; --after 0 shows all events.`,
		Args: exactArgs(1),
	}
	cmd.Flags().Int32Var(&after, "after", 0, "show the events after this `version`")
	cmd.RunE = p.command(func(ctx context.Context, args []string) error {
		request := &gamev1.WatchGameRequest{GameId: args[0]}
		if cmd.Flags().Changed("after") {
			request.AfterVersion = &after
		}
		return p.watchGame(ctx, request)
	})
	return cmd
}

func (p *program) watchGame(ctx context.Context, request *gamev1.WatchGameRequest) error {
	games, err := p.games(ctx)
	if err != nil {
		return err
	}
	got, err := games.GetGame(ctx, &gamev1.GetGameRequest{GameId: request.GetGameId()})
	if err != nil {
		return err
	}
	d := render.DescriberOf(got.GetGame())
	out := &render.Series{Printer: &p.Printer}
	defer out.Close()
	return follow(ctx, p, session.FollowGame(games, request, func(m *gamev1.WatchGameResponse) error {
		end := m.GetEnd()
		early := end != nil && end.GetReason() != gamev1.EndReason_END_REASON_GAME_OVER
		if m.GetHeartbeat() != nil || early { // the follower resumes after an early end
			return nil
		}
		return out.Print(m, d.Watched(m))
	}))
}

// follow runs a follower until it ends or the user stops it, which is a success.
func follow[M session.Message](ctx context.Context, p *program, f *session.Follower[M]) error {
	f.Note, f.Pause = p.Note, p.dialer.Retry.Pause
	if err := f.Run(ctx); ctx.Err() == nil {
		return err
	}
	return nil
}
