package reversi_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// drawStart draws a game on a board up to the given sizes, under either pass rule.
func drawStart(t *rapid.T, shape reversi.Shape, largest int) *reversi.Position {
	size := rapid.IntRange(1, largest).Draw(t, "rings")
	if shape == reversi.Square {
		size = 2 * rapid.IntRange(2, largest/2).Draw(t, "half of the side")
	}
	rule := rapid.SampledFrom([]reversi.PassRule{reversi.Voluntary, reversi.Forced}).Draw(t, "pass rule")
	_, p, err := reversi.Setup{Shape: shape, Size: size, PassRule: rule}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// drawMove draws a legal move: a placement if there is one, because two voluntary passes end a
// game.
func drawMove(t *rapid.T, p *reversi.Position) rules.Move {
	if at := p.Placements(); len(at) > 0 {
		return rules.Place(at[rapid.IntRange(0, len(at)-1).Draw(t, "placement")].Cell)
	}
	return rules.Pass
}

func play(t *rapid.T, p *reversi.Position, m rules.Move) (*reversi.Position, []rules.Flip) {
	next, flips, err := p.Play(m)
	if err != nil {
		t.Fatalf("%s in %s: %v", p.MoveNotation(m), p.Notation(), err)
	}
	return next.(*reversi.Position), flips
}

// checkMove checks one move of a game and the positions before and after it.
type checkMove func(before *reversi.Position, m rules.Move, flips []rules.Flip, after *reversi.Position)

// eachMove draws a whole game and checks every move.
func eachMove(t *rapid.T, p *reversi.Position, check checkMove) {
	for p.Turn() != rules.NoSide {
		m := drawMove(t, p)
		next, flips := play(t, p, m)
		check(p, m, flips, next)
		p = next
	}
}

func TestHexagonCellsWithEvenCoordinatesStayEmpty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawStart(t, reversi.Hexagon, 6)
		eachMove(t, p, func(_ *reversi.Position, m rules.Move, _ []rules.Flip, _ *reversi.Position) {
			if q, r := m.Cell.Axial(); m != rules.Pass && q%2 == 0 && r%2 == 0 {
				t.Fatalf("%d,%d received a disc", q, r)
			}
		})
	})
}

func TestHexagonsOfEvenRingsKeepEmptyCorners(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawStart(t, reversi.Hexagon, 6)
		if p.Board().Size()%2 != 0 {
			return
		}
		corners := p.Board().Corners()
		eachMove(t, p, func(_ *reversi.Position, m rules.Move, _ []rules.Flip, _ *reversi.Position) {
			if m != rules.Pass && slices.Contains(corners, m.Cell) {
				t.Fatalf("the corner %s received a disc", p.CellNotation(m.Cell))
			}
		})
	})
}

func TestCornersNeverFlip(t *testing.T) {
	for _, shape := range []reversi.Shape{reversi.Hexagon, reversi.Square} {
		t.Run(string(shape), rapid.MakeCheck(func(t *rapid.T) {
			p := drawStart(t, shape, 5)
			corners := p.Board().Corners()
			eachMove(t, p, func(_ *reversi.Position, _ rules.Move, flips []rules.Flip, _ *reversi.Position) {
				for _, f := range flips {
					if slices.Contains(corners, f.Cell) {
						t.Fatalf("the corner %s flipped", p.CellNotation(f.Cell))
					}
				}
			})
		}))
	}
}

// Play updates the score without counting, so it must equal a count of the discs.
func TestScoreCountsTheDiscs(t *testing.T) {
	for _, shape := range []reversi.Shape{reversi.Hexagon, reversi.Square} {
		t.Run(string(shape), rapid.MakeCheck(func(t *rapid.T) {
			p := drawStart(t, shape, 6)
			eachMove(t, p, func(_ *reversi.Position, _ rules.Move, _ []rules.Flip, after *reversi.Position) {
				var counted rules.Score
				for _, c := range after.Board().Cells() {
					switch after.At(c) {
					case rules.First:
						counted.First++
					case rules.Second:
						counted.Second++
					}
				}
				if counted != after.Score() {
					t.Fatalf("the score of %s is %v", after.Notation(), after.Score())
				}
			})
		}))
	}
}

// A placement flips the discs that Play returns and no others, and all were the opponent's.
func TestOnlyFlipsChangeDiscs(t *testing.T) {
	for _, shape := range []reversi.Shape{reversi.Hexagon, reversi.Square} {
		t.Run(string(shape), rapid.MakeCheck(func(t *rapid.T) {
			p := drawStart(t, shape, 6)
			eachMove(t, p, func(before *reversi.Position, m rules.Move, flips []rules.Flip, after *reversi.Position) {
				flipped := cellsOf(flips)
				for _, c := range before.Board().Cells() {
					want := before.At(c)
					if slices.Contains(flipped, c) {
						want = want.Other()
					}
					if m == rules.Place(c) {
						want = before.Turn()
					}
					if after.At(c) != want || slices.Contains(flipped, c) && want != before.Turn() {
						t.Fatalf("%s in %s leads to %s", before.MoveNotation(m), before.Notation(), after.Notation())
					}
				}
			})
		}))
	}
}

func cellsOf(flips []rules.Flip) []rules.Cell {
	var cells []rules.Cell
	for _, f := range flips {
		cells = append(cells, f.Cell)
	}
	return cells
}

// symmetry maps a board onto itself. It swaps the sides if it maps the usual start to the start
// with swapped colours.
type symmetry struct {
	name  string
	swaps bool
	cell  func(rules.Cell) rules.Cell
}

// symmetries returns the rotations of a board, each also combined with a reflection that keeps the
// colours of the start.
func symmetries(b *reversi.Board) []symmetry {
	turns, turn, reflect := 4, turnSquare(b.Size()), reflectSquare
	if b.Shape() == reversi.Hexagon {
		turns, turn, reflect = 6, turnHexagon, reflectHexagon
	}
	var all []symmetry
	for k := range turns {
		turned := func(c rules.Cell) rules.Cell {
			for range k {
				c = turn(c)
			}
			return c
		}
		name := fmt.Sprintf("rotation %d/%d", k, turns)
		all = append(all,
			symmetry{name, k%2 == 1, turned},
			symmetry{name + " after a reflection", k%2 == 1, func(c rules.Cell) rules.Cell { return turned(reflect(c)) }})
	}
	return all
}

func turnHexagon(c rules.Cell) rules.Cell {
	q, r := c.Axial()
	return rules.HexCell(-r, q+r)
}

func reflectHexagon(c rules.Cell) rules.Cell {
	q, r := c.Axial()
	return rules.HexCell(-r, -q)
}

func turnSquare(side int) func(rules.Cell) rules.Cell {
	return func(c rules.Cell) rules.Cell {
		row, column := c.RowColumn()
		return rules.SquareCell(column, side-1-row)
	}
}

func reflectSquare(c rules.Cell) rules.Cell {
	row, column := c.RowColumn()
	return rules.SquareCell(column, row)
}

// image returns the image of the start: the same discs, and the other side to move if the symmetry
// swaps the sides.
func (s symmetry) image(start *reversi.Position) *reversi.Position {
	if s.swaps {
		return start.WithTurn(start.Turn().Other()).(*reversi.Position)
	}
	return start
}

func (s symmetry) move(m rules.Move) rules.Move {
	if m.Kind == rules.PlaceDisc {
		m.Cell = s.cell(m.Cell)
	}
	return m
}

func (s symmetry) side(side rules.Side) rules.Side {
	if s.swaps {
		return side.Other()
	}
	return side
}

// wantImage checks that image is the image of p in its discs, side to move, legal moves and flips.
func (s symmetry) wantImage(t *rapid.T, p, image *reversi.Position) {
	for _, c := range p.Board().Cells() {
		if image.At(s.cell(c)) != s.side(p.At(c)) {
			t.Fatalf("%s: %s is not the image of %s", s.name, image.Notation(), p.Notation())
		}
	}
	legal, imageLegal := p.Legal(), image.Legal()
	if image.Turn() != s.side(p.Turn()) || len(imageLegal) != len(legal) {
		t.Fatalf("%s: the legal moves of %s differ from those of %s", s.name, image.Notation(), p.Notation())
	}
	for _, m := range legal {
		if !slices.Contains(imageLegal, s.move(m)) || len(image.Flips(s.move(m))) != len(p.Flips(m)) {
			t.Fatalf("%s: the move %s of %s has no image in %s",
				s.name, p.MoveNotation(m), p.Notation(), image.Notation())
		}
	}
}

func TestSymmetriesMapLegalMovesAndFlips(t *testing.T) {
	for _, shape := range []reversi.Shape{reversi.Hexagon, reversi.Square} {
		t.Run(string(shape), rapid.MakeCheck(func(t *rapid.T) {
			p := drawStart(t, shape, 5)
			s := rapid.SampledFrom(symmetries(p.Board())).Draw(t, "symmetry")
			image := s.image(p)
			s.wantImage(t, p, image)
			eachMove(t, p, func(_ *reversi.Position, m rules.Move, _ []rules.Flip, after *reversi.Position) {
				image, _ = play(t, image, s.move(m))
				s.wantImage(t, after, image)
			})
		}))
	}
}

func TestSymmetriesMapValues(t *testing.T) {
	for _, setup := range []reversi.Setup{
		{Size: 2, PassRule: reversi.Forced},
		{Size: 2, PassRule: reversi.Voluntary},
		{Shape: reversi.Square, Size: 4},
	} {
		first := start(t, setup)
		solved := minimax{}
		t.Run(first.Notation(), func(t *testing.T) {
			for _, s := range symmetries(first.Board()) {
				for _, m := range first.Legal() {
					p := after(t, first, first.MoveNotation(m))
					image := after(t, s.image(first), first.MoveNotation(s.move(m)))
					want := solved.value(t, p)
					if s.swaps {
						want = -want
					}
					if got := solved.value(t, image); got != want {
						t.Errorf("%s: the value after %s is %d, want %d", s.name, first.MoveNotation(m), got, want)
					}
				}
			}
		})
	}
}

// Every game that starts from a notation can be played to its end.
func TestGamesFromAnyNotationEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := [4]string{}
		for i := range rows {
			rows[i] = rapid.StringOfN(rapid.RuneFrom([]rune("XO_")), 4, 4, -1).Draw(t, "row")
		}
		for _, turn := range []string{"X 0", "O 0", "X 1", "O 1", "- 0"} {
			p, err := reversi.Parse(fmt.Sprintf("reversi/square:4 %s/%s/%s/%s %s", rows[0], rows[1], rows[2], rows[3], turn))
			if err != nil {
				continue
			}
			if (p.Turn() == rules.NoSide) != (len(p.Legal()) == 0) {
				t.Fatalf("%s has %d legal moves", p.Notation(), len(p.Legal()))
			}
			eachMove(t, p, func(*reversi.Position, rules.Move, []rules.Flip, *reversi.Position) {})
		}
	})
}
