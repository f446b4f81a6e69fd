package board

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

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
		c.Text(2, y, c.Width-3, l.row(l.games[i], c.Width-3), style)
		c.Zone(r, i)
	}
	l.footer(c, []hint{{"enter", "Open", 0}, {"r", "Reload", 1}, {"esc", "Back", 0}})
}

// row describes a game in one line, with as much as fits.
func (l *gameList) row(g *gamev1.Game, width int) string {
	setup := fmt.Sprintf("%-9s %-8s ", render.SetupName(g.GetSetup()),
		render.GameStates.Name(g.GetState()))
	rest := ""
	if width >= 67 {
		turn := ""
		if side := g.GetTurn().GetSide(); l.isMe(g, side) {
			turn = "your turn"
		} else if g.GetTurn() != nil {
			turn = render.DescriberOf(g).Colour(sideIndex(side)) + " to move"
		}
		score := fmt.Sprintf("%d:%d", g.GetScore().GetFirst(), g.GetScore().GetSecond())
		updated := g.GetUpdateTime().AsTime().Local().Format("Jan 2 15:04")
		rest = fmt.Sprintf(" %7s  %-13s %12s", score, turn, updated)
	}
	room := width - len(setup) - len(rest)
	players := l.players(g, room)
	return setup + players + strings.Repeat(" ", max(room-ansi.StringWidth(players), 0)) + rest
}

// players names the players of a game. In a narrow column robots lose the word robot, then the
// longer name its end.
func (l *gameList) players(g *gamev1.Game, width int) string {
	var names [2]string
	for i, seat := range g.GetSeats() {
		names[i%2] = l.holder(seat)
	}
	const between = " - "
	room := width - len(between)
	if widths(names) > room {
		for i, seat := range g.GetSeats() {
			if seat.GetRobot() != nil {
				names[i%2] = render.RobotName(seat)
			}
		}
	}
	if widths(names) > room {
		first := max(room/2, room-ansi.StringWidth(names[1]))
		names[0] = ansi.Truncate(names[0], first, l.theme.Ellipsis)
		names[1] = ansi.Truncate(names[1], room-ansi.StringWidth(names[0]), l.theme.Ellipsis)
	}
	return names[0] + between + names[1]
}

func widths(names [2]string) int { return ansi.StringWidth(names[0]) + ansi.StringWidth(names[1]) }
