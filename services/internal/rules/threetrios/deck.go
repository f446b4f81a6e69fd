package threetrios

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// Bounds on decks. A deck file has at most MaxDeckBytes bytes, a card's name 1 to MaxNameBytes, and each
// of its values is MinValue to Ace.
const (
	MaxDeckBytes = 65_536
	MaxNameBytes = 64
	MinValue     = 1
	Ace          = 10
)

// Card is one card: its name, which is unique in its deck, and the values of its four sides.
type Card struct {
	Name                     string
	North, South, East, West int
}

// Value returns the value of one side.
func (c Card) Value(d Direction) int { return [directions]int{c.North, c.South, c.East, c.West}[d] }

// Values returns the four values as players write them, north, south, east, west, such as 739A.
func (c Card) Values() string { return value(c.North) + value(c.South) + value(c.East) + value(c.West) }

// String returns the card as a line of a deck file.
func (c Card) String() string { return c.Name + " " + c.spacedValues() }

func (c Card) spacedValues() string { return strings.Join(strings.Split(c.Values(), ""), " ") }

// value writes a value as players do: A for 10.
func value(n int) string {
	if n == Ace {
		return "A"
	}
	return strconv.Itoa(n)
}

// ParseDeck reads a deck file: one card a line, its name and the values of its north, south, east and
// west side, 1 to 10 or A. Names differ, case counts, and have no blanks or control characters. Lines may end
// in CRLF, and blank lines may follow. Anything else is INVALID_DECK, which names the line and the column.
func ParseDeck(text string) ([]Card, error) {
	if len(text) > MaxDeckBytes {
		return nil, fault.New(fault.InvalidDeck, "a deck has at most %d bytes, not %d", MaxDeckBytes, len(text)).
			With("limit", MaxDeckBytes)
	}
	file := file{reason: fault.InvalidDeck, lines: splitLines(text)}
	cards := make([]Card, 0, len(file.lines))
	lineOf := make(map[string]int, len(file.lines))
	for i := range file.lines {
		line, words := i+1, file.words(i+1)
		card, err := file.card(line, words)
		if err != nil {
			return nil, err
		}
		if first, taken := lineOf[card.Name]; taken {
			return nil, file.errorAtWord(line, words[0], "the name %s is taken by line %d", quote(card.Name), first).
				With("firstLine", first)
		}
		lineOf[card.Name] = line
		cards = append(cards, card)
	}
	return cards, nil
}

// card reads a line, which has exactly five fields.
func (f file) card(line int, words []word) (Card, error) {
	const fields = 5
	if len(words) != fields {
		column := f.end(line)
		if len(words) > fields {
			column = words[fields].column
		}
		return Card{}, f.errorAt(line, column, "a card has a name and four values, which is %d fields, not %d", fields, len(words)).
			With("fields", len(words))
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

// nameProblem says what is wrong with a name, or nothing.
func nameProblem(name string) string {
	switch {
	case name == "" || strings.ContainsFunc(name, unicode.IsSpace):
		return "a name has no blanks and at least one character"
	case !utf8.ValidString(name):
		return "a name must be UTF-8"
	case len(name) > MaxNameBytes:
		return fmt.Sprintf("a name has at most %d bytes, not %d", MaxNameBytes, len(name))
	case strings.ContainsFunc(name, unicode.IsControl):
		return "a name must not contain control characters"
	}
	return ""
}

// parseValue reads one value of a card, and says what is wrong if it is none.
func parseValue(text string) (n int, problem string) {
	if text == "A" {
		return Ace, ""
	}
	n, ok := wholeNumber(text)
	switch {
	case !ok:
		return 0, fmt.Sprintf("a value is a whole number or A, not %s", quote(text))
	case n < MinValue || n > Ace:
		return 0, fmt.Sprintf("a value is %d to %d, not %s", MinValue, Ace, shorten(text))
	}
	return n, ""
}

// deckText writes cards as a deck file.
func deckText(cards []Card) string {
	var b strings.Builder
	for _, c := range cards {
		fmt.Fprintln(&b, c)
	}
	return b.String()
}

// deal gives out one card more than the grid has card cells, alternating in the order of the deck, Red
// first. A deck with fewer is INVALID_DECK.
func deal(deck []Card, g *Grid) (hands [3][]Card, err error) {
	needed := g.card.size() + 1
	if len(deck) < needed {
		return hands, fault.New(fault.InvalidDeck, "%d card cells need at least %d cards, but the deck has %d",
			g.card.size(), needed, len(deck)).With("cards", len(deck)).With("needed", needed)
	}
	for i, card := range deck[:needed] {
		side := rules.First
		if i%2 == 1 {
			side = rules.Second
		}
		hands[side] = append(hands[side], card)
	}
	return hands, nil
}

// shuffle puts a deck in an order that depends on the seed alone: from the last card to the second, each
// changes places with the card at the next number of the generator PCG-DXSM, seeded with the seed and 0,
// modulo the cards up to and including itself. Games store only the seed, so changing this changes
// the rules version.
func shuffle(deck []Card, seed int64) {
	random := rand.NewPCG(uint64(seed), 0)
	for i := len(deck) - 1; i > 0; i-- {
		j := random.Uint64() % uint64(i+1)
		deck[i], deck[j] = deck[j], deck[i]
	}
}
