package cli

import (
	"context"
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

const lineHelp = `A line is a move (d3 on squares, 1,-2 on hexagons, card@row,column with cards) or one of
  pass    p   give the turn away
  resign  r   give the game up
  hints   h   show how much each move of the side to move would flip, or stop showing it
          q   the same for the first side
          w   the same for the second side
  board       show the board again
  help    ?   show this`

// act does what a line says.
func (s *session) act(ctx context.Context, line string) error {
	switch strings.ToLower(line) {
	case "":
		return nil
	case "pass", "p":
		return s.change(ctx, line, s.play("pass"))
	case "resign", "r":
		return s.change(ctx, line, s.resign)
	case "hints", "h":
		return s.toggle(ctx, s.mover())
	case "q":
		return s.toggle(ctx, rulesv1.Side_SIDE_FIRST)
	case "w":
		return s.toggle(ctx, rulesv1.Side_SIDE_SECOND)
	case "board":
		return s.board(ctx)
	case "help", "?":
		s.p.note("%s", lineHelp)
		return nil
	default:
		return s.change(ctx, line, s.play(line))
	}
}

// changing is a call that changes the game.
type changing func(context.Context) (*gamev1.Game, error)

// change makes a call that changes the game. A refusal is told to the user, who may say something else.
func (s *session) change(ctx context.Context, line string, call changing) error {
	game, err := call(ctx)
	if err == nil {
		s.game = game
		return nil
	}
	refusal, ok := asStatus(err)
	if !ok {
		return err
	}
	switch refusal.Code() {
	case codes.ResourceExhausted:
		s.p.note("%s: %s", line, explain(err))
		return nil
	case codes.InvalidArgument, codes.FailedPrecondition, codes.PermissionDenied, codes.Aborted:
		s.p.note("%s: %s", line, explain(err))
		return s.refresh(ctx) // the game may have moved on, even without him, which the user is to see before the next line is read
	default:
		return err
	}
}

// play plays a move, provided that the game is as the user saw it.
func (s *session) play(notation string) changing {
	request := &gamev1.PlayMoveRequest{
		GameId: s.game.GetId(), Notation: notation, ExpectedVersion: s.seen, RequestId: (&requestFlag{}).requestID(),
	}
	return func(ctx context.Context) (*gamev1.Game, error) {
		played, err := s.games.PlayMove(ctx, request)
		return played.GetGame(), err
	}
}

func (s *session) resign(ctx context.Context) (*gamev1.Game, error) {
	resigned, err := s.games.Resign(ctx, &gamev1.ResignRequest{
		GameId: s.game.GetId(), Side: s.mover(), RequestId: (&requestFlag{}).requestID(),
	})
	return resigned.GetGame(), err
}

func (s *session) board(ctx context.Context) error {
	picture, err := boardOf(ctx, s.games, s.game.GetId(), s.seen)
	if err == nil && s.p.flags.output == textFormat {
		fmt.Fprint(s.p.Out, picture, "\n")
	}
	return err
}

// toggle turns hints for a side on or off. They are shown now and whenever that side is to move.
func (s *session) toggle(ctx context.Context, side rulesv1.Side) error {
	s.hints[side] = !s.hints[side]
	if !s.hints[side] {
		s.p.note("No more hints for %s.", s.side(side))
		return nil
	}
	return s.showHints(ctx, side)
}

func (s *session) showHints(ctx context.Context, side rulesv1.Side) error {
	if !s.hints[side] || s.p.flags.output != textFormat {
		return nil
	}
	f := legalFlags{side: side}
	legal, err := f.all(ctx, s.games, s.game.GetId())
	if err == nil {
		fmt.Fprintf(s.p.Out, "Hints for %s, with how many each would flip:\n", s.side(side))
		table(s.p.Out, hintRows(legal.GetMoves())...)
		fmt.Fprintln(s.p.Out)
	}
	return err
}

// hintRows lists moves with what they flip: those of each card in a line of its own, and all others in one.
func hintRows(moves []*rulesv1.LegalMove) []string {
	var order []string
	cells := map[string][]string{}
	for _, move := range moves {
		card := move.GetMove().GetPlayCard().GetCard()
		if cells[card] == nil {
			order = append(order, card)
		}
		if move.GetMove().GetPassTurn() != nil {
			cells[card] = append(cells[card], "pass")
			continue
		}
		cell := strings.TrimPrefix(move.GetNotation(), card+"@")
		cells[card] = append(cells[card], fmt.Sprintf("%s (%d)", cell, move.GetFlipCount()))
	}
	var rows []string
	for _, card := range order {
		rows = append(rows, row("  "+card, strings.Join(cells[card], "  ")))
	}
	return rows
}
