// Package games is the table of the games there are: the one place to add another.
package games

import (
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// Setup says which game is played and how it starts. Exactly one of its fields is set.
type Setup struct {
	Reversi    *reversi.Setup    `json:"reversi,omitempty"`
	ThreeTrios *threetrios.Setup `json:"threeTrios,omitempty"`
}

// Kind returns the game that is set up, "" for none.
func (s Setup) Kind() rules.Kind {
	switch {
	case s.Reversi != nil:
		return rules.Reversi
	case s.ThreeTrios != nil:
		return rules.ThreeTrios
	}
	return ""
}

// AutoPass reports whether a side that cannot place passes by itself.
func (s Setup) AutoPass() bool { return s.Reversi != nil && s.Reversi.AutoPass }

// Resolve returns the setup with every default filled in, and the position it starts from. A setup that
// contradicts itself is a *fault.Error that names the field.
func (s Setup) Resolve() (Setup, rules.Position, error) {
	switch s.Kind() {
	case rules.Reversi:
		resolved, start, err := s.Reversi.Resolve()
		if err != nil {
			return s, nil, fault.At(err, "reversi")
		}
		return Setup{Reversi: &resolved}, start, nil
	case rules.ThreeTrios:
		resolved, start, err := s.ThreeTrios.Resolve()
		if err != nil {
			return s, nil, fault.At(err, "threeTrios")
		}
		return Setup{ThreeTrios: &resolved}, start, nil
	}
	return s, nil, fault.New(fault.InvalidField, "no game is named: set reversi or threeTrios")
}

// StartingAt returns the setup that starts from a position and otherwise follows s.
func (s Setup) StartingAt(p rules.Position) Setup {
	if s.Reversi != nil {
		return Setup{Reversi: &reversi.Setup{AutoPass: s.Reversi.AutoPass, StartFrom: p.Notation()}}
	}
	return Setup{ThreeTrios: &threetrios.Setup{StartFrom: p.Notation()}}
}

// Parse reads the notation of any game. What does not read is a *fault.Error.
func Parse(notation string) (rules.Position, error) {
	switch rules.KindOf(notation) {
	case rules.Reversi:
		return position(reversi.Parse(notation))
	case rules.ThreeTrios:
		return position(threetrios.Parse(notation))
	}
	return nil, fault.New(fault.InvalidNotation, "a notation starts with reversi/ or threetrios/").With("problem", "game")
}

// position keeps a nil of a game's own type from becoming a position that is not nil.
func position[P rules.Position](p P, err error) (rules.Position, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}
