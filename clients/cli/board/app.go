package board

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"google.golang.org/grpc"

	"github.com/flipside-games/flipside/clients/cli/draw"
)

// app is the model of the program: a stack of screens. The top one receives keys and clicks.
type app struct {
	options Options
	ctx     context.Context
	now     func() time.Time

	theme         draw.Theme
	width, height int
	server        *Server // nil until connected
	screens       []screen
	unfinished    string // the id of the last game that the user left unfinished
	err           error  // ends the program

	ranges map[string]string // of the limits of strategies, nil until known
}

// screen is a screen of the program, or a dialog over other screens.
type screen interface {
	// draw draws the screen.
	draw(c *draw.Canvas)
	// press handles a key by its name. Text holds the characters that the key enters.
	press(key, text string) tea.Cmd
	// click handles a click on a target of the canvas, nil outside of all targets.
	click(target any) tea.Cmd
	// isDialog reports whether the screen leaves the screen below visible.
	isDialog() bool
	// close stops what the screen has started.
	close()
}

// key is a target that acts like a key.
type key string

// reply is a message that changes the model, such as the reply to a call.
type reply func() tea.Cmd

// tick is the message of each second.
type tick struct{}

// Init starts the program.
func (a *app) Init() tea.Cmd {
	a.setColors(colorprofile.Ascii)
	a.push(newWelcome(a))
	return tea.Batch(a.connect(), a.tick())
}

func (a *app) tick() tea.Cmd {
	return tea.Tick(a.pace(), func(time.Time) tea.Msg { return tick{} })
}

// pace returns how often the screen changes by itself.
func (a *app) pace() time.Duration {
	if g, ok := a.game(); ok && g.hurries() {
		return 100 * time.Millisecond
	}
	return time.Second
}

// game returns the game of the stack, if there is one.
func (a *app) game() (*game, bool) {
	for _, s := range a.screens {
		if g, ok := s.(*game); ok {
			return g, true
		}
	}
	return nil, false
}

// Update handles a message.
func (a *app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.width, a.height = msg.Width, msg.Height
	case tea.ColorProfileMsg:
		a.setColors(msg.Profile)
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+c" {
			return a, a.quit()
		}
		return a, a.top().press(msg.String(), msg.Text)
	case tea.PasteMsg:
		return a, a.top().press("", msg.Content)
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			return a, a.click(msg.X, msg.Y)
		}
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			return a, a.top().press("pgup", "")
		}
		return a, a.top().press("pgdown", "")
	case reply:
		return a, msg()
	case tick:
		return a, a.tick()
	}
	return a, nil
}

func (a *app) setColors(profile colorprofile.Profile) {
	a.theme = draw.NewTheme(profile, a.options.ASCII)
}

func (a *app) click(x, y int) tea.Cmd {
	target := a.canvas().Target(x, y)
	if k, ok := target.(key); ok {
		return a.top().press(string(k), "")
	}
	return a.top().click(target)
}

// View draws the screens.
func (a *app) View() tea.View {
	view := tea.NewView(a.canvas().Render())
	view.AltScreen, view.MouseMode, view.WindowTitle = true, tea.MouseModeCellMotion, "Flipside"
	return view
}

// canvas draws the top screen, and the screens below it as far as they are visible.
func (a *app) canvas() *draw.Canvas {
	c := draw.NewCanvas(a.theme, a.width, a.height)
	first := len(a.screens) - 1
	for first > 0 && a.screens[first].isDialog() {
		first--
	}
	for _, s := range a.screens[first:] {
		s.draw(c)
	}
	return c
}

func (a *app) top() screen { return a.screens[len(a.screens)-1] }

func (a *app) push(s screen) { a.screens = append(a.screens, s) }

// pop closes a screen and all above it.
func (a *app) pop(s screen) {
	for i, each := range a.screens {
		if each == s {
			for _, closed := range a.screens[i:] {
				closed.close()
			}
			a.screens = a.screens[:i]
			return
		}
	}
}

// popAll closes all screens above the menu.
func (a *app) popAll() {
	if len(a.screens) > 1 {
		a.pop(a.screens[1])
	}
}

func (a *app) quit() tea.Cmd {
	a.popAll()
	return tea.Quit
}

// rpc is a method of a client.
type rpc[Q, R any] func(context.Context, Q, ...grpc.CallOption) (R, error)

// call makes a call and passes its result to done, which changes the model.
func call[Q, R any](
	ctx context.Context, do rpc[Q, R], request Q, done func(R, error) tea.Cmd,
) tea.Cmd {
	return func() tea.Msg {
		result, err := do(ctx, request)
		return reply(func() tea.Cmd { return done(result, err) })
	}
}

// patience is the time after which a call for a menu or a form fails, so that the user sees why
// nothing happens.
const patience = 5 * time.Second

// ask makes a call like call, with patience.
func ask[Q, R any](a *app, do rpc[Q, R], request Q, done func(R, error) tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(a.ctx, patience)
		defer cancel()
		return call(ctx, do, request, done)()
	}
}
