package board

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/flipside-games/flipside/clients/cli/draw"
	"github.com/flipside-games/flipside/clients/cli/render"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// gameList is a screen with a list of games.
type gameList struct {
	*app
	title   string
	request *gamev1.ListGamesRequest
	choose  func(id string) tea.Cmd

	games   []*gamev1.Game
	loaded  bool
	loading bool // a call is in flight
	more    bool // there are more pages
	index   int
	first   int // the first visible row
}

// list opens a list of games: those of the player in the request, or else those of other people.
// Enter passes the id of a game to choose.
func (a *app) list(
	title string, request *gamev1.ListGamesRequest, choose func(id string) tea.Cmd,
) tea.Cmd {
	l := &gameList{app: a, title: title, request: request, choose: choose}
	a.push(l)
	return l.load("")
}

// load reads a page of the list, unless it is reading one.
func (l *gameList) load(token string) tea.Cmd {
	if l.loading {
		return nil
	}
	l.loading, l.request.PageToken = true, token
	return ask(l.app, l.server.Games.ListGames, l.request, func(
		got *gamev1.ListGamesResponse, err error,
	) tea.Cmd {
		l.loading = false
		if !l.shows(l) {
			return nil
		}
		if err != nil {
			return l.failed("Cannot list games", err, func() tea.Cmd { return l.load(token) })
		}
		if token == "" {
			l.games = nil
		}
		for _, each := range got.GetGames() {
			if l.request.GetPlayerId() != "" || !l.isMine(each) {
				l.games = append(l.games, each)
			}
		}
		l.request.PageToken, l.more = got.GetNextPageToken(), got.GetNextPageToken() != ""
		l.index = min(l.index, max(len(l.games)-1, 0))
		if l.more && len(l.games) == 0 {
			return l.load(l.request.GetPageToken())
		}
		l.loaded = true
		return nil
	})
}

func (l *gameList) isDialog() bool { return false }
func (l *gameList) close()         {}

func (l *gameList) press(name, _ string) tea.Cmd {
	last, page := max(len(l.games)-1, 0), max(l.height-6, 1)
	switch name {
	case "esc", "left":
		l.pop(l)
	case "up":
		l.index = max(l.index-1, 0)
	case "down":
		l.index = min(l.index+1, last)
	case "pgup":
		l.index = max(l.index-page, 0)
	case "pgdown":
		l.index = min(l.index+page, last)
	case "home":
		l.index = 0
	case "end":
		l.index = last
	case "r":
		return l.load("")
	case "enter", "space", "right":
		if len(l.games) > 0 {
			return l.choose(l.games[l.index].GetId())
		}
	}
	if l.more && l.index == last {
		return l.load(l.request.GetPageToken())
	}
	return nil
}

func (l *gameList) click(target any) tea.Cmd {
	i, ok := target.(int)
	if !ok {
		return nil
	}
	if i == l.index {
		return l.press("enter", "")
	}
	l.index = i
	return nil
}

func (l *gameList) draw(c *draw.Canvas) {
	c.Text(1, 0, c.Width-1, l.title, l.theme.Accent())
	rows := max(c.Height-4, 1)
	l.first = min(max(l.first, l.index-rows+1), l.index)
	if len(l.games) == 0 {
		text := "Loading" + l.theme.Ellipsis
		if l.loaded {
			text = "There are no games here."
		}
		c.Text(1, 2, c.Width-1, text, l.theme.Muted())
	}
	for i := l.first; i < min(l.first+rows, len(l.games)); i++ {
		y, style := 2+i-l.first, l.theme.Plain()
		r := draw.Rect{X: 0, Y: y, Width: c.Width, Height: 1}
		if i == l.index {
			style = l.theme.Button(true)
			c.Fill(r, style)
			c.Text(0, y, 1, l.theme.Pointer, style)
		}
		c.Text(2, y, c.Width-3, l.row(l.games[i], c.Width), style)
		c.Zone(r, i)
	}
	l.footer(c, []hint{{"enter", "Open", 0}, {"r", "Reload", 1}, {"esc", "Back", 0}})
}

// row describes a game in one line, with as much as fits.
func (l *gameList) row(g *gamev1.Game, width int) string {
	d := render.DescriberOf(g)
	players := []string{"", ""}
	for i, seat := range g.GetSeats() {
		players[i%2] = l.holder(seat)
	}
	text := fmt.Sprintf("%-9s %-8s %s", render.SetupName(g.GetSetup()),
		render.GameStates.Name(g.GetState()), players[0]+" - "+players[1])
	score := fmt.Sprintf("%d:%d", g.GetScore().GetFirst(), g.GetScore().GetSecond())
	if width < 70 {
		return text
	}
	turn := ""
	if g.GetTurn() != nil {
		turn = d.Colour(int(g.GetTurn().GetSide())-1) + " to move"
		if l.isMe(g, g.GetTurn().GetSide()) {
			turn = "your turn"
		}
	}
	updated := g.GetUpdateTime().AsTime().Local().Format("Jan 2 15:04")
	return fmt.Sprintf("%-42s %5s  %-14s %s", text, score, turn, updated)
}
