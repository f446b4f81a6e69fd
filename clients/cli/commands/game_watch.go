package commands

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/session"
	flipside "github.com/flipside-games/flipside/clients/go"
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
	for m, err := range flipside.Watch(ctx, games, request, p.streams()) {
		end := m.GetEnd()
		early := end != nil && end.GetReason() != gamev1.EndReason_END_REASON_GAME_OVER
		if err == nil && !early { // The stream resumes after an early end.
			err = out.Print(m, d.Watched(m))
		}
		if err != nil {
			return unlessInterrupted(ctx, err)
		}
	}
	return nil
}

// streams returns the options of a stream that reports lost connections to the user.
func (p *program) streams() flipside.StreamOptions {
	return flipside.StreamOptions{OnConnection: session.Notes(p.Note), Retry: p.dialer.Retry}
}

// unlessInterrupted returns the error of a stream. The user stops it by an interrupt, which is a
// success.
func unlessInterrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}
