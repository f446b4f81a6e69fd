package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"path/filepath"

	"github.com/pressly/goose/v3"
	sqlite "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

//go:embed migrations/sqlite
var migrations embed.FS

const (
	// Commits are on the disk before they return. The writer makes checkpoints itself, between transactions.
	writerPragmas = "_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)" +
		"&_pragma=wal_autocheckpoint(0)&_pragma=cache_size(-2000)&_pragma=temp_store(MEMORY)"
	readerPragmas = "_pragma=busy_timeout(5000)&_pragma=query_only(1)&_pragma=cache_size(-4096)&_pragma=temp_store(MEMORY)"
)

// dataSource names a database file for the driver.
func dataSource(path, pragmas string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(absolute), RawQuery: pragmas}).String(), nil
}

// openFile opens a database with at most so many connections, all of which are kept.
func openFile(path, pragmas string, connections int) (*sql.DB, error) {
	source, err := dataSource(path, pragmas)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", source)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// lockFile keeps other processes, and other stores of this one, off a database. A transaction that is left open on a
// file beside it is a lock that every system has and that ends with the process. The file stays.
func lockFile(ctx context.Context, path string) (*sql.DB, error) {
	lock, err := openFile(path+".lock", "_pragma=busy_timeout(0)", 1)
	if err != nil {
		return nil, err
	}
	if _, err := lock.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
		lock.Close()
		if codeOf(err) == codes.SQLITE_BUSY {
			return nil, fmt.Errorf("the database %s is in use by another process", path)
		}
		return nil, fmt.Errorf("lock the database %s: %w", path, failure(err))
	}
	return lock, nil
}

// migrate brings the schema of a database up to date. It refuses one that a newer program made.
func migrate(ctx context.Context, db *sql.DB) error {
	current, latest, err := schemaVersions(ctx, db)
	if err != nil {
		return err
	}
	if current > latest {
		return fmt.Errorf("the database has schema version %d, but this program knows none after %d: use a newer one",
			current, latest)
	}
	provider, err := newProvider(db)
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("bring the schema from version %d to %d: %w", current, latest, failure(err))
	}
	return nil
}

func schemaVersions(ctx context.Context, db *sql.DB) (current, latest int64, err error) {
	provider, err := newProvider(db)
	if err != nil {
		return 0, 0, err
	}
	if current, latest, err = provider.GetVersions(ctx); err != nil {
		return 0, 0, fmt.Errorf("read the version of the schema: %w", failure(err))
	}
	return current, latest, nil
}

func newProvider(db *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations/sqlite")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true))
}

// Error says that the database failed. Its text is in words of ours; what the driver said is for logs only.
type Error struct {
	// Code is the result code of SQLite, 0 when the failure was not its own.
	Code  int
	cause error
}

func (e *Error) Error() string {
	if e.Code == 0 {
		return "the store failed"
	}
	return fmt.Sprintf("the store failed: %s (SQLite code %d)", describe(e.Code), e.Code)
}

// LogValue tells logs the cause too.
func (e *Error) LogValue() slog.Value {
	return slog.StringValue(fmt.Sprintf("%v: %v", e, e.cause))
}

// failure turns an error of the driver into one that may be shown.
func failure(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	return &Error{Code: codeOf(err), cause: err}
}

// codeOf returns the primary result code of SQLite, 0 for an error that is not its own.
func codeOf(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

func describe(code int) string {
	switch code {
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		return "the database is locked"
	case codes.SQLITE_FULL:
		return "the disk is full"
	case codes.SQLITE_READONLY, codes.SQLITE_PERM:
		return "the database must not be written"
	case codes.SQLITE_CANTOPEN:
		return "the database cannot be opened"
	case codes.SQLITE_IOERR:
		return "the disk does not work"
	case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB:
		return "the file is not a sound database"
	case codes.SQLITE_CONSTRAINT:
		return "the change breaks a constraint"
	case codes.SQLITE_NOMEM:
		return "there is no memory left"
	}
	return "the database refused"
}
