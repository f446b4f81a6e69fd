package adapters

import (
	"context"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/flipside-games/flipside/clients/records"
)

const (
	// remembered is the number of positions whose moves are known.
	remembered = 4096
	// maxGap is the number of discs that may be missing between a known position and a later one.
	maxGap = 3
	// maxCalls is the number of positions to look at for the moves to one.
	maxCalls = 64
)

// history knows the moves from the start of a game to the positions of the last requests, so that
// it finds the moves to the next ones. Several goroutines may use it.
type history struct {
	rules

	known *lru.Cache[string, []string] // the moves by notation
}

func newHistory(r rules) (*history, error) {
	known, err := lru.New[string, []string](remembered)
	return &history{r, known}, err
}

// add stores the moves to a position.
func (h *history) add(notation string, moves []string) { h.known.Add(notation, moves) }

// moves returns the moves to a position, nil if they are not known. It continues known positions by
// up to maxGap discs.
func (h *history) moves(ctx context.Context, target *position) ([]string, error) {
	start := records.StandardSquare(target.Side)
	start.Options = target.Options
	h.known.ContainsOrAdd(start.Notation(), []string{})
	if moves, ok := h.known.Get(target.notation); ok {
		return moves, nil
	}
	s := &pathSearch{rules: h.rules, target: target, calls: maxCalls}
	for _, notation := range slices.Backward(h.known.Keys()) { // the newest first
		known, ok := records.ParseSquare(notation)
		from := square{known}
		if !ok || !s.reaches(from) || !slices.Equal(from.Options, target.Options) {
			continue
		}
		moves, ok := h.known.Peek(notation)
		if !ok {
			continue
		}
		rest, err := s.from(ctx, notation, "")
		if err != nil {
			return nil, err
		}
		if rest != nil {
			all := slices.Concat(moves, rest)
			h.add(target.notation, all)
			return all, nil
		}
	}
	return nil, nil
}

// pathSearch looks for moves to a position.
type pathSearch struct {
	rules

	target *position
	calls  int // that are left
}

// reaches reports whether a few moves may lead from a position to the target: they only add discs.
func (s *pathSearch) reaches(from square) bool {
	gap := s.target.discs() - from.discs()
	if from.Side != s.target.Side || gap < 0 || gap > maxGap {
		return false
	}
	for i := range from.Cells {
		if from.Cells[i] != empty && s.target.Cells[i] == empty {
			return false
		}
	}
	return gap > 0 || from.Cells == s.target.Cells
}

// from returns the moves from a position to the target, starting with a move that has been chosen,
// "" for none. It returns nil if there are none.
func (s *pathSearch) from(ctx context.Context, notation, move string) ([]string, error) {
	if s.calls == 0 {
		return nil, nil
	}
	s.calls--
	here, err := s.after(ctx, notation, move)
	if err != nil {
		return nil, err
	}
	done := []string{}
	if move != "" {
		done = append(done, move)
	}
	if here.notation == s.target.notation {
		return done, nil
	}
	if !s.reaches(here.square) {
		return nil, nil
	}
	for _, next := range here.legal {
		if !s.fills(here.square, next) {
			continue
		}
		rest, err := s.from(ctx, here.notation, next)
		if err != nil || rest != nil {
			return append(done, rest...), err
		}
	}
	return nil, nil
}

// fills reports whether a move is a pass or takes a cell that the target has a disc on.
func (s *pathSearch) fills(here square, move string) bool {
	if move == passNotation {
		return true
	}
	i, ok := here.index(move)
	return ok && s.target.Cells[i] != empty
}
