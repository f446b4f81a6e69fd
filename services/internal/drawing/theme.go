package drawing

import "image/color"

// Theme is a set of colours.
type Theme int

// The themes, for light and for dark pages.
const (
	Light Theme = iota
	Dark
)

// palette holds the colours of a drawing. The contrast to the background is at least 4.5 for text
// and 3 for marks, as defined by WCAG 2. The colours of the sides also differ in lightness.
type palette struct {
	page, ink, quiet string // the page, text on it, the pill of the side that is not on turn
	label            string // names of rows and columns on the page
	line             string // the lines around and between cells
	cell, legal      string // cells of a board; those with a legal move
	legalInk         string // hints and dots on legal cells
	slot, slotInk    string // card cells; hints on them and crosses on holes
	hole             string
	black, blackRim  string // discs
	white, whiteRim  string
	first, second    string // the cards of Red and Blue
	cardInk          string // text on cards
	accent           string // marks of the last move and its flips on discs
	played           string // the frame of the last card
	selected, shadow string // the two rings around a selected cell
}

func (t Theme) palette() palette {
	p := palette{
		page: "#f6f3ec", ink: "#20252b", quiet: "#b5ad9c", label: "#5e5a52",
		line: "#1f4433", cell: "#347d57", legal: "#7cc29c", legalInk: "#0b2016",
		slot: "#ddd7ca", slotInk: "#2a2826", hole: "#bdb5a5",
		black: "#1c1f23", blackRim: "#4b525b", white: "#f7f5f0", whiteRim: "#8f8a7c",
		first: "#c8452c", second: "#1d4f91", cardInk: "#ffffff",
		accent: "#e03e00", played: "#ffc933", selected: "#ffd43b", shadow: "#20252b",
	}
	if t == Dark {
		p.page, p.ink, p.quiet, p.label = "#14181d", "#e9edf1", "#4a545f", "#a3adb5"
		p.line, p.cell, p.legal = "#0b2a1d", "#327a55", "#74b892"
		p.slot, p.slotInk, p.hole = "#3b424a", "#f0f3f5", "#242a31"
		p.first, p.second = "#c9492b", "#1e5296"
	}
	return p
}

// colours returns all colours of the palette.
func (p palette) colours() color.Palette {
	var all color.Palette
	for _, c := range []string{
		p.page, p.ink, p.quiet, p.label, p.line, p.cell, p.legal, p.legalInk, p.slot, p.slotInk, p.hole,
		p.black, p.blackRim, p.white, p.whiteRim, p.first, p.second, p.cardInk, p.accent, p.played,
		p.selected, p.shadow,
	} {
		all = append(all, parseColour(c))
	}
	return all
}
