package commands

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/render"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

func newWebhook(p *program) *cobra.Command {
	return group("webhook", "Send your turns to a URL: set, show or delete your webhook",
		newWebhookSet(p), newWebhookShow(p), newWebhookDelete(p))
}

func newWebhookSet(p *program) *cobra.Command {
	request := &gamev1.SetWebhookRequest{}
	cmd := &cobra.Command{
		Use:   "set URL",
		Short: "Set the URL of your webhook, or enable it again, and show its secret",
		Long: `Set the URL of your webhook, or enable it again, and show its secret.

The server sends a signed request to the URL for every turn and invitation, and for every game that
ends. The receiver verifies the signatures with the secret.`,
		Example: "  flipside webhook set https://hooks.example/flipside",
		Args:    exactArgs(1),
		RunE: with(p, p.players, func(
			ctx context.Context, players gamev1.PlayerServiceClient, args []string,
		) error {
			request.Url = args[0]
			set, err := players.SetWebhook(ctx, request)
			if err != nil {
				return err
			}
			return p.Print(set, render.Webhook(set.GetWebhook(), set.GetSecret()))
		}),
	}
	cmd.Flags().BoolVar(&request.NewSecret, "new-secret", false, "replace the secret")
	return cmd
}

func newWebhookShow(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "show",
		Short: "Show your webhook and the state of its deliveries",
		Args:  exactArgs(0),
		RunE: with(p, p.players, func(
			ctx context.Context, players gamev1.PlayerServiceClient, _ []string,
		) error {
			got, err := players.GetWebhook(ctx, &gamev1.GetWebhookRequest{})
			if err != nil {
				return err
			}
			return p.Print(got, render.Webhook(got.GetWebhook(), ""))
		}),
	}
}

func newWebhookDelete(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "delete",
		Short: "Delete your webhook",
		Args:  exactArgs(0),
		RunE: with(p, p.players, func(
			ctx context.Context, players gamev1.PlayerServiceClient, _ []string,
		) error {
			deleted, err := players.DeleteWebhook(ctx, &gamev1.DeleteWebhookRequest{})
			if err != nil {
				return err
			}
			return p.Print(deleted, "The webhook is deleted.\n")
		}),
	}
}
