package board

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"github.com/flipside-games/flipside/clients/cli/draw"
)

// field is a field of a form: a choice if it has options, otherwise a text.
type field struct {
	name, label string
	help        string // shown while the field is focused
	options     []string
	err         string
}

// form is a dialog with fields and two buttons.
type form struct {
	*app
	title  string
	action string            // the label of the first button
	values map[string]string // of all fields, also of those that are hidden
	layout func()            // adds the fields that fit the values
	submit func() tea.Cmd    // for the first button

	fields []field
	index  int    // of the focused field; the buttons follow the fields
	first  int    // the first visible field
	err    string // an error that belongs to no field
	busy   bool   // a call is in flight
}

// arrange shows the fields that fit the values. It keeps the focus.
func (f *form) arrange() {
	focused := ""
	if f.index < len(f.fields) {
		focused = f.fields[f.index].name
	}
	f.fields = nil
	f.layout()
	if i := f.find(focused); i >= 0 {
		f.index = i
	}
}

// text adds a field for text.
func (f *form) text(name, label, help string) { f.choice(name, label, help) }

// choice adds a field with options. A value that is not among them becomes the first one.
func (f *form) choice(name, label, help string, options ...string) {
	if len(options) > 0 && !slices.Contains(options, f.values[name]) {
		f.values[name] = options[0]
	}
	f.fields = append(f.fields, field{name: name, label: label, help: help, options: options})
}

// find returns the index of a field, -1 if it is not shown.
func (f *form) find(name string) int {
	return slices.IndexFunc(f.fields, func(each field) bool { return each.name == name })
}

func (f *form) isDialog() bool { return true }
func (f *form) close()         {}

// fail shows an error at a field, or below the fields if it is not shown.
func (f *form) fail(name, message string) tea.Cmd {
	if i := f.find(name); i >= 0 {
		f.fields[i].err, f.index = message, i
	} else {
		f.err = message
	}
	return nil
}

// cancel closes the form.
func (f *form) cancel() tea.Cmd {
	f.pop(f)
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
	f.err = ""
	f.arrange()
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
	value := f.values[each.name]
	switch {
	case len(each.options) > 0 && name == "left":
		f.choose(-1)
		return
	case len(each.options) > 0 && (name == "right" || name == "space"):
		f.choose(1)
		return
	case len(each.options) > 0:
		return
	case name == "backspace" && value != "":
		runes := []rune(value)
		value = string(runes[:len(runes)-1])
	case name == "ctrl+u":
		value = ""
	default:
		value += text
	}
	f.values[each.name], each.err = value, ""
}

// choose changes a choice by a number of options.
func (f *form) choose(by int) {
	each := f.fields[f.index]
	i := slices.Index(each.options, f.values[each.name]) + by + len(each.options)
	f.values[each.name] = each.options[i%len(each.options)]
	f.arrange()
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
	note, style := f.note()
	notes := wrap(note, width-2*labelColumn)
	// The notes have two lines, and more if these are not enough for an error.
	frame := max(len(notes), 2) + 5
	rows := min(len(f.fields), max(c.Height-frame, 1))
	r := centred(c, width, min(rows+frame, c.Height))
	f.frame(c, r, f.title)
	if f.index < len(f.fields) {
		f.first = min(max(f.first, f.index-rows+1), f.index)
	}
	f.first = max(min(f.first, len(f.fields)-rows), 0)
	for i := range rows {
		f.field(c, draw.Rect{X: r.X, Y: r.Y + 2 + i, Width: width, Height: 1}, f.first+i)
	}
	y := r.Y + r.Height - 2
	all := flow{c, draw.Rect{
		X: r.X + labelColumn, Y: r.Y + 3 + rows, Width: width - 2*labelColumn, Height: y - r.Y - 3 - rows,
	}}
	all.add(note, style)
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
	text := " " + f.values[each.name] + " "
	if len(each.options) > 0 {
		text = f.theme.Left + text + f.theme.Right
	} else if focused {
		text = " " + f.values[each.name] + "_ "
	}
	width := min(ansi.StringWidth(text), room)
	if cut := ansi.StringWidth(text) - room; cut > 0 {
		text = ansi.TruncateLeft(text, cut+ansi.StringWidth(f.theme.Ellipsis), f.theme.Ellipsis)
	}
	c.Text(x, r.Y, room, text, style)
	if len(each.options) > 0 {
		c.Zone(draw.Rect{X: x, Y: r.Y, Width: 2, Height: 1}, formTarget{index, -1})
		c.Zone(draw.Rect{X: x + 2, Y: r.Y, Width: width - 2, Height: 1}, formTarget{index, 1})
	}
	if each.err != "" && !focused { // the error of the focused field is below the fields
		c.Text(x+width+1, r.Y, room-width-1, each.err, f.theme.Error())
	}
}

// note returns the text below the fields: the error of the form or of the focused field, or its
// help.
func (f *form) note() (string, uv.Style) {
	switch {
	case f.busy:
		return "Sending" + f.theme.Ellipsis, f.theme.Muted()
	case f.err != "":
		return f.err, f.theme.Error()
	case f.index >= len(f.fields):
		return "", f.theme.Plain()
	case f.fields[f.index].err != "":
		return f.fields[f.index].err, f.theme.Error()
	}
	return f.fields[f.index].help, f.theme.Muted()
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
