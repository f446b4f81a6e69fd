package board

import (
	tea "charm.land/bubbletea/v2"

	"github.com/flipside-games/flipside/clients/cli/draw"
)

// help is the dialog with the keys.
type help struct {
	*app
	lines [][2]string
	first int
}

// newHelp returns the help for a game, or for the menu if g is nil.
func newHelp(a *app, g *game) *help {
	arrows := "move the selection"
	if g != nil && g.shape.Rings > 0 {
		arrows = "left, right: along q; up, down: along r"
	}
	lines := [][2]string{
		{a.theme.Arrows, arrows},
		{"Enter", "place on the selected cell"},
		{"p", "pass"},
		{"h", "hints: how many each move flips"},
		{"q w", "hints of the first or the second side"},
	}
	if g != nil && g.isTrios() {
		lines = append(lines, [2]string{"1 to 9", "select a card; also up, down"},
			[2]string{"Tab", "hand, board, moves"})
	} else {
		lines = append(lines, [2]string{"Tab", "board, moves"})
	}
	lines = append(lines, [][2]string{
		{", .", "walk through the moves; End: back"},
		{"u d", "offer a takeback, a draw"},
		{"n x", "rematch; decline an offer"},
		{"r", "resign"},
		{"s", "robot: strategy, depth, time"},
		{"a", "analysis"},
		{"f c", "fork; new game, same settings"},
		{"l", "labels"},
		{"Esc", "back"},
		{"Ctrl+C", "quit"},
	}...)
	return &help{app: a, lines: lines}
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
	rows := min(len(h.lines), c.Height-4)
	h.first = min(h.first, len(h.lines)-rows)
	r := centred(c, min(c.Width, 52), rows+4)
	c.Fill(r, h.theme.Plain())
	c.Box(r, h.theme.Glyphs, h.theme.Accent())
	c.Centred(draw.Rect{X: r.X + 1, Y: r.Y, Width: r.Width - 2}, " Keys ", h.theme.Accent())
	for i, line := range h.lines[h.first : h.first+rows] {
		c.Text(r.X+2, r.Y+2+i, 8, line[0], h.theme.Bold())
		c.Text(r.X+11, r.Y+2+i, r.Width-12, line[1], h.theme.Plain())
	}
}
