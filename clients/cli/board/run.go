// Package board is the full-screen board of the terminal: menus, forms and games, played with keys
// and mouse. It follows games with package session and draws with package draw; the server decides
// about moves.
package board

import (
	"cmp"
	"context"
	"errors"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// Server is the connection to a server as a player.
type Server struct {
	Games      gamev1.GameServiceClient
	Strategies strategyv1.StrategyServiceClient
	Player     *gamev1.Player
}

// Options configure a run of the board. At most one of Create, Join and GameID is set; without them
// the board starts with its menu.
type Options struct {
	// Connect connects to the server. Run calls it again until the server is reachable, and returns
	// any other error of it.
	Connect func(context.Context) (*Server, error)

	Create *gamev1.CreateGameRequest // creates a game and opens it
	Join   string                    // the id or link of a game to join
	GameID string                    // the id or link of a game to open

	Names [2]string // of the players of the created game, "" for the names of the server
	ASCII bool      // draws without Unicode

	In  io.Reader
	Out io.Writer
	Env []string
}

// Run shows the board until the user quits. It returns the id of the game that the user left
// unfinished, "" if there is none, and the error that made it useless to go on: of Connect, or of
// the server about the game to create.
func Run(ctx context.Context, o Options) (unfinished string, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a := newApp(ctx, o)
	program := tea.NewProgram(a, tea.WithContext(ctx), tea.WithInput(o.In), tea.WithOutput(o.Out),
		tea.WithEnvironment(o.Env))
	_, err = program.Run()
	if errors.Is(err, tea.ErrInterrupted) {
		err = nil
	}
	return a.unfinished, cmp.Or(err, a.err)
}

// newApp returns the model of a run.
func newApp(ctx context.Context, o Options) *app {
	return &app{
		options: o, ctx: ctx, now: time.Now, width: 80, height: 24,
	}
}
