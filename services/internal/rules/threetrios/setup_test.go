package threetrios_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

const (
	row3  = "1 3\nCCC\n"
	deck4 = "a 1 1 1 1\nb 2 2 2 2\nc 3 3 3 3\nd 4 4 4 4\n"
	deck6 = deck4 + "e 5 5 5 5\nf 6 6 6 6\n"

	// afterOne is a game on three cells, after Red's first move.
	afterOne = "threetrios/R_._ B 0,0 default,same grid k1:739A red k3:5155 blue k2:2222 k4:6181"
	grid4    = "1 4\nCCXC\n"
	deckOne  = "k1 7 3 9 A\nk3 5 1 5 5\nk2 2 2 2 2\nk4 6 1 8 1\n"
)

func hands(p *threetrios.Position) string {
	return names(p.Hand(rules.First)) + " against " + names(p.Hand(rules.Second))
}

func names(cards []threetrios.Card) string {
	all := make([]string, len(cards))
	for i, c := range cards {
		all[i] = c.Name
	}
	return strings.Join(all, " ")
}

func TestDealAlternates(t *testing.T) {
	p := start(t, threetrios.Setup{Grid: row3, Deck: deck6})
	if got := hands(p); got != "a c against b d" {
		t.Errorf("the hands are %s", got)
	}
	if p.Turn() != rules.First {
		t.Error("Red must move first")
	}
}

// Games store only the seed, so a seed must always deal the same hands.
func TestShuffleOfASeedNeverChanges(t *testing.T) {
	for _, c := range []struct {
		name string
		seed *int64
		want string
	}{
		{"no seed", nil, "a c against b d"},
		{"zero", new(int64(0)), "f a against e d"},
		{"seven", new(int64(7)), "f c against a b"},
		{"negative", new(int64(-1)), "d a against f b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := hands(start(t, threetrios.Setup{Grid: row3, Deck: deck6, ShuffleSeed: c.seed})); got != c.want {
				t.Errorf("the hands are %s, want %s", got, c.want)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	builtIn, _, err := threetrios.Setup{}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name        string
		setup, want threetrios.Setup
	}{
		{
			"an empty setup", threetrios.Setup{},
			threetrios.Setup{
				Grid: "3 3\nCCC\nCCC\nCCC\n", Deck: builtIn.Deck, Rules: []threetrios.Rule{"default"}, CountOwnCards: new(false),
			},
		},
		{
			"a grid for the built-in deck", threetrios.Setup{Grid: row3},
			threetrios.Setup{Grid: row3, Deck: builtIn.Deck, Rules: []threetrios.Rule{"default"}, CountOwnCards: new(false)},
		},
		{
			"rules named twice and in any order", threetrios.Setup{Rules: []threetrios.Rule{"plus", "same", "plus", "reverse"}},
			threetrios.Setup{
				Grid: builtIn.Grid, Deck: builtIn.Deck, Rules: []threetrios.Rule{"reverse", "same", "plus"},
				CountOwnCards: new(false),
			},
		},
		{
			"files stay as given",
			threetrios.Setup{Grid: "1 3\r\nCCC", Deck: deck6 + "\n\n", CountOwnCards: new(true), ShuffleSeed: new(int64(3))},
			threetrios.Setup{
				Grid: "1 3\r\nCCC", Deck: deck6 + "\n\n", Rules: []threetrios.Rule{"default"}, CountOwnCards: new(true),
				ShuffleSeed: new(int64(3)),
			},
		},
		{
			"a position alone", threetrios.Setup{StartFrom: "  " + strings.ToLower(afterOne[:14]) + afterOne[14:]},
			threetrios.Setup{
				Grid: grid4, Deck: deckOne, Rules: []threetrios.Rule{"default", "same"}, CountOwnCards: new(false),
				StartFrom: afterOne,
			},
		},
		{
			"fields may repeat the position",
			threetrios.Setup{
				Grid: "1 4\r\nCCXC\r\n", Deck: "k4 6 1 8 1\nk1 7 3 9 10\nk2 2 2 2 2\nk3 5 1 5 5\nk5 1 1 1 1",
				Rules: []threetrios.Rule{"same"}, CountOwnCards: new(false), StartFrom: afterOne,
			},
			threetrios.Setup{
				Grid: "1 4\r\nCCXC\r\n", Deck: "k4 6 1 8 1\nk1 7 3 9 10\nk2 2 2 2 2\nk3 5 1 5 5\nk5 1 1 1 1",
				Rules: []threetrios.Rule{"default", "same"}, CountOwnCards: new(false), StartFrom: afterOne,
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, p, err := c.setup.Resolve()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			again, q, err := got.Resolve()
			if err != nil || q.Notation() != p.Notation() || !cmp.Equal(got, again) {
				t.Errorf("it resolves again to %+v at %v, %v", again, q, err)
			}
		})
	}
}

// The setup of a shuffled game agrees with every position of the game.
func TestSetupOfAForkMayRepeatTheOriginal(t *testing.T) {
	setup, p, err := threetrios.Setup{Grid: row3, Deck: deck6, ShuffleSeed: new(int64(7))}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	setup.StartFrom = p.PlayCard(1, rules.SquareCell(0, 1)).Notation()
	if _, fork, err := setup.Resolve(); err != nil || fork.Notation() != setup.StartFrom {
		t.Errorf("the fork starts from %v, not %s: %v", fork, setup.StartFrom, err)
	}
}

// The deck that Resolve derives from the position at the start deals the same hands.
func TestDeckOfAStartDealsItsHands(t *testing.T) {
	p := start(t, threetrios.Setup{Grid: row3, Deck: deck6, ShuffleSeed: new(int64(7))})
	setup, _, err := threetrios.Setup{StartFrom: p.Notation()}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	setup.StartFrom = ""
	if q := start(t, setup); q.Notation() != p.Notation() {
		t.Errorf("the deck %q deals %s, want %s", setup.Deck, q.Notation(), p.Notation())
	}
}

func TestResolveErrors(t *testing.T) {
	for _, c := range []struct {
		name    string
		setup   threetrios.Setup
		reason  fault.Reason
		field   string
		message string
	}{
		{"a bad grid", threetrios.Setup{Grid: "1 2\nCC"}, fault.InvalidGrid, "grid", "must be odd"},
		{"a bad deck", threetrios.Setup{Deck: "a 1 1 1"}, fault.InvalidDeck, "deck", "must have 5 fields"},
		{"a deck without cards", threetrios.Setup{Deck: "\n"}, fault.InvalidDeck, "deck", "at least 10 cards, but the deck has 0"},
		{
			"a deck of as many cards as cells", threetrios.Setup{Grid: row3, Deck: strings.TrimSuffix(deck4, "d 4 4 4 4\n")},
			fault.InvalidDeck, "deck", "3 card cells need at least 4 cards, but the deck has 3",
		},
		{
			"a grid too large for the built-in deck", threetrios.Setup{Grid: wide(11)},
			fault.InvalidDeck, "deck", "at least 12 cards, but the deck has 10",
		},
		{
			"a surplus card that is wrong", threetrios.Setup{Grid: row3, Deck: deck6 + "g 0 0 0 0"},
			fault.InvalidDeck, "deck", "line 7",
		},
		{
			"an unknown rule", threetrios.Setup{Rules: []threetrios.Rule{"same", "odd"}},
			fault.InvalidField, "rules", `unknown rule "odd": the rules are default, reverse, fallen-ace, same, plus`,
		},
		{
			"default, then reverse", threetrios.Setup{Rules: []threetrios.Rule{"default", "reverse"}},
			fault.ConflictingRules, "rules", "exclude each other",
		},
		{
			"reverse, then default", threetrios.Setup{Rules: []threetrios.Rule{"reverse", "same", "default"}},
			fault.ConflictingRules, "rules", "exclude each other",
		},
		{"a malformed notation", threetrios.Setup{StartFrom: "here"}, fault.InvalidNotation, "startFrom", "starts with threetrios/"},
		{
			"another grid than the position's", threetrios.Setup{Grid: row3, StartFrom: afterOne},
			fault.InvalidField, "grid", "differs from startFrom",
		},
		{
			"a bad grid beside a position", threetrios.Setup{Grid: "1 4", StartFrom: afterOne},
			fault.InvalidGrid, "grid", "row 0 of the grid is missing",
		},
		{
			"other cards than the position's", threetrios.Setup{Deck: deck4, StartFrom: afterOne},
			fault.InvalidField, "deck", "differs from startFrom",
		},
		{
			"another value than the position's",
			threetrios.Setup{Deck: strings.Replace(deckOne, "7 3 9 A", "7 3 9 9", 1), StartFrom: afterOne},
			fault.InvalidField, "deck", "differs from startFrom",
		},
		{
			"too few cards beside a position", threetrios.Setup{Deck: "k1 7 3 9 A", StartFrom: afterOne},
			fault.InvalidDeck, "deck", "at least 4 cards",
		},
		{
			"other rules than the position's",
			threetrios.Setup{Rules: []threetrios.Rule{"default"}, StartFrom: afterOne},
			fault.InvalidField, "rules", "differs from startFrom",
		},
		{
			"rules in conflict beside a position",
			threetrios.Setup{Rules: []threetrios.Rule{"default", "reverse"}, StartFrom: afterOne},
			fault.ConflictingRules, "rules", "exclude each other",
		},
		{
			"another option than the position's", threetrios.Setup{CountOwnCards: new(true), StartFrom: afterOne},
			fault.InvalidField, "countOwnCards", "differs from startFrom",
		},
		{
			"a seed without a deck", threetrios.Setup{ShuffleSeed: new(int64(1)), StartFrom: afterOne},
			fault.InvalidField, "shuffleSeed", "needs a deck to shuffle",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, p, err := c.setup.Resolve()
			got, ok := errors.AsType[*fault.Error](err)
			if !ok || p != nil {
				t.Fatalf("it resolves to %v, %v", p, err)
			}
			if got.Reason != c.reason || got.Field != c.field || !strings.Contains(got.Message, c.message) {
				t.Errorf("got %s at %q: %v", got.Reason, got.Field, got)
			}
		})
	}
}

func TestMetadataOfADeckThatIsTooSmall(t *testing.T) {
	_, _, err := threetrios.Setup{Grid: wide(11)}.Resolve()
	got, _ := errors.AsType[*fault.Error](err)
	if diff := cmp.Diff(map[string]string{"cards": "10", "needed": "12"}, got.Meta); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Games are stored with this JSON.
func TestSetupJSONStays(t *testing.T) {
	whole := threetrios.Setup{
		Grid: "1 1\nC", Deck: "k 1 2 3 4", Rules: threetrios.AllRules(), CountOwnCards: new(false),
		ShuffleSeed: new(int64(7)), StartFrom: "threetrios/_",
	}
	const stored = `{"grid":"1 1\nC","deck":"k 1 2 3 4","rules":["default","reverse","fallen-ace","same","plus"],` +
		`"countOwnCards":false,"shuffleSeed":7,"startFrom":"threetrios/_"}`
	for text, setup := range map[string]threetrios.Setup{stored: whole, "{}": {}} {
		got, err := json.Marshal(setup)
		if err != nil || string(got) != text {
			t.Errorf("the JSON of %+v is %s, %v", setup, got, err)
		}
		var back threetrios.Setup
		if err := json.Unmarshal([]byte(text), &back); err != nil || !cmp.Equal(back, setup) {
			t.Errorf("%s decodes to %+v, %v", text, back, err)
		}
	}
}
