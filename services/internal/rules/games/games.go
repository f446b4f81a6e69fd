// Package games is the registry of games. A new game needs a case in each of its functions.
package games

import (
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// Setup describes a game to start. Exactly one field is set. Games are stored with its JSON.
type Setup struct {
	Reversi    *reversi.Setup    `json:"reversi,omitempty"`
	ThreeTrios *threetrios.Setup `json:"threeTrios,omitempty"`
}

// Kind returns the game, or "" if no field is set.
func (s Setup) Kind() rules.Kind {
	switch {
	case s.Reversi != nil:
		return rules.Reversi
	case s.ThreeTrios != nil:
		return rules.ThreeTrios
	}
	return ""
}

// AutoPass reports whether the server passes for a side that has no placement.
func (s Setup) AutoPass() bool { return s.Reversi != nil && s.Reversi.AutoPass }

// Resolve returns the setup with every default filled in, and the position at the start. An invalid
// setup is a *fault.Error that names the field.
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
	return s, nil, fault.Invalid("a setup needs a game: set reversi or threeTrios")
}

// StartingAt returns a setup of the same game that starts from a position. It keeps AutoPass; the
// notation of the position contains the other options.
func (s Setup) StartingAt(p rules.Position) Setup {
	if s.Reversi != nil {
		return Setup{Reversi: &reversi.Setup{AutoPass: s.Reversi.AutoPass, StartFrom: p.Notation()}}
	}
	return Setup{ThreeTrios: &threetrios.Setup{StartFrom: p.Notation()}}
}

// Parse reads the notation of a position of any game. A malformed notation is a *fault.Error with
// the reason INVALID_NOTATION.
func Parse(notation string) (rules.Position, error) {
	switch rules.KindOf(notation) {
	case rules.Reversi:
		return position(reversi.Parse(notation))
	case rules.ThreeTrios:
		return position(threetrios.Parse(notation))
	}
	return nil, fault.New(fault.InvalidNotation, "a notation starts with reversi/ or threetrios/").
		With("problem", "game")
}

// position returns a nil interface on an error, instead of an interface that holds a nil pointer.
func position[P rules.Position](p P, err error) (rules.Position, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}
