package svg

import (
	"fmt"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// square lays out a board like a usual Othello board, with four dots two cells from the corners.
func square(b *reversi.Board, labels bool) layout {
	pad := 2.5
	half := cellWidth * float64(b.Size()) / 2
	centre := func(c rules.Cell) point {
		row, column := c.RowColumn()
		return point{cellWidth*(float64(column)+0.5) - half, cellWidth*(float64(row)+0.5) - half}
	}
	l := layout{shape: "fs-square", centre: centre}
	if labels {
		pad = 11.5
		l.labels = squareLabels(b.Size(), half)
	}
	if dot := half - 2*cellWidth; dot > 0 {
		l.dots = []point{{-dot, -dot}, {dot, -dot}, {-dot, dot}, {dot, dot}}
	}
	l.width = 2 * (half + pad)
	l.height = l.width
	edge, side := short(-half-pad), short(l.width)
	l.frame = fmt.Sprintf("M%v %vh%vv%vh-%vz", edge, edge, side, side, side)
	return l
}

// squareLabels places the column letters above the board and the row numbers at its left.
func squareLabels(side int, half float64) []label {
	var labels []label
	for i := range side {
		along := cellWidth*(float64(i)+0.5) - half
		labels = append(labels,
			label{string(rune('a' + i)), point{along, -half - 7}},
			label{fmt.Sprint(i + 1), point{-half - 7, along}})
	}
	return labels
}
