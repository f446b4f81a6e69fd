package svg

// Theme is a set of colours.
type Theme int

// The themes, for light and for dark pages.
const (
	Light Theme = iota
	Dark
)

// palette holds the colours of a drawing, for CSS. The contrast to the background is at least 4.5
// for text and 3 for marks, as defined by WCAG 2. The colours of the sides also differ in
// lightness.
type palette struct {
	page, ink, quiet    string // the sheet, text on it, the pill of the side that is not on turn
	frame, frameInk     string // the frame around the cells, labels on it
	cell, line, cellInk string // empty cells, the lines between them, hints on them
	first, second       string // the cards of Red and Blue
	cardInk             string // text on cards
	accent, selected    string // the mark of the last disc, the selected cell
}

func (t Theme) palette() palette {
	if t == Dark {
		return palette{
			page: "#14181d", ink: "#e9edf1", quiet: "#39414a",
			frame: "#0a1f18", frameInk: "#b9cdc2",
			cell: "#327a55", line: "#184c34", cellInk: "#fff",
			first: "#c9492b", second: "#1e5296",
			cardInk: "#fff", accent: "#e03e00", selected: "#ffd43b",
		}
	}
	return palette{
		page: "#f6f3ec", ink: "#20252b", quiet: "#cfc8b8",
		frame: "#1f3d31", frameInk: "#dfeae3",
		cell: "#37835a", line: "#256244", cellInk: "#fff",
		first: "#c8452c", second: "#1d4f91",
		cardInk: "#fff", accent: "#e03e00", selected: "#ffd43b",
	}
}
