package review

import (
	"encoding/xml"
	"fmt"
	"math"
	"strings"
)

// The layout of the graph in pixels.
const (
	graphWidth  = 720
	graphHeight = 320
	graphMargin = 40
)

// SVG returns a graph of the value after each move, in favour of the first side. A circle marks each
// turning point.
func (r *Report) SVG() string {
	g := graph{Report: r, limit: r.limit()}
	var marks strings.Builder
	points := []string{}
	for i, m := range r.Moves {
		x, y := g.x(i+1), g.y(m.forFirst())
		points = append(points, fmt.Sprintf("%.1f,%.1f", x, y))
		if m.TurningPoint {
			fmt.Fprintf(&marks, `<circle cx="%.1f" cy="%.1f" r="5"><title>%d. %s: %d %s lost, best %s`+
				"</title></circle>\n",
				x, y, m.Number, escape(m.Notation), m.Loss, r.unit(), escape(m.Best))
		}
	}
	return fmt.Sprintf(graphSVG, graphWidth, graphHeight, graphWidth, graphHeight,
		escape(r.name(0)+" - "+r.name(1)), g.axes(), strings.Join(points, " "), marks.String())
}

const graphSVG = `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">
<title>%s</title>
<style>
text { font: 12px sans-serif; fill: #444 }
line { stroke: #ccc }
polyline { fill: none; stroke: #1668b8; stroke-width: 2 }
circle { fill: #c0392b }
</style>
<rect width="100%%" height="100%%" fill="#fff"/>
%s<polyline points="%s"/>
%s</svg>
`

// forFirst returns the value of the move for the first side.
func (m Move) forFirst() int {
	if m.index == 1 {
		return -m.Value
	}
	return m.Value
}

// limit returns the largest value of the axis, a multiple of 4.
func (r *Report) limit() int {
	limit := 4
	for _, m := range r.Moves {
		limit = max(limit, m.Value, -m.Value)
	}
	return (limit + 3) / 4 * 4
}

// graph places values in the drawing.
type graph struct {
	*Report
	limit int
}

func (g graph) x(move int) float64 {
	return graphMargin + float64(move)*(graphWidth-2*graphMargin)/math.Max(1, float64(len(g.Moves)))
}

func (g graph) y(value int) float64 {
	return graphHeight/2 - float64(value)*(graphHeight/2-graphMargin)/float64(g.limit)
}

// axes draws lines with the values, and the numbers of every tenth move.
func (g graph) axes() string {
	var text strings.Builder
	for value := -g.limit; value <= g.limit; value += g.limit / 2 {
		y := g.y(value)
		fmt.Fprintf(&text, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f"/>`, graphMargin, y,
			graphWidth-graphMargin, y)
		fmt.Fprintf(&text, `<text x="%d" y="%.1f" text-anchor="end">%+d</text>`+"\n",
			graphMargin-6, y+4, value)
	}
	for move := 10; move <= len(g.Moves); move += 10 {
		fmt.Fprintf(&text, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n",
			g.x(move), graphHeight-graphMargin/2, move)
	}
	fmt.Fprintf(&text, `<text x="%d" y="20">%s</text>`+"\n", graphMargin, escape(g.name(0)))
	fmt.Fprintf(&text, `<text x="%d" y="%d">%s</text>`+"\n", graphMargin, graphHeight-4,
		escape(g.name(1)))
	return text.String()
}

// escape escapes a text for XML.
func escape(text string) string {
	var escaped strings.Builder
	_ = xml.EscapeText(&escaped, []byte(text)) // A Builder returns no error.
	return escaped.String()
}
