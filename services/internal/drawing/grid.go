package drawing

import (
	"fmt"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// A card is drawn cardWidth wide and cardHeight high and then scaled: on the grid by at least
// minCard and at most maxCard, in a hand by handCard times as much. For more cards the page grows.
const (
	cardWidth   = 40
	cardHeight  = 48
	minCard     = 1.0
	maxCard     = 2.5
	handCard    = 0.8
	cardPitch   = cardWidth + 2
	cardPitchY  = cardHeight + 2
	tableGap    = 10 // between the grid and the hands
	gridLabel   = 16 // room for labels
	tableHeight = 460
)

// table holds the sizes of a drawing of Three Trios.
type table struct {
	scale       float64 // of the cards on the grid
	handColumns int
	grid        point   // the size of the grid without labels
	hand        float64 // the width of a hand
	edge        float64 // room for labels above and at the left of the grid
}

// layOut chooses the number of columns of a hand: the fewest with which a hand at the start is not
// higher than the table.
func (d *Drawing) layOut(p *threetrios.Position) table {
	var t table
	if d.options.Labels {
		t.edge = gridLabel
	}
	rows, columns := float64(p.Rows()), float64(p.Columns())
	for full := (p.CardCells() + 1) / 2; ; {
		t.handColumns++
		room := pageWidth - 2*margin - 2*tableGap - t.edge
		units := cardPitch * (columns + 2*handCard*float64(t.handColumns))
		t.scale = max(minCard, min(maxCard, room/units))
		t.grid = point{t.scale * cardPitch * columns, t.scale * cardPitchY * rows}
		t.hand = t.scale * handCard * cardPitch * float64(t.handColumns)
		if t.handHeight(full) <= max(t.grid.y, tableHeight) {
			d.width = max(pageWidth, t.grid.x+t.edge+2*(t.hand+tableGap+margin))
			tallest := max(len(p.Hand(rules.First)), len(p.Hand(rules.Second)))
			d.height = headerHeight + max(t.grid.y+t.edge, t.handHeight(tallest)) + margin
			return t
		}
	}
}

// handHeight returns the height of a hand of this many cards.
func (t table) handHeight(cards int) float64 {
	rows := (cards + t.handColumns - 1) / t.handColumns
	return float64(rows) * t.scale * handCard * cardPitchY
}

// drawTable draws a position of Three Trios: Red's hand, the grid and Blue's hand, from left to
// right.
func (d *Drawing) drawTable(p *threetrios.Position) []node {
	t := d.layOut(p)
	corner := point{(d.width - t.grid.x + t.edge) / 2, headerHeight + t.edge}
	grid := node{at: corner, scale: t.scale, children: d.drawGrid(p)}
	nodes := []node{
		d.drawHand(p.Hand(rules.First), rules.First, t, margin),
		d.drawHand(p.Hand(rules.Second), rules.Second, t, d.width-margin-t.hand),
		grid,
	}
	if d.options.Labels {
		nodes = append(nodes, d.gridLabels(p, t, corner))
	}
	return nodes
}

func (d *Drawing) gridLabels(p *threetrios.Position, t table, corner point) node {
	labels := node{style: style{fill: d.palette.label}}
	for column := range p.Columns() {
		at := point{corner.x + t.scale*cardPitch*(float64(column)+0.5), corner.y - 9}
		labels.children = append(labels.children, label(fmt.Sprint(column), at, 13, ""))
	}
	for row := range p.Rows() {
		at := point{corner.x - 9, corner.y + t.scale*cardPitchY*(float64(row)+0.5)}
		labels.children = append(labels.children, label(fmt.Sprint(row), at, 13, ""))
	}
	return labels
}

func (d *Drawing) drawGrid(p *threetrios.Position) []node {
	var cells []node
	for row := range p.Rows() {
		for column := range p.Columns() {
			cell := d.drawGridCell(p, rules.SquareCell(row, column))
			cell.at = point{cardPitch * (float64(column) + 0.5), cardPitchY * (float64(row) + 0.5)}
			cells = append(cells, cell)
		}
	}
	return cells
}

// drawGridCell draws a cell of the grid around the origin. Its title, which browsers show as a
// tooltip, describes its content.
func (d *Drawing) drawGridCell(p *threetrios.Position, c rules.Cell) node {
	cell := p.At(c.RowColumn())
	m := d.marksOn(c, !cell.Hole && cell.Owner == rules.NoSide)
	drawn := node{title: p.CellNotation(c)}
	switch {
	case cell.Hole:
		drawn.title += " hole"
		drawn.children = []node{
			{shape: slot, style: style{fill: d.palette.hole}},
			{style: style{fill: d.palette.slotInk}, children: []node{
				{shape: bar(point{-5, -5}, point{5, 5}, 1.2)}, {shape: bar(point{5, -5}, point{-5, 5}, 1.2)},
			}},
		}
	case cell.Owner == rules.NoSide:
		drawn.children = []node{{shape: slot, style: style{fill: d.palette.slot}}}
	default:
		drawn.title += " " + d.describeCard(cell)
		drawn.children = append(d.face(cell.Card, cell.Owner), d.cardMarks(cell.Owner, m)...)
	}
	if m.selected {
		drawn.children = append(drawn.children, d.selection(slot, point{}))
	}
	if m.hint != "" {
		hint := label(fit(m.hint, 2), point{}, 17, d.palette.slotInk)
		hint.class = "fs-hint"
		drawn.children = append(drawn.children, hint)
	}
	return drawn
}
