package commands

import (
	"bytes"
	"cmp"
	"context"
	"os"

	"github.com/google/uuid"
	"github.com/spf13/pflag"

	"github.com/flipside-games/flipside/clients/cli/board"
	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/session"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// screenFlags are the flags of commands that open the full-screen board.
type screenFlags struct{ ascii, lines bool }

func (f *screenFlags) register(flags *pflag.FlagSet) {
	flags.BoolVar(&f.ascii, "ascii", false, "draw the board without Unicode")
	flags.BoolVar(&f.lines, "lines", false, "play with lines of text on a terminal too")
}

// fullScreen reports whether the board can fill the screen: input and output are a terminal, and
// the user wants no other format.
func (p *program) fullScreen() bool {
	return p.interactive && isTerminal(p.out.Writer) && p.env("TERM") != "dumb" &&
		p.Format == render.Text && !p.screen.lines
}

// showBoard shows the full-screen board until the user quits. Notes appear after that.
func (p *program) showBoard(ctx context.Context, options board.Options) error {
	terminal, notes := p.Err, &bytes.Buffer{}
	p.Err = &lockedWriter{Writer: notes}
	options.Connect = p.connect
	options.ASCII, options.Env = p.screen.ascii, os.Environ()
	options.In, options.Out = p.in, p.out.Writer
	unfinished, err := board.Run(ctx, options)
	p.Err = terminal
	_, _ = notes.WriteTo(terminal)
	if unfinished != "" {
		p.Note("Game %s goes on; return with: flipside play %s", unfinished, unfinished)
	}
	return err
}

// connect connects the board to the servers. Until they are reachable it gives up fast, then calls
// wait for a restart of the server.
func (p *program) connect(ctx context.Context) (*board.Server, error) {
	p.dialer.Retry.Attempts = settings.DefaultAttempts
	games, err := p.games(ctx)
	if err != nil {
		return nil, p.diagnose(ctx, err)
	}
	strategies, err := p.strategies(ctx)
	if err != nil {
		return nil, err
	}
	player, err := p.me(ctx)
	if err != nil {
		return nil, p.diagnose(ctx, err)
	}
	p.dialer.Retry.Attempts = session.Attempts
	return &board.Server{Games: games, Strategies: strategies, Player: player}, nil
}

// me returns the player of the user.
func (p *program) me(ctx context.Context) (*gamev1.Player, error) {
	players, err := p.players(ctx)
	if err != nil {
		return nil, err
	}
	me, err := players.GetMe(ctx, &gamev1.GetMeRequest{})
	return me.GetPlayer(), err
}

// openFlags are the flags of a command that opens a game.
type openFlags struct{ join string }

// open opens or joins a game.
func (f *openFlags) open(ctx context.Context, p *program, args []string) error {
	options := board.Options{Join: f.join}
	if len(args) > 0 {
		options.GameID = args[0]
	}
	if p.fullScreen() {
		return p.showBoard(ctx, options)
	}
	games, err := p.games(ctx)
	if err != nil {
		return err
	}
	me, err := p.me(ctx)
	if err != nil {
		return err
	}
	game, err := f.game(ctx, games, board.FindGameID(cmp.Or(f.join, options.GameID)))
	if err != nil {
		return err
	}
	s := session.New(games, game)
	s.PlayerID = me.GetId()
	return p.playLines(ctx, s, [2]string{})
}

// game joins the game, or reads it.
func (f *openFlags) game(
	ctx context.Context, games gamev1.GameServiceClient, id string,
) (*gamev1.Game, error) {
	if f.join == "" {
		got, err := games.GetGame(ctx, &gamev1.GetGameRequest{GameId: id})
		return got.GetGame(), err
	}
	request := &gamev1.JoinGameRequest{GameId: id, RequestId: uuid.NewString()}
	joined, err := games.JoinGame(ctx, request)
	return joined.GetGame(), err
}
