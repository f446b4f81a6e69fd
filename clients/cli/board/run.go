// Package board is the full-screen board of the terminal: menus, forms and games, played with keys
// and mouse. It follows games with package session and draws with package draw; the server decides
// about moves.
package board

import (
	"context"
	"errors"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// Options configure a run of the board. At most one of Create, Join and GameID is set; without them
// the board starts with its menu.
type Options struct {
	Games      gamev1.GameServiceClient
	Players    gamev1.PlayerServiceClient
	Strategies strategyv1.StrategyServiceClient

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
// unfinished, "" if there is none.
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
	return a.unfinished, err
}

// newApp returns the model of a run.
func newApp(ctx context.Context, o Options) *app {
	return &app{
		options: o, ctx: ctx, now: time.Now, width: 80, height: 24,
	}
}
