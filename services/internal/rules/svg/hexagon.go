package svg

import (
	"fmt"
	"math"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// hexagon lays out cells with a corner on top. Each row is shifted by half a cell against the row
// above.
func hexagon(b *reversi.Board, labels bool) layout {
	// The frame is a hexagon with corners at the left and at the right, at distance reach from the
	// centre.
	reach := cellWidth*float64(b.Size()) + 16
	l := layout{shape: "fs-hex", centre: hexCentre}
	if labels {
		reach += cellWidth - 4
		l.labels = hexLabels(b.Size())
	}
	l.width, l.height = 2*reach, math.Sqrt(3)*reach
	l.frame = fmt.Sprintf("M%v 0L%v %vH%vL%v 0 %v %vH%vz", short(-reach), short(-reach/2), short(-l.height/2), short(reach/2),
		short(reach), short(reach/2), short(l.height/2), short(-reach/2))
	return l
}

func hexCentre(c rules.Cell) point {
	q, r := c.Axial()
	return point{cellWidth * (float64(q) + float64(r)/2), cellWidth * math.Sqrt(3) / 2 * float64(r)}
}

// hexLabels places labels on the ring of cells around the board: r at the left ends of the rows, q
// at the lower ends of the lines of equal q, and each letter at the corner beyond its numbers.
func hexLabels(n int) []label {
	labels := []label{{"r", hexCentre(rules.HexCell(0, -n-1))}, {"q", hexCentre(rules.HexCell(n+1, 0))}}
	for i := -n; i <= n; i++ {
		first, last := max(-n, -n-i), min(n, n-i)
		labels = append(labels,
			label{fmt.Sprint(i), hexCentre(rules.HexCell(first-1, i))},
			label{fmt.Sprint(i), hexCentre(rules.HexCell(i, last+1))})
	}
	return labels
}
