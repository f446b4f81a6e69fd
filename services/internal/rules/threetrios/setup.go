package threetrios

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// Setup describes a game to start. The zero value is a game on the built-in grid with the built-in
// deck. Games are stored with the JSON of their setup, so it must not change.
type Setup struct {
	// Grid and Deck are the contents of a grid file and a deck file, by default the built-in ones.
	Grid string `json:"grid,omitempty"`
	Deck string `json:"deck,omitempty"`
	// Rules are the rules in force. Default is in force unless Reverse is. Repeated rules count once.
	Rules []Rule `json:"rules,omitempty"`
	// CountOwnCards makes the mover's own neighbours count for Same and Plus. It is false by
	// default.
	CountOwnCards *bool `json:"countOwnCards,omitempty"`
	// ShuffleSeed shuffles the deck before the deal. The deck is not shuffled by default.
	ShuffleSeed *int64 `json:"shuffleSeed,omitempty"`
	// StartFrom is the notation of the position to start from, instead of a deal. The other fields
	// must agree with it or be left out.
	StartFrom string `json:"startFrom,omitempty"`
}

// Resolve returns the setup with every default filled in, and the position at the start. A resolved
// setup resolves to itself. Errors are *fault.Error and name the field. Their reasons are
// INVALID_GRID, INVALID_DECK, INVALID_NOTATION, CONFLICTING_RULES, and INVALID_FIELD for an unknown
// rule and for a field that contradicts StartFrom.
func (s Setup) Resolve() (Setup, *Position, error) {
	if s.StartFrom != "" {
		return s.resolveNotation()
	}
	on, err := canonical(s.Rules)
	if err != nil {
		return Setup{}, nil, fault.At(err, "rules")
	}
	s.Rules = on
	s.Grid, s.Deck = cmp.Or(s.Grid, builtInGrid), cmp.Or(s.Deck, builtInDeck)
	s.CountOwnCards = new(s.CountOwnCards != nil && *s.CountOwnCards)
	grid, err := ParseGrid(s.Grid)
	if err != nil {
		return Setup{}, nil, fault.At(err, "grid")
	}
	hands, err := s.hands(grid)
	if err != nil {
		return Setup{}, nil, fault.At(err, "deck")
	}
	p := newPosition(grid, newRuleSet(on), *s.CountOwnCards)
	p.addHand(rules.First, hands[rules.First])
	p.addHand(rules.Second, hands[rules.Second])
	p.setTurn(rules.First)
	return s, p, nil
}

// hands reads the deck, shuffles it if there is a seed, and deals it.
func (s Setup) hands(grid *Grid) (hands [3][]Card, err error) {
	deck, err := ParseDeck(s.Deck)
	if err != nil {
		return hands, err
	}
	if s.ShuffleSeed != nil {
		shuffle(deck, *s.ShuffleSeed)
	}
	return deal(deck, grid)
}

// resolveNotation takes missing fields from StartFrom and checks that the others agree with it.
func (s Setup) resolveNotation() (Setup, *Position, error) {
	p, err := Parse(s.StartFrom)
	if err != nil {
		return Setup{}, nil, fault.At(err, "startFrom")
	}
	for _, field := range []struct {
		name string
		fill func(*Setup, *Position) error
	}{
		{"grid", (*Setup).fillGrid},
		{"shuffleSeed", (*Setup).checkSeed},
		{"deck", (*Setup).fillDeck},
		{"rules", (*Setup).fillRules},
		{"countOwnCards", (*Setup).fillCountOwnCards},
	} {
		if err := field.fill(&s, p); err != nil {
			return Setup{}, nil, fault.At(err, field.name)
		}
	}
	s.StartFrom = p.Notation()
	return s, p, nil
}

func (s *Setup) fillGrid(p *Position) error {
	if s.Grid == "" {
		s.Grid = p.grid.String()
	}
	grid, err := ParseGrid(s.Grid)
	if err == nil && grid.String() != p.grid.String() {
		return contradiction("the grid")
	}
	return err
}

// checkSeed rejects a seed without a deck to shuffle.
func (s *Setup) checkSeed(*Position) error {
	if s.ShuffleSeed != nil && s.Deck == "" {
		return fault.Invalid(
			"shuffleSeed needs a deck to shuffle, because the cards of startFrom are already dealt")
	}
	return nil
}

// fillDeck accepts a deck whose deal has the same cards as the position, in any order.
func (s *Setup) fillDeck(p *Position) error {
	if s.Deck == "" {
		s.Deck = deckText(p.deck())
	}
	hands, err := s.hands(p.grid)
	if err == nil && !sameCards(slices.Concat(hands[:]...), p.cards) {
		return contradiction("the deck")
	}
	return err
}

func (s *Setup) fillRules(p *Position) error {
	if len(s.Rules) == 0 {
		s.Rules = p.Rules()
	}
	on, err := canonical(s.Rules)
	if err == nil && newRuleSet(on) != p.rules {
		return contradiction("the set of rules")
	}
	s.Rules = on
	return err
}

func (s *Setup) fillCountOwnCards(p *Position) error {
	if s.CountOwnCards == nil {
		s.CountOwnCards = new(p.countOwn)
	}
	if *s.CountOwnCards != p.countOwn {
		return contradiction("countOwnCards")
	}
	return nil
}

func contradiction(name string) error {
	return fault.Invalid("%s differs from startFrom: leave the field out", name)
}

// deck returns the cards of the game: the cards on the grid in reading order, then the hands
// alternately. At the start of a game, a deal of this deck gives the same hands.
func (p *Position) deck() []Card {
	cards := p.cardsOnGrid()
	red, blue := p.Hand(rules.First), p.Hand(rules.Second)
	for i := range max(len(red), len(blue)) {
		cards = append(cards, red[min(i, len(red)):min(i+1, len(red))]...)
		cards = append(cards, blue[min(i, len(blue)):min(i+1, len(blue))]...)
	}
	return cards
}

func sameCards(a, b []Card) bool {
	byName := func(x, y Card) int { return strings.Compare(x.Name, y.Name) }
	return slices.Equal(slices.SortedFunc(slices.Values(a), byName),
		slices.SortedFunc(slices.Values(b), byName))
}
