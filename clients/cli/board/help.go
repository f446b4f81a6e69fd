package board

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/flipside-games/flipside/clients/cli/draw"
	"github.com/flipside-games/flipside/clients/cli/render"
)

// help is the dialog with the keys.
type help struct {
	*app
	game  *game // nil for the menu
	first int   // the first visible line
}

// newHelp returns the help for a game, or for the menu if g is nil.
func newHelp(a *app, g *game) *help { return &help{app: a, game: g} }

// lines returns the rules of the game that differ from the default, and keys and what they do.
func (h *help) lines() [][2]string {
	arrows, cards := "move the selection", h.game != nil && h.game.isTrios()
	if h.game != nil && h.game.shape.Rings > 0 {
		arrows = "left, right: along q; up, down: along r"
	}
	lines := [][2]string{{h.theme.Arrows, arrows}, {"Enter", "place on the selected cell"}}
	if cards {
		lines = append(lines, [2]string{"1 to 9", "select a card; also up and down"},
			[2]string{"q w", "hints of Red, of Blue"}, [2]string{"Tab", "hands, board, list of moves"})
	} else {
		lines = append(lines, [2]string{"p", "pass"},
			[2]string{"h", "hints: how many discs each move flips"},
			[2]string{"q w", "hints of Black, of White"}, [2]string{"Tab", "board, list of moves"})
	}
	if h.game != nil {
		if rules := render.SetupRules(h.game.latest.GetSetup()); len(rules) > 0 {
			lines = append([][2]string{{"Rules", strings.Join(rules, ", ")}}, lines...)
		}
	}
	return append(lines, [][2]string{
		{", .", "walk through the moves; End: latest"},
		{"u d n", "offer a takeback, a draw, a rematch"},
		{"x", "decline an offer"},
		{"r", "resign"},
		{"s", "robot: strategy, depth and time"},
		{"a", "analysis"},
		{"f", "fork: a new game from this position"},
		{"c", "new game with the same settings"},
		{"l", "labels on or off"},
		{"Esc", "back"},
		{"Ctrl+C", "quit"},
		{h.theme.Legal, "you can place here"},
		h.lastMark(cards),
	}...)
}

// wrapped returns the lines with what keys do in columns of a width.
func (h *help) wrapped(width int) (lines [][2]string) {
	for _, line := range h.lines() {
		for i, text := range wrap(line[1], width) {
			if i > 0 {
				line[0] = ""
			}
			lines = append(lines, [2]string{line[0], text})
		}
	}
	return lines
}

// lastMark returns the marks of the last move and of what it flipped.
func (h *help) lastMark(cards bool) [2]string {
	switch {
	case cards:
		return [2]string{"* '", "the last card, and what it flipped"}
	case h.theme.Color:
		return [2]string{"yellow", "the last move; olive: what it flipped"}
	}
	return [2]string{"( ) '", "the last move, and what it flipped"}
}

func (h *help) isDialog() bool { return true }
func (h *help) close()         {}

func (h *help) press(name, _ string) tea.Cmd {
	switch name {
	case "up", "pgup":
		h.first = max(h.first-1, 0)
	case "down", "pgdown":
		h.first++
	default:
		h.pop(h)
	}
	return nil
}

func (h *help) click(any) tea.Cmd { return h.press("esc", "") }

func (h *help) draw(c *draw.Canvas) {
	width := min(c.Width, 52)
	lines := h.wrapped(width - 13)
	rows := max(min(len(lines), c.Height-4), 1)
	h.first = min(h.first, len(lines)-rows)
	r := centred(c, width, rows+4)
	h.frame(c, r, "Keys")
	if rows < len(lines) {
		c.Text(r.X+2, r.Y+r.Height-2, r.Width-3, "up, down: more", h.theme.Muted())
	}
	for i, line := range lines[h.first : h.first+rows] {
		c.Text(r.X+2, r.Y+2+i, 8, line[0], h.theme.Bold())
		c.Text(r.X+11, r.Y+2+i, r.Width-12, line[1], h.theme.Plain())
	}
}
