package drawing

import (
	"fmt"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// square lays out a board like a usual Othello board, with four dots two cells from the corners.
func (d *Drawing) square(b *reversi.Board) layout {
	side := cellWidth * float64(b.Size())
	middle := point{side / 2, side / 2}
	l := layout{
		low: point{-rim, -rim}, high: point{side + rim, side + rim},
		cell:  box{cellWidth - lineWidth, cellWidth - lineWidth, 0},
		frame: []node{{at: middle, shape: box{side, side, 0}}},
		centre: func(c rules.Cell) point {
			row, column := c.RowColumn()
			return point{cellWidth * (float64(column) + 0.5), cellWidth * (float64(row) + 0.5)}
		},
	}
	if near, far := 2.0*cellWidth, side-2*cellWidth; near < far {
		l.dots = []point{{near, near}, {far, near}, {near, far}, {far, far}}
	}
	if d.options.Labels {
		size := labelSize(b.Size())
		labels := node{style: style{fill: d.palette.label}}
		for i := range b.Size() {
			along := cellWidth * (float64(i) + 0.5)
			labels.children = append(labels.children,
				label(string(rune('a'+i)), point{along, -2 - 0.6*size}, size, ""),
				label(fmt.Sprint(i+1), point{-2 - 0.8*size, along}, size, ""))
		}
		l.labels = []node{labels}
		l.low = l.low.minus(point{1.5 * size, 1.2 * size})
	}
	return l
}
