package board

import (
	"fmt"
	"strconv"

	"github.com/flipside-games/flipside/clients/cli/draw"
	"github.com/flipside-games/flipside/clients/cli/layout"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// cardSizes are the widths and heights that a card may have, the largest first.
var cardSizes = [][2]int{{15, 7}, {13, 5}, {11, 5}, {11, 4}, {9, 4}, {7, 4}, {7, 3}}

// cardLayout places the grid and the hands of a card game in a rectangle.
type cardLayout struct {
	width, height int // of a card on the grid
	handWidth     int
	handHeight    int // of a card in hand
	grid          draw.Rect
	hands         [2]draw.Rect
}

// layoutCards returns the layout with the largest cards that fit.
func (g *game) layoutCards(r draw.Rect) cardLayout {
	l := cardLayout{width: 7, height: 3, handWidth: 9, handHeight: 3}
	for _, size := range cardSizes {
		hand := min(max(size[0], 9), 13)
		if size[0]*g.shape.Columns+2*hand <= r.Width && size[1]*g.shape.Rows <= r.Height {
			l.width, l.height, l.handWidth = size[0], size[1], hand
			break
		}
	}
	for _, height := range []int{4, 5} {
		if height*g.handSize() <= r.Height {
			l.handHeight = height
		}
	}
	grid := min(l.width*g.shape.Columns, max(r.Width-2*l.handWidth, l.width))
	gap := min((r.Width-grid-2*l.handWidth)/2, 3) // between hands and grid
	left := r.X + (r.Width-grid)/2
	l.grid = draw.Rect{X: left, Y: r.Y, Width: grid, Height: r.Height}
	height := min(l.handHeight*g.handSize(), r.Height)
	hand := draw.Rect{
		X: left - gap - l.handWidth, Y: r.Y + (r.Height-height)/2, Width: l.handWidth, Height: height,
	}
	l.hands[0] = hand
	hand.X = left + grid + gap
	l.hands[1] = hand
	return l
}

// handSize returns the number of cards of the larger hand at the start.
func (g *game) handSize() int {
	hands := g.entry().Position.GetThreeTrios().GetHands()
	if g.history.Last() >= 0 {
		hands = g.history.Entries[0].Position.GetThreeTrios().GetHands()
	}
	return max(len(hands.GetFirst()), len(hands.GetSecond()))
}

// cardsHeight returns the number of rows that grid and hands use of a window.
func (g *game) cardsHeight(width, height int) int {
	room := max(height-headerHeight(width)-3, 3)
	l := g.layoutCards(draw.Rect{Width: width, Height: room})
	hand := min(l.handHeight*g.handSize(), room)
	if l.handHeight == 3 && 4*g.handSize() <= room+1 {
		return room + 1 // one line of status makes room for whole cards
	}
	return max(hand, min(l.height*g.shape.Rows, room))
}

// drawCards draws grid and hands.
func (g *game) drawCards(c *draw.Canvas, r draw.Rect) {
	l := g.layoutCards(r)
	part := draw.NewCanvas(g.theme, l.width*g.shape.Columns, l.height*g.shape.Rows)
	g.drawGrid(part, l)
	show(c, l.grid, part, g.cursor.Index*l.width+l.width/2, g.cursor.Row*l.height+l.height/2)
	for side := range 2 {
		g.drawHand(c, l.hands[side], l.handHeight, side)
	}
}

func (g *game) drawGrid(c *draw.Canvas, l cardLayout) {
	cells := g.entry().Position.GetThreeTrios().GetCells()
	flips, last, legal := g.flipsByCell(), g.lastCell(), g.legalCells()
	for i, content := range cells {
		cell := layout.Cell{Row: i / g.shape.Columns, Index: i % g.shape.Columns}
		r := draw.Rect{X: cell.Index * l.width, Y: cell.Row * l.height, Width: l.width, Height: l.height}
		selected := g.selected != nil && *g.selected == cell
		if content.GetHole() {
			if selected {
				c.SelectionMarks(g.theme, r)
			}
			c.Zone(r, cellTarget{cell})
			continue
		}
		c.Zone(r, cellTarget{cell})
		if content.GetCard() == nil {
			c.CardCell(g.theme, r, draw.CardCell{
				Legal: legal[cell], Selected: selected, Hints: g.cardHints(cell),
			})
			continue
		}
		card := cardOf(content.GetCard(), sideIndex(content.GetOwner()))
		card.Last = last != nil && *last == cell
		if flip := flips[cell]; flip != nil {
			if card.Flipped = g.isFlipped(flip); card.Flipped {
				card.Note = causes[flip.GetCause()]
			} else {
				card.Side = 1 - card.Side
			}
		}
		c.Card(g.theme, r, card)
		if selected {
			c.SelectionMarks(g.theme, r)
		}
	}
}

// causes names the causes of flips on cards.
var causes = map[rulesv1.Cause]string{
	rulesv1.Cause_CAUSE_FALLEN_ACE: "ace",
	rulesv1.Cause_CAUSE_SAME:       "same",
	rulesv1.Cause_CAUSE_PLUS:       "plus",
}

// cardHints returns what the selected card of each side would flip on a cell. With hints of both
// sides each number has the letter of its side.
func (g *game) cardHints(cell layout.Cell) (hints [2]string) {
	both := g.hintsOf(0) != nil && g.hintsOf(1) != nil
	for side := range 2 {
		flips, ok := g.hintsOf(side)[cell]
		if !ok {
			continue
		}
		hints[side] = strconv.Itoa(flips)
		if both {
			hints[side] = fmt.Sprintf("%s%d", g.colour(side)[:1], flips)
		}
	}
	return hints
}

func cardOf(card *rulesv1.Card, side int) *draw.Card {
	return &draw.Card{
		Name: card.GetName(), Side: side,
		North: int(card.GetNorth()), South: int(card.GetSouth()),
		East: int(card.GetEast()), West: int(card.GetWest()),
	}
}

// drawHand draws the hand of a side, or the part around the selected card.
func (g *game) drawHand(c *draw.Canvas, r draw.Rect, height, side int) {
	hand := g.hand(side)
	rows, first := max(r.Height/height, 1), 0
	for i, card := range hand {
		if card.GetName() == g.cards[side] && i >= rows {
			first = i - rows + 1
		}
	}
	for i := first; i < min(first+rows, len(hand)); i++ {
		card := cardOf(hand[i], side)
		card.InHand, card.Selected = true, card.Name == g.cards[side] && !g.isPast()
		if i < 9 && side == g.handSide() {
			card.Key = strconv.Itoa(i + 1)
		}
		at := draw.Rect{X: r.X, Y: r.Y + (i-first)*height, Width: r.Width, Height: height}
		c.Card(g.theme, at, card)
		c.Zone(at, cardTarget{side, i})
	}
	if hidden := len(hand) - first - rows; hidden > 0 {
		c.Text(r.X, r.Y+r.Height-1, r.Width, fmt.Sprintf("%d more", hidden), g.theme.Muted())
	}
}
