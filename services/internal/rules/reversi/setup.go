package reversi

import (
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// Setup describes a game of Reversi to start. The zero value of a field means its default, which
// Resolve fills in. Games are stored with the JSON of their setup, so names and values must not
// change.
type Setup struct {
	// Shape is Hexagon by default.
	Shape Shape `json:"shape,omitempty"`
	// Size is the rings of a hexagon, 1 to 12, by default 5; or the side of a square, even, 4 to
	// 16, by default 8.
	Size int `json:"size,omitempty"`
	// Start applies to squares only and is Standard by default. It is empty in a resolved setup
	// with StartFrom.
	Start Start `json:"start,omitempty"`
	// PassRule is Voluntary on hexagons and Forced on squares by default.
	PassRule PassRule `json:"passRule,omitempty"`
	// MinFlips is 1 to MaxMinFlips, by default 1.
	MinFlips int `json:"minFlips,omitempty"`
	// EmptiesToWinner is false by default.
	EmptiesToWinner *bool `json:"emptiesToWinner,omitempty"`
	// AutoPass makes the game service pass for a side that has no placement. The rules ignore it.
	AutoPass bool `json:"autoPass,omitempty"`
	// StartFrom is the notation of the position to start from, instead of the usual start. The
	// other fields must agree with it or be left out.
	StartFrom string `json:"startFrom,omitempty"`
}

// Resolve returns the setup with every default filled in, and the position at the start. A field
// that is out of range or contradicts StartFrom is a *fault.Error that names the field. A resolved
// setup resolves to itself.
func (s Setup) Resolve() (Setup, *Position, error) {
	if s.StartFrom != "" {
		return s.resolveNotation()
	}
	s = s.withDefaults()
	board, err := NewBoard(s.Shape, s.Size)
	if err != nil {
		return Setup{}, nil, err
	}
	if err := s.checkStartAndOptions(); err != nil {
		return Setup{}, nil, err
	}
	options := Options{PassRule: s.PassRule, MinFlips: s.MinFlips, EmptiesToWinner: *s.EmptiesToWinner}
	return s, newPosition(board, options, board.startDiscs(s.Start)).setTurn(rules.First), nil
}

func (s Setup) withDefaults() Setup {
	if s.Shape == "" {
		s.Shape = Hexagon
	}
	defaults := defaultOptions(s.Shape)
	if s.Size == 0 {
		s.Size = sizesOf(s.Shape).standard
	}
	if s.Start == "" && s.Shape == Square {
		s.Start = Standard
	}
	if s.PassRule == "" {
		s.PassRule = defaults.PassRule
	}
	if s.MinFlips == 0 {
		s.MinFlips = defaults.MinFlips
	}
	if s.EmptiesToWinner == nil {
		s.EmptiesToWinner = &defaults.EmptiesToWinner
	}
	return s
}

// sizes is the range of sizes of a shape, and the request field for the size.
type sizes struct {
	field, name           string
	least, standard, most int
}

func sizesOf(shape Shape) sizes {
	if shape == Hexagon {
		return sizes{"hexagon.rings", "rings", MinRings, DefaultRings, MaxRings}
	}
	return sizes{"square.side", "side", MinSide, DefaultSide, MaxSide}
}

// checkSize rejects an unknown shape and a size that the shape does not allow.
func checkSize(shape Shape, size int) error {
	if shape != Hexagon && shape != Square {
		return unknown("shape", string(shape), "hexagon or square").At("shape")
	}
	in := sizesOf(shape)
	if size < in.least || size > in.most {
		return fault.Invalid("%s must be %d to %d, not %d", in.name, in.least, in.most, size).
			With("min", in.least).With("max", in.most).With("value", size).At(in.field)
	}
	if shape == Square && size%2 != 0 {
		return fault.Invalid("side must be even, not %d", size).With("value", size).At(in.field)
	}
	return nil
}

func (s Setup) checkStartAndOptions() error {
	switch {
	case s.Start != "" && s.Shape == Hexagon:
		return fault.Invalid("start applies to square boards only: leave it out").At("square.start")
	case s.Shape == Square && s.Start != Standard && s.Start != Mirrored:
		return unknown("start", string(s.Start), "standard or mirrored").At("square.start")
	case s.PassRule != Voluntary && s.PassRule != Forced:
		return unknown("pass rule", string(s.PassRule), "voluntary or forced").At("passRule")
	case s.MinFlips < 1 || s.MinFlips > MaxMinFlips:
		return fault.Invalid("minFlips must be 1 to %d, not %d", MaxMinFlips, s.MinFlips).
			With("min", 1).With("max", MaxMinFlips).With("value", s.MinFlips).At("minFlips")
	}
	return nil
}

func unknown(name, value, allowed string) *fault.Error {
	return fault.Invalid("unknown %s %.20q: use %s", name, value, allowed)
}

// resolveNotation takes the setup from StartFrom and checks that the other fields agree.
func (s Setup) resolveNotation() (Setup, *Position, error) {
	p, err := Parse(s.StartFrom)
	if err != nil {
		return Setup{}, nil, fault.At(err, "startFrom")
	}
	if err := s.checkAgainst(p); err != nil {
		return Setup{}, nil, err
	}
	return Setup{
		Shape: p.board.shape, Size: p.board.size, PassRule: p.options.PassRule,
		MinFlips:        p.options.MinFlips,
		EmptiesToWinner: new(p.options.EmptiesToWinner), AutoPass: s.AutoPass, StartFrom: p.Notation(),
	}, p, nil
}

// checkAgainst returns an error for the first field that contradicts the position of StartFrom.
func (s Setup) checkAgainst(p *Position) error {
	contradiction := func(field string, value, inPosition any) error {
		return fault.Invalid("this field has %v, but startFrom has %v: leave the field out",
			value, inPosition).With("value", value).With("startFrom", inPosition).At(field)
	}
	switch {
	case s.Shape != "" && s.Shape != p.board.shape:
		return contradiction(string(s.Shape), s.Shape, p.board.shape)
	case s.Size != 0 && s.Size != p.board.size:
		return contradiction(sizesOf(p.board.shape).field, s.Size, p.board.size)
	case s.Start != "" && !p.startsAs(s.Start):
		return contradiction("square.start", s.Start, "another position")
	case s.PassRule != "" && s.PassRule != p.options.PassRule:
		return contradiction("passRule", s.PassRule, p.options.PassRule)
	case s.MinFlips != 0 && s.MinFlips != p.options.MinFlips:
		return contradiction("minFlips", s.MinFlips, p.options.MinFlips)
	case s.EmptiesToWinner != nil && *s.EmptiesToWinner != p.options.EmptiesToWinner:
		return contradiction("emptiesToWinner", *s.EmptiesToWinner, p.options.EmptiesToWinner)
	}
	return nil
}
