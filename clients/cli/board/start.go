package board

import (
	"context"
	"regexp"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"github.com/flipside-games/flipside/clients/cli/render"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// start opens what the options ask for.
func (a *app) start() tea.Cmd {
	switch o := a.options; {
	case o.Create != nil:
		return a.create(o.Create, func(err error) tea.Cmd {
			return a.retry("Cannot create the game", err, a.start)
		})
	case o.Join != "":
		return a.join(o.Join)
	case o.GameID != "":
		return a.open(o.GameID)
	}
	return a.withPlayer(func() tea.Cmd { return nil })
}

// withPlayer runs a command when it is known which player the user is.
func (a *app) withPlayer(next func() tea.Cmd) tea.Cmd {
	if a.player != nil {
		return next()
	}
	me := func(ctx context.Context) (*gamev1.GetMeResponse, error) {
		return a.options.Players.GetMe(ctx, &gamev1.GetMeRequest{})
	}
	return call(a.ctx, me, func(got *gamev1.GetMeResponse, err error) tea.Cmd {
		if err != nil {
			return a.retry("Cannot connect", err, func() tea.Cmd { return a.withPlayer(next) })
		}
		a.player = got.GetPlayer()
		return next()
	})
}

// create creates a game and opens it.
func (a *app) create(request *gamev1.CreateGameRequest, failed func(error) tea.Cmd) tea.Cmd {
	do := func(ctx context.Context) (*gamev1.CreateGameResponse, error) {
		return a.options.Games.CreateGame(ctx, request)
	}
	return call(a.ctx, do, func(created *gamev1.CreateGameResponse, err error) tea.Cmd {
		if err != nil {
			return failed(err)
		}
		return a.show(created.GetGame())
	})
}

var gameID = regexp.MustCompile(`[0-9a-hjkmnp-tv-z]{26}`)

// HasGameID reports whether a text is the id of a game or a link with one.
func HasGameID(text string) bool { return gameID.MatchString(strings.ToLower(text)) }

// FindGameID returns the id of a game in a link, or the text itself if it holds none.
func FindGameID(text string) string {
	ids := gameID.FindAllString(strings.ToLower(text), -1)
	if len(ids) == 0 {
		return strings.TrimSpace(text)
	}
	return ids[len(ids)-1]
}

// join takes the open seat of a game and opens the game.
func (a *app) join(link string) tea.Cmd {
	id, request := FindGameID(link), uuid.NewString()
	do := func(ctx context.Context) (*gamev1.JoinGameResponse, error) {
		return a.options.Games.JoinGame(ctx, &gamev1.JoinGameRequest{GameId: id, RequestId: request})
	}
	return call(a.ctx, do, func(joined *gamev1.JoinGameResponse, err error) tea.Cmd {
		if err != nil {
			return a.fail("Cannot join the game", err, option{key: "w", label: "Watch it", run: func() tea.Cmd {
				return a.open(id)
			}})
		}
		return a.show(joined.GetGame())
	})
}

// open opens a game by its id or link.
func (a *app) open(link string) tea.Cmd {
	do := func(ctx context.Context) (*gamev1.GetGameResponse, error) {
		return a.options.Games.GetGame(ctx, &gamev1.GetGameRequest{GameId: FindGameID(link)})
	}
	return call(a.ctx, do, func(got *gamev1.GetGameResponse, err error) tea.Cmd {
		if err != nil {
			return a.fail("Cannot open the game", err)
		}
		return a.show(got.GetGame())
	})
}

// show opens a game instead of the screens above the menu.
func (a *app) show(opened *gamev1.Game) tea.Cmd {
	return a.withPlayer(func() tea.Cmd {
		a.popAll()
		g := newGame(a, opened)
		a.push(g)
		return g.follow()
	})
}

// fail shows an error with what the user can do.
func (a *app) fail(title string, err error, options ...option) tea.Cmd {
	d := &chooser{app: a, title: title, dialog: true, text: []string{render.Explain(err)}}
	for _, each := range options {
		run := each.run
		each.run = func() tea.Cmd { a.pop(d); return run() }
		d.options = append(d.options, each)
	}
	d.options = append(d.options, option{key: "esc", label: "Back", run: d.back})
	a.push(d)
	return nil
}
