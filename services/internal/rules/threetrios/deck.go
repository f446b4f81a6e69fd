package threetrios

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// Bounds of decks: a file of at most MaxDeckBytes bytes, names of 1 to MaxNameBytes bytes, and
// values from MinValue to Ace.
const (
	MaxDeckBytes = 65_536
	MaxNameBytes = 64
	MinValue     = 1
	Ace          = 10
)

// Card is a card: its name, which is unique in its deck, and the values of its four sides.
type Card struct {
	Name                     string
	North, South, East, West int
}

// Value returns the value of one side.
func (c Card) Value(d Direction) int { return [directions]int{c.North, c.South, c.East, c.West}[d] }

// Values returns the values in the order north, south, east, west, with A for 10, such as 739A.
func (c Card) Values() string {
	return value(c.North) + value(c.South) + value(c.East) + value(c.West)
}

// String returns the card as a line of a deck file.
func (c Card) String() string { return c.Name + " " + c.spacedValues() }

func (c Card) spacedValues() string { return strings.Join(strings.Split(c.Values(), ""), " ") }

func value(n int) string {
	if n == Ace {
		return "A"
	}
	return strconv.Itoa(n)
}

// ParseDeck reads a deck file: one card on each line, its name and its north, south, east and west
// value, 1 to 10 or A for 10. Names are unique and case-sensitive, without blanks, control
// characters and format characters. Lines may end in CRLF. Blank lines may follow. An error has the
// reason INVALID_DECK and the metadata line and column, both from 1.
func ParseDeck(text string) ([]Card, error) {
	if len(text) > MaxDeckBytes {
		return nil, fault.New(fault.InvalidDeck, "a deck has at most %d bytes, not %d",
			MaxDeckBytes, len(text)).
			With("limit", MaxDeckBytes)
	}
	file := textFile{reason: fault.InvalidDeck, lines: splitLines(text)}
	cards := make([]Card, 0, len(file.lines))
	lineOf := make(map[string]int, len(file.lines))
	for i := range file.lines {
		line, words := i+1, file.words(i+1)
		card, err := file.card(line, words)
		if err != nil {
			return nil, err
		}
		if first, taken := lineOf[card.Name]; taken {
			return nil, file.errorAtWord(line, words[0],
				"names must be unique: line %d has the name %s already",
				first, quote(card.Name)).With("firstLine", first)
		}
		lineOf[card.Name] = line
		cards = append(cards, card)
	}
	return cards, nil
}

// card reads one line.
func (f textFile) card(line int, words []word) (Card, error) {
	const fields = 5
	if len(words) != fields {
		column := f.end(line)
		if len(words) > fields {
			column = words[fields].column
		}
		return Card{}, f.errorAt(line, column,
			"a card must have %d fields, a name and four values, not %d",
			fields, len(words)).With("fields", len(words))
	}
	name, values := words[0], words[1:]
	if problem := nameProblem(name.text); problem != "" {
		return Card{}, f.errorAtWord(line, name, "%s", problem)
	}
	card := Card{Name: name.text}
	for i, n := range []*int{&card.North, &card.South, &card.East, &card.West} {
		v, problem := parseValue(values[i].text)
		if problem != "" {
			return Card{}, f.errorAtWord(line, values[i], "%s", problem)
		}
		*n = v
	}
	return card, nil
}

// nameProblem returns the reason why a text is not a name, "" if it is one.
func nameProblem(name string) string {
	switch {
	case name == "" || strings.ContainsFunc(name, unicode.IsSpace):
		return "a name must have at least one character and no blanks"
	case !utf8.ValidString(name):
		return "a name must be valid UTF-8"
	case len(name) > MaxNameBytes:
		return fmt.Sprintf("a name must have at most %d bytes, not %d", MaxNameBytes, len(name))
	case strings.ContainsFunc(name,
		func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf) }):
		return "a name must not contain control characters and format characters"
	}
	return ""
}

// parseValue reads one value of a card. It returns the reason if the text is not a value.
func parseValue(text string) (n int, problem string) {
	if text == "A" {
		return Ace, ""
	}
	n, ok := wholeNumber(text)
	if !ok || n < MinValue || n > Ace {
		return 0, fmt.Sprintf("a value must be %d to %d or A, not %s", MinValue, Ace, quote(text))
	}
	return n, ""
}

// deckText returns cards as a deck file.
func deckText(cards []Card) string {
	var b strings.Builder
	for _, c := range cards {
		fmt.Fprintln(&b, c)
	}
	return b.String()
}
