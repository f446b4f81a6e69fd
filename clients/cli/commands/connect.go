package commands

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// callTimeout limits each attempt of a call to the Game service.
const callTimeout = 15 * time.Second

// resolve returns the settings of this run.
func (p *program) resolve() (*settings.Settings, error) {
	if p.settings != nil {
		return p.settings, nil
	}
	s, err := settings.Resolve(&p.flags, p.env)
	if err != nil {
		return nil, err
	}
	p.settings = s
	return s, nil
}

// explain describes an error in one line.
func (p *program) explain(ctx context.Context, err error) string {
	return render.Explain(p.diagnose(ctx, err))
}

// diagnose adds to an error why a server cannot be reached.
func (p *program) diagnose(ctx context.Context, err error) error {
	if call, ok := render.Unreachable(err); ok && p.settings != nil {
		call.Cause, call.Advice = p.settings.TLS.Diagnose(ctx, call.Address)
	}
	return err
}

// games connects to GameService with the user's key. It creates a player if there is no key.
func (p *program) games(ctx context.Context) (gamev1.GameServiceClient, error) {
	conn, err := p.dialAsUser(ctx)
	return gamev1.NewGameServiceClient(conn), err
}

// players connects to PlayerService in the same way.
func (p *program) players(ctx context.Context) (gamev1.PlayerServiceClient, error) {
	conn, err := p.dialAsUser(ctx)
	return gamev1.NewPlayerServiceClient(conn), err
}

// strategies connects to StrategyService, without a key. Its calls have no time limit.
func (p *program) strategies(context.Context) (strategyv1.StrategyServiceClient, error) {
	s, err := p.resolve()
	if err != nil {
		return nil, err
	}
	conn, err := p.dialer.Dial(settings.Service{Name: "Strategy", Address: s.StrategyAddress}, s.TLS)
	return strategyv1.NewStrategyServiceClient(conn), err
}

// with makes a function that calls a service the RunE of a command. connect connects to it.
func with[C any](
	p *program, connect func(context.Context) (C, error),
	run func(ctx context.Context, client C, args []string) error,
) func(*cobra.Command, []string) error {
	return p.command(func(ctx context.Context, args []string) error {
		client, err := connect(ctx)
		if err != nil {
			return err
		}
		return run(ctx, client, args)
	})
}

func (p *program) dialAsUser(ctx context.Context) (*grpc.ClientConn, error) {
	s, err := p.resolve()
	if err != nil {
		return nil, err
	}
	if s.Key == "" {
		if err := p.becomePlayer(ctx, s); err != nil {
			return nil, err
		}
	}
	return p.dialer.Dial(gameService(s), s.TLS)
}

func gameService(s *settings.Settings) settings.Service {
	return settings.Service{Name: "Game", Address: s.Address, Timeout: callTimeout, Key: s.Key}
}

// becomePlayer creates a player for a user who has no key, and saves the key. The note helps a user
// who is another player elsewhere and wants to use that key here.
func (p *program) becomePlayer(ctx context.Context, s *settings.Settings) error {
	created, err := p.createPlayer(ctx, s, "")
	if err != nil {
		return err
	}
	s.Key, s.KeySource = created.GetKey(), "this run"
	player := fmt.Sprintf("No key for %s: created the player %s (%s)",
		s.Address, created.GetPlayer().GetDisplayName(), created.GetPlayer().GetId())
	switch err := s.SaveKey(created.GetKey(), false); {
	case err != nil:
		p.Note("%s for this run only: cannot save the key (%s). To stay the same player, "+
			"set FLIPSIDE_KEY to the key from: flipside player new", player, render.OneLine(err.Error()))
	case s.Key != created.GetKey():
		p.Note("%s, but another command has just saved a key in context %q; using that one.",
			player, s.Context)
	default:
		p.Note("%s for you; the key is saved in context %q (%s). "+
			"If you have a player there, use its key with --key or FLIPSIDE_KEY instead.",
			player, s.Context, s.File())
	}
	return nil
}

// createPlayer creates a player; it needs no key.
func (p *program) createPlayer(
	ctx context.Context, s *settings.Settings, name string,
) (*gamev1.CreatePlayerResponse, error) {
	service := gameService(s)
	service.Key = ""
	conn, err := p.dialer.Dial(service, s.TLS)
	if err != nil {
		return nil, err
	}
	request := &gamev1.CreatePlayerRequest{DisplayName: name}
	return gamev1.NewPlayerServiceClient(conn).CreatePlayer(ctx, request)
}
