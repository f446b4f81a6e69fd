package svg

import (
	"fmt"
	"strings"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

var causes = map[rules.Cause]string{
	rules.CauseGreater: "greater", rules.CauseLess: "less", rules.CauseFallenAce: "fallen ace",
	rules.CauseSame: "same", rules.CausePlus: "plus",
}

func (s *sheet) name(side rules.Side) string { return s.position.Kind().SideName(side) }

// status is the caller's, or tells whose turn it is or who won.
func (s *sheet) status() string {
	turn, final := s.position.Turn(), s.position.FinalScore()
	high, low := max(final.First, final.Second), min(final.First, final.Second)
	switch {
	case s.options.Status != "":
		return s.options.Status
	case turn == rules.NoSide && high == low:
		return fmt.Sprintf("Draw, %d–%d", high, low)
	case turn == rules.NoSide:
		return fmt.Sprintf("%s wins, %d–%d", s.name(final.Leader()), high, low)
	case rules.MustPass(s.position):
		return s.name(turn) + " must pass"
	}
	return s.name(turn) + " to move"
}

// words say what the picture shows, in a line and at length.
func (s *sheet) words() (title, description string) {
	var game string
	var sentences []string
	switch p := s.position.(type) {
	case *reversi.Position:
		game, sentences = "Reversi", s.boardWords(p)
	case *threetrios.Position:
		game, sentences = "Three Trios", s.tableWords(p)
	}
	score := s.position.Score()
	title = fmt.Sprintf("%s: %s. %s %d, %s %d.", game, s.status(), s.name(rules.First), score.First,
		s.name(rules.Second), score.Second)
	return title, strings.Join(sentences, " ")
}

func (s *sheet) boardWords(p *reversi.Position) []string {
	form := "Square board of side %d."
	if p.Board().Shape() == reversi.Hexagon {
		form = "Hexagonal board, rings round the centre: %d."
	}
	var discs [3][]string
	var marked []string
	for _, c := range p.Board().Cells() {
		owner := p.At(c)
		discs[owner] = append(discs[owner], p.CellNotation(c))
		marked = append(marked, s.marksOn(c, owner == rules.NoSide).words(p.CellNotation(c))...)
	}
	return []string{
		fmt.Sprintf(form, p.Board().Size()), fmt.Sprintf("Passes in a row: %d.", p.Passes()), list("Marked", marked),
		list(s.name(rules.First), discs[rules.First]), list(s.name(rules.Second), discs[rules.Second]),
	}
}

func (s *sheet) tableWords(p *threetrios.Position) []string {
	var cards, holes, marked []string
	for row := range p.Rows() {
		for column := range p.Columns() {
			square, name := p.At(row, column), p.CellNotation(rules.SquareCell(row, column))
			switch {
			case square.Hole:
				holes = append(holes, name)
			case square.Owner != rules.NoSide:
				cards = append(cards, name+" "+s.cardWords(square))
			}
			m := s.marksOn(rules.SquareCell(row, column), !square.Hole && square.Owner == rules.NoSide)
			marked = append(marked, m.words(name)...)
		}
	}
	return []string{
		fmt.Sprintf("Rows: %d. Columns: %d. Values of cards: north, south, east, west.", p.Rows(), p.Columns()),
		list("Holes", holes), list("Marked", marked), list("Cards", cards),
		list("Hand of Red", handWords(p.Hand(rules.First))), list("Hand of Blue", handWords(p.Hand(rules.Second))),
	}
}

func (s *sheet) cardWords(square threetrios.GridCell) string {
	return fmt.Sprintf("%s, %s", square.Card, s.name(square.Owner))
}

func handWords(cards []threetrios.Card) []string {
	words := make([]string, len(cards))
	for i, card := range cards {
		words[i] = fmt.Sprintf("%d %s", i, card)
	}
	return words
}

// words say what is marked on the cell of that name.
func (m marks) words(name string) (words []string) {
	if m.last {
		words = append(words, name+" last move")
	}
	if m.flip != nil {
		words = append(words, name+" "+flipWords(*m.flip))
	}
	if m.selected {
		words = append(words, name+" selected")
	}
	if m.hint != "" {
		words = append(words, name+" hint "+m.hint)
	}
	return words
}

// flipWords tells how a piece came to flip; discs flip in one way only.
func flipWords(f rules.Flip) string {
	if cause, ok := causes[f.Cause]; ok {
		return fmt.Sprintf("flipped by %s in wave %d", cause, f.Wave)
	}
	return "flipped"
}

// list writes a list as a sentence.
func list(what string, items []string) string {
	if len(items) == 0 {
		return what + ": none."
	}
	return what + ": " + strings.Join(items, "; ") + "."
}
