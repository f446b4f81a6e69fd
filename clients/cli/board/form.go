package board

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/flipside-games/flipside/clients/cli/draw"
)

// field is a field of a form: a choice if it has options, otherwise a text.
type field struct {
	name, label string
	help        string // shown while the field is focused
	options     []string
	value       string
	err         string
}

// form is a dialog with fields and two buttons.
type form struct {
	*app
	title  string
	fields []field
	index  int    // of the focused field; the buttons follow the fields
	err    string // an error that belongs to no field
	busy   bool   // a call is in flight
	action string // the label of the first button

	change func(name string) // is called after a change of a choice; nil: nothing to do
	submit func() tea.Cmd    // for the first button
	first  int               // the first visible field
}

func (f *form) isDialog() bool { return true }
func (f *form) close()         {}

// value returns the value of a field, "" if there is none with the name.
func (f *form) value(name string) string {
	for _, each := range f.fields {
		if each.name == name {
			return each.value
		}
	}
	return ""
}

// fail shows an error at a field, or below the fields if there is none with the name.
func (f *form) fail(name, message string) {
	for i := range f.fields {
		if f.fields[i].name == name {
			f.fields[i].err, f.index = message, i
			return
		}
	}
	f.err = message
}

func (f *form) clearErrors() {
	f.err = ""
	for i := range f.fields {
		f.fields[i].err = ""
	}
}

// cancel closes the form, which is the top screen while it receives keys.
func (f *form) cancel() tea.Cmd {
	f.pop(f.top())
	return nil
}

func (f *form) press(name, text string) tea.Cmd {
	last := len(f.fields) + 1 // the button that cancels
	switch name {
	case "esc":
		return f.cancel()
	case "up", "shift+tab", "pgup":
		f.index = (f.index + last) % (last + 1)
	case "down", "tab", "pgdown":
		f.index = (f.index + 1) % (last + 1)
	case "enter":
		if f.index == last {
			return f.cancel()
		}
		return f.send()
	default:
		f.edit(name, text)
	}
	return nil
}

// send submits the form once.
func (f *form) send() tea.Cmd {
	if f.busy {
		return nil
	}
	f.clearErrors()
	return f.submit()
}

// edit changes the focused field, or moves between the buttons.
func (f *form) edit(name, text string) {
	if f.index >= len(f.fields) {
		if name == "left" || name == "right" {
			f.index = 2*len(f.fields) + 1 - f.index
		}
		return
	}
	each := &f.fields[f.index]
	if len(each.options) > 0 {
		switch name {
		case "left":
			f.choose(-1)
		case "right", "space":
			f.choose(1)
		}
		return
	}
	switch {
	case name == "backspace" && each.value != "":
		runes := []rune(each.value)
		each.value = string(runes[:len(runes)-1])
	case name == "ctrl+u":
		each.value = ""
	case text != "":
		each.value += text
	}
	each.err = ""
}

// choose changes a choice by a number of options.
func (f *form) choose(by int) {
	each := &f.fields[f.index]
	i := slices.Index(each.options, each.value) + by + len(each.options)
	each.value, each.err = each.options[i%len(each.options)], ""
	if name := each.name; f.change != nil {
		f.change(name)
	}
}

// formTarget is a part of a form: a field, or a button behind the fields.
type formTarget struct{ index, by int }

func (f *form) click(target any) tea.Cmd {
	at, ok := target.(formTarget)
	if !ok {
		return nil
	}
	f.index = at.index
	if at.index >= len(f.fields) {
		return f.press("enter", "")
	}
	if at.by != 0 {
		f.choose(at.by)
	}
	return nil
}

// Columns of a form.
const (
	formWidth   = 66
	labelColumn = 2
	valueColumn = 19
)

func (f *form) draw(c *draw.Canvas) {
	width := min(formWidth, c.Width)
	rows := min(len(f.fields), max(c.Height-7, 1))
	r := centred(c, width, rows+7)
	c.Fill(r, f.theme.Plain())
	c.Box(r, f.theme.Glyphs, f.theme.Accent())
	c.Centred(draw.Rect{X: r.X + 1, Y: r.Y, Width: width - 2}, " "+f.title+" ", f.theme.Accent())
	if f.index < len(f.fields) {
		f.first = min(max(f.first, f.index-rows+1), f.index)
	}
	f.first = max(min(f.first, len(f.fields)-rows), 0)
	for i := range rows {
		f.field(c, draw.Rect{X: r.X, Y: r.Y + 2 + i, Width: width, Height: 1}, f.first+i)
	}
	f.notes(c, draw.Rect{X: r.X + labelColumn, Y: r.Y + 3 + rows, Width: width - 2*labelColumn})
	y := r.Y + r.Height - 2
	x := f.button(c, r.X+valueColumn, y, len(f.fields), f.action)
	f.button(c, x+2, y, len(f.fields)+1, "Cancel")
}

func (f *form) field(c *draw.Canvas, r draw.Rect, index int) {
	each, focused := f.fields[index], index == f.index
	label := f.theme.Plain()
	if focused {
		label = f.theme.Accent()
		c.Text(r.X+1, r.Y, 1, f.theme.Pointer, label)
	}
	c.Zone(r, formTarget{index: index})
	c.Text(r.X+labelColumn+1, r.Y, valueColumn-labelColumn-2, each.label, label)
	x, style := r.X+valueColumn, f.theme.Button(focused)
	room := r.Width - valueColumn - 2
	text := " " + each.value + " "
	if len(each.options) > 0 {
		text = f.theme.Left + " " + each.value + " " + f.theme.Right
	} else if focused {
		text = " " + each.value + "_ "
	}
	width := min(ansi.StringWidth(text), room)
	if cut := ansi.StringWidth(text) - room; cut > 0 {
		text = ansi.TruncateLeft(text, cut, "")
	}
	c.Text(x, r.Y, room, text, style)
	if len(each.options) > 0 {
		c.Zone(draw.Rect{X: x, Y: r.Y, Width: 2, Height: 1}, formTarget{index, -1})
		c.Zone(draw.Rect{X: x + 2, Y: r.Y, Width: width - 2, Height: 1}, formTarget{index, 1})
	}
	if each.err != "" {
		c.Text(x+width+1, r.Y, room-width-1, each.err, f.theme.Error())
	}
}

// notes draws the error of the form or of the focused field, or its help.
func (f *form) notes(c *draw.Canvas, r draw.Rect) {
	text, style := f.err, f.theme.Error()
	if f.index < len(f.fields) && text == "" {
		if text = f.fields[f.index].err; text == "" {
			text, style = f.fields[f.index].help, f.theme.Muted()
		}
	}
	if f.busy {
		text, style = "Sending"+f.theme.Ellipsis, f.theme.Muted()
	}
	for i, line := range wrap(text, r.Width) {
		if i < 2 {
			c.Text(r.X, r.Y+i, r.Width, line, style)
		}
	}
}

// button draws a button and returns the column behind it.
func (f *form) button(c *draw.Canvas, x, y, index int, label string) int {
	text := " " + label + " "
	if !f.theme.Color {
		text = "[" + label + "]"
	}
	width := ansi.StringWidth(text)
	c.Text(x, y, width, text, f.theme.Button(f.index == index))
	c.Zone(draw.Rect{X: x, Y: y, Width: width, Height: 1}, formTarget{index: index})
	return x + width
}
