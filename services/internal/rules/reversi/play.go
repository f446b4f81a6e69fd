package reversi

import (
	"fmt"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// Play returns the position after a move, and the flips in reading order. An illegal move returns a
// *fault.Error. It names no field, because only the caller knows the field that held the move. Its
// reason is the first that applies of INVALID_FIELD, GAME_OVER, OFF_BOARD, CELL_TAKEN,
// FLIPS_NOTHING and MUST_PLACE. Play does not check which player sends the move.
func (p *Position) Play(m rules.Move) (rules.Position, []rules.Flip, error) {
	var room [maxFlips]int16
	flipped, err := p.checkMove(m, room[:0])
	if err != nil {
		return nil, nil, err
	}
	if m.Kind == rules.PassTurn {
		return p.pass(), nil, nil
	}
	return p.place(p.board.index(m.Cell), flipped), p.board.flips(flipped), nil
}

// Flips returns the flips of a move in reading order. A pass and an illegal move have none. The
// caller owns the slice.
func (p *Position) Flips(m rules.Move) []rules.Flip {
	var room [maxFlips]int16
	flipped, err := p.checkMove(m, room[:0])
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

func (p *Position) pass() *Position {
	next := *p
	next.passes++
	return next.setTurn(p.turn.Other())
}

// place returns the position with a disc of the side to move on a cell and the given discs flipped.
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
	return next.setTurn(p.turn.Other())
}

// checkMove returns the discs that a legal move flips, appended to room. It returns an error if the
// move is illegal.
func (p *Position) checkMove(m rules.Move, room []int16) ([]int16, error) {
	switch {
	case m.Kind != rules.PlaceDisc && m.Kind != rules.PassTurn:
		return nil, fault.Invalid("a move in Reversi places a disc or passes").With("game", rules.Reversi)
	case m.Kind == rules.PlaceDisc && !p.board.sameShape(m.Cell):
		return nil, fault.Invalid("a cell of this board is %s", p.board.coordinates()).
			With("shape", p.board.shape)
	case p.turn == rules.NoSide:
		return nil, fault.New(fault.GameOver, "the game is over")
	case m.Kind == rules.PassTurn:
		return nil, p.checkPass()
	}
	return p.checkPlacement(m.Cell, room)
}

func (p *Position) checkPass() error {
	placements := p.CountPlacements()
	if p.mayPass(placements) {
		return nil
	}
	return fault.New(fault.MustPlace, "%s must place a disc: a pass is legal only without a placement",
		rules.Reversi.SideName(p.turn)).With("placements", placements)
}

func (p *Position) checkPlacement(c rules.Cell, room []int16) ([]int16, error) {
	at := p.board.index(c)
	if at == int(p.board.outside) {
		return nil, illegal(fault.OffBoard, c, "is off the board")
	}
	if p.discs[at] != empty {
		return nil, illegal(fault.CellTaken, c, "already has a disc")
	}
	flipped := p.board.outflanked(p.discs, at, letterOf(p.turn), room)
	if len(flipped) < p.options.MinFlips {
		return nil, p.flipsTooFew(c, len(flipped))
	}
	return flipped, nil
}

func illegal(reason fault.Reason, c rules.Cell, problem string) *fault.Error {
	return fault.New(reason, "%s %s", cellNotation(c), problem).With("cell", cellNotation(c))
}

func (p *Position) flipsTooFew(c rules.Cell, flips int) error {
	problem := "flips nothing"
	if flips > 0 {
		problem = fmt.Sprintf("flips only %d: a placement must flip at least %d", flips,
			p.options.MinFlips)
	}
	return illegal(fault.FlipsNothing, c, problem).With("flips", flips).
		With("minFlips", p.options.MinFlips)
}
