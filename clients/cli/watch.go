package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// gameWatch follows one game.
type gameWatch struct {
	games gamev1.GameServiceClient
	id    string
	// after is the version up to which everything is known; nil asks for a snapshot.
	after *int32
	// patience is as in follower.
	patience int
}

// run hands over every message, until the game is over.
func (g *gameWatch) run(ctx context.Context, p *program, take func(*gamev1.WatchGameResponse) error) error {
	f := &follower[*gamev1.WatchGameResponse]{p: p, patience: g.patience}
	f.open = func(ctx context.Context) (stream[*gamev1.WatchGameResponse], error) {
		return g.games.WatchGame(ctx, &gamev1.WatchGameRequest{GameId: g.id, AfterVersion: g.after})
	}
	f.take = func(m *gamev1.WatchGameResponse) error {
		version := m.GetVersion()
		g.after = &version
		return take(m)
	}
	return f.run(ctx)
}

type watchFlags struct {
	after int32
	flags *pflag.FlagSet
}

func newGameWatch(p *program) *cobra.Command {
	var f watchFlags
	cmd := &cobra.Command{
		Use:   "watch ID",
		Short: "Follow a game until it ends",
		Long: `Follow a game until it ends, across lost connections and restarts of the server.

It begins with the game as it stands; with --after it begins with the event after that version instead, so that
--after 0 tells everything.`,
		Args: takes(1, 1),
		RunE: p.do(func(ctx context.Context, args []string) error { return f.run(ctx, p, args[0]) }),
	}
	f.flags = cmd.Flags()
	f.flags.Int32Var(&f.after, "after", 0, "the `version` after which to begin")
	return cmd
}

func (f *watchFlags) run(ctx context.Context, p *program, id string) error {
	games, err := p.games(ctx)
	if err != nil {
		return err
	}
	got, err := games.GetGame(ctx, &gamev1.GetGameRequest{GameId: id})
	if err != nil {
		return err
	}
	watch := &gameWatch{games: games, id: id}
	if f.flags.Changed("after") {
		watch.after = &f.after
	}
	out := &series{p: p}
	defer out.close()
	c := castOf(got.GetGame())
	err = watch.run(ctx, p, func(m *gamev1.WatchGameResponse) error {
		if m.GetHeartbeat() != nil || cutShort(m.GetEnd()) {
			return nil
		}
		return out.item(m, c.watched(m))
	})
	return endOf(ctx, err)
}

// cutShort tells an end that is not one for the user, since the client comes back.
func cutShort(end *gamev1.End) bool {
	return end != nil && end.GetReason() != gamev1.EndReason_END_REASON_GAME_OVER
}

// endOf makes a stream that the user ends a success: that is how one ends it.
func endOf(ctx context.Context, err error) error {
	select {
	case <-ctx.Done():
		return nil
	default:
		return err
	}
}

// watched puts a message of a watched game in a line, "" for one that has nothing to tell.
func (c cast) watched(m *gamev1.WatchGameResponse) string {
	switch kind := m.GetMessage().(type) {
	case *gamev1.WatchGameResponse_Snapshot:
		game := kind.Snapshot
		text := c.turn(game)
		if game.GetState() != gamev1.GameState_GAME_STATE_FINISHED {
			text += ": " + c.score(game.GetScore())
		}
		return fmt.Sprintf("%4d  %s\n", m.GetVersion(), sentence(text))
	case *gamev1.WatchGameResponse_Event:
		return fmt.Sprintf("%4d  %s\n", m.GetVersion(), c.event(kind.Event))
	case *gamev1.WatchGameResponse_RobotDelayed:
		return fmt.Sprintf("      %s\n", c.delayed(kind.RobotDelayed))
	default:
		return ""
	}
}

func (c cast) delayed(late *gamev1.RobotDelayed) string {
	return fmt.Sprintf("The robot of %s is late; attempt %d failed.", c.side(late.GetSide()), late.GetAttempt())
}

func newTurns(p *program) *cobra.Command {
	var after string
	cmd := &cobra.Command{
		Use:   "turns",
		Short: "Tell when it is your turn, in all your games, as it happens",
		Long: `Tell when it is your turn, in all your games, as it happens: first every game that waits for you now.
It goes on until you stop it, across lost connections and restarts of the server.`,
		Args: takes(0, 0),
		RunE: p.do(func(ctx context.Context, _ []string) error {
			games, err := p.games(ctx)
			if err != nil {
				return err
			}
			return endOf(ctx, p.turns(ctx, games, after))
		}),
	}
	cmd.Flags().StringVar(&after, "after", "", "the `cursor` after which to begin, from an earlier message")
	return cmd
}

func (p *program) turns(ctx context.Context, games gamev1.GameServiceClient, after string) error {
	out := &series{p: p}
	defer out.close()
	f := &follower[*gamev1.WatchTurnsResponse]{p: p}
	f.open = func(ctx context.Context) (stream[*gamev1.WatchTurnsResponse], error) {
		return games.WatchTurns(ctx, &gamev1.WatchTurnsRequest{AfterCursor: after})
	}
	f.take = func(m *gamev1.WatchTurnsResponse) error {
		after = firstOf(m.GetCursor(), after)
		if m.GetTurn() == nil && m.GetGameOver() == nil {
			return nil
		}
		return out.item(m, turnLine(m))
	}
	return f.run(ctx)
}

// turnLine puts a notice in a line. It does not know which game it is about, so sides have no colours.
func turnLine(m *gamev1.WatchTurnsResponse) string {
	if over := m.GetGameOver(); over != nil {
		return fmt.Sprintf("%s  over  %s  %s\n", stamp(m.GetTime()), over.GetGameId(), overText(over.GetOutcome()))
	}
	turn := m.GetTurn()
	text := fmt.Sprintf("%s  turn  %s  %s to move at version %d",
		stamp(m.GetTime()), turn.GetGameId(), nameOf(sides, turn.GetSide()), turn.GetVersion())
	if turn.GetDeadline() != nil {
		text += ", until " + stamp(turn.GetDeadline())
	}
	return text + "\n"
}

func overText(outcome *gamev1.Outcome) string {
	how := nameOf(endings, outcome.GetEnding())
	switch {
	case outcome == nil:
		return "called off"
	case outcome.GetDraw():
		return "a draw " + how
	default:
		return nameOf(sides, outcome.GetWinner()) + " wins " + how
	}
}
