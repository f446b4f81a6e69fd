package render

import (
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

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

// enumOf returns the enum of a type of the API. A name is that of the value without its prefix, in
// lower case, with hyphens.
func enumOf[T interface {
	~int32
	protoreflect.Enum
}]() Enum[T] {
	var e Enum[T]
	values := T(0).Descriptor().Values()
	prefix := strings.TrimSuffix(string(values.Get(0).Name()), "UNSPECIFIED")
	for i := 1; i < values.Len(); i++ {
		name := strings.TrimPrefix(string(values.Get(i).Name()), prefix)
		name = strings.ToLower(strings.ReplaceAll(name, "_", "-"))
		e = append(e, EnumValue[T]{name, T(values.Get(i).Number())})
	}
	return e
}

// The names of the API's values.
var (
	PassRules    = enumOf[rulesv1.PassRule]()
	Visibilities = enumOf[gamev1.Visibility]()
	GameStates   = enumOf[gamev1.GameState]()
	BoardFormats = enumOf[gamev1.Format]()
	Themes       = enumOf[gamev1.Theme]()
	CardRules    = enumOf[rulesv1.Rule]()
	OfferKinds   = enumOf[gamev1.OfferKind]()
	GameKinds    = Enum[rulesv1.GameKind]{{"reversi", Reversi}, {"trios", Trios}}
	Sides        = Enum[rulesv1.Side]{
		{"first", rulesv1.Side_SIDE_FIRST},
		{"second", rulesv1.Side_SIDE_SECOND},
		{"black", rulesv1.Side_SIDE_FIRST},
		{"white", rulesv1.Side_SIDE_SECOND},
		{"red", rulesv1.Side_SIDE_FIRST},
		{"blue", rulesv1.Side_SIDE_SECOND},
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
