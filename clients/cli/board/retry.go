package board

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/flipside-games/flipside/clients/cli/render"
)

// retryDelay is the time between attempts to reach a server, as shown to the user.
const retryDelay = 5 * time.Second

// mayPass reports whether a call that failed may succeed later.
func mayPass(err error) bool {
	code := status.Code(err)
	return code == codes.Unavailable || code == codes.DeadlineExceeded ||
		code == codes.ResourceExhausted
}

// failed shows an error with what the user can do. If the error may pass, again runs after a
// countdown or on a key.
func (a *app) failed(title string, err error, again func() tea.Cmd, options ...option) tea.Cmd {
	d := &chooser{app: a, title: title, dialog: true, text: []string{render.Explain(err)}}
	back := option{key: "esc", label: "Back", run: func() tea.Cmd { return nil }}
	if a.server == nil { // there is nothing to go back to
		back.label, back.run = "Exit", a.quit
	}
	if mayPass(err) {
		options = append([]option{{key: "r", label: "Retry now", run: again}}, options...)
	}
	for _, each := range append(options, back) {
		run := each.run
		each.run = func() tea.Cmd {
			if !a.shows(d) {
				return nil // the user went on
			}
			a.pop(d)
			return run()
		}
		d.options = append(d.options, each)
	}
	a.push(d)
	if !mayPass(err) {
		return nil
	}
	at := a.now().Add(retryDelay)
	d.live = func() []string {
		left := max(at.Sub(a.now()), 0)
		return []string{fmt.Sprintf("Next attempt in %.0f s.", left.Round(time.Second).Seconds())}
	}
	return tea.Tick(retryDelay, func(time.Time) tea.Msg { return reply(d.options[0].run) })
}

// stop ends the program with an error.
func (a *app) stop(err error) tea.Cmd {
	a.err = err
	return a.quit()
}

// shows reports whether a screen is in the stack.
func (a *app) shows(s screen) bool {
	return slices.Contains(a.screens, s)
}
