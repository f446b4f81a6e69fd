package sqlstore

import (
	"context"
	"database/sql"
)

// conn is a connection to SQLite that prepares each statement once. It does not interrupt
// statements when a context ends: all are short, and watching a context costs as much as a short
// statement.
type conn struct {
	sql      *sql.Conn
	prepared map[string]*sql.Stmt
}

func connect(ctx context.Context, db *sql.DB) (*conn, error) {
	c, err := db.Conn(ctx)
	if err != nil {
		return nil, failure(err)
	}
	return &conn{sql: c, prepared: map[string]*sql.Stmt{}}, nil
}

func (c *conn) close() error {
	for _, stmt := range c.prepared {
		stmt.Close()
	}
	return failure(c.sql.Close())
}

func (c *conn) prepare(text string) (*sql.Stmt, error) {
	if stmt, ok := c.prepared[text]; ok {
		return stmt, nil
	}
	stmt, err := c.sql.PrepareContext(context.Background(), text)
	if err != nil {
		return nil, failure(err)
	}
	c.prepared[text] = stmt
	return stmt, nil
}

// exec runs a statement and returns the number of rows that it changed.
func (c *conn) exec(text string, args ...any) (int64, error) {
	stmt, err := c.prepare(text)
	if err != nil {
		return 0, err
	}
	result, err := stmt.ExecContext(context.Background(), args...)
	if err != nil {
		return 0, failure(err)
	}
	n, err := result.RowsAffected()
	return n, failure(err)
}

func (c *conn) query(each func(scan scanFunc) error, text string, args ...any) error {
	if err := checkTexts(args); err != nil {
		return err
	}
	stmt, err := c.prepare(text)
	if err != nil {
		return err
	}
	rows, err := stmt.QueryContext(context.Background(), args...)
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
