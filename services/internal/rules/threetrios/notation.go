package threetrios

import (
	"fmt"
	"strings"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// The notation of a position is one line of fields with one blank between them:
//
//	position = "threetrios/" grid side last rules [ "count_own_cards=true" ]
//	           "grid" { card } "red" { card } "blue" { card }
//	grid     = row { "/" row }
//	row      = a character for each cell: "R" Red's card, "B" Blue's card, "_" empty card cell, "." hole
//	side     = "R" | "B" | "-"        to move; "-" when the game is over
//	last     = row "," column | "-"   cell of the last move; "-" when there was none or it is not known
//	rules    = rule { "," rule }      in canonical order, default or reverse among them
//	card     = name ":" north south east west, each "1" to "9", or "A" for 10
//
// The cards after "grid" are those on the grid in reading order; the others are the hands in order. Since
// a name has no blanks and a card ends in a colon and four values, no name needs an escape, not even "red".
// For example, on a grid with one hole, after Red's first move:
//
//	threetrios/R_._ B 0,0 default,same grid k1:739A red k3:5155 blue k2:2222 k4:6181
//
// A position must be one that taking turns can reach: the cards on the grid came from the hands by turns,
// Red first, which settles whose turn it is, and the last one belongs to whoever laid it. So what As returns
// for the side that is not on turn does not read back: it is a question, not a position of any game.
//
// Parse also reads several blanks between fields, sides and owners in lower case, and rules in any order
// with the base rule left out.

// MaxNotationBytes is the length of the longest notation that Parse reads. The largest grid and the
// longest names need less than a third of it.
const MaxNotationBytes = 65_536

const (
	notationStart = string(rules.ThreeTrios) + "/"
	ownCardsField = "count_own_cards=true"
	gridField     = "grid"
	redField      = "red"
	blueField     = "blue"
	none          = "-"
	emptyLetter   = '_'
	noCellLetter  = '.'
)

// Notation returns the position in the one form described above.
func (p *Position) Notation() string {
	rows := make([]string, p.grid.rows)
	for at := range p.grid.next {
		rows[at/p.grid.columns] += string(p.letter(at))
	}
	fields := []string{notationStart + strings.Join(rows, "/"), sideLetter(p.turn), none, joinRules(p.Rules())}
	if p.last != nowhere {
		fields[2] = p.CellNotation(p.grid.cell(p.last))
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
	square := p.at(at)
	switch {
	case square.Hole:
		return noCellLetter
	case square.Owner == rules.NoSide:
		return emptyLetter
	}
	return rune(sideLetter(square.Owner)[0])
}

// cardsOnGrid returns the cards that were played, in reading order.
func (p *Position) cardsOnGrid() []Card {
	played := union(p.cells[rules.First], p.cells[rules.Second])
	cards := make([]Card, 0, played.size())
	for at := range played.all() {
		cards = append(cards, p.cards[p.board[at]])
	}
	return cards
}

func sideLetter(side rules.Side) string { return [...]string{none, "R", "B"}[side] }

func joinRules(named []Rule) string {
	words := make([]string, len(named))
	for i, rule := range named {
		words[i] = string(rule)
	}
	return strings.Join(words, ",")
}

func cardNotations(cards []Card) []string {
	all := make([]string, len(cards))
	for i, c := range cards {
		all[i] = c.Name + ":" + c.Values()
	}
	return all
}

// CellNotation writes a cell as row,column.
func (p *Position) CellNotation(c rules.Cell) string {
	row, column := c.RowColumn()
	return fmt.Sprintf("%d,%d", row, column)
}

// MoveNotation writes a move as card@row,column.
func (p *Position) MoveNotation(m rules.Move) string { return m.Card + "@" + p.CellNotation(m.Cell) }

// ParseCell reads row,column, on the grid or off it.
func (p *Position) ParseCell(text string) (rules.Cell, error) {
	return parseCell(strings.TrimSpace(text))
}

func parseCell(text string) (rules.Cell, error) {
	row, column, _ := strings.Cut(text, ",")
	r, okRow := coordinate(row)
	c, okColumn := coordinate(column)
	if !okRow || !okColumn {
		return rules.Cell{}, badNotation("cell", "a cell is row,column, not %s", quote(text))
	}
	return rules.SquareCell(r, c), nil
}

// coordinate reads a whole number that may be negative, which is well formed and off every board.
func coordinate(text string) (n int, ok bool) {
	digits, negative := strings.CutPrefix(text, "-")
	n, ok = wholeNumber(digits)
	if negative {
		n = -n
	}
	return n, ok
}

// ParseMove reads card@row,column; the last @ separates, so a name may contain others.
func (p *Position) ParseMove(text string) (rules.Move, error) {
	text = strings.TrimSpace(text)
	i := strings.LastIndexByte(text, '@')
	if i < 0 {
		return rules.Move{}, badNotation("move", "a move is card@row,column, not %s", quote(text))
	}
	name := text[:i]
	if problem := nameProblem(name); problem != "" {
		return rules.Move{}, badNotation("card", "%s", problem)
	}
	cell, err := parseCell(text[i+1:])
	if err != nil {
		return rules.Move{}, err
	}
	return rules.Play(name, cell), nil
}

func badNotation(problem, format string, args ...any) *fault.Error {
	return fault.New(fault.InvalidNotation, format, args...).With("problem", problem)
}
