package svg

import (
	"fmt"
	"strings"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// title returns the game, the status and the score in one line.
func (s *sheet) title() string {
	game := map[rules.Kind]string{rules.Reversi: "Reversi", rules.ThreeTrios: "Three Trios"}[s.position.Kind()]
	score := s.position.Score()
	return fmt.Sprintf("%s: %s. %s %d, %s %d.", game, s.status(),
		s.name(rules.First), score.First, s.name(rules.Second), score.Second)
}

// description returns the whole drawing in words.
func (s *sheet) description() string {
	var sentences []string
	switch p := s.position.(type) {
	case *reversi.Position:
		sentences = s.describeBoard(p)
	case *threetrios.Position:
		sentences = s.describeTable(p)
	}
	return strings.Join(sentences, " ")
}

func (s *sheet) describeBoard(p *reversi.Position) []string {
	form := "Square board of side %d."
	if p.Board().Shape() == reversi.Hexagon {
		form = "Hexagonal board, rings round the centre: %d."
	}
	var discs [3][]string
	var marked []string
	for _, c := range p.Board().Cells() {
		owner := p.At(c)
		discs[owner] = append(discs[owner], p.CellNotation(c))
		marked = append(marked, s.marksOn(c, owner == rules.NoSide).describe(p.CellNotation(c))...)
	}
	return []string{
		fmt.Sprintf(form, p.Board().Size()), fmt.Sprintf("Passes in a row: %d.", p.Passes()), list("Marked", marked),
		list(s.name(rules.First), discs[rules.First]), list(s.name(rules.Second), discs[rules.Second]),
	}
}

func (s *sheet) describeTable(p *threetrios.Position) []string {
	var cards, holes, marked []string
	for row := range p.Rows() {
		for column := range p.Columns() {
			cell, name := p.At(row, column), p.CellNotation(rules.SquareCell(row, column))
			switch {
			case cell.Hole:
				holes = append(holes, name)
			case cell.Owner != rules.NoSide:
				cards = append(cards, name+" "+s.describeCard(cell))
			}
			m := s.marksOn(rules.SquareCell(row, column), !cell.Hole && cell.Owner == rules.NoSide)
			marked = append(marked, m.describe(name)...)
		}
	}
	return []string{
		fmt.Sprintf("Rows: %d. Columns: %d. Values of cards: north, south, east, west.", p.Rows(), p.Columns()),
		list("Holes", holes), list("Marked", marked), list("Cards", cards),
		list("Hand of Red", describeHand(p.Hand(rules.First))),
		list("Hand of Blue", describeHand(p.Hand(rules.Second))),
	}
}

func (s *sheet) describeCard(cell threetrios.GridCell) string {
	return fmt.Sprintf("%s, %s", cell.Card, s.name(cell.Owner))
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
	if m.hint != "" {
		phrases = append(phrases, name+" hint "+m.hint)
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
