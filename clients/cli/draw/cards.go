package draw

import (
	"strconv"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Card is a card with its four values and its owner.
type Card struct {
	Name                     string
	North, South, East, West int
	Side                     int    // 0 Red, 1 Blue
	InHand                   bool   // a low card in hand shows its name instead of its sign
	Key                      string // selects the card, "" if there is none
	Selected, Last, Flipped  bool
	Note                     string // the cause of a flip, or ""
}

// value writes a value of a card: A for 10.
func value(n int) string {
	if n == 10 {
		return "A"
	}
	return strconv.Itoa(n)
}

// Card draws a card. It needs at least 7 columns and 3 rows, and 4 rows for name and sign.
func (c *Canvas) Card(t Theme, r Rect, card *Card) {
	background := t.palette.cards[card.Side]
	frame := t.palette.frames[card.Side]
	switch {
	case card.Selected:
		frame = t.palette.chosen
	case card.Last:
		frame = t.palette.last
	case card.Flipped:
		frame = t.palette.hint
	}
	line := t.style(frame, background, 0)
	c.Fill(r, t.style(nil, background, 0))
	c.Box(r, t.Glyphs, line)
	c.cardMarks(t, r, card, line)
	text := t.style(t.palette.white, background, uv.AttrBold)
	middle := c.cardTexts(t, r, card, text, t.style(t.palette.white, background, 0))
	c.Text(r.X+r.Width/2, r.Y, 1, value(card.North), text)
	c.Text(r.X+r.Width/2, r.Y+r.Height-1, 1, value(card.South), text)
	c.Text(r.X, middle, 1, value(card.West), text)
	c.Text(r.X+r.Width-1, middle, 1, value(card.East), text)
}

// cardTexts draws name, sign and note, and returns the row between the upper and the lower value.
func (c *Canvas) cardTexts(t Theme, r Rect, card *Card, bold, plain uv.Style) (middle int) {
	inside := Rect{X: r.X + 1, Y: r.Y + 1, Width: r.Width - 2}
	sign := t.Sides[card.Side]
	switch {
	case r.Height <= 3 && card.InHand:
		c.Centred(inside, card.Name, plain)
		c.Text(r.X+r.Width-2, r.Y+r.Height-1, 1, sign, bold)
		return inside.Y
	case r.Height > 4:
		c.Centred(inside, card.Name, plain)
		middle = r.Y + r.Height/2
		c.Centred(Rect{inside.X, middle, inside.Width, 1}, sign, bold)
		c.Centred(Rect{inside.X, middle + 1, inside.Width, 1}, card.Note, bold)
		return middle
	case r.Height == 4:
		c.Centred(inside, card.Name, plain)
		inside.Y++
	}
	c.Centred(inside, strings.TrimSpace(sign+" "+card.Note), bold)
	return inside.Y
}

// cardMarks draws the key of a card and the marks that do not depend on colours.
func (c *Canvas) cardMarks(t Theme, r Rect, card *Card, style uv.Style) {
	c.Text(r.X+1, r.Y, 2, card.Key, style)
	switch {
	case card.Selected:
		c.Char(r.X, r.Y, t.Selected, style)
		c.Char(r.X+r.Width-1, r.Y, t.Left, style)
	case card.Last:
		c.Char(r.X+r.Width-2, r.Y, "*", style)
	case card.Flipped:
		c.Char(r.X+r.Width-2, r.Y, "'", style)
	}
}

// CardCell is a cell of a grid without a card.
type CardCell struct {
	Hole, Legal, Selected bool
	Hints                 [2]string // what the card of Red and of Blue would flip here
}

// CardCell draws a cell without a card. A hole stays empty.
func (c *Canvas) CardCell(t Theme, r Rect, cell CardCell) {
	if cell.Hole {
		return
	}
	background, frame := t.palette.cell, t.palette.muted
	if cell.Legal {
		background, frame = t.palette.legal, t.palette.hint
	}
	if cell.Selected {
		frame = t.palette.chosen
	}
	c.Fill(r, t.style(nil, background, 0))
	c.Box(r, t.Glyphs, t.style(frame, background, 0))
	middle := r.Y + r.Height/2
	text := t.style(t.palette.white, background, uv.AttrBold)
	hints := strings.TrimSpace(cell.Hints[0] + " " + cell.Hints[1])
	if hints == "" && cell.Legal {
		hints = t.Legal
	}
	c.Centred(Rect{r.X + 1, middle, r.Width - 2, 1}, hints, text)
	if cell.Selected {
		c.SelectionMarks(t, r)
	}
}

// SelectionMarks marks a cell of a grid as selected, beside what is drawn there.
func (c *Canvas) SelectionMarks(t Theme, r Rect) {
	style := t.style(t.palette.black, t.palette.chosen, uv.AttrBold)
	c.Char(r.X, r.Y+r.Height/2, "[", style)
	c.Char(r.X+r.Width-1, r.Y+r.Height/2, "]", style)
}

// Centred draws text in the middle of a line.
func (c *Canvas) Centred(r Rect, text string, style uv.Style) {
	text = c.shorten(text, r.Width)
	c.Text(r.X+(r.Width-ansi.StringWidth(text))/2, r.Y, r.Width, text, style)
}
