package reversi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// A position is written as
//
//	reversi/<board> <rows> <side> <passes> [options]
//
// where the board is hex:<rings> or square:<side>, the rows are separated by slashes, the side to move
// is X, O or - once the game is over, and passes counts those in a row that led here. Options follow that
// differ from the board's default, in the order of notationOptions.

// maxNotation is longer than any notation needs to be, in bytes.
const maxNotation = 1024

// shapeWords are the shapes as a notation names them.
var shapeWords = map[string]Shape{"hex": Hexagon, "square": Square}

// option is how one of the Options is written and read.
type option struct {
	name, values string
	write        func(Options) string
	read         func(*Options, string) bool
}

var notationOptions = []option{
	{
		name: "pass_rule", values: "forced or voluntary",
		write: func(o Options) string { return string(o.PassRule) },
		read: func(o *Options, text string) bool {
			o.PassRule = PassRule(text)
			return o.PassRule == Forced || o.PassRule == Voluntary
		},
	},
	{
		name: "min_flips", values: fmt.Sprintf("a number from 1 to %d", MaxMinFlips),
		write: func(o Options) string { return strconv.Itoa(o.MinFlips) },
		read: func(o *Options, text string) (ok bool) {
			o.MinFlips, ok = number(text)
			return ok && 1 <= o.MinFlips && o.MinFlips <= MaxMinFlips
		},
	},
	{
		name: "empties_to_winner", values: "true or false",
		write: func(o Options) string { return strconv.FormatBool(o.EmptiesToWinner) },
		read: func(o *Options, text string) bool {
			o.EmptiesToWinner = text == "true"
			return text == "true" || text == "false"
		},
	},
}

// Notation returns the canonical line that Parse reads back to an equal position.
func (p *Position) Notation() string {
	words := []string{
		"reversi/" + p.board.notation(), strings.Join(p.Rows(), "/"), sideNotation(p.turn), strconv.Itoa(p.passes),
	}
	defaults := defaultOptions(p.board.shape)
	for _, o := range notationOptions {
		if value := o.write(p.options); value != o.write(defaults) {
			words = append(words, o.name+"="+value)
		}
	}
	return strings.Join(words, " ")
}

func (b *Board) notation() string {
	for word, shape := range shapeWords {
		if shape == b.shape {
			return word + ":" + strconv.Itoa(b.size)
		}
	}
	return ""
}

func sideNotation(side rules.Side) string {
	if side == rules.NoSide {
		return "-"
	}
	return string(rune(letterOf(side)))
}

// Parse reads a notation, with letters in either case and options written out even where they are the
// default. What it cannot read, and what no game can come to, is a *fault.Error of reason INVALID_NOTATION whose
// "problem" tells which: length, fields, game, board, size, rows, row_length, letter, side, passes,
// passes_unreachable, over, not_over, option, option_order, option_value.
func Parse(notation string) (*Position, error) {
	if len(notation) > maxNotation {
		return nil, malformed("length", "a notation has at most %d bytes", maxNotation).With("max", maxNotation)
	}
	words := strings.Fields(notation)
	if len(words) < 4 {
		return nil, malformed("fields", "a notation is reversi/<board> <rows> <side> <passes> [options], "+
			"of which only %d parts are there", len(words)).With("parts", len(words))
	}
	board, err := parseBoard(words[0])
	if err != nil {
		return nil, err
	}
	discs, err := board.parseRows(words[1])
	if err != nil {
		return nil, err
	}
	options, err := parseOptions(defaultOptions(board.shape), words[4:])
	if err != nil {
		return nil, err
	}
	return newPosition(board, options, discs).parseTurn(words[2], words[3])
}

// malformed returns an error whose problem tells programs what is wrong.
func malformed(problem, format string, args ...any) *fault.Error {
	return fault.New(fault.InvalidNotation, format, args...).With("problem", problem)
}

// number reads a number as it would be printed: no sign but a needed one, no leading zeros.
func number(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && strconv.Itoa(n) == text
}

func parseBoard(text string) (*Board, error) {
	game, name, _ := strings.Cut(strings.ToLower(text), "/")
	if game != string(rules.Reversi) {
		return nil, malformed("game", "a notation of Reversi starts with reversi/, not %.20q", text)
	}
	word, sizeText, _ := strings.Cut(name, ":")
	shape, ok := shapeWords[word]
	if !ok {
		return nil, malformed("board", "a board is hex:<rings> or square:<side>, not %.20q", name)
	}
	size, ok := number(sizeText)
	if !ok {
		return nil, malformed("size", "the size of a board is a number, not %.20q", sizeText)
	}
	if err := checkSize(shape, size); err != nil {
		return nil, malformed("size", "%v", err).With("size", size)
	}
	return NewBoard(shape, size)
}

func (b *Board) parseRows(text string) ([]byte, error) {
	rows := strings.Split(text, "/")
	if len(rows) != len(b.rows) {
		return nil, malformed("rows", "%s has %d rows, but %d are given", b.notation(), len(b.rows), len(rows)).
			With("rows", len(rows)).With("want", len(b.rows))
	}
	discs := make([]byte, 0, len(b.cells))
	for i, text := range rows {
		letters, want := []rune(text), b.rows[i].length
		if len(letters) != want {
			return nil, malformed("row_length", "row %d of %s has %d cells, but %d are given",
				i+1, b.notation(), want, len(letters)).With("row", i+1).With("cells", len(letters)).With("want", want)
		}
		for j, letter := range letters {
			disc, ok := parseLetter(letter)
			if !ok {
				return nil, malformed("letter", "letter %d of row %d is X, O or _, not %q", j+1, i+1, letter).
					With("row", i+1).With("column", j+1)
			}
			discs = append(discs, disc)
		}
	}
	return discs, nil
}

func parseLetter(letter rune) (byte, bool) {
	switch letter {
	case black, 'x':
		return black, true
	case white, 'o':
		return white, true
	case empty:
		return empty, true
	}
	return 0, false
}

func parseOptions(o Options, words []string) (Options, error) {
	last := -1
	for _, word := range words {
		name, value, _ := strings.Cut(strings.ToLower(word), "=")
		i := slices.IndexFunc(notationOptions, func(known option) bool { return known.name == name })
		if i < 0 {
			return o, malformed("option", "there is no option %.20q", name)
		}
		known := notationOptions[i]
		if i <= last {
			return o, malformed("option_order", "options stand once each, in a fixed order: %s comes too late", name).
				With("option", name)
		}
		if !known.read(&o, value) {
			return o, malformed("option_value", "%s is %s, not %.20q", name, known.values, value).With("option", name)
		}
		last = i
	}
	return o, nil
}

// parseTurn completes a position with the side to move and the passes so far, if the rules can lead there.
func (p *Position) parseTurn(sideText, passesText string) (*Position, error) {
	side, ok := map[string]rules.Side{"X": rules.First, "O": rules.Second, "-": rules.NoSide}[strings.ToUpper(sideText)]
	if !ok {
		return nil, malformed("side", "the side to move is X, O or - once the game is over, not %.20q", sideText)
	}
	passes, ok := number(passesText)
	if !ok || passes < 0 || passes > 2 {
		return nil, malformed("passes", "the passes in a row are 0, 1 or 2, not %.20q", passesText)
	}
	p.turn, p.passes = side, passes
	if err := p.unreachable(); err != nil {
		return nil, err
	}
	return p, nil
}

// unreachable returns why no game can come to this side to move with so many passes, nil if one can.
func (p *Position) unreachable() error {
	if p.options.PassRule == Voluntary {
		switch over := p.over(); {
		case over && p.turn != rules.NoSide:
			return malformed("over", "two passes in a row have ended the game, so the side to move is -")
		case !over && p.turn == rules.NoSide:
			return malformed("not_over", "the game is not over before two passes in a row, so the side to move is X or O")
		}
		return nil
	}
	return p.unreachableForced()
}

// unreachableForced knows that a side passes only for want of a placement, that its opponent then has
// one, and that a placement comes last in every game.
func (p *Position) unreachableForced() error {
	over := !p.canPlace(rules.First) && !p.canPlace(rules.Second)
	switch {
	case over && p.turn != rules.NoSide:
		return malformed("over", "neither side can place a disc, so the game is over and the side to move is -")
	case !over && p.turn == rules.NoSide:
		return malformed("not_over", "a disc can still be placed, so the game is not over and the side to move is X or O")
	case over && p.passes > 0:
		return malformed("passes_unreachable", "a game with forced passes ends on a placement, so the passes in a row are 0").
			With("passes", p.passes)
	case p.passes > 1:
		return malformed("passes_unreachable", "with forced passes there are never two in a row before the end").
			With("passes", p.passes)
	case p.passes == 1 && p.canPlace(p.turn.Other()):
		return malformed("passes_unreachable", "%s can place a disc, so it cannot have passed",
			rules.Reversi.SideName(p.turn.Other())).
			With("passes", p.passes)
	}
	return nil
}

// MoveNotation writes a placement as its cell and a pass as "pass".
func (p *Position) MoveNotation(m rules.Move) string {
	if m.Kind == rules.PassTurn {
		return passWord
	}
	return cellNotation(m.Cell)
}

// ParseMove reads what MoveNotation writes, in either case.
func (p *Position) ParseMove(text string) (rules.Move, error) {
	if strings.EqualFold(strings.TrimSpace(text), passWord) {
		return rules.Pass, nil
	}
	c, err := p.ParseCell(text)
	if err != nil {
		return rules.Move{}, malformed("move", "a move is pass or a cell, %s, not %.20q", p.board.coordinates(), text)
	}
	return rules.Place(c), nil
}

const passWord = "pass"

// CellNotation writes a cell as d3 on squares and as q,r on hexagons.
func (p *Position) CellNotation(c rules.Cell) string { return cellNotation(c) }

// cellNotation goes by the coordinates of the cell, so that a cell of the wrong shape or far off the board
// has a name too.
func cellNotation(c rules.Cell) string {
	column, row := columnRow(c)
	switch {
	case c.Hexagonal():
		return fmt.Sprintf("%d,%d", column, row)
	case row < 0 || column < 0 || column >= 26:
		return fmt.Sprintf("row %d, column %d", row, column)
	}
	return fmt.Sprintf("%c%d", 'a'+column, row+1)
}

// ParseCell reads what CellNotation writes for cells of this board's shape, on the board or off it.
func (p *Position) ParseCell(text string) (rules.Cell, error) {
	parse := parseSquareCell
	if p.board.shape == Hexagon {
		parse = parseHexCell
	}
	c, ok := parse(strings.ToLower(strings.TrimSpace(text)))
	if !ok {
		return rules.Cell{}, malformed("cell", "a cell is %s, not %.20q", p.board.coordinates(), text)
	}
	return c, nil
}

// coordinates says how the cells of the board are written.
func (b *Board) coordinates() string {
	if b.shape == Hexagon {
		return "q,r such as -1,2"
	}
	return "a letter and a number such as d3"
}

func parseHexCell(text string) (rules.Cell, bool) {
	before, after, _ := strings.Cut(text, ",")
	q, okQ := number(before)
	r, okR := number(after)
	return rules.HexCell(q, r), okQ && okR
}

func parseSquareCell(text string) (rules.Cell, bool) {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return rules.Cell{}, false
	}
	row, ok := number(text[1:])
	return rules.SquareCell(row-1, int(text[0]-'a')), ok && row > 0
}
