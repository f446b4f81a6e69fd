package drawing

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// slot is the shape of a cell of the grid.
var slot = box{cardWidth, cardHeight, 4}

// cardShape returns the shape of a card: Red's are rectangles, Blue's octagons.
func cardShape(side rules.Side, height float64) shape {
	if side == rules.First {
		return box{cardWidth, height, 4}
	}
	const cut = 6
	x, y := cardWidth/2.0, height/2
	return polygon{
		{-x + cut, -y}, {x - cut, -y}, {x, -y + cut}, {x, y - cut},
		{x - cut, y}, {-x + cut, y}, {-x, y - cut}, {-x, -y + cut},
	}
}

// sign returns the sign of a side: a diamond for Red, a disc for Blue.
func sign(side rules.Side) shape {
	if side == rules.First {
		return polygon{{0, -4}, {4, 0}, {0, 4}, {-4, 0}}
	}
	return circle(3.3)
}

// signAt is the place of the sign on a card, between the values.
var signAt = point{0, -4}

// face draws a card around the origin: its values at their sides, the sign of its owner between
// them, and its name at the bottom. A long name is drawn smaller, then cut.
func (d *Drawing) face(card threetrios.Card, owner rules.Side) []node {
	const valueSize, nameSize, smallestName, nameWidth = 13, 7.6, 5.4, cardWidth - 4.0
	size := max(smallestName, min(nameSize, nameWidth/textWidth(card.Name)))
	values := card.Values()
	return []node{
		{shape: cardShape(owner, cardHeight), style: style{fill: d.colour(owner)}},
		{class: signClass(owner), style: style{fill: d.palette.cardInk}, children: []node{
			{at: signAt, shape: sign(owner)},
			label(values[:1], point{0, -16}, valueSize, ""),
			label(values[1:2], point{0, 8}, valueSize, ""),
			label(values[2:3], point{14, signAt.y}, valueSize, ""),
			label(values[3:], point{-14, signAt.y}, valueSize, ""),
			label(fit(card.Name, nameWidth/size), point{0, 18.6}, size, ""),
		}},
	}
}

func signClass(side rules.Side) string {
	if side == rules.First {
		return "fs-red"
	}
	return "fs-blue"
}

func (d *Drawing) colour(side rules.Side) string {
	if side == rules.First {
		return d.palette.first
	}
	return d.palette.second
}

// cardMarks draws the marks of a card on the grid: a frame on the last one, a ring around the sign
// of one that flipped.
func (d *Drawing) cardMarks(owner rules.Side, m marks) (nodes []node) {
	if m.last {
		nodes = append(nodes, node{shape: cardShape(owner, cardHeight), class: "fs-last",
			style: style{fill: "none", stroke: d.palette.played, width: 2.6}})
	}
	if m.flip != nil {
		nodes = append(nodes, node{at: signAt, shape: circle(5.8), class: "fs-flip",
			style: style{fill: "none", stroke: d.palette.played, width: 1.6}})
	}
	return nodes
}

// drawHand draws the cards of a hand in rows, from the left edge x on.
func (d *Drawing) drawHand(hand []threetrios.Card, side rules.Side, t table, x float64) node {
	drawn := node{at: point{x, headerHeight}, scale: t.scale * handCard}
	for i, card := range hand {
		row, column := i/t.handColumns, i%t.handColumns
		entry := node{
			at:       point{cardPitch * (float64(column) + 0.5), cardPitchY * (float64(row) + 0.5)},
			title:    card.String(),
			children: d.face(card, side),
		}
		if card.Name == d.options.Card {
			entry.children = append(entry.children, d.selection(cardShape(side, cardHeight), point{}))
		}
		drawn.children = append(drawn.children, entry)
	}
	return drawn
}
