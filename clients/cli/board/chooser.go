package board

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/flipside-games/flipside/clients/cli/draw"
)

// chooser offers options. It is a menu that fills the screen, or a dialog.
type chooser struct {
	*app
	title    string
	text     []string
	live     func() []string // text that changes, nil for none
	optional func() []option // the first options, which come and go
	options  []option
	index    int
	dialog   bool
	leave    func() tea.Cmd // for Esc, instead of closing the chooser
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

// all returns the options.
func (d *chooser) all() []option {
	if d.optional == nil {
		return d.options
	}
	return append(d.optional(), d.options...)
}

func (d *chooser) press(name, _ string) tea.Cmd {
	options := d.all()
	for i, each := range options {
		if each.key == name {
			d.index = i
			return each.run()
		}
	}
	switch name {
	case "up", "left", "shift+tab", "pgup":
		d.index = (d.index + len(options) - 1) % len(options)
	case "down", "right", "tab", "pgdown":
		d.index = (d.index + 1) % len(options)
	case "enter", "space":
		return options[min(d.index, len(options)-1)].run()
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
		return d.all()[i].run()
	}
	return nil
}

// Widths of choosers.
const (
	menuWidth   = 72
	dialogWidth = 54
)

func (d *chooser) draw(c *draw.Canvas) {
	width, head := min(c.Width, menuWidth), 4
	if d.dialog {
		width, head = min(c.Width, dialogWidth), 2
	}
	text, lines := slices.Clone(d.text), []string(nil)
	if d.live != nil {
		text = append(text, d.live()...)
	}
	for _, each := range text {
		if each != "" {
			lines = append(lines, wrap(each, width-6)...)
		}
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	options := d.all()
	r := centred(c, width, min(head+len(lines)+len(options)+2, c.Height))
	if d.dialog {
		d.frame(c, r, d.title)
	} else {
		c.Banner(d.theme, draw.Rect{X: r.X, Y: r.Y, Width: width, Height: 3}, d.title)
	}
	y := r.Y + head
	for i, line := range lines {
		c.Text(r.X+3, y+i, width-6, line, d.theme.Plain())
	}
	y += len(lines)
	for i, each := range options {
		d.option(c, draw.Rect{X: r.X + 2, Y: y + i, Width: width - 4, Height: 1}, i, each)
	}
}

func (d *chooser) option(c *draw.Canvas, r draw.Rect, index int, each option) {
	style, help := d.theme.Plain(), d.theme.Muted()
	if index == d.index {
		style = d.theme.Button(true)
		help = style
		c.Fill(draw.Rect{X: r.X + 2, Y: r.Y, Width: r.Width - 2, Height: 1}, style)
		c.Text(r.X, r.Y, 2, d.theme.Pointer, d.theme.Accent())
	}
	const helpColumn, margin = 19, 2
	name := d.keyName(each.key)
	c.Text(r.X+3, r.Y, r.Width-3, each.label, style)
	if room := r.Width - helpColumn - len(name) - margin; ansi.StringWidth(each.help) <= room {
		c.Text(r.X+helpColumn, r.Y, room, each.help, help)
	}
	c.Text(r.X+r.Width-1-len(name), r.Y, len(name), name, help)
	c.Zone(r, index)
}

// frame draws the frame of a dialog.
func (a *app) frame(c *draw.Canvas, r draw.Rect, title string) {
	c.Fill(draw.Rect{X: r.X - 1, Y: r.Y, Width: r.Width + 2, Height: r.Height}, a.theme.Plain())
	c.Box(r, a.theme.Glyphs, a.theme.Accent())
	c.Centred(draw.Rect{X: r.X + 1, Y: r.Y, Width: r.Width - 2}, " "+title+" ", a.theme.Accent())
}

// centred returns a rectangle in the middle of a canvas.
func centred(c *draw.Canvas, width, height int) draw.Rect {
	return draw.Rect{
		X: (c.Width - width) / 2, Y: max((c.Height-height)/2, 0), Width: width, Height: height,
	}
}

// wrap breaks a text into lines of a width, at spaces where possible.
func wrap(text string, width int) []string {
	width = max(width, 8)
	lines := []string{""}
	for word := range strings.FieldsSeq(text) {
		for ansi.StringWidth(word) > width {
			head := ansi.Truncate(word, width, "")
			lines = append(lines, head)
			word = strings.TrimPrefix(word, head)
		}
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case ansi.StringWidth(*last)+1+ansi.StringWidth(word) <= width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}
