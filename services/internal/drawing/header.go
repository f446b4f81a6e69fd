package drawing

import (
	"fmt"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// The header holds two pills, one for the score of each side.
const (
	headerHeight = 58
	pillHeight   = 36
	pillWidth    = 92
	statusSize   = 16
)

// header draws the score of each side, framed for the side to move, and the status between them.
func (d *Drawing) header() []node {
	score := d.position.Score()
	room := d.width - 2*(margin+pillWidth+4)
	middle := margin + pillWidth/2.0
	return []node{
		d.pill(rules.First, middle, score.First),
		d.pill(rules.Second, d.width-middle, score.Second),
		label(fit(d.status(), room/statusSize),
			point{d.width / 2, headerHeight / 2}, statusSize, d.palette.ink),
	}
}

func (d *Drawing) pill(side rules.Side, x float64, score int) node {
	frame := style{fill: "none", stroke: d.palette.quiet, width: 1.5}
	if d.position.Turn() == side {
		frame.stroke, frame.width = d.palette.ink, 3
	}
	return node{at: point{x, headerHeight / 2}, children: []node{
		{shape: box{pillWidth, pillHeight, pillHeight / 2}, style: frame},
		{at: point{-25, 0}, children: d.piece(side)},
		label(fmt.Sprint(score), point{15, 0}, 21, d.palette.ink),
	}}
}

// piece draws a disc or the sign of a side around the origin.
func (d *Drawing) piece(side rules.Side) []node {
	if d.position.Kind() == rules.Reversi {
		disc := d.disc(side)
		disc.children = []node{{shape: circle(10.5)}}
		return []node{{shape: circle(14), style: style{fill: d.palette.cell}}, disc}
	}
	return []node{{scale: 0.62, children: []node{
		{shape: cardShape(side, cardWidth), style: style{fill: d.colour(side)}},
		{scale: 2, style: style{fill: d.palette.cardInk}, children: []node{{shape: sign(side)}}},
	}}}
}

// status returns the status of the options, or the side to move, or the result.
func (d *Drawing) status() string {
	turn, final := d.position.Turn(), d.position.FinalScore()
	high, low := max(final.First, final.Second), min(final.First, final.Second)
	switch {
	case d.options.Status != "":
		return d.options.Status
	case turn == rules.NoSide && high == low:
		return fmt.Sprintf("Draw, %d–%d", high, low)
	case turn == rules.NoSide:
		return fmt.Sprintf("%s wins, %d–%d", d.name(final.Leader()), high, low)
	case rules.MustPass(d.position):
		return d.name(turn) + " must pass"
	}
	return d.name(turn) + " to move"
}

func (d *Drawing) name(side rules.Side) string { return d.position.Kind().SideName(side) }
