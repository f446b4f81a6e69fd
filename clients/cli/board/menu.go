package board

import (
	tea "charm.land/bubbletea/v2"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// title is the name of the program in its banner.
const title = "F L I P S I D E"

// newWelcome returns the screen before the menu, while the board connects to the server.
func newWelcome(a *app) *chooser {
	return &chooser{
		app: a, title: title, text: []string{"Connecting" + a.theme.Ellipsis}, leave: a.quit,
		options: []option{{"x", "Exit", "", a.quit}},
	}
}

// newMenu returns the main menu.
func newMenu(a *app) *chooser {
	menu := &chooser{app: a, title: title, leave: func() tea.Cmd { return nil }}
	menu.optional = func() []option {
		if a.unfinished == "" {
			return nil
		}
		return []option{{"c", "Continue", "the game that you left", func() tea.Cmd {
			return a.open(a.unfinished)
		}}}
	}
	menu.options = []option{
		{"n", "New game", "against a robot, a friend or at one screen", func() tea.Cmd {
			return a.openForm(&newGameForm(a, defaultValues()).form)
		}},
		{"g", "My games", "continue a game or look at an old one", func() tea.Cmd {
			return a.list("My games", &gamev1.ListGamesRequest{PlayerId: "me"}, a.open)
		}},
		{"o", "Open games", "take a free seat", func() tea.Cmd {
			open := &gamev1.ListGamesRequest{State: gamev1.GameState_GAME_STATE_WAITING}
			return a.list("Open games", open, a.join)
		}},
		{"j", "Join", "with a link or the id of a game", func() tea.Cmd {
			return a.openForm(newJoinForm(a))
		}},
		{"w", "Watch", "games of other players", func() tea.Cmd {
			active := &gamev1.ListGamesRequest{State: gamev1.GameState_GAME_STATE_ACTIVE}
			return a.list("Games to watch", active, a.open)
		}},
		{"?", "Help", "keys and marks", func() tea.Cmd {
			a.push(newHelp(a, nil))
			return nil
		}},
		{"x", "Exit", "", a.quit},
	}
	return menu
}
