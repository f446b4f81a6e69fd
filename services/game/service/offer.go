package service

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// Offer is an offer of the caller.
type Offer struct {
	// Side can be NoSide if the caller has one seat.
	Side rules.Side
	Kind game.OfferKind
	// AcceptDraw decides whether a robot accepts a draw, from the analysis of its last move; nil if
	// it has none.
	AcceptDraw func(analysis json.RawMessage) bool
}

// Offer makes an offer for the caller, or accepts the opponent's.
func (s *Service) Offer(ctx context.Context, call Call, id string, o Offer) (Result, error) {
	rematchID := game.Beside(s.newID(), id)
	offer := func(g game.Game, by game.Player, now time.Time) (game.Decision, error) {
		c, err := s.offerCommand(ctx, g, by, o)
		if err != nil {
			return game.Decision{}, err
		}
		c.RematchID = rematchID
		return g.Offer(c, now)
	}
	result, err := s.Change(ctx, call, id, offer)
	if err != nil || result.Game.Rematch == "" {
		return result, err
	}
	if err := s.createRematch(ctx, id, result.Game.Rematch); err != nil {
		return Result{}, s.storeError(err)
	}
	return result, nil
}

// offerCommand returns the command of an offer, with the parts that depend on the log of the game.
func (s *Service) offerCommand(
	ctx context.Context, g game.Game, by game.Player, o Offer,
) (game.OfferCommand, error) {
	c := game.OfferCommand{Player: by.ID, Side: o.Side, Kind: o.Kind}
	side, err := g.TakebackSide(by.ID, o.Side)
	if err != nil || o.Kind == game.OfferRematch || g.State != game.StateActive {
		return c, err
	}
	if o.Kind == game.OfferDraw {
		analysis, err := s.lastAnalysis(ctx, g)
		c.RobotAgrees = o.AcceptDraw(analysis)
		return c, err
	}
	c.LastTurn, err = g.LastTurn(side, s.games.findLast(ctx, g.ID))
	return c, s.storeError(err)
}

// lastAnalysis returns the analysis of the last robot's move, nil if none of the last moves has
// one.
func (s *Service) lastAnalysis(ctx context.Context, g game.Game) (json.RawMessage, error) {
	const moves = 4 // A move of the player and automatic passes can follow the robot's.
	for version, i := g.Version, 0; i < moves; i++ {
		last, err := s.games.LastEvent(ctx, g.ID, version, game.KindMovePlayed)
		if errors.Is(err, game.ErrNotFound) {
			return nil, nil
		}
		if err != nil {
			return nil, s.storeError(err)
		}
		if last.MovePlayed.Analysis != nil {
			return last.MovePlayed.Analysis, nil
		}
		version = last.Version - 1
	}
	return nil, nil
}

// createRematch creates the rematch of a game unless it exists. The id of the rematch is in the log
// of the game, so that there is only one. If a process dies before it has created the rematch, the
// next reader of the game creates it.
func (s *Service) createRematch(ctx context.Context, id, rematch string) error {
	if _, err := s.games.CachedGame(ctx, rematch); !errors.Is(err, game.ErrNotFound) {
		return err
	}
	g, err := s.games.Game(ctx, id)
	if err != nil {
		return err
	}
	d, err := game.Create(g.Rematch, game.RematchOf(g), s.now())
	if err != nil {
		return err
	}
	if err := s.commits.Commit(ctx, d.Change()); !errors.Is(err, game.ErrConflict) {
		return err
	}
	return nil
}
