package board

import (
	tea "charm.land/bubbletea/v2"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// newMenu returns the main menu.
func newMenu(a *app) *chooser {
	menu := &chooser{app: a, title: "F L I P S I D E", leave: func() tea.Cmd { return nil }}
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
			a.push(newGameForm(a))
			return nil
		}},
		{"g", "My games", "continue a game or look at an old one", func() tea.Cmd {
			return a.list("My games", &gamev1.ListGamesRequest{PlayerId: "me"}, a.open)
		}},
		{"o", "Open games", "take a free seat", func() tea.Cmd {
			open := &gamev1.ListGamesRequest{State: gamev1.GameState_GAME_STATE_WAITING}
			return a.list("Open games", open, a.join)
		}},
		{"j", "Join", "with a link or the id of a game", func() tea.Cmd {
			a.push(newJoinForm(a))
			return nil
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
