package reversi

import (
	"fmt"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// PassRule says when a player may pass and when the game ends.
type PassRule string

// The pass rules. Under Voluntary a pass is always legal and two in a row, and nothing else, end the game.
// Under Forced a pass is legal only for a side that cannot place, and the game ends as soon as
// neither side can.
const (
	Voluntary PassRule = "voluntary"
	Forced    PassRule = "forced"
)

// Options are the rules in which games of Reversi differ.
type Options struct {
	PassRule PassRule
	// MinFlips is how many discs a placement must flip at least, from 1 to MaxMinFlips.
	MinFlips int
	// EmptiesToWinner adds the empty cells to the final score of the winner; a draw shares them.
	EmptiesToWinner bool
}

// MaxMinFlips is the largest MinFlips: no placement on any board flips more.
const MaxMinFlips = maxFlips

// defaultOptions returns the options of a game on the shape when nothing is said.
func defaultOptions(shape Shape) Options {
	if shape == Hexagon {
		return Options{PassRule: Voluntary, MinFlips: 1}
	}
	return Options{PassRule: Forced, MinFlips: 1}
}

// Position is one state of a game of Reversi. First is Black, Second is White. It is immutable and may be
// used from many goroutines.
type Position struct {
	board   *Board
	options Options
	discs   string
	turn    rules.Side
	passes  int
	score   rules.Score
}

var _ rules.Position = (*Position)(nil)

// Placement is a cell where the side to move may place, and how many discs that flips.
type Placement struct {
	Cell  rules.Cell
	Flips int
}

// newPosition returns a position with nobody to move yet.
func newPosition(b *Board, o Options, discs []byte) *Position {
	p := &Position{board: b, options: o, discs: string(discs) + string(rune(outside))}
	for _, letter := range discs {
		switch letter {
		case black:
			p.score.First++
		case white:
			p.score.Second++
		}
	}
	return p
}

// hand returns the position with the turn given to side, or to nobody if the game is over.
func (p *Position) hand(side rules.Side) *Position {
	if p.turn = side; p.over() {
		p.turn = rules.NoSide
	}
	return p
}

// over is the end of the game: two passes in a row where passing is voluntary, and no placement for
// either side where it is forced.
func (p *Position) over() bool {
	if p.options.PassRule == Voluntary {
		return p.passes == 2
	}
	return !p.canPlace(p.turn) && !p.canPlace(p.turn.Other())
}

func (p *Position) canPlace(side rules.Side) bool {
	var counts flipCounts
	return p.board.mobility(p.discs, letterOf(side), p.options.MinFlips, 1, &counts) > 0
}

// Kind returns rules.Reversi.
func (p *Position) Kind() rules.Kind { return rules.Reversi }

// Turn returns the side to move, NoSide once the game is over.
func (p *Position) Turn() rules.Side { return p.turn }

// Board returns the board played on.
func (p *Position) Board() *Board { return p.board }

// Contains implements rules.Position.
func (p *Position) Contains(c rules.Cell) bool { return p.board.Contains(c) }

// PassRule returns the pass rule in force.
func (p *Position) PassRule() PassRule { return p.options.PassRule }

// MinFlips returns how many discs a placement must flip at least.
func (p *Position) MinFlips() int { return p.options.MinFlips }

// EmptiesToWinner reports whether the winner is given the empty cells.
func (p *Position) EmptiesToWinner() bool { return p.options.EmptiesToWinner }

// Passes returns how many passes in a row led here: 0 to 2.
func (p *Position) Passes() int { return p.passes }

// At returns whose disc lies on a cell; NoSide for an empty cell or one off the board.
func (p *Position) At(c rules.Cell) rules.Side {
	if !p.board.fits(c) {
		return rules.NoSide
	}
	return sideOf(p.discs[p.board.index(c)])
}

// Rows returns the rows of the board from the top, each a string of X, O and _.
func (p *Position) Rows() []string {
	rows := make([]string, len(p.board.rows))
	for i, line := range p.board.rows {
		rows[i] = p.discs[line.start : line.start+line.length]
	}
	return rows
}

// Score returns the discs of each side.
func (p *Position) Score() rules.Score { return p.score }

// FinalScore returns Score, with the empty cells given to the leader or shared in a draw if the options say so.
// An odd cell out in a draw is nobody's.
func (p *Position) FinalScore() rules.Score {
	s := p.score
	if !p.options.EmptiesToWinner {
		return s
	}
	empties := len(p.board.cells) - s.First - s.Second
	switch s.Leader() {
	case rules.First:
		s.First += empties
	case rules.Second:
		s.Second += empties
	default:
		s.First += empties / 2
		s.Second += empties / 2
	}
	return s
}

// CountPlacements returns how many cells the side to move may place on.
func (p *Position) CountPlacements() int {
	if p.turn == rules.NoSide {
		return 0
	}
	var counts flipCounts
	return p.board.mobility(p.discs, letterOf(p.turn), p.options.MinFlips, maxCells, &counts)
}

// CountLegal returns how many legal moves there are, without listing them.
func (p *Position) CountLegal() int {
	n := p.CountPlacements()
	if p.mayPass(n) {
		n++
	}
	return n
}

// mayPass is the rule on passing for a side that can place on so many cells.
func (p *Position) mayPass(placements int) bool {
	return p.turn != rules.NoSide && (p.options.PassRule == Voluntary || placements == 0)
}

// Placements returns where the side to move may place, in reading order, with the discs each flips.
// The caller owns the slice.
func (p *Position) Placements() []Placement {
	if p.turn == rules.NoSide {
		return nil
	}
	var counts flipCounts
	n := p.board.mobility(p.discs, letterOf(p.turn), p.options.MinFlips, maxCells, &counts)
	placements := make([]Placement, 0, n)
	for i, c := range p.board.cells {
		if flips := int(counts[i]); flips >= p.options.MinFlips {
			placements = append(placements, Placement{Cell: c, Flips: flips})
		}
	}
	return placements
}

// Legal returns every legal move in reading order, pass last.
func (p *Position) Legal() []rules.Move {
	placements := p.Placements()
	moves := make([]rules.Move, 0, len(placements)+1)
	for _, at := range placements {
		moves = append(moves, rules.Place(at.Cell))
	}
	if p.mayPass(len(placements)) {
		moves = append(moves, rules.Pass)
	}
	return moves
}

// Flips returns what a move would flip, in reading order; nothing for a pass or a move that is not legal.
// The caller owns the slice.
func (p *Position) Flips(m rules.Move) []rules.Flip {
	var room [maxFlips]int16
	flipped, err := p.judge(m, room[:0])
	if err != nil {
		return nil
	}
	return p.board.flips(flipped)
}

func (b *Board) flips(cells []int16) []rules.Flip {
	if len(cells) == 0 {
		return nil
	}
	flips := make([]rules.Flip, len(cells))
	for i, at := range cells {
		flips[i].Cell = b.cells[at]
	}
	return flips
}

// Play returns the position after a move, and what flipped in reading order. A move that is not legal is a
// *fault.Error that names no field, since only the caller knows where the move came from. Its reason is the
// first that holds of INVALID_FIELD, GAME_OVER, OFF_BOARD, CELL_TAKEN, FLIPS_NOTHING and MUST_PLACE; whose turn it
// is, is for the caller to check.
func (p *Position) Play(m rules.Move) (rules.Position, []rules.Flip, error) {
	var room [maxFlips]int16
	flipped, err := p.judge(m, room[:0])
	if err != nil {
		return nil, nil, err
	}
	if m.Kind == rules.PassTurn {
		return p.pass(), nil, nil
	}
	return p.place(p.board.index(m.Cell), flipped), p.board.flips(flipped), nil
}

func (p *Position) pass() *Position {
	next := *p
	next.passes++
	return next.hand(p.turn.Other())
}

// place puts a disc on a cell and turns those it outflanks.
func (p *Position) place(cell int, flipped []int16) *Position {
	var room [maxCells + 1]byte
	own, discs := letterOf(p.turn), append(room[:0], p.discs...)
	discs[cell] = own
	for _, at := range flipped {
		discs[at] = own
	}
	next := *p
	next.discs = string(discs)
	next.passes = 0
	mine, theirs := &next.score.First, &next.score.Second
	if p.turn == rules.Second {
		mine, theirs = theirs, mine
	}
	*mine += 1 + len(flipped)
	*theirs -= len(flipped)
	return next.hand(p.turn.Other())
}

// judge returns the cells that a legal move flips, appended to room, or why the move is not legal.
func (p *Position) judge(m rules.Move, room []int16) ([]int16, error) {
	switch {
	case m.Kind != rules.PlaceDisc && m.Kind != rules.PassTurn:
		return nil, fault.New(fault.InvalidField, "a move in Reversi places a disc or passes").With("game", rules.Reversi)
	case m.Kind == rules.PlaceDisc && !p.board.fits(m.Cell):
		return nil, fault.New(fault.InvalidField, "a cell of this board is %s", p.board.coordinates()).
			With("shape", p.board.shape)
	case p.turn == rules.NoSide:
		return nil, fault.New(fault.GameOver, "the game is over")
	case m.Kind == rules.PassTurn:
		return nil, p.judgePass()
	}
	return p.judgePlacement(m.Cell, room)
}

func (p *Position) judgePass() error {
	if placements := p.CountPlacements(); !p.mayPass(placements) {
		return fault.New(fault.MustPlace, "%s can place a disc and so may not pass", rules.Reversi.SideName(p.turn)).
			With("placements", placements)
	}
	return nil
}

func (p *Position) judgePlacement(c rules.Cell, room []int16) ([]int16, error) {
	at := p.board.index(c)
	if at == int(p.board.outside) {
		return nil, refuse(fault.OffBoard, c, "is off the board")
	}
	if p.discs[at] != empty {
		return nil, refuse(fault.CellTaken, c, "holds a disc already")
	}
	flipped := p.board.outflanked(p.discs, at, letterOf(p.turn), room)
	if len(flipped) < p.options.MinFlips {
		return nil, p.flipsTooFew(c, len(flipped))
	}
	return flipped, nil
}

func refuse(reason fault.Reason, c rules.Cell, why string) *fault.Error {
	return fault.New(reason, "%s %s", cellNotation(c), why).With("cell", cellNotation(c))
}

func (p *Position) flipsTooFew(c rules.Cell, flips int) error {
	why := "flips nothing"
	if flips > 0 {
		why = fmt.Sprintf("flips only %d of the %d discs that a placement must flip", flips, p.options.MinFlips)
	}
	return refuse(fault.FlipsNothing, c, why).With("flips", flips).With("minFlips", p.options.MinFlips)
}

// WithTurn returns the same position with side to move, as if the passes so far had not been made, so that a
// pass to be considered does not end the game. For the side already to move it is the position itself,
// and so it is once the game is over.
func (p *Position) WithTurn(side rules.Side) rules.Position {
	if side == p.turn || side == rules.NoSide || p.turn == rules.NoSide {
		return p
	}
	next := *p
	next.turn, next.passes = side, 0
	return &next
}
