package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/flipside-games/flipside/services/game"
)

// statements runs statements on a database or on one connection to it and prepares each only once. Its errors are those
// of game.Store.
type statements struct {
	on interface {
		PrepareContext(ctx context.Context, text string) (*sql.Stmt, error)
	}
	prepared sync.Map // from text to *sql.Stmt
}

func (s *statements) prepare(ctx context.Context, text string) (*sql.Stmt, error) {
	if found, ok := s.prepared.Load(text); ok {
		return found.(*sql.Stmt), nil
	}
	fresh, err := s.on.PrepareContext(ctx, text)
	if err != nil {
		return nil, failure(err)
	}
	kept, lost := s.prepared.LoadOrStore(text, fresh)
	if lost {
		fresh.Close()
	}
	return kept.(*sql.Stmt), nil
}

// exec returns how many rows the statement changed.
func (s *statements) exec(ctx context.Context, text string, args ...any) (int64, error) {
	stmt, err := s.prepare(ctx, text)
	if err != nil {
		return 0, err
	}
	result, err := stmt.ExecContext(ctx, args...)
	if err != nil {
		return 0, failure(err)
	}
	n, err := result.RowsAffected()
	return n, failure(err)
}

// row scans the one row of a query. It returns game.ErrNotFound when there is none.
func (s *statements) row(ctx context.Context, dest []any, text string, args ...any) error {
	stmt, err := s.prepare(ctx, text)
	if err != nil {
		return err
	}
	err = stmt.QueryRowContext(ctx, args...).Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return game.ErrNotFound
	}
	return failure(err)
}

// rows calls each for every row of a query. each scans the row with the function that it is given.
func (s *statements) rows(
	ctx context.Context, each func(scan func(dest ...any) error) error, text string, args ...any,
) error {
	stmt, err := s.prepare(ctx, text)
	if err != nil {
		return err
	}
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return failure(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows.Scan); err != nil {
			return failure(err)
		}
	}
	return failure(rows.Err())
}

func (s *statements) close() {
	s.prepared.Range(func(_, stmt any) bool {
		stmt.(*sql.Stmt).Close()
		return true
	})
}
