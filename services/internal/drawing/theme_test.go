package drawing

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// luminance returns the relative luminance of a colour, as WCAG 2 defines it.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	digits := strings.TrimPrefix(colour, "#")
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	var channels [3]uint8
	if _, err := fmt.Sscanf(digits, "%02x%02x%02x", &channels[0], &channels[1], &channels[2]); err != nil {
		t.Fatalf("colour %q: %v", colour, err)
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v := float64(channels[i]) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestContrast(t *testing.T) {
	const (
		text, mark    = 4.5, 3
		apartInShades = 1.6
	)
	for name, theme := range map[string]Theme{"light": Light, "dark": Dark} {
		p := theme.palette()
		for _, c := range []struct {
			name, a, b string
			least      float64
		}{
			{"the status on the page", p.ink, p.page, text},
			{"labels on the page", p.label, p.page, text},
			{"hints on cells", p.cardInk, p.cell, text},
			{"hints on legal cells", p.legalInk, p.legal, text},
			{"hints on card cells", p.slotInk, p.slot, text},
			{"values on red cards", p.cardInk, p.first, text},
			{"values on blue cards", p.cardInk, p.second, text},
			{"black discs on cells", p.black, p.cell, mark},
			{"white discs on cells", p.white, p.cell, mark},
			{"the last move on a black disc", p.accent, p.black, mark},
			{"the last move on a white disc", p.accent, p.white, mark},
			{"the last move on a red card", p.played, p.first, mark},
			{"the last move on a blue card", p.played, p.second, mark},
			{"dots on legal cells", p.legalInk, p.legal, mark},
			{"crosses on holes", p.slotInk, p.hole, mark},
			{"the rings of a selection", p.selected, p.shadow, mark},
			{"red cards beside blue ones", p.first, p.second, apartInShades},
		} {
			if got := contrast(t, c.a, c.b); got < c.least {
				t.Errorf("%s theme: the contrast of %s (%s, %s) is %.2f, want at least %v", name, c.name, c.a, c.b, got, c.least)
			}
		}
	}
}
