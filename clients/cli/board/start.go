package board

import (
	"regexp"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// connect connects to the server. It tries again while the server is not reachable.
func (a *app) connect() tea.Cmd {
	return func() tea.Msg {
		server, err := a.options.Connect(a.ctx)
		return reply(func() tea.Cmd {
			switch {
			case err == nil:
				a.server, a.screens = server, []screen{newMenu(a)}
				return a.start()
			case mayPass(err):
				return a.failed("Cannot connect", err, a.connect)
			}
			return a.stop(err)
		})
	}
}

// start opens what the options ask for.
func (a *app) start() tea.Cmd {
	switch o := a.options; {
	case o.Create != nil:
		return ask(a, a.server.Games.CreateGame, o.Create,
			func(created *gamev1.CreateGameResponse, err error) tea.Cmd {
				switch {
				case err == nil:
					return a.show(created.GetGame())
				case mayPass(err):
					return a.failed("Cannot create the game", err, a.start)
				}
				return a.stop(err)
			})
	case o.Join != "":
		return a.join(o.Join)
	case o.GameID != "":
		return a.open(o.GameID)
	}
	return nil
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
	request := &gamev1.JoinGameRequest{GameId: FindGameID(link), RequestId: uuid.NewString()}
	var send func() tea.Cmd
	done := func(joined *gamev1.JoinGameResponse, err error) tea.Cmd {
		if err == nil {
			return a.show(joined.GetGame())
		}
		if status.Code(err) == codes.NotFound {
			return a.failed("Cannot join the game", err, send)
		}
		watch := func() tea.Cmd { return a.open(request.GetGameId()) }
		return a.failed("Cannot join the game", err, send,
			option{key: "w", label: "Watch it", run: watch})
	}
	send = func() tea.Cmd { return ask(a, a.server.Games.JoinGame, request, done) }
	return send()
}

// open opens a game by its id or link.
func (a *app) open(link string) tea.Cmd {
	request := &gamev1.GetGameRequest{GameId: FindGameID(link)}
	return ask(a, a.server.Games.GetGame, request, func(
		got *gamev1.GetGameResponse, err error,
	) tea.Cmd {
		if err != nil {
			return a.failed("Cannot open the game", err, func() tea.Cmd { return a.open(link) })
		}
		return a.show(got.GetGame())
	})
}

// show opens a game instead of the screens above the menu.
func (a *app) show(opened *gamev1.Game) tea.Cmd {
	a.popAll()
	g := newGame(a, opened)
	a.push(g)
	return g.follow()
}
