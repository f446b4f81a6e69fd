package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

func newPlayer(p *program) *cobra.Command {
	return group("player", "Make players and keys, or show who you are",
		newPlayerNew(p), newPlayerShow(p), newPlayerRotateKey(p))
}

// becomePlayer makes a player for a user who has no key, and saves it.
func (p *program) becomePlayer(ctx context.Context, s *settings) error {
	created, err := p.createPlayer(ctx, s, "")
	if err != nil {
		return err
	}
	me, key := created.GetPlayer(), created.GetKey()
	s.key, s.keyFrom = key, "this run"
	who := fmt.Sprintf("You are now %s (%s) at %s", me.GetDisplayName(), me.GetId(), s.address)
	if err := p.saveKey(s, key, false); err != nil {
		p.note("%s, in this run only: the key cannot be saved (%s). To stay one player, "+
			"set FLIPSIDE_KEY to what `flipside player new` shows.", who, oneLine(err.Error()))
	} else if s.key == key {
		p.note("%s; the key is saved in context %q.", who, s.context)
	}
	return nil
}

func (p *program) createPlayer(
	ctx context.Context, s *settings, name string,
) (*gamev1.CreatePlayerResponse, error) {
	players, err := p.strangers(s)
	if err != nil {
		return nil, err
	}
	return players.CreatePlayer(ctx, &gamev1.CreatePlayerRequest{DisplayName: name})
}

func (p *program) players(ctx context.Context) (gamev1.PlayerServiceClient, error) {
	conn, err := p.asUser(ctx)
	if err != nil {
		return nil, err
	}
	return gamev1.NewPlayerServiceClient(conn), nil
}

type playerNewFlags struct {
	name string
	save bool
}

func newPlayerNew(p *program) *cobra.Command {
	var f playerNewFlags
	cmd := &cobra.Command{
		Use:   "new",
		Short: "Make a player and show the key, which is never shown again",
		Long: `Make a player and show the key, which is never shown again.

The key is saved in the context in force, unless that holds one already: then --save puts the new one in its place.`,
		Args: takes(0, 0),
		RunE: p.do(func(ctx context.Context, _ []string) error { return f.run(ctx, p) }),
	}
	cmd.Flags().StringVar(&f.name, "name", "", "the `name` to show to others, at most 64 characters")
	cmd.Flags().BoolVar(&f.save, "save", false, "save the key even in the place of another")
	return cmd
}

func (f *playerNewFlags) run(ctx context.Context, p *program) error {
	s, err := p.inForce()
	if err != nil {
		return err
	}
	created, err := p.createPlayer(ctx, s, f.name)
	if err != nil {
		return err
	}
	var unsaved error
	if s.key == "" || f.save {
		unsaved = p.keep(s, created.GetKey())
	} else {
		p.note("You are still the player of the key from %s; to be the new one give --key or FLIPSIDE_KEY.", s.keyFrom)
	}
	return errors.Join(p.showKey(created, created.GetPlayer(), created.GetKey()), unsaved)
}

// keep saves a key, before it is shown: what is saved cannot get lost.
func (p *program) keep(s *settings, key string) error {
	given, from := !s.savedKey(), s.keyFrom
	if err := p.saveKey(s, key, true); err != nil {
		return fmt.Errorf("the key above cannot be saved: %w", err)
	}
	p.note("The key is saved in context %q.", s.context)
	if given {
		p.note("%s still stands above it.", from)
	}
	return nil
}

func newPlayerShow(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "show",
		Short: "Show who you are",
		Args:  takes(0, 0),
		RunE: p.do(func(ctx context.Context, _ []string) error {
			players, err := p.players(ctx)
			if err != nil {
				return err
			}
			me, err := players.GetMe(ctx, &gamev1.GetMeRequest{})
			if err != nil {
				return err
			}
			return p.reply(me, func(w io.Writer) { table(w, playerRows(me.GetPlayer())...) })
		}),
	}
}

func newPlayerRotateKey(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "rotate-key",
		Short: "Get a new key in the place of the old one, and show it",
		Args:  takes(0, 0),
		RunE:  p.do(func(ctx context.Context, _ []string) error { return rotateKey(ctx, p) }),
	}
}

func rotateKey(ctx context.Context, p *program) error {
	players, err := p.players(ctx)
	if err != nil {
		return err
	}
	rotated, err := players.RotateKey(ctx, &gamev1.RotateKeyRequest{})
	if err != nil {
		return err
	}
	var unsaved error
	if p.settings.savedKey() {
		unsaved = p.keep(p.settings, rotated.GetKey())
	} else {
		p.note("The key from %s is no longer valid: put the new one in its place.", p.settings.keyFrom)
	}
	return errors.Join(p.showKey(rotated, rotated.GetPlayer(), rotated.GetKey()), unsaved)
}

func (p *program) showKey(reply proto.Message, player *gamev1.Player, key string) error {
	return p.reply(reply, func(w io.Writer) { table(w, append(playerRows(player), row("key", key))...) })
}

func playerRows(player *gamev1.Player) []string {
	return []string{
		row("player", player.GetId()),
		row("name", player.GetDisplayName()),
		row("since", stamp(player.GetCreateTime())),
	}
}
