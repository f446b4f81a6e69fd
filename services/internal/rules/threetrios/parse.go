package threetrios

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// Parse reads the notation of a position. A notation that is malformed, or that no game can reach,
// is a *fault.Error with the reason INVALID_NOTATION. Its metadata "problem" names the kind of
// problem, and "field" the number of the wrong field, from 1, if a single field is wrong.
func Parse(notation string) (*Position, error) {
	if len(notation) > MaxNotationBytes {
		return nil, malformed("length", "a notation has at most %d bytes, not %d", MaxNotationBytes,
			len(notation)).
			With("limit", MaxNotationBytes)
	}
	r := &reader{fields: strings.Fields(notation)}
	p := parsed{}
	p.readGrid(r)
	p.side = r.side()
	p.last, p.hasLast = r.lastMove()
	p.rules = r.rules()
	p.countOwn = r.optional(ownCardsField)
	r.expect(gridField)
	p.onGrid = r.cardsBefore(redField)
	p.hands[rules.First] = r.cardsBefore(blueField)
	p.hands[rules.Second] = r.cardsBefore("")
	if r.err != nil {
		return nil, r.err
	}
	return p.position()
}

// reader reads the fields of a notation from left to right. After the first error it reads nothing.
type reader struct {
	fields []string
	read   int
	err    error
}

// fail records an error at the field read last, unless there is an earlier error.
func (r *reader) fail(problem, format string, args ...any) {
	if r.err != nil {
		return
	}
	e := malformed(problem, format, args...).With("field", r.read)
	if r.read <= len(r.fields) {
		e = e.With("value", shorten(r.fields[r.read-1]))
	}
	r.err = e
}

// next returns the next field. It fails at the end of the notation; name describes the missing
// field.
func (r *reader) next(name string) string {
	if r.err != nil {
		return ""
	}
	r.read++
	if r.read > len(r.fields) {
		r.fail("missing", "the notation ends too early: field %d must be %s", r.read, name)
		return ""
	}
	return r.fields[r.read-1]
}

// optional reads the next field if it is this one.
func (r *reader) optional(field string) bool {
	if r.err != nil || r.read == len(r.fields) || r.fields[r.read] != field {
		return false
	}
	r.read++
	return true
}

// expect reads the next field and fails unless it is this one.
func (r *reader) expect(field string) {
	if got := r.next(quote(field)); got != field {
		r.fail("unexpected", "field %d must be %s, not %s", r.read, quote(field), quote(got))
	}
}

func (r *reader) side() rules.Side {
	switch text := r.next("the side to move"); text {
	case "R", "r":
		return rules.First
	case "B", "b":
		return rules.Second
	case none:
	default:
		r.fail("side", "the side to move must be R, B or -, not %s", quote(text))
	}
	return rules.NoSide
}

func (r *reader) lastMove() (cell rules.Cell, ok bool) {
	text := r.next("the last move")
	if text == none {
		return rules.Cell{}, false
	}
	cell, err := parseCell(text)
	if err != nil {
		r.fail("last_move", "the last move must be row,column or -, not %s", quote(text))
	}
	return cell, true
}

func (r *reader) rules() ruleSet {
	var named []Rule
	for word := range strings.SplitSeq(r.next("the rules"), ",") {
		named = append(named, Rule(word))
	}
	named, err := canonical(named)
	if err != nil {
		r.fail("rules", "%s", err)
	}
	return newRuleSet(named)
}

// cardsBefore reads cards up to and including the field end, or up to the end of the notation if
// end is empty. No card looks like such a field, because every card has a colon.
func (r *reader) cardsBefore(end string) []Card {
	var cards []Card
	for r.err == nil {
		if end == "" && r.read == len(r.fields) {
			break
		}
		field := r.next(quote(end))
		if field == end {
			break
		}
		cards = append(cards, r.card(field))
	}
	return cards
}

// card reads a field that consists of a name, a colon and four values.
func (r *reader) card(field string) Card {
	const values = 4
	colon := strings.LastIndexByte(field, ':')
	if colon < 0 || len(field)-colon-1 != values {
		r.fail("card", "field %d must be a card with four values, such as k1:739A, not %s", r.read,
			quote(field))
		return Card{}
	}
	c := Card{Name: field[:colon]}
	if problem := nameProblem(c.Name); problem != "" {
		r.fail("card", "field %d: %s", r.read, problem)
	}
	for i, n := range []*int{&c.North, &c.South, &c.East, &c.West} {
		at := colon + 1 + i
		v, problem := parseValue(field[at : at+1])
		if problem != "" {
			r.fail("value", "field %d: %s", r.read, problem)
		}
		*n = v
	}
	return c
}

// parsed holds the fields of a notation. Each is well formed; together they need not make a
// position.
type parsed struct {
	grid *Grid
	// cells holds the card cells by owner, as in Position.
	cells    [3]cellSet
	side     rules.Side
	last     rules.Cell
	hasLast  bool
	rules    ruleSet
	countOwn bool
	onGrid   []Card
	hands    [3][]Card
}

// readGrid reads the grid and the owner of each cell.
func (p *parsed) readGrid(r *reader) {
	text, ok := strings.CutPrefix(r.next("the grid"), notationPrefix)
	if !ok {
		r.fail("game", "a notation of Three Trios starts with %s", notationPrefix)
		return
	}
	rows := strings.Split(text, "/")
	columns := utf8.RuneCountInString(rows[0])
	if len(rows) > MaxRows || columns < 1 || columns > MaxColumns {
		r.fail("size", "a grid must have 1 to %d rows and 1 to %d columns, not %d and %d",
			MaxRows, MaxColumns, len(rows), columns)
		return
	}
	var card cellSet
	for row, letters := range rows {
		if n := utf8.RuneCountInString(letters); n != columns {
			r.fail("row", "row %d must have %d cells, not %d", row, columns, n)
			return
		}
		for column, letter := range []rune(letters) {
			owner, isCard := ownerOf(letter)
			switch {
			case isCard:
				p.cells[owner].add(row*columns + column)
				card.add(row*columns + column)
			case letter != noCellLetter:
				r.fail("letter", "cell %d,%d must be R, B, %c or %c, not %q",
					row, column, emptyLetter, noCellLetter, letter)
				return
			}
		}
	}
	if n := card.size(); n%2 == 0 {
		r.fail("even", "the number of card cells must be odd, not %d", n)
	}
	p.grid = newGrid(len(rows), columns, card)
}

// ownerOf returns the owner of the card cell that a letter stands for. It returns false for a hole
// and for an unknown letter.
func ownerOf(letter rune) (owner rules.Side, isCard bool) {
	switch letter {
	case 'R', 'r':
		return rules.First, true
	case 'B', 'b':
		return rules.Second, true
	}
	return rules.NoSide, letter == emptyLetter
}

// position returns the position, or an error if no game can reach it.
func (p *parsed) position() (*Position, error) {
	for _, check := range []func() error{p.checkCounts, p.checkNames, p.checkTurn, p.checkLast} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	whole := newPosition(p.grid, p.rules, p.countOwn)
	whole.cells, whole.turn = p.cells, p.side
	onGrid := p.onGrid
	for at := range p.played().all() {
		whole.board[at] = whole.addCard(onGrid[0])
		onGrid = onGrid[1:]
	}
	whole.addHand(rules.First, p.hands[rules.First])
	whole.addHand(rules.Second, p.hands[rules.Second])
	if p.hasLast {
		whole.last = p.grid.indexOf(p.last)
	}
	return whole, nil
}

// played returns the cells with a card.
func (p *parsed) played() *cellSet {
	played := union(p.cells[rules.First], p.cells[rules.Second])
	return &played
}

// checkCounts checks the number of cards. Each side started with half of them, and the sides played
// alternately, Red first.
func (p *parsed) checkCounts() error {
	played, half := p.played().size(), (p.grid.card.size()+1)/2
	counts := []struct {
		where     string
		got, want int
	}{
		{gridField, len(p.onGrid), played},
		{redField, len(p.hands[rules.First]), half - (played+1)/2},
		{blueField, len(p.hands[rules.Second]), half - played/2},
	}
	for _, c := range counts {
		if c.got != c.want {
			return malformed("cards", "with %d cards on the grid, %s must have %d cards, not %d",
				played, quote(c.where), c.want, c.got).
				With("where", c.where).With("cards", c.got).With("needed", c.want)
		}
	}
	return nil
}

func (p *parsed) checkNames() error {
	seen := map[string]bool{}
	for _, c := range slices.Concat(p.onGrid, p.hands[rules.First], p.hands[rules.Second]) {
		if seen[c.Name] {
			return malformed("duplicate", "names must be unique: there are two cards %s", quote(c.Name)).
				With("card", c.Name)
		}
		seen[c.Name] = true
	}
	return nil
}

func (p *parsed) checkTurn() error {
	turn := mover(p.played().size())
	if p.cells[rules.NoSide].size() == 0 {
		turn = rules.NoSide
	}
	if p.side != turn {
		return malformed("side", "with these cards on the grid, the side to move must be %s, not %s",
			sideLetter(turn), sideLetter(p.side)).With("turn", sideLetter(turn))
	}
	return nil
}

// checkLast checks that the side of the last move owns the card on its cell.
func (p *parsed) checkLast() error {
	by := mover(p.played().size() - 1)
	if at := p.grid.indexOf(p.last); p.hasLast && (at == nowhere || !p.cells[by].has(at)) {
		return malformed("last_move", "%s made the last move, so its cell must have a card of %s",
			rules.ThreeTrios.SideName(by), rules.ThreeTrios.SideName(by))
	}
	return nil
}
