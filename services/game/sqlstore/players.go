package sqlstore

import (
	"context"
	"errors"

	"github.com/flipside-games/flipside/services/game"
)

// CreatePlayer implements [game.Store].
func (s *Store) CreatePlayer(ctx context.Context, p game.Player, keyHash []byte) error {
	changed, err := s.write(ctx, insertPlayer, p.ID, p.Name, nanoseconds(p.Created), keyHash)
	if err == nil && changed == 0 {
		return game.ErrConflict
	}
	return err
}

// Player implements [game.Store].
func (s *Store) Player(ctx context.Context, id string) (game.Player, error) {
	p, _, err := s.player(ctx, id)
	return p, err
}

// KeyHash implements [game.Store].
func (s *Store) KeyHash(ctx context.Context, id string) ([]byte, error) {
	_, hash, err := s.player(ctx, id)
	if err == nil && hash == nil {
		return nil, game.ErrNotFound
	}
	return hash, err
}

func (s *Store) player(ctx context.Context, id string) (game.Player, []byte, error) {
	p := game.Player{ID: id}
	var created int64
	var hash []byte
	row := []any{&p.Name, &created, &p.Service, &hash}
	if err := s.queryRow(ctx, row, selectPlayer, id); err != nil {
		return game.Player{}, nil, err
	}
	p.Created = timeOf(created)
	return p, hash, nil
}

// SetKeyHash implements [game.Store].
func (s *Store) SetKeyHash(ctx context.Context, id string, keyHash []byte) error {
	changed, err := s.write(ctx, updateKeyHash, keyHash, id)
	if err == nil && changed == 0 {
		return game.ErrNotFound
	}
	return err
}

// ExternalPlayer implements [game.Store]. Only the first call for an external id writes.
func (s *Store) ExternalPlayer(
	ctx context.Context, service, externalID string, p game.Player,
) (game.Player, error) {
	found, err := s.externalPlayer(ctx, service, externalID)
	if !errors.Is(err, game.ErrNotFound) {
		return found, err
	}
	created, err := s.writer.do(ctx, &job{statements: []statement{
		{insertExternalPlayer, []any{service, externalID, p.ID}},
		{insertPlayerOfService, []any{p.ID, p.Name, nanoseconds(p.Created), service, externalID}},
	}})
	if err != nil {
		return game.Player{}, err
	}
	if created > 0 {
		p.Service = service
		return p, nil
	}
	found, err = s.externalPlayer(ctx, service, externalID) // A concurrent call created the player.
	if errors.Is(err, game.ErrNotFound) {
		return game.Player{}, game.ErrConflict // The id of p is taken.
	}
	return found, err
}

func (s *Store) externalPlayer(
	ctx context.Context, service, externalID string,
) (p game.Player, err error) {
	var created int64
	row := []any{&p.ID, &p.Name, &created, &p.Service}
	err = s.queryRow(ctx, row, selectExternalPlayer, service, externalID)
	p.Created = timeOf(created)
	return p, err
}
