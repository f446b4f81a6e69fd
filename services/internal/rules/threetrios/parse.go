package threetrios

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// Parse reads the notation of a position. Errors are INVALID_NOTATION with the kind of problem as
// "problem" and, where one field is at fault, its number from 1 as "field".
func Parse(notation string) (*Position, error) {
	if len(notation) > MaxNotationBytes {
		return nil, badNotation("length", "a notation has at most %d bytes, not %d", MaxNotationBytes, len(notation)).
			With("limit", MaxNotationBytes)
	}
	r := &reader{fields: strings.Fields(notation)}
	p := parts{}
	p.readGrid(r)
	p.side = r.side()
	p.last, p.lastKnown = r.lastMove()
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

// reader reads the fields of a notation from left to right. After its first error it reads nothing.
type reader struct {
	fields []string
	read   int
	err    error
}

// fail keeps the first error, with the field last read and its number.
func (r *reader) fail(problem, format string, args ...any) {
	if r.err != nil {
		return
	}
	e := badNotation(problem, format, args...).With("field", r.read)
	if r.read <= len(r.fields) {
		e = e.With("value", shorten(r.fields[r.read-1]))
	}
	r.err = e
}

// next returns the next field, which must be there.
func (r *reader) next(what string) string {
	if r.err != nil {
		return ""
	}
	r.read++
	if r.read > len(r.fields) {
		r.fail("missing", "the notation ends where %s must follow", what)
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
		r.fail("side", "the side to move is R, B or -, not %s", quote(text))
	}
	return rules.NoSide
}

func (r *reader) lastMove() (cell rules.Cell, known bool) {
	text := r.next("the last move")
	if text == none {
		return rules.Cell{}, false
	}
	cell, err := parseCell(text)
	if err != nil {
		r.fail("last_move", "the last move is row,column or -, not %s", quote(text))
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

// cardsBefore reads cards and the field after them; "" stands for the end of the notation. A card cannot
// be taken for such a field, since every card has a colon.
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

// card reads a field of a name, a colon, and four values.
func (r *reader) card(field string) Card {
	const values = 4
	colon := strings.LastIndexByte(field, ':')
	if colon < 0 || len(field)-colon-1 != values {
		r.fail("card", "field %d must be a card with its four values, as in k1:739A, not %s", r.read, quote(field))
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

// parts is what a notation says, as far as each field makes sense alone.
type parts struct {
	grid *Grid
	// cells are the card cells by owner, as in Position.
	cells     [3]cellSet
	side      rules.Side
	last      rules.Cell
	lastKnown bool
	rules     ruleSet
	countOwn  bool
	onGrid    []Card
	hands     [3][]Card
}

// readGrid reads the grid and who owns each cell of it.
func (p *parts) readGrid(r *reader) {
	text, ok := strings.CutPrefix(r.next("the grid"), notationStart)
	if !ok {
		r.fail("game", "a position of Three Trios starts with %s", notationStart)
		return
	}
	rows := strings.Split(text, "/")
	columns := utf8.RuneCountInString(rows[0])
	if len(rows) > MaxRows || columns < 1 || columns > MaxColumns {
		r.fail("size", "a grid has 1 to %d rows and 1 to %d columns, not %d and %d", MaxRows, MaxColumns, len(rows), columns)
		return
	}
	var card cellSet
	for row, letters := range rows {
		if n := utf8.RuneCountInString(letters); n != columns {
			r.fail("row", "row %d has %d cells, not %d", row, n, columns)
			return
		}
		for column, letter := range []rune(letters) {
			side, found := ownerOf(letter)
			switch {
			case found:
				p.cells[side].add(row*columns + column)
				card.add(row*columns + column)
			case letter != noCellLetter:
				r.fail("letter", "the cell %d,%d is R, B, %c or %c, not %q", row, column, emptyLetter, noCellLetter, letter)
				return
			}
		}
	}
	if n := card.size(); n%2 == 0 {
		r.fail("even", "the number of card cells must be odd, not %d", n)
	}
	p.grid = newGrid(len(rows), columns, card)
}

// ownerOf returns the owner that a letter stands for, and false for a hole.
func ownerOf(letter rune) (owner rules.Side, found bool) {
	switch letter {
	case 'R', 'r':
		return rules.First, true
	case 'B', 'b':
		return rules.Second, true
	}
	return rules.NoSide, letter == emptyLetter
}

// position puts the parts together, if taking turns can lead there.
func (p *parts) position() (*Position, error) {
	for _, check := range []func() error{p.checkCounts, p.checkNames, p.checkTurn, p.checkLast} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	whole := newPosition(p.grid, p.rules, p.countOwn)
	whole.cells, whole.turn = p.cells, p.side
	onGrid := p.onGrid
	for at := range p.played().all() {
		whole.board[at] = whole.take(onGrid[0])
		onGrid = onGrid[1:]
	}
	whole.give(rules.First, p.hands[rules.First])
	whole.give(rules.Second, p.hands[rules.Second])
	if p.lastKnown {
		whole.last = p.grid.find(p.last)
	}
	return whole, nil
}

func (p *parts) played() *cellSet {
	played := union(p.cells[rules.First], p.cells[rules.Second])
	return &played
}

// checkCounts compares the cards named with the cards there must be: each side began with half of them,
// and Red laid the first, Blue the second, and so on.
func (p *parts) checkCounts() error {
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
			return badNotation("cards", "with %d cards on the grid, %d cards must follow %s, not %d",
				played, c.want, quote(c.where), c.got).With("where", c.where).With("cards", c.got).With("needed", c.want)
		}
	}
	return nil
}

func (p *parts) checkNames() error {
	seen := map[string]bool{}
	for _, c := range slices.Concat(p.onGrid, p.hands[rules.First], p.hands[rules.Second]) {
		if seen[c.Name] {
			return badNotation("duplicate", "the card %s is there twice", quote(c.Name)).With("card", c.Name)
		}
		seen[c.Name] = true
	}
	return nil
}

func (p *parts) checkTurn() error {
	turn := mover(p.played().size())
	if p.cells[rules.NoSide].size() == 0 {
		turn = rules.NoSide
	}
	if p.side != turn {
		return badNotation("side", "with these cards on the grid the side to move is %s, not %s",
			sideLetter(turn), sideLetter(p.side)).With("turn", sideLetter(turn))
	}
	return nil
}

// checkLast wants the last move where whoever made it owns the card, since his own move cannot have
// flipped it.
func (p *parts) checkLast() error {
	by := mover(p.played().size() - 1)
	if at := p.grid.find(p.last); p.lastKnown && (at == nowhere || !p.cells[by].has(at)) {
		return badNotation("last_move", "the last move is on a cell with a card of %s, who made it",
			rules.ThreeTrios.SideName(by))
	}
	return nil
}

// mover returns who lays a card when so many lie on the grid already.
func mover(played int) rules.Side {
	if played%2 == 0 {
		return rules.First
	}
	return rules.Second
}
