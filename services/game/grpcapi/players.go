package grpcapi

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/game"
)

// CreatePlayer implements gamev1.PlayerServiceServer.
func (s *Server) CreatePlayer(ctx context.Context, req *gamev1.CreatePlayerRequest) (*gamev1.CreatePlayerResponse, error) {
	p, key, err := s.service.CreatePlayer(ctx, req.GetDisplayName())
	if err != nil {
		return nil, err
	}
	return &gamev1.CreatePlayerResponse{Player: playerMessage(p), Key: key}, nil
}

// GetMe implements gamev1.PlayerServiceServer.
func (s *Server) GetMe(ctx context.Context, _ *gamev1.GetMeRequest) (*gamev1.GetMeResponse, error) {
	who, err := player(ctx)
	if err != nil {
		return nil, err
	}
	return &gamev1.GetMeResponse{Player: playerMessage(who.Player)}, nil
}

// RotateKey implements gamev1.PlayerServiceServer.
func (s *Server) RotateKey(ctx context.Context, _ *gamev1.RotateKeyRequest) (*gamev1.RotateKeyResponse, error) {
	who, err := player(ctx)
	if err != nil {
		return nil, err
	}
	key, err := s.service.RotateKey(ctx, who)
	if err != nil {
		return nil, err
	}
	return &gamev1.RotateKeyResponse{Player: playerMessage(who.Player), Key: key}, nil
}

func playerMessage(p game.Player) *gamev1.Player {
	return &gamev1.Player{Id: p.ID, DisplayName: p.Name, CreateTime: timestamppb.New(p.Created)}
}
