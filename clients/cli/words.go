package cli

import (
	"fmt"
	"strconv"
	"strings"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// word is what the user says for a value of the API, and reads for it.
type word[T comparable] struct {
	name  string
	value T
}

var (
	passRules = []word[rulesv1.PassRule]{
		{"voluntary", rulesv1.PassRule_PASS_RULE_VOLUNTARY},
		{"forced", rulesv1.PassRule_PASS_RULE_FORCED},
	}
	visibilities = []word[gamev1.Visibility]{
		{"public", gamev1.Visibility_VISIBILITY_PUBLIC},
		{"link", gamev1.Visibility_VISIBILITY_LINK},
		{"private", gamev1.Visibility_VISIBILITY_PRIVATE},
	}
	states = []word[gamev1.GameState]{
		{"waiting", gamev1.GameState_GAME_STATE_WAITING},
		{"active", gamev1.GameState_GAME_STATE_ACTIVE},
		{"finished", gamev1.GameState_GAME_STATE_FINISHED},
		{"aborted", gamev1.GameState_GAME_STATE_ABORTED},
	}
	kinds = []word[rulesv1.GameKind]{
		{"reversi", rulesv1.GameKind_GAME_KIND_REVERSI},
		{"trios", rulesv1.GameKind_GAME_KIND_THREE_TRIOS},
	}
	sides = []word[rulesv1.Side]{
		{"first", rulesv1.Side_SIDE_FIRST},
		{"second", rulesv1.Side_SIDE_SECOND},
		{"black", rulesv1.Side_SIDE_FIRST},
		{"white", rulesv1.Side_SIDE_SECOND},
		{"red", rulesv1.Side_SIDE_FIRST},
		{"blue", rulesv1.Side_SIDE_SECOND},
	}
	pictures = []word[gamev1.Format]{
		{"text", gamev1.Format_FORMAT_TEXT},
		{"svg", gamev1.Format_FORMAT_SVG},
	}
	themes = []word[gamev1.Theme]{
		{"light", gamev1.Theme_THEME_LIGHT},
		{"dark", gamev1.Theme_THEME_DARK},
	}
	cardRules = []word[rulesv1.Rule]{
		{"default", rulesv1.Rule_RULE_DEFAULT},
		{"reverse", rulesv1.Rule_RULE_REVERSE},
		{"fallen-ace", rulesv1.Rule_RULE_FALLEN_ACE},
		{"same", rulesv1.Rule_RULE_SAME},
		{"plus", rulesv1.Rule_RULE_PLUS},
	}
	endings = []word[gamev1.Ending]{
		{"on score", gamev1.Ending_ENDING_SCORE},
		{"by resignation", gamev1.Ending_ENDING_RESIGNATION},
		{"on time", gamev1.Ending_ENDING_TIME},
		{"by abandonment", gamev1.Ending_ENDING_ABANDONMENT},
		{"by agreement", gamev1.Ending_ENDING_AGREEMENT},
	}
)

// meaning returns the value of a word.
func meaning[T comparable](words []word[T], name string) (T, bool) {
	for _, each := range words {
		if each.name == name {
			return each.value, true
		}
	}
	var none T
	return none, false
}

// nameOf returns the first word for a value, "" where there is none.
func nameOf[T comparable](words []word[T], value T) string {
	for _, each := range words {
		if each.value == value {
			return each.name
		}
	}
	return ""
}

func names[T comparable](words []word[T]) []string {
	var all []string
	for _, each := range words {
		all = append(all, each.name)
	}
	return all
}

// choice is a flag whose values are words.
type choice[T comparable] struct {
	target *T
	words  []word[T]
}

func newChoice[T comparable](target *T, words []word[T]) *choice[T] {
	return &choice[T]{target: target, words: words}
}

func (c *choice[T]) Set(name string) error {
	value, ok := meaning(c.words, strings.ToLower(name))
	if !ok {
		return fmt.Errorf("use %s", oneOf(names(c.words)))
	}
	*c.target = value
	return nil
}

func (c *choice[T]) String() string { return nameOf(c.words, *c.target) }

// Type is what help shows for a value.
func (c *choice[T]) Type() string { return strings.Join(names(c.words), "|") }

// positive is a flag or argument for a number that has to be said in full: the API takes 0 for "not said".
type positive int32

func (n *positive) Set(text string) error {
	value, err := strconv.ParseInt(text, 10, 32)
	if err != nil || value < 1 {
		return fmt.Errorf("use a whole number from 1")
	}
	*n = positive(value)
	return nil
}

func (n *positive) String() string {
	if *n == 0 {
		return ""
	}
	return strconv.Itoa(int(*n))
}

// Type is what help shows for a value.
func (n *positive) Type() string { return "n" }

// oneOf joins words to "a, b or c".
func oneOf(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
