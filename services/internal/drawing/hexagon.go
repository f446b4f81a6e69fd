package drawing

import (
	"fmt"
	"math"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// hexSide is the length of a side of a cell, which has a corner on top.
var hexSide = cellWidth / math.Sqrt(3)

// hexagon lays out cells with a corner on top. Each row is shifted by half a cell against the row
// above.
func (d *Drawing) hexagon(b *reversi.Board) layout {
	n := float64(b.Size())
	l := layout{centre: hexCentre, cell: hexCell(cellWidth - lineWidth)}
	l.high = point{cellWidth*(n+0.5) + rim, hexSide*(1.5*n+1) + rim}
	l.low = l.high.times(-1)
	for _, c := range b.Cells() {
		if q, r := c.Axial(); max(abs(q), abs(r), abs(q+r)) == b.Size() {
			l.frame = append(l.frame, node{at: hexCentre(c), shape: hexCell(cellWidth)})
		}
	}
	reach := cellWidth * n
	inside := polygon{}
	for _, corner := range [][2]float64{{-0.5, -1}, {0.5, -1}, {1, 0}, {0.5, 1}, {-0.5, 1}, {-1, 0}} {
		inside = append(inside, point{corner[0] * reach, corner[1] * reach * math.Sqrt(3) / 2})
	}
	l.frame = append(l.frame, node{shape: inside})
	if d.options.Labels {
		size := labelSize(2*b.Size() + 1)
		l.labels = []node{{style: style{fill: d.palette.label}, children: hexLabels(b.Size(), size)}}
		l.low.x -= 1.7 * size
		l.high = l.high.plus(point{size, size})
	}
	return l
}

// hexCell returns the shape of a cell of this width.
func hexCell(width float64) polygon {
	x, y := width/2, width/math.Sqrt(3)
	return polygon{{0, -y}, {x, -y / 2}, {x, y / 2}, {0, y}, {-x, y / 2}, {-x, -y / 2}}
}

func hexCentre(c rules.Cell) point {
	q, r := c.Axial()
	return point{cellWidth * (float64(q) + float64(r)/2), 1.5 * hexSide * float64(r)}
}

func abs(n int) int { return max(n, -n) }

// hexLabels places r at the left of each row, and q below each line of cells with the same q. A
// tick leads from the line to its label. The letters of the axes stand beside the labels of their
// first row and their last line.
func hexLabels(n int, size float64) []node {
	beyond := func(c, next rules.Cell, distance float64) point {
		return between(hexCentre(c), hexCentre(next), distance/cellWidth)
	}
	var labels []node
	for i := -n; i <= n; i++ {
		row, line := max(-n, -n-i), min(n, n-i)
		first, left := rules.HexCell(row, i), rules.HexCell(row-1, i)
		last, below := rules.HexCell(i, line), rules.HexCell(i, line+1)
		labels = append(labels,
			label(fmt.Sprint(i), beyond(first, left, 11+size), size, ""),
			label(fmt.Sprint(i), beyond(last, below, 14+0.65*size), size, ""),
			node{shape: bar(beyond(last, below, 11.8), beyond(last, below, 14.2), 0.8)})
	}
	top, corner := rules.HexCell(0, -n), rules.HexCell(n, 0)
	return append(labels,
		label("r", beyond(top, rules.HexCell(0, -n-1), 12.5+0.5*size), size, ""),
		label("q", beyond(corner, rules.HexCell(n+1, 0), 12+0.5*size), size, ""))
}
