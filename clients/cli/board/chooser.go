package board

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/flipside-games/flipside/clients/cli/draw"
)

// chooser offers options. It is a menu that fills the screen, or a dialog.
type chooser struct {
	*app
	title     string
	text      []string
	countdown func() string
	options   []option
	index     int
	dialog    bool
	leave     func() tea.Cmd // for Esc, instead of closing the chooser
}

// option is one of several things to do.
type option struct {
	key   string // selects it, as an alternative to Enter
	label string
	help  string
	run   func() tea.Cmd
}

func (d *chooser) isDialog() bool { return d.dialog }
func (d *chooser) close()         {}

// back closes the chooser.
func (d *chooser) back() tea.Cmd {
	d.pop(d)
	return nil
}

func (d *chooser) press(name, _ string) tea.Cmd {
	for i, each := range d.options {
		if each.key == name {
			d.index = i
			return each.run()
		}
	}
	switch name {
	case "up", "left", "shift+tab", "pgup":
		d.index = (d.index + len(d.options) - 1) % len(d.options)
	case "down", "right", "tab", "pgdown":
		d.index = (d.index + 1) % len(d.options)
	case "enter", "space":
		return d.options[d.index].run()
	case "esc":
		if d.leave != nil {
			return d.leave()
		}
		return d.back()
	}
	return nil
}

func (d *chooser) click(target any) tea.Cmd {
	if i, ok := target.(int); ok {
		d.index = i
		return d.options[i].run()
	}
	return nil
}

func (d *chooser) draw(c *draw.Canvas) {
	width := min(c.Width, 64)
	if d.dialog {
		width = min(c.Width, 52)
	}
	var lines []string
	for _, each := range d.text {
		lines = append(lines, wrap(each, width-4)...)
	}
	if d.countdown != nil {
		lines = append(lines, d.countdown())
	}
	height := 2 + len(lines) + len(d.options)
	if len(lines) > 0 {
		height++
	}
	if d.title != "" {
		height++
	}
	r := centred(c, width, min(height, c.Height))
	if d.dialog {
		c.Fill(r, d.theme.Plain())
		c.Box(r, d.theme.Glyphs, d.theme.Accent())
	}
	y := r.Y + 1
	if d.title != "" {
		c.Centred(draw.Rect{X: r.X + 1, Y: y, Width: width - 2}, d.title, d.theme.Accent())
		y++
	}
	for _, line := range lines {
		c.Text(r.X+2, y, width-4, line, d.theme.Plain())
		y++
	}
	if len(lines) > 0 {
		y++
	}
	for i, each := range d.options {
		d.option(c, draw.Rect{X: r.X + 2, Y: y + i, Width: width - 4, Height: 1}, i, each)
	}
}

func (d *chooser) option(c *draw.Canvas, r draw.Rect, index int, each option) {
	focused := index == d.index
	pointer := " "
	if focused {
		pointer = d.theme.Pointer
	}
	c.Text(r.X, r.Y, 2, pointer, d.theme.Accent())
	label := each.label
	if focused {
		c.Fill(draw.Rect{X: r.X + 2, Y: r.Y, Width: r.Width - 2, Height: 1}, d.theme.Button(true))
	}
	style := d.theme.Plain()
	if focused {
		style = d.theme.Button(true)
	}
	c.Text(r.X+3, r.Y, r.Width-9, label, style)
	if each.help != "" {
		help := d.theme.Muted()
		if focused {
			help = style
		}
		c.Text(r.X+20, r.Y, r.Width-26, each.help, help)
	}
	c.Text(r.X+r.Width-1-len(each.key), r.Y, len(each.key), each.key, style)
	c.Zone(r, index)
}

// centred returns a rectangle in the middle of a canvas.
func centred(c *draw.Canvas, width, height int) draw.Rect {
	return draw.Rect{
		X: (c.Width - width) / 2, Y: max((c.Height-height)/2, 0), Width: width, Height: height,
	}
}

// wrap breaks a text into lines of a width.
func wrap(text string, width int) []string {
	return strings.Split(ansi.Wrap(text, max(width, 8), ""), "\n")
}
