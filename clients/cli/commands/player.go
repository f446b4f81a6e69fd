package commands

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

func newPlayer(p *program) *cobra.Command {
	return group("player", "Create a player, show yours, or change its key",
		newPlayerNew(p), newPlayerShow(p), newPlayerRotateKey(p))
}

func newPlayerNew(p *program) *cobra.Command {
	var name string
	var save bool
	cmd := &cobra.Command{
		Use:   "new",
		Short: "Create a player and show its key, which is shown only once",
		Long: `Create a player and show its key, which is shown only once.

Save the key in the current context if that has no key yet. With --save, replace the key there.`,
		Args: exactArgs(0),
		RunE: p.command(func(ctx context.Context, _ []string) error {
			return p.newPlayer(ctx, name, save)
		}),
	}
	cmd.Flags().StringVar(&name, "name", "", "`name` to show to others, at most 64 characters")
	cmd.Flags().BoolVar(&save, "save", false, "replace a saved key by the new one")
	return cmd
}

func (p *program) newPlayer(ctx context.Context, name string, save bool) error {
	s, err := p.resolve()
	if err != nil {
		return err
	}
	created, err := p.createPlayer(ctx, s, name)
	if err != nil {
		return err
	}
	var unsaved error
	if s.Key == "" || save {
		unsaved = p.saveKey(s, created.GetKey())
	} else {
		p.Note("You still play with the key from %s; to play as the new player, "+
			"pass its key with --key or FLIPSIDE_KEY.", s.KeySource)
	}
	return errors.Join(p.Print(created, render.Player(created.GetPlayer(), created.GetKey())), unsaved)
}

// saveKey saves a key. Callers save it before they print it, so that it cannot get lost.
func (p *program) saveKey(s *settings.Settings, key string) error {
	overridden, source := !s.KeyIsSaved(), s.KeySource
	if err := s.SaveKey(key, true); err != nil {
		return fmt.Errorf("cannot save the key that is shown above: %w", err)
	}
	p.Note("The key is saved in context %q.", s.Context)
	if overridden {
		p.Note("%s still overrides it.", source)
	}
	return nil
}

func newPlayerShow(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "show",
		Short: "Show your player",
		Args:  exactArgs(0),
		RunE: with(p, p.players, func(
			ctx context.Context, players gamev1.PlayerServiceClient, _ []string,
		) error {
			me, err := players.GetMe(ctx, &gamev1.GetMeRequest{})
			if err != nil {
				return err
			}
			return p.Print(me, render.Player(me.GetPlayer(), ""))
		}),
	}
}

func newPlayerRotateKey(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "rotate-key",
		Short: "Replace your key by a new one and show it; the old key stops working",
		Args:  exactArgs(0),
		RunE:  with(p, p.players, p.rotateKey),
	}
}

func (p *program) rotateKey(
	ctx context.Context, players gamev1.PlayerServiceClient, _ []string,
) error {
	rotated, err := players.RotateKey(ctx, &gamev1.RotateKeyRequest{})
	if err != nil {
		return err
	}
	var unsaved error
	if p.settings.KeyIsSaved() {
		unsaved = p.saveKey(p.settings, rotated.GetKey())
	} else {
		p.Note("The key from %s is no longer valid: replace it there by the new one.",
			p.settings.KeySource)
	}
	return errors.Join(p.Print(rotated, render.Player(rotated.GetPlayer(), rotated.GetKey())), unsaved)
}
