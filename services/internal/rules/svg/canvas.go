package svg

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// canvas is a part of an SVG document, to append to.
type canvas []byte

// markup is text that is already SVG.
type markup string

// put appends a format. Numbers are shortened, and every string except markup is escaped, so that
// no text can become markup. The only verb is %v.
func (c *canvas) put(format string, args ...any) {
	for i, arg := range args {
		switch arg := arg.(type) {
		case float64:
			args[i] = short(arg)
		case string:
			args[i] = escape(arg)
		}
	}
	*c = fmt.Appendf(*c, format, args...)
}

// short formats a number with at most two decimals and without the zero before the point.
func short(n float64) string {
	// Adding 0 turns -0 into 0.
	text := strconv.FormatFloat(math.Round(n*100)/100+0, 'f', -1, 64)
	switch {
	case strings.HasPrefix(text, "0."):
		return text[1:]
	case strings.HasPrefix(text, "-0."):
		return "-" + text[2:]
	}
	return text
}

// escape escapes a text for XML, also inside quotes. It replaces characters that XML does not
// allow.
func escape(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // A bytes.Buffer returns no errors.
	return b.String()
}

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
