package records

import (
	"bytes"
	"fmt"
	"iter"
	"strconv"
	"strings"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// ggfDescription is the description of the Generic Game Format that this file follows.
const ggfDescription = "https://skatgame.net/mburo/ggsa/ggf"

// ggfReader reads games in the Generic Game Format: properties between "(;" and ";)", each a name and
// a value in brackets.
type ggfReader struct {
	*source
	offset int
}

// readGGF reads all games of a file. Numbers before a game, as in the archives of the Generic Game
// Server, are skipped.
func (s *source) readGGF() iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		reader := ggfReader{source: s}
		for {
			reader.skip(" \t\r\n0123456789")
			if reader.offset == len(s.content) {
				return
			}
			if r, err := reader.game(); !yield(r, err) || err != nil {
				return
			}
		}
	}
}

func (g *ggfReader) skip(letters string) {
	for g.offset < len(g.content) && strings.IndexByte(letters, g.content[g.offset]) >= 0 {
		g.offset++
	}
}

// take skips a text and reports whether it was there.
func (g *ggfReader) take(text string) bool {
	found := bytes.HasPrefix(g.content[g.offset:], []byte(text))
	if found {
		g.offset += len(text)
	}
	return found
}

// property is a property of a game.
type property struct {
	name  string
	value span
}

// game reads one game.
func (g *ggfReader) game() (*Record, error) {
	game := ggfGame{source: g.source, record: &Record{source: g.source, offset: g.offset}}
	if !g.take("(;") {
		return nil, g.errorf(g.offset, `a game starts with "(;" (see %s)`, ggfDescription)
	}
	for {
		g.skip(" \t\r\n")
		if g.take(";)") {
			return game.finish()
		}
		p, err := g.property()
		if err != nil {
			return nil, err
		}
		if err := game.add(p); err != nil {
			return nil, err
		}
	}
}

// property reads the next property.
func (g *ggfReader) property() (property, error) {
	start := g.offset
	g.skip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	name := string(g.content[start:g.offset])
	if name == "" || !g.take("[") {
		return property{}, g.errorf(start,
			`expected a property such as PB[name], or ";)" at the end of the game`)
	}
	end := g.offset
	for end < len(g.content) && g.content[end] != ']' {
		end++
	}
	if end == len(g.content) || end-g.offset > maxLine {
		return property{}, g.errorf(start, `the property %.20s has no closing "]"`, name)
	}
	value := span{string(g.content[g.offset:end]), g.offset}
	g.offset = end + 1
	return property{name, value.trim()}, nil
}

// ggfGame is a game while its properties are read.
type ggfGame struct {
	*source
	record *Record
	kind   string // of game
	board  Square
}

// add applies a property. It ignores those that a record does not have, such as clocks.
func (g *ggfGame) add(p property) (err error) {
	r := g.record
	switch p.name {
	case "GM":
		if g.kind = p.value.text; !strings.EqualFold(g.kind, "Othello") {
			return g.errorf(p.value.offset, "the game is %.20q: use Othello", g.kind)
		}
	case "PC":
		r.Place = p.value.text
	case "DT":
		r.Date = p.value.text
	case "PB":
		r.Players[0].Name = p.value.text
	case "PW":
		r.Players[1].Name = p.value.text
	case "RB":
		r.Players[0].Rating, err = g.number(p.value)
	case "RW":
		r.Players[1].Rating, err = g.number(p.value)
	case "TY":
		if strings.Contains(p.value.text, "a") {
			return g.errorf(p.value.offset, "the type %.20q is a game in which fewer discs win: "+
				"it is not supported", p.value.text)
		}
	case "RE":
		r.Result, err = g.result(p.value)
	case "BO":
		g.board, err = g.start(p.value)
	case "B":
		err = g.move(p.value, rulesv1.Side_SIDE_FIRST)
	case "W":
		err = g.move(p.value, rulesv1.Side_SIDE_SECOND)
	}
	return err
}

// start reads the board: the length of a side, the cells, and the side to move.
func (g *ggfGame) start(value span) (Square, error) {
	size, rest := value.word()
	side, err := strconv.Atoi(size.text)
	if err != nil || side%2 != 0 || side < minSide || side > maxSide {
		return Square{}, g.errorf(size.offset, "%.20q is not the length of a side: "+
			"use an even number from %d to %d", size.text, minSide, maxSide)
	}
	start := Square{Side: side}
	for len(start.Cells) < side*side {
		var row span
		if row, rest = rest.word(); row.text == "" {
			return start, g.errorf(value.offset, "the board has %d cells: it must have %d "+
				"and then the side to move", len(start.Cells), side*side)
		}
		cells, err := g.readCells(row)
		if err != nil {
			return start, err
		}
		start.Cells += cells
	}
	if len(start.Cells) > side*side {
		return start, g.errorf(value.offset, "the board has %d cells: it must have %d",
			len(start.Cells), side*side)
	}
	start.Turn, err = g.readTurn(rest)
	return start, err
}

// move reads a move with optional evaluation and time, such as "f5/1.50/0.25".
func (g *ggfGame) move(value span, side rulesv1.Side) error {
	if g.board.Side == 0 {
		return g.errorf(value.offset, "the board BO must come before the moves")
	}
	if len(g.record.Moves) == maxMoves {
		return g.errorf(value.offset, "the game has more than %d moves", maxMoves)
	}
	word, rest, _ := value.cut("/")
	evaluation, seconds, _ := rest.cut("/")
	notation, ok := parseSquareMove(word.trim().text, g.board.Side)
	if !ok {
		return g.errorf(word.offset, "%.20q is not a move: %s", word.text, allowedMove(g.board.Side))
	}
	m := Move{Side: side, Notation: notation, offset: value.offset}
	var err error
	if m.Value, err = g.optional(evaluation); err != nil {
		return err
	}
	if m.Seconds, err = g.optional(seconds); err != nil {
		return err
	}
	g.record.Moves = append(g.record.Moves, m)
	return nil
}

// optional reads a number that may be missing.
func (g *ggfGame) optional(text span) (*float64, error) {
	if text.trim().text == "" {
		return nil, nil
	}
	number, err := g.number(text)
	return &number, err
}

// maxNumber bounds ratings, evaluations and times.
const maxNumber = 1e9

func (g *ggfGame) number(text span) (float64, error) {
	text = text.trim()
	number, err := strconv.ParseFloat(text.text, 64)
	if err != nil || !(-maxNumber <= number && number <= maxNumber) {
		return 0, g.errorf(text.offset, "%.20q is not a number such as 12.5", text.text)
	}
	return number, nil
}

// ggfEndings are the flags of a result. Without a flag the score decided.
var ggfEndings = map[string]gamev1.Ending{
	"":  gamev1.Ending_ENDING_SCORE,
	"r": gamev1.Ending_ENDING_RESIGNATION,
	"t": gamev1.Ending_ENDING_TIME,
	"s": gamev1.Ending_ENDING_AGREEMENT,
}

// result reads the score of Black minus that of White and a flag, such as "+64.00:r". "?" is an
// unknown result.
func (g *ggfGame) result(value span) (*Result, error) {
	if strings.HasPrefix(value.text, "?") || value.text == "" {
		return nil, nil
	}
	score, flag, _ := value.cut(":")
	ending, ok := ggfEndings[flag.trim().text]
	if !ok {
		return nil, g.errorf(flag.offset, "%.20q is not an ending: use r (resigned), t (time) or "+
			"s (agreement)", flag.text)
	}
	difference, err := g.number(score)
	return &Result{Winner: winnerOf(difference), Ending: ending, Difference: difference}, err
}

// finish returns the record once all properties are read.
func (g *ggfGame) finish() (*Record, error) {
	r := g.record
	switch {
	case g.kind == "":
		return nil, r.Errorf("the game has no property GM[Othello]")
	case g.board.Side == 0:
		return nil, r.Errorf("the game has no board: add the property BO")
	}
	r.Setup, r.Start = g.board.setup(), g.board.Notation()
	return r, nil
}

// writeGGF writes a game on a square. The moves must name their sides.
func writeGGF(r *Record) (string, error) {
	start, ok := ParseSquare(r.Start)
	if !ok || start.Turn == '-' {
		return "", errUnfit(GGF, "games of Reversi on squares")
	}
	var text strings.Builder
	text.WriteString("(;GM[Othello]")
	for _, p := range []struct{ name, value string }{
		{"PC", r.Place},
		{"DT", r.Date},
		{"PB", r.Players[0].Name},
		{"PW", r.Players[1].Name},
		{"RB", rating(r.Players[0])},
		{"RW", rating(r.Players[1])},
		{"TY", strconv.Itoa(start.Side)},
		{"RE", ggfResult(r.Result, len(start.Cells))},
		{"BO", ggfBoard(start)},
	} {
		if p.value != "" {
			text.WriteString(p.name + "[" + strings.ReplaceAll(oneLine(p.value), "]", ")") + "]")
		}
	}
	for _, m := range r.Moves {
		text.WriteString(ggfMove(m))
	}
	return text.String() + ";)\n", nil
}

func rating(p Player) string {
	if p.Rating == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", p.Rating)
}

// ggfResult writes a result. A side that won in spite of fewer discs gets all cells, as on the Generic
// Game Server.
func ggfResult(r *Result, cells int) string {
	if r == nil {
		return "?"
	}
	difference := r.Difference
	if winnerOf(difference) != r.Winner {
		difference = map[rulesv1.Side]float64{
			rulesv1.Side_SIDE_FIRST: float64(cells), rulesv1.Side_SIDE_SECOND: -float64(cells),
		}[r.Winner]
	}
	text := fmt.Sprintf("%+.2f", difference)
	switch r.Ending {
	case gamev1.Ending_ENDING_RESIGNATION:
		text += ":r"
	case gamev1.Ending_ENDING_TIME, gamev1.Ending_ENDING_ABANDONMENT:
		text += ":t"
	case gamev1.Ending_ENDING_AGREEMENT:
		text += ":s"
	case gamev1.Ending_ENDING_SCORE, gamev1.Ending_ENDING_UNSPECIFIED:
	}
	return text
}

func ggfBoard(s Square) string {
	words := []string{strconv.Itoa(s.Side)}
	for row := range s.Side {
		words = append(words, s.Row(row))
	}
	return strings.NewReplacer("X", "*", "_", "-").Replace(
		strings.Join(append(words, string(rune(s.Turn))), " "))
}

func ggfMove(m Move) string {
	name, word := "B", strings.ToUpper(m.Notation)
	if m.Side == rulesv1.Side_SIDE_SECOND {
		name = "W"
	}
	if m.Notation == pass {
		word = "PA"
	}
	if m.Value != nil || m.Seconds != nil {
		word += "/" + decimal(m.Value)
	}
	if m.Seconds != nil {
		word += "/" + decimal(m.Seconds)
	}
	return name + "[" + word + "]"
}

func decimal(number *float64) string {
	if number == nil {
		return ""
	}
	return fmt.Sprintf("%.2f", *number)
}
