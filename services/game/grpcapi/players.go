package grpcapi

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/game"
)

// CreatePlayer implements gamev1.PlayerServiceServer.
func (s *Server) CreatePlayer(
	ctx context.Context, req *gamev1.CreatePlayerRequest,
) (*gamev1.CreatePlayerResponse, error) {
	p, key, err := s.service.CreatePlayer(ctx, req.GetDisplayName(), s.proxies.ClientAddress(ctx))
	return &gamev1.CreatePlayerResponse{Player: playerMessage(p), Key: key}, err
}

// GetMe implements gamev1.PlayerServiceServer.
func (s *Server) GetMe(ctx context.Context, _ *gamev1.GetMeRequest) (*gamev1.GetMeResponse, error) {
	c, err := player(ctx)
	return &gamev1.GetMeResponse{Player: playerMessage(c.Player)}, err
}

// RotateKey implements gamev1.PlayerServiceServer.
func (s *Server) RotateKey(
	ctx context.Context, _ *gamev1.RotateKeyRequest,
) (*gamev1.RotateKeyResponse, error) {
	c, err := player(ctx)
	if err != nil {
		return nil, err
	}
	key, err := s.service.RotateKey(ctx, c)
	return &gamev1.RotateKeyResponse{Player: playerMessage(c.Player), Key: key}, err
}

func playerMessage(p game.Player) *gamev1.Player {
	return &gamev1.Player{Id: p.ID, DisplayName: p.Name, CreateTime: timestamppb.New(p.Created)}
}
