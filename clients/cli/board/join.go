package board

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// newJoinForm returns the form that joins a game.
func newJoinForm(a *app) *form {
	f := &form{app: a, title: "Join a game", action: "Join", values: map[string]string{}}
	f.layout = func() { f.text("game", "Link or id", "Paste the link or the id of the game") }
	f.submit = func() tea.Cmd {
		link := f.values["game"]
		if strings.TrimSpace(link) == "" {
			return f.fail("game", "enter a link or an id")
		}
		f.pop(f)
		return a.join(link)
	}
	return f
}
