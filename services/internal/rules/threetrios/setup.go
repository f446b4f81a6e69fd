package threetrios

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// Setup says which game is played, and by which rules. It is stored with every game, so its JSON must
// not change. The zero value is a game on the built-in grid with the built-in deck.
type Setup struct {
	// Grid and Deck are files; "" stands for the built-in one.
	Grid string `json:"grid,omitempty"`
	Deck string `json:"deck,omitempty"`
	// Rules are the rules in force. None stands for Default; naming one twice is naming it once.
	Rules []Rule `json:"rules,omitempty"`
	// CountOwnCards says whether one's own neighbours count towards the two that Same and Plus need; nil
	// stands for no.
	CountOwnCards *bool `json:"countOwnCards,omitempty"`
	// ShuffleSeed has the deck shuffled before the deal; nil stands for not at all.
	ShuffleSeed *int64 `json:"shuffleSeed,omitempty"`
	// StartFrom is the notation of the position to start from instead of the deal. What the other fields
	// leave out comes from it, and what they say must agree with it.
	StartFrom string `json:"startFrom,omitempty"`
}

// Resolve returns the setup with everything filled in, and the position that the game starts from. What
// it returns resolves to itself. Errors are *fault.Error with the field at fault: INVALID_GRID,
// INVALID_DECK, INVALID_NOTATION, CONFLICTING_RULES; INVALID_FIELD for an unknown rule and for what does not
// agree with StartFrom.
func (s Setup) Resolve() (Setup, *Position, error) {
	if s.StartFrom != "" {
		return s.resolveStart()
	}
	on, err := canonical(s.Rules)
	if err != nil {
		return Setup{}, nil, inField("rules", err)
	}
	s.Rules = on
	s.Grid, s.Deck = cmp.Or(s.Grid, builtInGrid), cmp.Or(s.Deck, builtInDeck)
	s.CountOwnCards = new(s.CountOwnCards != nil && *s.CountOwnCards)
	grid, err := ParseGrid(s.Grid)
	if err != nil {
		return Setup{}, nil, inField("grid", err)
	}
	hands, err := s.hands(grid)
	if err != nil {
		return Setup{}, nil, inField("deck", err)
	}
	p := newPosition(grid, newRuleSet(on), *s.CountOwnCards)
	p.give(rules.First, hands[rules.First])
	p.give(rules.Second, hands[rules.Second])
	p.turnOf(rules.First)
	return s, p, nil
}

// hands reads the deck, shuffles it if that is wanted, and deals.
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

// resolveStart fills in what StartFrom tells and compares what is there already.
func (s Setup) resolveStart() (Setup, *Position, error) {
	p, err := Parse(s.StartFrom)
	if err != nil {
		return Setup{}, nil, inField("startFrom", err)
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
			return Setup{}, nil, inField(field.name, err)
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
		return disagrees("the grid")
	}
	return err
}

// checkSeed refuses a seed where there is no deck to shuffle.
func (s *Setup) checkSeed(*Position) error {
	if s.ShuffleSeed != nil && s.Deck == "" {
		return fault.New(fault.InvalidField, "without a deck there is nothing to shuffle, since startFrom has the cards dealt")
	}
	return nil
}

// fillDeck wants a deck that deals the cards of the position, in whatever order.
func (s *Setup) fillDeck(p *Position) error {
	if s.Deck == "" {
		s.Deck = deckText(p.deck())
	}
	hands, err := s.hands(p.grid)
	if err == nil && !sameCards(slices.Concat(hands[:]...), p.cards) {
		return disagrees("the deck")
	}
	return err
}

func (s *Setup) fillRules(p *Position) error {
	if len(s.Rules) == 0 {
		s.Rules = p.Rules()
	}
	on, err := canonical(s.Rules)
	if err == nil && newRuleSet(on) != p.rules {
		return disagrees("the set of rules")
	}
	s.Rules = on
	return err
}

func (s *Setup) fillCountOwnCards(p *Position) error {
	if s.CountOwnCards == nil {
		s.CountOwnCards = new(p.countOwn)
	}
	if *s.CountOwnCards != p.countOwn {
		return disagrees("countOwnCards")
	}
	return nil
}

func disagrees(what string) error {
	return fault.New(fault.InvalidField, "%s is not that of startFrom", what)
}

// deck returns the cards of the game: those on the grid in reading order, then those in the hands by
// turns. Where none was played yet, dealing it gives these hands.
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
	return slices.Equal(slices.SortedFunc(slices.Values(a), byName), slices.SortedFunc(slices.Values(b), byName))
}

// inField names the field in an error of this package.
func inField(field string, err error) error {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		return e.At(field)
	}
	return err
}
