package drawing

import (
	"strings"
	"unicode"
)

// fit shortens a text to a width, in units of the font size. A shortened text ends with an
// ellipsis.
func fit(text string, width float64) string {
	used, keep := 0.0, 0
	for i, r := range text {
		if used+runeWidth('…') <= width {
			keep = i
		}
		if used += runeWidth(r); used > width {
			return text[:keep] + "…"
		}
	}
	return text
}

// textWidth estimates the greatest width of a text, in units of the font size.
func textWidth(text string) (width float64) {
	for _, r := range text {
		width += runeWidth(r)
	}
	return width
}

// runeWidth estimates the greatest width of a character in the usual fonts, in units of the font
// size.
func runeWidth(r rune) float64 {
	const firstWide = 0x1100 // Most characters from here on are East Asian or pictographs.
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= firstWide && r != '…':
		return 1.1
	case strings.ContainsRune("MWmw@%…", r):
		return 0.95
	case strings.ContainsRune("fijlrtI.,:;'|!()[]- ", r):
		return 0.42
	case unicode.IsUpper(r):
		return 0.75
	}
	return 0.65
}
