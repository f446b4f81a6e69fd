//go:build !race

package board

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"google.golang.org/protobuf/types/known/durationpb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// driver runs the model without a terminal: it sends keys and clicks, and executes commands.
type driver struct {
	*app
	t    *testing.T
	msgs chan tea.Msg
}

// drive starts the model for a player and waits until it is connected.
func drive(t *testing.T, o Options) *driver {
	t.Helper()
	d := launch(t, o)
	d.wait("the server", func() bool { return d.server != nil })
	return d
}

// launch starts the model.
func launch(t *testing.T, o Options) *driver {
	t.Helper()
	d := &driver{app: newApp(t.Context(), o), t: t, msgs: make(chan tea.Msg)}
	d.run(d.Init())
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.send(tea.ColorProfileMsg{Profile: colorprofile.Ascii})
	t.Cleanup(func() { d.popAll() })
	return d
}

func (d *driver) run(command tea.Cmd) {
	if command == nil {
		return
	}
	go func() {
		select {
		case d.msgs <- command():
		case <-d.t.Context().Done():
		}
	}()
}

func (d *driver) send(msg tea.Msg) {
	if batch, ok := msg.(tea.BatchMsg); ok {
		for _, command := range batch {
			d.run(command)
		}
		return
	}
	_, command := d.Update(msg)
	d.run(command)
}

// wait handles messages until a condition holds.
func (d *driver) wait(what string, ok func() bool) {
	d.t.Helper()
	timeout := time.After(*Limit)
	for !ok() {
		select {
		case msg := <-d.msgs:
			d.send(msg)
		case <-timeout:
			d.t.Fatalf("waited in vain for %s; the screen:\n%s", what, d.text())
		}
	}
}

// see waits until the screen contains texts.
func (d *driver) see(texts ...string) {
	d.t.Helper()
	for _, text := range texts {
		d.wait(text, func() bool { return strings.Contains(d.text(), text) })
	}
}

// unsee waits until the screen does not contain a text.
func (d *driver) unsee(text string) {
	d.t.Helper()
	d.wait("no "+text, func() bool { return !strings.Contains(d.text(), text) })
}

// text returns the screen without styles.
func (d *driver) text() string { return ansi.Strip(d.View().Content) }

// keys presses keys: names of keys, or characters.
func (d *driver) keys(names ...string) {
	for _, name := range names {
		text := ""
		if len(name) == 1 {
			text = name
		}
		d.run(d.top().press(name, text))
	}
}

// typed enters a text.
func (d *driver) typed(text string) { d.run(d.top().press("", text)) }

// clickAt clicks on a character.
func (d *driver) clickAt(x, y int) {
	d.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
}

// clickOn clicks in the middle of the first occurrence of a text.
func (d *driver) clickOn(text string) {
	d.t.Helper()
	x, y := d.find(text)
	d.clickAt(x+ansi.StringWidth(text)/2, y)
}

// find returns where a text is on the screen.
func (d *driver) find(text string) (x, y int) {
	d.t.Helper()
	for y, line := range strings.Split(d.text(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			return ansi.StringWidth(before), y
		}
	}
	d.t.Fatalf("%q is not on the screen:\n%s", text, d.text())
	return 0, 0
}

// current returns the game on the screen.
func (d *driver) current() *game {
	d.t.Helper()
	d.wait("a game", func() bool {
		g, ok := d.game()
		return ok && g.history.Last() >= 0 && g.isLive()
	})
	g, _ := d.game()
	return g
}

// resize changes the size of the window.
func (d *driver) resize(width, height int) {
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
}

// Seats and setups of games in tests.
func caller() *gamev1.Seat {
	return &gamev1.Seat{Holder: &gamev1.Seat_Caller_{Caller: &gamev1.Seat_Caller{}}}
}

func robotSeat(robot *gamev1.Robot) *gamev1.Seat {
	return &gamev1.Seat{Holder: &gamev1.Seat_Robot{Robot: robot}}
}

func open() *gamev1.Seat {
	return &gamev1.Seat{Holder: &gamev1.Seat_Open_{Open: &gamev1.Seat_Open{}}}
}

func hexagonSetup(rings int32) *rulesv1.Setup {
	board := &rulesv1.ReversiSetup_Hexagon{Hexagon: &rulesv1.HexagonBoard{Rings: rings}}
	return &rulesv1.Setup{Game: &rulesv1.Setup_Reversi{Reversi: &rulesv1.ReversiSetup{Board: board}}}
}

func squareSetup(side int32) *rulesv1.Setup {
	board := &rulesv1.ReversiSetup_Square{Square: &rulesv1.SquareBoard{Side: side}}
	return &rulesv1.Setup{Game: &rulesv1.Setup_Reversi{Reversi: &rulesv1.ReversiSetup{Board: board}}}
}

// perGame returns a time control with a time for all moves of a player.
func perGame(initial time.Duration) *gamev1.TimeControl {
	limit := &gamev1.TimeControl_Fischer{Initial: durationpb.New(initial)}
	return &gamev1.TimeControl{Limit: &gamev1.TimeControl_Fischer_{Fischer: limit}}
}

func triosSetup(rules ...rulesv1.Rule) *rulesv1.Setup {
	trios := &rulesv1.ThreeTriosSetup{Rules: rules}
	return &rulesv1.Setup{Game: &rulesv1.Setup_ThreeTrios{ThreeTrios: trios}}
}

// playGame opens a new game.
func playGame(t *testing.T, s *TestServer, setup *rulesv1.Setup, seats ...*gamev1.Seat) *driver {
	t.Helper()
	o := s.options(t, s.Key(t, "Ada"))
	o.Create = &gamev1.CreateGameRequest{Setup: setup, Seats: seats}
	return drive(t, o)
}
