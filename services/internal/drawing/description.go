package drawing

import (
	"fmt"
	"strings"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// Title returns the game, the status and the score in one line.
func (d *Drawing) Title() string {
	score := d.position.Score()
	return fmt.Sprintf("%s: %s. %s %d, %s %d.", d.position.Kind().Name(), d.status(),
		d.name(rules.First), score.First, d.name(rules.Second), score.Second)
}

// description returns the whole drawing in words.
func (d *Drawing) description() string {
	var sentences []string
	switch p := d.position.(type) {
	case *reversi.Position:
		sentences = d.describeBoard(p)
	case *threetrios.Position:
		sentences = d.describeTable(p)
	}
	return strings.Join(sentences, " ")
}

func (d *Drawing) describeBoard(p *reversi.Position) []string {
	form := "Square board of side %d."
	if p.Board().Shape() == reversi.Hexagon {
		form = "Hexagonal board, rings round the centre: %d."
	}
	var discs [3][]string
	var marked []string
	for _, c := range p.Board().Cells() {
		owner := p.At(c)
		discs[owner] = append(discs[owner], p.CellNotation(c))
		marked = append(marked, d.marksOn(c, owner == rules.NoSide).describe(p.CellNotation(c))...)
	}
	return []string{
		fmt.Sprintf(form, p.Board().Size()),
		fmt.Sprintf("Passes in a row: %d.", p.Passes()),
		list("Marked", marked),
		list(d.name(rules.First), discs[rules.First]),
		list(d.name(rules.Second), discs[rules.Second]),
	}
}

func (d *Drawing) describeTable(p *threetrios.Position) []string {
	var cards, holes, marked []string
	for row := range p.Rows() {
		for column := range p.Columns() {
			cell, name := p.At(row, column), p.CellNotation(rules.SquareCell(row, column))
			switch {
			case cell.Hole:
				holes = append(holes, name)
			case cell.Owner != rules.NoSide:
				cards = append(cards, name+" "+d.describeCard(cell))
			}
			m := d.marksOn(rules.SquareCell(row, column), !cell.Hole && cell.Owner == rules.NoSide)
			marked = append(marked, m.describe(name)...)
		}
	}
	return []string{
		fmt.Sprintf("Rows: %d. Columns: %d. Values of cards: north, south, east, west.",
			p.Rows(), p.Columns()),
		list("Holes", holes), list("Marked", marked), list("Cards", cards),
		list("Hand of Red", describeHand(p.Hand(rules.First))),
		list("Hand of Blue", describeHand(p.Hand(rules.Second))),
	}
}

func (d *Drawing) describeCard(cell threetrios.GridCell) string {
	return fmt.Sprintf("%s, %s", cell.Card, d.name(cell.Owner))
}

func describeHand(hand []threetrios.Card) []string {
	cards := make([]string, len(hand))
	for i, card := range hand {
		cards[i] = fmt.Sprintf("%d %s", i, card)
	}
	return cards
}

// describe returns a phrase for each mark on the cell with this name.
func (m marks) describe(name string) (phrases []string) {
	if m.last {
		phrases = append(phrases, name+" last move")
	}
	if m.flip != nil {
		phrases = append(phrases, name+" "+describeFlip(*m.flip))
	}
	if m.selected {
		phrases = append(phrases, name+" selected")
	}
	switch {
	case m.hint != "":
		phrases = append(phrases, name+" hint "+m.hint)
	case m.legal:
		phrases = append(phrases, name+" legal")
	}
	return phrases
}

// describeFlip names the cause of a flip, which discs do not have.
func describeFlip(f rules.Flip) string {
	if cause := f.Cause.String(); cause != "" {
		return fmt.Sprintf("flipped by %s in wave %d", cause, f.Wave)
	}
	return "flipped"
}

// list returns a list as a sentence.
func list(name string, items []string) string {
	if len(items) == 0 {
		return name + ": none."
	}
	return name + ": " + strings.Join(items, "; ") + "."
}
