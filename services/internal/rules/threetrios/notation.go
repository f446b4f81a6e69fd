package threetrios

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// The notation of a position is one line. One blank separates its fields:
//
//	position = "threetrios/" grid side last rules [ "count_own_cards=true" ]
//	           "grid" { card } "red" { card } "blue" { card }
//	grid     = row { "/" row }
//	row      = a letter per cell: "R" Red's card, "B" Blue's card, "_" empty card cell, "." hole
//	side     = "R" | "B" | "-"        the side to move; "-" once the game is over
//	last     = row "," column | "-"   cell of the last move; "-" if there is none or it is unknown
//	rules    = rule { "," rule }      in canonical order, including default or reverse
//	card     = name ":" north south east west, each "1" to "9", or "A" for 10
//
// After "grid" stand the cards on the grid in reading order, after "red" and "blue" the hands in
// order. A name has no blanks and a card ends with a colon and four values, so no name needs an
// escape, not even the name "red". An example, on a grid with one hole, after Red's first move:
//
//	threetrios/R_._ B 0,0 default,same grid k1:739A red k3:5155 blue k2:2222 k4:6181
//
// A game must be able to reach the position: both hands started with the same number of cards, the
// sides moved alternately, Red first, and the mover owns the card of the last move. So Parse
// rejects the notation of a position that WithTurn returned for the other side.
//
// Parse also accepts several blanks between fields, lower-case sides and owners, rules in any
// order, and rules without default.

// MaxNotationBytes is the length of the longest notation that Parse accepts. The largest grid with
// the longest names needs less than a third of it.
const MaxNotationBytes = 65_536

const (
	notationPrefix = string(rules.ThreeTrios) + "/"
	ownCardsField  = "count_own_cards=true"
	gridField      = "grid"
	redField       = "red"
	blueField      = "blue"
	none           = "-"
	emptyLetter    = '_'
	noCellLetter   = '.'
)

// Notation returns the position as one canonical line, which Parse reads back to an equal position.
func (p *Position) Notation() string {
	rows := make([]string, p.grid.rows)
	for at := range p.grid.next {
		rows[at/p.grid.columns] += string(p.letter(at))
	}
	last := none
	if p.last != nowhere {
		last = p.CellNotation(p.grid.cell(p.last))
	}
	fields := []string{
		notationPrefix + strings.Join(rows, "/"), sideLetter(p.turn), last, joinRules(p.Rules(), ","),
	}
	if p.countOwn {
		fields = append(fields, ownCardsField)
	}
	fields = append(append(fields, gridField), cardNotations(p.cardsOnGrid())...)
	fields = append(append(fields, redField), cardNotations(p.Hand(rules.First))...)
	fields = append(append(fields, blueField), cardNotations(p.Hand(rules.Second))...)
	return strings.Join(fields, " ")
}

func (p *Position) letter(at int) rune {
	cell := p.at(at)
	switch {
	case cell.Hole:
		return noCellLetter
	case cell.Owner == rules.NoSide:
		return emptyLetter
	}
	return rune(sideLetter(cell.Owner)[0])
}

// cardsOnGrid returns the cards on the grid in reading order.
func (p *Position) cardsOnGrid() []Card {
	played := union(p.cells[rules.First], p.cells[rules.Second])
	cards := make([]Card, 0, played.size())
	for at := range played.all() {
		cards = append(cards, p.cards[p.board[at]])
	}
	return cards
}

func sideLetter(side rules.Side) string { return [...]string{none, "R", "B"}[side] }

func joinRules(named []Rule, separator string) string {
	words := make([]string, len(named))
	for i, rule := range named {
		words[i] = string(rule)
	}
	return strings.Join(words, separator)
}

func cardNotations(cards []Card) []string {
	all := make([]string, len(cards))
	for i, c := range cards {
		all[i] = c.Name + ":" + c.Values()
	}
	return all
}

// CellNotation returns a cell as row,column.
func (p *Position) CellNotation(c rules.Cell) string {
	row, column := c.RowColumn()
	return fmt.Sprintf("%d,%d", row, column)
}

// MoveNotation returns a move as card@row,column.
func (p *Position) MoveNotation(m rules.Move) string {
	return m.Card + "@" + p.CellNotation(m.Cell)
}

// ParseCell reads row,column, on or off the grid.
func (p *Position) ParseCell(text string) (rules.Cell, error) {
	return parseCell(strings.TrimSpace(text))
}

func parseCell(text string) (rules.Cell, error) {
	row, column, _ := strings.Cut(text, ",")
	r, okRow := coordinate(row)
	c, okColumn := coordinate(column)
	if !okRow || !okColumn {
		return rules.Cell{}, malformed("cell", "a cell is row,column, such as 0,2, not %s", quote(text))
	}
	return rules.SquareCell(r, c), nil
}

// coordinate reads a whole number of at most 32 bits. Negative numbers are well formed; they are off
// every grid.
func coordinate(text string) (int, bool) {
	_, ok := wholeNumber(strings.TrimPrefix(text, "-"))
	n, err := strconv.ParseInt(text, 10, 32)
	return int(n), ok && err == nil
}

// ParseMove reads card@row,column. The last @ separates the two, so a name may contain others.
func (p *Position) ParseMove(text string) (rules.Move, error) {
	text = strings.TrimSpace(text)
	i := strings.LastIndexByte(text, '@')
	if i < 0 {
		return rules.Move{}, malformed("move", "a move is card@row,column, not %s", quote(text))
	}
	name := text[:i]
	if problem := nameProblem(name); problem != "" {
		return rules.Move{}, malformed("card", "%s", problem)
	}
	cell, err := parseCell(text[i+1:])
	if err != nil {
		return rules.Move{}, err
	}
	return rules.Play(name, cell), nil
}

// malformed returns an INVALID_NOTATION error whose metadata names the kind of problem.
func malformed(problem, format string, args ...any) *fault.Error {
	return fault.New(fault.InvalidNotation, format, args...).With("problem", problem)
}
