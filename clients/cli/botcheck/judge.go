package botcheck

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// verdict is the judgement on a move.
type verdict int

const (
	isLegal verdict = iota
	isIllegal
	isUnreadable
)

// judge judges the move of a candidate as Game judges the move of a robot: the message, or the
// notation if there is no message. It returns the legal move that the candidate means, and how the
// problem reads.
func (p *Position) judge(c *strategyv1.Candidate) (found *legal, v verdict, problem string) {
	if c.GetMove() != nil {
		return p.judgeMove(c.GetMove())
	}
	return p.judgeNotation(c.GetNotation())
}

func (p *Position) judgeMove(m *rulesv1.Move) (*legal, verdict, string) {
	m = proto.CloneOf(m)
	for _, cell := range []*rulesv1.Cell{m.GetPlace().GetCell(), m.GetPlayCard().GetCell()} {
		if hex := cell.GetHex(); hex != nil && hex.S != nil {
			if hex.GetQ()+hex.GetR()+hex.GetS() != 0 {
				return nil, isUnreadable, "q + r + s of the cell is not 0"
			}
			hex.S = nil
		}
	}
	if problem := p.unreadable(m); problem != "" {
		return nil, isUnreadable, problem
	}
	i := slices.IndexFunc(p.Legal, func(l legal) bool { return proto.Equal(l.Move, m) })
	if i < 0 {
		return nil, isIllegal, fmt.Sprintf("the move %s is not legal", jsonOf(m))
	}
	return &p.Legal[i], isLegal, ""
}

// unreadable explains why a move does not fit the board, "" if it does.
func (p *Position) unreadable(m *rulesv1.Move) string {
	cell := m.GetPlace().GetCell()
	switch {
	case m.GetKind() == nil:
		return "the move is empty: set place, playCard or passTurn"
	case (m.GetPlayCard() != nil) != (p.Board == Cards):
		return "the move is one of another game: use place or passTurn in Reversi, playCard with cards"
	case m.GetPassTurn() != nil:
		return ""
	case p.Board == Cards:
		cell = m.GetPlayCard().GetCell()
	}
	if p.Board == Hexagon && cell.GetHex() == nil {
		return "the cell is not one of a hexagon: set hex with q and r"
	}
	if p.Board != Hexagon && cell.GetSquare() == nil {
		return "the cell is not one of a square or a grid: set square with row and column"
	}
	return ""
}

// squarePasses are other words for a pass on squares.
var squarePasses = []string{"pa", "ps", "--", "@@"}

func (p *Position) judgeNotation(notation string) (*legal, verdict, string) {
	word := strings.TrimSpace(notation)
	if p.Board != Cards {
		word = strings.ToLower(word)
	}
	if p.Board == Square && slices.Contains(squarePasses, word) {
		word = "pass"
	}
	i := slices.IndexFunc(p.Legal, func(l legal) bool { return l.Notation == word })
	switch {
	case i >= 0:
		return &p.Legal[i], isLegal, ""
	case notations[p.Board].form.MatchString(word):
		return nil, isIllegal, fmt.Sprintf("%.40s is not a legal move", word)
	}
	return nil, isUnreadable, fmt.Sprintf("%.40q is not a move in notation: use %s",
		notation, notations[p.Board].example)
}

// notations are the forms of moves, legal or not, in lower case except for names of cards.
var notations = map[Board]struct {
	form    *regexp.Regexp
	example string
}{
	Hexagon: {regexp.MustCompile(`^(pass|(0|-?[1-9]\d*),(0|-?[1-9]\d*))$`), "q,r such as 1,-2, or pass"},
	Square:  {regexp.MustCompile(`^(pass|[a-z][1-9]\d*)$`), "a letter and a number such as d3, or pass"},
	Cards:   {regexp.MustCompile(`^\S+@-?(0|[1-9]\d*),-?(0|[1-9]\d*)$`), "card@row,column such as anchor@0,2"},
}
