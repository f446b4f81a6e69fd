package reversi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// A position is written as
//
//	reversi/<board> <rows> <side> <passes> [options]
//
// The board is hex:<rings> or square:<side>. The rows are separated by slashes. The side to move is
// X, O, or - once the game is over. The number of passes counts the passes in a row that led to the
// position. Options appear only if they differ from the default of the board, in the order of
// notationOptions.

// notationOption writes and reads one of the Options. values describes the allowed values.
type notationOption struct {
	name, values string
	write        func(Options) string
	read         func(*Options, string) bool
}

var notationOptions = []notationOption{
	{
		name: "pass_rule", values: "forced or voluntary",
		write: func(o Options) string { return string(o.PassRule) },
		read: func(o *Options, text string) bool {
			o.PassRule = PassRule(text)
			return o.PassRule == Forced || o.PassRule == Voluntary
		},
	},
	{
		name: "min_flips", values: fmt.Sprintf("1 to %d", MaxMinFlips),
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

// Notation returns the position as one canonical line, which Parse reads back to an equal position.
func (p *Position) Notation() string {
	words := []string{
		"reversi/" + p.board.notation(), strings.Join(p.Rows(), "/"), sideNotation(p.turn),
		strconv.Itoa(p.passes),
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
	if b.shape == Hexagon {
		return "hex:" + strconv.Itoa(b.size)
	}
	return "square:" + strconv.Itoa(b.size)
}

func sideNotation(side rules.Side) string {
	if side == rules.NoSide {
		return "-"
	}
	return string(rune(letterOf(side)))
}

const passWord = "pass"

// squarePasses are the other words for a pass in records of games on squares.
var squarePasses = []string{"pa", "ps", "--", "@@"}

// MoveNotation returns the cell of a placement, or "pass".
func (p *Position) MoveNotation(m rules.Move) string {
	if m.Kind == rules.PassTurn {
		return passWord
	}
	return cellNotation(m.Cell)
}

// ParseMove reads a cell or "pass", in upper or lower case; on squares also pa, ps, -- and @@, the
// words for a pass in other programs.
func (p *Position) ParseMove(text string) (rules.Move, error) {
	word := strings.ToLower(strings.TrimSpace(text))
	if word == passWord || p.board.shape == Square && slices.Contains(squarePasses, word) {
		return rules.Pass, nil
	}
	c, err := p.ParseCell(text)
	if err != nil {
		return rules.Move{}, malformed("move", "a move is pass or a cell, %s, not %.20q",
			p.board.coordinates(), text)
	}
	return rules.Place(c), nil
}

// CellNotation returns a square cell as column letter and row number, such as d3, and a hexagonal
// cell as q,r, such as -1,2.
func (p *Position) CellNotation(c rules.Cell) string { return cellNotation(c) }

// cellNotation depends on the cell alone, so that it can also name a cell of another shape and a
// cell far off the board.
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

// ParseCell reads a cell of this board's shape, on or off the board, in upper or lower case.
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

// coordinates describes the notation of the board's cells for error messages.
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

// number reads a decimal number of at most 32 bits without a plus sign and without leading zeros.
func number(text string) (int, bool) {
	n, err := strconv.ParseInt(text, 10, 32)
	return int(n), err == nil && strconv.FormatInt(n, 10) == text
}
