package reversi

import (
	"bytes"
	"errors"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// Start is how the discs of a square board lie at the start.
type Start string

// The starts of squares: White on the falling diagonal, as usual, or Black.
const (
	Standard Start = "standard"
	Mirrored Start = "mirrored"
)

// Setup says which game of Reversi to play. The zero value of every field means that nothing is said,
// and Resolve fills in its default. Its JSON is stored with games, so the names of fields and values stay.
type Setup struct {
	Shape Shape `json:"shape,omitempty"`
	// Size is the rings of a hexagon, 1 to 12 and 5 by default, or the side of a square, even from 4 to 16
	// and 8 by default.
	Size int `json:"size,omitempty"`
	// Start is for squares only, and empty in a resolved setup that starts from a notation.
	Start    Start    `json:"start,omitempty"`
	PassRule PassRule `json:"passRule,omitempty"`
	// MinFlips is from 1 to MaxMinFlips, 1 by default.
	MinFlips        int   `json:"minFlips,omitempty"`
	EmptiesToWinner *bool `json:"emptiesToWinner,omitempty"`
	// AutoPass has the game service pass for a side that cannot place; the rules do not look at it.
	AutoPass bool `json:"autoPass,omitempty"`
	// StartFrom is the notation of the position to start from.
	StartFrom string `json:"startFrom,omitempty"`
}

// Resolve returns the setup with every default filled in, and the position it starts from. What is
// out of range, or disagrees with StartFrom, is a *fault.Error that names the field. To resolve a resolved
// setup changes nothing.
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
	return s, newPosition(board, options, board.startDiscs(s.Start)).hand(rules.First), nil
}

// withDefaults fills in what was not said. A game of Reversi with no board named is the hexagonal one.
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

// sizes is the range of sizes of a shape and the request field that holds one.
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

// checkSize refuses a shape there is not and a size the shape does not come in.
func checkSize(shape Shape, size int) error {
	if shape != Hexagon && shape != Square {
		return fault.New(fault.InvalidField, "a board is a hexagon or a square, not %.20q", string(shape)).At("shape")
	}
	in := sizesOf(shape)
	if size < in.least || size > in.most {
		return fault.New(fault.InvalidField, "%s is from %d to %d, not %d", in.name, in.least, in.most, size).
			With("min", in.least).With("max", in.most).With("value", size).At(in.field)
	}
	if shape == Square && size%2 != 0 {
		return fault.New(fault.InvalidField, "the side of a square is even, not %d", size).With("value", size).At(in.field)
	}
	return nil
}

func (s Setup) checkStartAndOptions() error {
	switch {
	case s.Start != "" && s.Shape == Hexagon:
		return fault.New(fault.InvalidField, "a hexagon has one start only").At("square.start")
	case s.Shape == Square && s.Start != Standard && s.Start != Mirrored:
		return fault.New(fault.InvalidField, "a start is standard or mirrored, not %.20q", string(s.Start)).At("square.start")
	case s.PassRule != Voluntary && s.PassRule != Forced:
		return fault.New(fault.InvalidField, "a pass rule is voluntary or forced, not %.20q", string(s.PassRule)).At("passRule")
	case s.MinFlips < 1 || s.MinFlips > MaxMinFlips:
		return fault.New(fault.InvalidField, "minFlips is from 1 to %d, not %d", MaxMinFlips, s.MinFlips).
			With("min", 1).With("max", MaxMinFlips).With("value", s.MinFlips).At("minFlips")
	}
	return nil
}

// resolveNotation takes everything from the notation and checks that what else is said agrees.
func (s Setup) resolveNotation() (Setup, *Position, error) {
	p, err := Parse(s.StartFrom)
	if err != nil {
		if refusal, ok := errors.AsType[*fault.Error](err); ok {
			err = refusal.At("startFrom")
		}
		return Setup{}, nil, err
	}
	if err := s.disagreement(p); err != nil {
		return Setup{}, nil, err
	}
	return Setup{
		Shape: p.board.shape, Size: p.board.size, PassRule: p.options.PassRule, MinFlips: p.options.MinFlips,
		EmptiesToWinner: new(p.options.EmptiesToWinner), AutoPass: s.AutoPass, StartFrom: p.Notation(),
	}, p, nil
}

// disagreement names the first field that says something else than the position to start from.
func (s Setup) disagreement(p *Position) error {
	refuse := func(field string, said, is any) error {
		return fault.New(fault.InvalidField, "startFrom is a game where this is %v, not %v", is, said).
			With("value", said).With("startFrom", is).At(field)
	}
	switch {
	case s.Shape != "" && s.Shape != p.board.shape:
		return refuse(string(s.Shape), s.Shape, p.board.shape)
	case s.Size != 0 && s.Size != p.board.size:
		return refuse(sizesOf(p.board.shape).field, s.Size, p.board.size)
	case s.Start != "" && !p.startsAs(s.Start):
		return refuse("square.start", s.Start, "another position")
	case s.PassRule != "" && s.PassRule != p.options.PassRule:
		return refuse("passRule", s.PassRule, p.options.PassRule)
	case s.MinFlips != 0 && s.MinFlips != p.options.MinFlips:
		return refuse("minFlips", s.MinFlips, p.options.MinFlips)
	case s.EmptiesToWinner != nil && *s.EmptiesToWinner != p.options.EmptiesToWinner:
		return refuse("emptiesToWinner", *s.EmptiesToWinner, p.options.EmptiesToWinner)
	}
	return nil
}

func (p *Position) startsAs(start Start) bool {
	if p.board.shape != Square || start != Standard && start != Mirrored {
		return false
	}
	return p.discs[:len(p.board.cells)] == string(p.board.startDiscs(start))
}

// startDiscs lays the discs a game starts with. On a hexagon they alternate round the empty centre; on a
// square four lie in the middle.
func (b *Board) startDiscs(start Start) []byte {
	discs := bytes.Repeat([]byte{empty}, len(b.cells))
	lay := func(letter byte, cells ...rules.Cell) {
		for _, c := range cells {
			discs[b.index(c)] = letter
		}
	}
	if b.shape == Hexagon {
		lay(black, rules.HexCell(0, -1), rules.HexCell(1, 0), rules.HexCell(-1, 1))
		lay(white, rules.HexCell(1, -1), rules.HexCell(0, 1), rules.HexCell(-1, 0))
		return discs
	}
	falling, rising := byte(white), byte(black)
	if start == Mirrored {
		falling, rising = rising, falling
	}
	right := b.size / 2
	left := right - 1
	lay(falling, rules.SquareCell(left, left), rules.SquareCell(right, right))
	lay(rising, rules.SquareCell(left, right), rules.SquareCell(right, left))
	return discs
}
