package render

import (
	"strings"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// Enum names the values of a type, as the user types and reads them. A value may have several
// names.
type Enum[T comparable] []EnumValue[T]

// EnumValue is a value with its name.
type EnumValue[T comparable] struct {
	Name  string
	Value T
}

// Value returns the value with a name.
func (e Enum[T]) Value(name string) (T, bool) {
	for _, each := range e {
		if each.Name == name {
			return each.Value, true
		}
	}
	var none T
	return none, false
}

// Name returns the first name of a value, "" if it has none.
func (e Enum[T]) Name(value T) string {
	for _, each := range e {
		if each.Value == value {
			return each.Name
		}
	}
	return ""
}

// Names lists all names.
func (e Enum[T]) Names() []string {
	names := make([]string, 0, len(e))
	for _, each := range e {
		names = append(names, each.Name)
	}
	return names
}

// Or joins names to "a, b or c".
func Or(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// The names of the API's values.
var (
	PassRules = Enum[rulesv1.PassRule]{
		{"voluntary", rulesv1.PassRule_PASS_RULE_VOLUNTARY},
		{"forced", rulesv1.PassRule_PASS_RULE_FORCED},
	}
	Visibilities = Enum[gamev1.Visibility]{
		{"public", gamev1.Visibility_VISIBILITY_PUBLIC},
		{"link", gamev1.Visibility_VISIBILITY_LINK},
		{"private", gamev1.Visibility_VISIBILITY_PRIVATE},
	}
	GameStates = Enum[gamev1.GameState]{
		{"waiting", gamev1.GameState_GAME_STATE_WAITING},
		{"active", gamev1.GameState_GAME_STATE_ACTIVE},
		{"finished", gamev1.GameState_GAME_STATE_FINISHED},
		{"aborted", gamev1.GameState_GAME_STATE_ABORTED},
	}
	GameKinds = Enum[rulesv1.GameKind]{
		{"reversi", Reversi},
		{"trios", Trios},
	}
	Sides = Enum[rulesv1.Side]{
		{"first", rulesv1.Side_SIDE_FIRST},
		{"second", rulesv1.Side_SIDE_SECOND},
		{"black", rulesv1.Side_SIDE_FIRST},
		{"white", rulesv1.Side_SIDE_SECOND},
		{"red", rulesv1.Side_SIDE_FIRST},
		{"blue", rulesv1.Side_SIDE_SECOND},
	}
	BoardFormats = Enum[gamev1.Format]{
		{"text", gamev1.Format_FORMAT_TEXT},
		{"svg", gamev1.Format_FORMAT_SVG},
		{"png", gamev1.Format_FORMAT_PNG},
	}
	Themes = Enum[gamev1.Theme]{
		{"light", gamev1.Theme_THEME_LIGHT},
		{"dark", gamev1.Theme_THEME_DARK},
	}
	CardRules = Enum[rulesv1.Rule]{
		{"default", rulesv1.Rule_RULE_DEFAULT},
		{"reverse", rulesv1.Rule_RULE_REVERSE},
		{"fallen-ace", rulesv1.Rule_RULE_FALLEN_ACE},
		{"same", rulesv1.Rule_RULE_SAME},
		{"plus", rulesv1.Rule_RULE_PLUS},
	}
	Endings = Enum[gamev1.Ending]{
		{"on score", gamev1.Ending_ENDING_SCORE},
		{"by resignation", gamev1.Ending_ENDING_RESIGNATION},
		{"on time", gamev1.Ending_ENDING_TIME},
		{"by abandonment", gamev1.Ending_ENDING_ABANDONMENT},
		{"by agreement", gamev1.Ending_ENDING_AGREEMENT},
	}
)

// Short names for the kinds of games. AnyGame stands for all of them.
const (
	AnyGame = rulesv1.GameKind_GAME_KIND_UNSPECIFIED
	Reversi = rulesv1.GameKind_GAME_KIND_REVERSI
	Trios   = rulesv1.GameKind_GAME_KIND_THREE_TRIOS
)
