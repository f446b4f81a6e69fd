package grpcapi

import (
	"context"
	"strconv"

	"github.com/oklog/ulid/v2"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/wire"
)

// ListGames implements gamev1.GameServiceServer. A page token is the id of the last game on the
// page before.
func (s *Server) ListGames(
	ctx context.Context, req *gamev1.ListGamesRequest,
) (*gamev1.ListGamesResponse, error) {
	by := caller(ctx)
	page, err := wire.ReadPage(req, 0)
	if err != nil {
		return nil, err
	}
	filter := game.Filter{
		Kind:   wire.ReadKind(req.GetKind()),
		Player: req.GetPlayerId(),
		Before: page.Last,
	}
	if req.GetState() != gamev1.GameState_GAME_STATE_UNSPECIFIED {
		filter.States = []game.State{states.FromWire[req.GetState()]}
	}
	if filter.Player == "me" {
		if _, err := player(ctx); err != nil {
			return nil, err
		}
		filter.Player = by.Player.ID
	}
	if _, err := ulid.ParseStrict(page.Last); page.Last != "" && err != nil {
		return nil, wire.InvalidPageToken()
	}
	content := wire.Content[*gamev1.Game]{Limit: page.Limit()}
	read := func(n int) ([]game.Game, error) {
		filter.Limit = n
		found, err := s.service.Games(ctx, by, filter)
		if len(found) > 0 {
			filter.Before = found[len(found)-1].ID
		}
		return found, err
	}
	convert := func(g game.Game) (*gamev1.Game, error) { return s.game(g), nil }
	more, err := fill(&content, read, convert)
	if err != nil {
		return nil, err
	}
	resp := &gamev1.ListGamesResponse{Games: content.Items}
	if more {
		resp.NextPageToken = page.Token(content.Last().GetId())
	}
	return resp, nil
}

// ListEvents implements gamev1.GameServiceServer. A page token is the version of the last event on
// the page before.
func (s *Server) ListEvents(
	ctx context.Context, req *gamev1.ListEventsRequest,
) (*gamev1.ListEventsResponse, error) {
	page, err := wire.ReadPage(req, 0)
	if err != nil {
		return nil, err
	}
	after, err := page.Number(int(req.GetAfterVersion()))
	if err != nil {
		return nil, err
	}
	content := wire.Content[*gamev1.Event]{Limit: page.Limit()}
	wait := req.GetWait().AsDuration()
	read := func(n int) ([]*game.Event, error) {
		events, err := s.service.Events(ctx, caller(ctx), req.GetGameId(), after, n, wait)
		if len(events) > 0 {
			after, wait = events[len(events)-1].Version, 0
		}
		return events, err
	}
	more, err := fill(&content, read, s.event)
	if err != nil {
		return nil, err
	}
	resp := &gamev1.ListEventsResponse{Events: content.Items}
	if more {
		resp.NextPageToken = page.Token(strconv.Itoa(int(content.Last().GetVersion())))
	}
	return resp, nil
}

// fill reads and converts items until the page is full, and reports whether items are left. read
// returns the next items, at most n, and fewer only if no more are left.
func fill[T any, M proto.Message](
	page *wire.Content[M], read func(n int) ([]T, error), convert func(T) (M, error),
) (more bool, err error) {
	for {
		n := page.Chunk()
		items, err := read(n)
		if err != nil {
			return false, err
		}
		for _, item := range items {
			m, err := convert(item)
			if err != nil {
				return false, err
			}
			if !page.Add(m) {
				return true, nil
			}
		}
		if len(items) < n {
			return false, nil
		}
	}
}
