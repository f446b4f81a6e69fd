package reversi

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// maxNotation is the longest notation that Parse accepts, in bytes. Every position needs less.
const maxNotation = 1024

// Parse reads the notation of a position. Letters may have either case, and options may be written
// out even if they are the default. A notation that is malformed, or that no game can reach, is a
// *fault.Error with the reason INVALID_NOTATION. Its metadata "problem" is one of length, fields,
// game, board, size, rows, row_length, letter, side, passes, passes_unreachable, over, not_over,
// option, option_order and option_value.
func Parse(notation string) (*Position, error) {
	if len(notation) > maxNotation {
		return nil, malformed("length", "a notation has at most %d bytes", maxNotation).
			With("max", maxNotation)
	}
	words := strings.Fields(notation)
	if len(words) < 4 {
		return nil, malformed("fields", "a notation has at least 4 parts, "+
			"reversi/<board> <rows> <side> <passes>, not %d", len(words)).With("parts", len(words))
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

// malformed returns an INVALID_NOTATION error whose metadata names the kind of problem.
func malformed(problem, format string, args ...any) *fault.Error {
	return fault.New(fault.InvalidNotation, format, args...).With("problem", problem)
}

func parseBoard(text string) (*Board, error) {
	game, name, _ := strings.Cut(strings.ToLower(text), "/")
	if game != string(rules.Reversi) {
		return nil, malformed("game", "a notation of Reversi starts with reversi/, not %.20q", text)
	}
	word, sizeText, _ := strings.Cut(name, ":")
	shape, ok := map[string]Shape{"hex": Hexagon, "square": Square}[word]
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
		return nil, malformed("rows", "%s must have %d rows, not %d", b.notation(),
			len(b.rows), len(rows)).
			With("rows", len(rows)).With("want", len(b.rows))
	}
	discs := make([]byte, 0, len(b.cells))
	for i, text := range rows {
		letters, want := []rune(text), b.rows[i].length
		if len(letters) != want {
			return nil, malformed("row_length", "row %d of %s must have %d cells, not %d",
				i+1, b.notation(), want, len(letters)).
				With("row", i+1).With("cells", len(letters)).With("want", want)
		}
		for j, letter := range letters {
			disc, ok := parseLetter(letter)
			if !ok {
				return nil, malformed("letter", "row %d, letter %d must be X, O or _, not %q", i+1,
					j+1, letter).
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
		i := slices.IndexFunc(notationOptions, func(o notationOption) bool { return o.name == name })
		if i < 0 {
			return o, malformed("option", "unknown option %.20q: use %s", name, optionNames())
		}
		if i <= last {
			return o, malformed("option_order",
				"option %s is out of place: write each option once, in the order %s",
				name, optionNames()).With("option", name)
		}
		if option := notationOptions[i]; !option.read(&o, value) {
			return o, malformed("option_value", "option %s must be %s, not %.20q", name,
				option.values, value).
				With("option", name)
		}
		last = i
	}
	return o, nil
}

func optionNames() string {
	var names []string
	for _, o := range notationOptions {
		names = append(names, o.name)
	}
	return strings.Join(names, ", ")
}

// parseTurn completes a position with the side to move and the number of passes. It returns an
// error if no game can reach the result.
func (p *Position) parseTurn(sideText, passesText string) (*Position, error) {
	sides := map[string]rules.Side{"X": rules.First, "O": rules.Second, "-": rules.NoSide}
	side, ok := sides[strings.ToUpper(sideText)]
	if !ok {
		return nil, malformed("side", "the side to move is X, O, or - once the game is over, not %.20q",
			sideText)
	}
	passes, ok := number(passesText)
	if !ok || passes < 0 || passes > 2 {
		return nil, malformed("passes", "the number of passes in a row is 0, 1 or 2, not %.20q",
			passesText)
	}
	p.turn, p.passes = side, passes
	if err := p.checkReachable(); err != nil {
		return nil, err
	}
	return p, nil
}

// checkReachable returns an error if no game can reach this position with this side to move after
// so many passes.
func (p *Position) checkReachable() error {
	over := p.isOver(cmp.Or(p.turn, rules.First))
	forced := p.options.PassRule == Forced
	switch {
	case over && p.turn != rules.NoSide && forced:
		return malformed("over",
			"neither side can place a disc, so the game is over: the side to move must be -")
	case over && p.turn != rules.NoSide:
		return malformed("over", "two passes in a row end the game: the side to move must be -")
	case !over && p.turn == rules.NoSide:
		return malformed("not_over", "the game is not over, so the side to move must be X or O")
	case forced && p.passes > 0:
		return p.checkForcedPass(over)
	}
	return nil
}

// checkForcedPass checks a position under the rule Forced that follows a pass. The side that passed
// had no placement, and its opponent must have one, because the game was not over.
func (p *Position) checkForcedPass(over bool) error {
	var problem string
	switch passed := p.turn.Other(); {
	case over:
		problem = "a game with forced passes does not end with a pass"
	case p.passes > 1:
		problem = "a game with forced passes has no two passes in a row"
	case p.canPlace(passed):
		problem = rules.Reversi.SideName(passed) + " can place a disc, so it cannot have passed"
	default:
		return nil
	}
	return malformed("passes_unreachable", "%s", problem).With("passes", p.passes)
}
