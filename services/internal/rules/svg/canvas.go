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

// A canvas is a piece of an SVG document that grows at its end.
type canvas []byte

// markup is text that is SVG already.
type markup string

// put appends a format in which numbers are written short and all text but markup is escaped, so that no
// text, wherever it came from, can be taken for markup. The only verb is %v.
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

// short writes a number with at most two decimals.
func short(n float64) string {
	// Adding 0 makes 0 of -0.
	text := strconv.FormatFloat(math.Round(n*100)/100+0, 'f', -1, 64)
	switch {
	case strings.HasPrefix(text, "0."):
		return text[1:]
	case strings.HasPrefix(text, "-0."):
		return "-" + text[2:]
	}
	return text
}

// escape makes any text fit for XML, as text and in quotes. Characters that XML cannot hold are replaced.
func escape(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // A buffer takes everything.
	return b.String()
}

// fit cuts a text to a width, given in heights of its font, and ends what it cuts with an ellipsis.
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

// runeWidth is how wide a character is at most in the usual fonts, in heights of its font. Fonts differ, so
// this is an estimate.
func runeWidth(r rune) float64 {
	const firstWide = 0x1100 // Characters from here on are mostly East Asian or pictures.
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
