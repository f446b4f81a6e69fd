package draw

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
)

// Theme decides how things look.
type Theme struct {
	*Glyphs
	// Color reports whether there are colours. Without them, characters show what colours would.
	Color bool

	palette *palette
}

// NewTheme returns a theme for a terminal, with or without Unicode.
func NewTheme(profile colorprofile.Profile, ascii bool) Theme {
	t := Theme{Glyphs: &unicodeGlyphs, Color: profile >= colorprofile.ANSI, palette: &trueColors}
	if profile < colorprofile.TrueColor {
		t.palette = &fewColors
	}
	if ascii {
		t.Glyphs = &asciiGlyphs
	}
	return t
}

// palette holds the colours of a theme.
type palette struct {
	board, line               color.Color
	shades                    [3]color.Color // of boards without lines
	legal, flip, last, chosen color.Color
	black, white, hint        color.Color
	cards, frames             [2]color.Color // Red and Blue
	cell, muted               color.Color
	accent, good, bad         color.Color
	button, text              color.Color
}

var trueColors = palette{
	board: lipgloss.Color("#2a7350"), line: lipgloss.Color("#4f9d78"),
	shades: [3]color.Color{
		lipgloss.Color("#2a7350"), lipgloss.Color("#236345"), lipgloss.Color("#31845c"),
	},
	legal: lipgloss.Color("#4fa578"), flip: lipgloss.Color("#5f8f2f"), last: lipgloss.Color("#a8a53c"),
	chosen: lipgloss.Color("#e5a93c"),
	black:  lipgloss.Color("#0c0c0c"), white: lipgloss.Color("#fafafa"),
	hint:   lipgloss.Color("#eefbdc"),
	cards:  [2]color.Color{lipgloss.Color("#8f2a2a"), lipgloss.Color("#274f9f")},
	frames: [2]color.Color{lipgloss.Color("#d65c5c"), lipgloss.Color("#6f9be8")},
	cell:   lipgloss.Color("#3a3f4b"), muted: lipgloss.Color("#8d939e"),
	accent: lipgloss.Color("#e5a93c"), good: lipgloss.Color("#5fc08a"), bad: lipgloss.Color("#ea6a6a"),
	button: lipgloss.Color("#3d4450"), text: lipgloss.Color("#f2f2f2"),
}

// fewColors are from the 256 colours that nearly all terminals have.
var fewColors = palette{
	board: lipgloss.Color("22"), line: lipgloss.Color("65"),
	shades: [3]color.Color{lipgloss.Color("22"), lipgloss.Color("28"), lipgloss.Color("29")},
	legal:  lipgloss.Color("71"), flip: lipgloss.Color("58"), last: lipgloss.Color("100"),
	chosen: lipgloss.Color("214"),
	black:  lipgloss.Color("16"), white: lipgloss.Color("231"), hint: lipgloss.Color("230"),
	cards:  [2]color.Color{lipgloss.Color("88"), lipgloss.Color("25")},
	frames: [2]color.Color{lipgloss.Color("167"), lipgloss.Color("75")},
	cell:   lipgloss.Color("237"), muted: lipgloss.Color("245"),
	accent: lipgloss.Color("214"), good: lipgloss.Color("78"), bad: lipgloss.Color("203"),
	button: lipgloss.Color("238"), text: lipgloss.Color("255"),
}

// Glyphs are the characters of a theme.
type Glyphs struct {
	Horizontal, Vertical string
	Corners              [4]string // top left, top right, bottom left, bottom right
	Grid                 [3][3]string
	Rising, Falling      string // slanted lines
	Disc                 [2]string
	BigDisc              [2][3]string
	Empty, Legal, Dot    string    // Empty is for boards without lines
	Sides                [2]string // signs of Red and Blue
	Selected, Pointer    string
	Left, Right, Arrows  string
	Ellipsis             string

	solid bool // discs of both sides look the same in colours
}

var unicodeGlyphs = Glyphs{
	Horizontal: "─", Vertical: "│",
	Corners: [4]string{"╭", "╮", "╰", "╯"},
	Grid:    [3][3]string{{"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}},
	Rising:  "╱", Falling: "╲",
	Disc:    [2]string{"●", "○"},
	BigDisc: [2][3]string{{"▄███▄", "█████", "▀███▀"}, {"╭───╮", "│   │", "╰───╯"}},
	Empty:   "·", Legal: "•", Dot: "╋",
	Sides:    [2]string{"◆", "◇"},
	Selected: "▸", Pointer: "▶", Left: "‹", Right: "›", Arrows: "↑↓←→", Ellipsis: "…",
	solid: true,
}

var asciiGlyphs = Glyphs{
	Horizontal: "-", Vertical: "|",
	Corners: [4]string{"+", "+", "+", "+"},
	Grid:    [3][3]string{{"+", "+", "+"}, {"+", "+", "+"}, {"+", "+", "+"}},
	Rising:  "/", Falling: `\`,
	Disc:    [2]string{"X", "O"},
	BigDisc: [2][3]string{{" XXX ", "XXXXX", " XXX "}, {" OOO ", "O   O", " OOO "}},
	Empty:   "_", Legal: ".", Dot: "*",
	Sides:    [2]string{"R", "B"},
	Selected: ">", Pointer: ">", Left: "<", Right: ">", Arrows: "Arrows", Ellipsis: "...",
}

// DiscOf returns the disc of a side.
func (t Theme) DiscOf(side int) string {
	if t.Color && t.solid {
		return t.Disc[0]
	}
	return t.Disc[side]
}

func (t Theme) bigDiscOf(side int) [3]string {
	if t.Color && t.solid {
		return t.BigDisc[0]
	}
	return t.BigDisc[side]
}

func (t Theme) discColor(side int) color.Color {
	return []color.Color{t.palette.black, t.palette.white}[side]
}

// style returns a style with colours, or with the attributes alone.
func (t Theme) style(fg, bg color.Color, attrs uint8) uv.Style {
	if !t.Color {
		return uv.Style{Attrs: attrs}
	}
	return uv.Style{Fg: fg, Bg: bg, Attrs: attrs}
}

// Plain is the style of normal text.
func (t Theme) Plain() uv.Style { return uv.Style{} }

// Bold is the style of names and headings.
func (t Theme) Bold() uv.Style { return uv.Style{Attrs: uv.AttrBold} }

// Muted is the style of text of less importance.
func (t Theme) Muted() uv.Style { return t.style(t.palette.muted, nil, 0) }

// Accent is the style of titles and of the side to move.
func (t Theme) Accent() uv.Style { return t.style(t.palette.accent, nil, uv.AttrBold) }

// Error is the style of errors.
func (t Theme) Error() uv.Style { return t.style(t.palette.bad, nil, uv.AttrBold) }

// Good is the style of good news.
func (t Theme) Good() uv.Style { return t.style(t.palette.good, nil, uv.AttrBold) }

// Button is the style of buttons and values, focused or not.
func (t Theme) Button(focused bool) uv.Style {
	switch {
	case focused && t.Color:
		return uv.Style{Fg: t.palette.black, Bg: t.palette.accent, Attrs: uv.AttrBold}
	case focused:
		return uv.Style{Attrs: uv.AttrReverse}
	}
	return t.style(t.palette.text, t.palette.button, 0)
}

// SideText is the style of the sign of Red or Blue in text.
func (t Theme) SideText(side int) uv.Style {
	return t.style(t.palette.text, t.palette.cards[side], uv.AttrBold)
}

// DiscText is the style of a disc in text.
func (t Theme) DiscText(side int) uv.Style {
	return t.style(t.discColor(side), t.palette.board, uv.AttrBold)
}
