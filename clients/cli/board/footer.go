package board

import (
	"github.com/charmbracelet/x/ansi"

	"github.com/flipside-games/flipside/clients/cli/draw"
)

// hint names a key in the last line of a screen. It disappears where there is no room for it, those
// with the greatest rank first.
type hint struct {
	key, label string
	rank       int
}

// keyNames are the names of keys for people.
var keyNames = map[string]string{"enter": "Enter", "esc": "Esc", "tab": "Tab", "end": "End"}

func (a *app) keyName(name string) string {
	if name == "arrows" {
		return a.theme.Arrows
	}
	if text, ok := keyNames[name]; ok {
		return text
	}
	return name
}

func (a *app) hintWidth(h hint) int {
	return ansi.StringWidth(a.keyName(h.key)) + 1 + ansi.StringWidth(h.label)
}

// footer draws hints in the last line. A click on one acts like the key.
func (a *app) footer(c *draw.Canvas, hints []hint) { a.footerFrom(c, 1, hints) }

// footerFrom draws hints in the last line from a column on.
func (a *app) footerFrom(c *draw.Canvas, x int, hints []hint) {
	hints = a.fitting(hints, c.Width-x)
	y := c.Height - 1
	for _, each := range hints {
		name, width := a.keyName(each.key), a.hintWidth(each)
		c.Text(x, y, width, name, a.theme.Accent())
		c.Text(x+ansi.StringWidth(name)+1, y, width, each.label, a.theme.Muted())
		c.Zone(draw.Rect{X: x, Y: y, Width: width, Height: 1}, key(each.key))
		x += width + 2
	}
}

// fitting returns the hints that fit into a width.
func (a *app) fitting(hints []hint, width int) []hint {
	for {
		total, worst := 0, 0
		for i, each := range hints {
			total += a.hintWidth(each) + 2
			if each.rank > hints[worst].rank {
				worst = i
			}
		}
		if total-2 <= width || len(hints) <= 1 {
			return hints
		}
		hints = append(append([]hint{}, hints[:worst]...), hints[worst+1:]...)
	}
}
