package board

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/flipside-games/flipside/clients/cli/render"
)

// retryDelay is the time between attempts to reach a server, as shown to the user.
const retryDelay = 5 * time.Second

// retry shows an error, and runs a command again after a countdown or on a key.
func (a *app) retry(title string, err error, command func() tea.Cmd) tea.Cmd {
	at := a.now().Add(retryDelay)
	d := &chooser{app: a, title: title, dialog: true, text: []string{render.Explain(err)}}
	again := func() tea.Cmd {
		if !a.shows(d) {
			return nil // the user went on
		}
		a.pop(d)
		return command()
	}
	d.countdown = func() string {
		left := max(at.Sub(a.now()), 0)
		return fmt.Sprintf("Next attempt in %.0f s.", left.Round(time.Second).Seconds())
	}
	d.options = []option{
		{key: "r", label: "Retry now", run: again},
		{key: "esc", label: "Back", run: d.back},
	}
	a.push(d)
	return tea.Tick(retryDelay, func(time.Time) tea.Msg { return reply(again) })
}

// shows reports whether a screen is in the stack.
func (a *app) shows(s screen) bool {
	return slices.Contains(a.screens, s)
}
