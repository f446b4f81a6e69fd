// Package draw draws boards, cards and text on a canvas of characters, with or without colours and
// with or without Unicode. It knows no games: it draws what it is given.
package draw

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Canvas is a rectangle of styled characters, with zones that react to clicks.
type Canvas struct {
	Width, Height int

	chars    *lipgloss.Canvas
	zones    []zone
	ellipsis string
}

// zone is a rectangle that reacts to clicks.
type zone struct {
	Rect
	target func(x, y int) any
}

// Rect is a rectangle of characters.
type Rect struct{ X, Y, Width, Height int }

func (r Rect) contains(x, y int) bool {
	return x >= r.X && x < r.X+r.Width && y >= r.Y && y < r.Y+r.Height
}

// NewCanvas returns an empty canvas. A text that does not fit ends with the ellipsis of the theme.
func NewCanvas(t Theme, width, height int) *Canvas {
	width, height = max(width, 1), max(height, 1)
	return &Canvas{
		Width: width, Height: height, chars: lipgloss.NewCanvas(width, height), ellipsis: t.Ellipsis,
	}
}

// Render returns the lines of the canvas with escape codes for its styles.
func (c *Canvas) Render() string { return c.chars.Render() }

// Char draws one character.
func (c *Canvas) Char(x, y int, char string, style uv.Style) {
	c.chars.SetCell(x, y, &uv.Cell{Content: char, Width: 1, Style: style})
}

// Text draws text in one line, shortened to a width.
func (c *Canvas) Text(x, y, width int, text string, style uv.Style) {
	width = min(width, c.Width-x)
	if width <= 0 || y < 0 || y >= c.Height {
		return
	}
	text = c.shorten(text, width)
	for text != "" {
		char, w := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		text = strings.TrimPrefix(text, char)
		if w == 0 {
			continue // a control character
		}
		c.chars.SetCell(x, y, &uv.Cell{Content: char, Width: w, Style: style})
		x += w
	}
}

// shorten cuts a text to a width and marks the cut with an ellipsis, where that leaves more of the
// text than it covers.
func (c *Canvas) shorten(text string, width int) string {
	tail := c.ellipsis
	if 2*ansi.StringWidth(tail) > width {
		tail = ""
	}
	return ansi.Truncate(text, width, tail)
}

// Line draws a line of text with styles.
func (c *Canvas) Line(x, y, width int, line Line) {
	end := x + width
	for _, span := range line {
		c.Text(x, y, end-x, span.Text, span.Style)
		x += ansi.StringWidth(span.Text)
	}
}

// Line is a line of text whose parts have styles.
type Line []Span

// Span is a part of a line.
type Span struct {
	Text  string
	Style uv.Style
}

// Fill draws a rectangle of spaces.
func (c *Canvas) Fill(r Rect, style uv.Style) {
	for y := r.Y; y < r.Y+r.Height; y++ {
		for x := r.X; x < r.X+r.Width; x++ {
			c.Char(x, y, " ", style)
		}
	}
}

// Zone makes a rectangle react to clicks with a target.
func (c *Canvas) Zone(r Rect, target any) {
	c.ZoneFunc(r, func(int, int) any { return target })
}

// ZoneFunc makes a rectangle react to clicks with a target that depends on the character that is
// clicked.
func (c *Canvas) ZoneFunc(r Rect, target func(x, y int) any) {
	c.zones = append(c.zones, zone{r, target})
}

// Target returns the target of a click, nil if there is none. Later zones cover earlier ones.
func (c *Canvas) Target(x, y int) any {
	for _, v := range slices.Backward(c.zones) {
		if v.contains(x, y) {
			return v.target(x, y)
		}
	}
	return nil
}

// View copies a part of another canvas, with its zones. The part starts at (fromX, fromY) there.
func (c *Canvas) View(r Rect, from *Canvas, fromX, fromY int) {
	for y := range min(r.Height, from.Height-fromY) {
		for x := range min(r.Width, from.Width-fromX) {
			if cell := from.chars.CellAt(x+fromX, y+fromY); cell != nil && cell.Width > 0 {
				c.chars.SetCell(x+r.X, y+r.Y, cell)
			}
		}
	}
	c.ZoneFunc(r, func(x, y int) any { return from.Target(x-r.X+fromX, y-r.Y+fromY) })
}

// Box draws a frame.
func (c *Canvas) Box(r Rect, glyphs *Glyphs, style uv.Style) {
	right, bottom := r.X+r.Width-1, r.Y+r.Height-1
	for x := r.X + 1; x < right; x++ {
		c.Char(x, r.Y, glyphs.Horizontal, style)
		c.Char(x, bottom, glyphs.Horizontal, style)
	}
	for y := r.Y + 1; y < bottom; y++ {
		c.Char(r.X, y, glyphs.Vertical, style)
		c.Char(right, y, glyphs.Vertical, style)
	}
	for i, at := range [][2]int{{r.X, r.Y}, {right, r.Y}, {r.X, bottom}, {right, bottom}} {
		c.Char(at[0], at[1], glyphs.Corners[i], style)
	}
}
