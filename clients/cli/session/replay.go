package session

import (
	"context"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/records"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// Replayed is a record with the position after each of its moves.
type Replayed struct {
	Start *rulesv1.Position
	Steps []Step
}

// Step is a move of a replayed game.
type Step struct {
	Side          rulesv1.Side
	Notation      string
	Before, After *rulesv1.Position
}

// Last returns the position after the last move.
func (r *Replayed) Last() *rulesv1.Position {
	if len(r.Steps) == 0 {
		return r.Start
	}
	return r.Steps[len(r.Steps)-1].After
}

// Replay plays the moves of a record with the rules of the Strategy service, without a stored game.
// It inserts the passes that many formats leave out, and sets the side of each move. An illegal move
// is a *[records.Error].
func Replay(
	ctx context.Context, strategies strategyv1.StrategyServiceClient, r *records.Record,
) (*Replayed, error) {
	p := &replay{strategies: strategies}
	if err := p.play(ctx, &rulesv1.Position{Notation: r.Start}, ""); err != nil {
		return nil, rejected(err, r.Errorf, "the start")
	}
	p.Start = p.position
	moves := make([]records.Move, 0, len(r.Moves))
	for i, move := range r.Moves {
		if records.IsPass(move.Notation) {
			move.Notation = passNotation
		} else if p.mustPass {
			pass := records.Move{Notation: passNotation, Side: records.Turn(p.position.GetNotation())}
			if err := p.step(ctx, pass.Notation); err != nil {
				return nil, err
			}
			moves = append(moves, pass)
		}
		turn := records.Turn(p.position.GetNotation())
		if move.Side != rulesv1.Side_SIDE_UNSPECIFIED && move.Side != turn {
			return nil, r.MoveErrorf(i, "%s moves, but it is the turn of %s",
				render.Sides.Name(move.Side), render.Sides.Name(turn))
		}
		if err := p.step(ctx, move.Notation); err != nil {
			return nil, rejected(err, func(format string, args ...any) *records.Error {
				return r.MoveErrorf(i, format, args...)
			}, move.Notation)
		}
		move.Side = turn
		moves = append(moves, move)
	}
	r.Moves = moves
	return &p.Replayed, nil
}

const passNotation = "pass"

// replay is a replay in progress.
type replay struct {
	Replayed
	strategies strategyv1.StrategyServiceClient
	position   *rulesv1.Position
	mustPass   bool // the only legal move is a pass
}

// step plays a move in the current position.
func (p *replay) step(ctx context.Context, notation string) error {
	before := p.position
	if err := p.play(ctx, before, notation); err != nil {
		return err
	}
	side := records.Turn(before.GetNotation())
	p.Steps = append(p.Steps, Step{Side: side, Notation: notation, Before: before, After: p.position})
	return nil
}

// play asks the server for the position after a move, "" for the position itself.
func (p *replay) play(
	ctx context.Context, position *rulesv1.Position, notation string,
) error {
	moves, err := p.strategies.ListPositionMoves(ctx, &strategyv1.ListPositionMovesRequest{
		Position: position, AfterMove: notation, PageSize: 1,
	})
	if err != nil {
		return err
	}
	p.position = moves.GetPosition()
	p.mustPass = len(moves.GetMoves()) == 1 && moves.GetMoves()[0].GetMove().GetPassTurn() != nil
	return nil
}

// rejected returns the error in the file for a position or a move that the server rejects, and any
// other error as it is.
func rejected(
	err error, at func(format string, args ...any) *records.Error, what string,
) error {
	switch status.Code(err) {
	case codes.InvalidArgument, codes.FailedPrecondition:
		return at("%s is not legal: %s", what, render.Describe(err))
	default:
		return err
	}
}
