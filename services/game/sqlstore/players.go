package sqlstore

import (
	"context"
	"errors"

	"github.com/flipside-games/flipside/services/game"
)

// CreatePlayer implements game.Store. It returns game.ErrConflict for an id that is taken.
func (s *Store) CreatePlayer(ctx context.Context, p game.Player, keyHash []byte) error {
	return s.writer.do(ctx, &job{write: func(b *batch) error { return b.createPlayer(p, keyHash) }})
}

func (b *batch) createPlayer(p game.Player, keyHash []byte) error {
	n, err := b.exec(insertPlayer, p.ID, p.Name, nanoseconds(p.Created), keyHash)
	if err == nil && n == 0 {
		return game.ErrConflict
	}
	return err
}

// Player implements game.Store.
func (s *Store) Player(ctx context.Context, id string) (game.Player, error) {
	p, _, err := s.player(ctx, id)
	return p, err
}

// KeyHash implements game.Store.
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
	err := s.read(ctx, func(c *conn) error {
		return c.row([]any{&p.Name, &created, &hash}, selectPlayer, id)
	})
	if err != nil {
		return game.Player{}, nil, err
	}
	p.Created = timeOf(created)
	return p, hash, nil
}

// SetKeyHash implements game.Store.
func (s *Store) SetKeyHash(ctx context.Context, id string, keyHash []byte) error {
	return s.writer.do(ctx, &job{write: func(b *batch) error {
		n, err := b.exec(updateKeyHash, keyHash, id)
		if err == nil && n == 0 {
			return game.ErrNotFound
		}
		return err
	}})
}

// ExternalPlayer implements game.Store. Only the first call for an external id writes.
func (s *Store) ExternalPlayer(
	ctx context.Context, service, externalID string, p game.Player,
) (game.Player, error) {
	var known game.Player
	err := s.read(ctx, func(c *conn) (err error) {
		known, err = c.externalPlayer(service, externalID)
		return err
	})
	if !errors.Is(err, game.ErrNotFound) {
		return known, err
	}
	err = s.writer.do(ctx, &job{write: func(b *batch) error {
		found, err := b.externalPlayer(service, externalID)
		if !errors.Is(err, game.ErrNotFound) {
			known = found
			return err
		}
		known = p
		return b.createExternalPlayer(service, externalID, p)
	}})
	if err != nil {
		return game.Player{}, err
	}
	return known, nil
}

func (c *conn) externalPlayer(service, externalID string) (p game.Player, err error) {
	var created int64
	err = c.row([]any{&p.ID, &p.Name, &created}, selectExternalPlayer, service, externalID)
	p.Created = timeOf(created)
	return p, err
}

func (b *batch) createExternalPlayer(service, externalID string, p game.Player) error {
	if err := b.createPlayer(p, nil); err != nil {
		return err
	}
	_, err := b.exec(insertExternalPlayer, service, externalID, p.ID)
	return err
}
