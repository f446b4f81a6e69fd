package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/flipside-games/flipside/services/game"
)

// database is a connection to SQLite or PostgreSQL. It returns the errors of [game.Store].
type database interface {
	// read calls do with a reader, as soon as one is free.
	read(ctx context.Context, do func(reader) error) error

	// transact runs the statements of jobs in one transaction, in order, and sets job.changed. A
	// transaction that changes the same rows as another one waits for the end of that one. On an
	// error, failed is the index of the job that caused it, or -1 if the transaction itself failed.
	// It returns errRejected for a job that breaks a unique index, and game.ErrContended for one that
	// waited too long.
	transact(jobs []*job) (failed int, err error)

	// writers returns the number of transactions that can run at the same time.
	writers() int

	// shared reports whether other processes can write to the database.
	shared() bool

	// metric returns a metric that only this kind of database has.
	metric() prometheus.Collector

	// close waits for readers and closes the database. The writer has stopped before.
	close() error
}

// reader runs queries. One goroutine uses it at a time.
type reader interface {
	// query calls each for every row of a query.
	query(each func(scan scanFunc) error, text string, args ...any) error
}

// scanFunc scans the current row of a query.
type scanFunc = func(dest ...any) error

// queryRow scans the only row of a query. It returns game.ErrNotFound if there is none.
func queryRow(r reader, dest []any, text string, args ...any) error {
	found := false
	err := r.query(func(scan scanFunc) error {
		found = true
		return scan(dest...)
	}, text, args...)
	if err == nil && !found {
		return game.ErrNotFound
	}
	return err
}

// statement is a statement that changes rows, with its arguments.
type statement struct {
	text string
	args []any
}

// open opens the database at an address.
func open(ctx context.Context, address string, options Options) (database, error) {
	if isPostgres(address) {
		return openPostgres(ctx, address, options)
	}
	path, err := pathOf(address)
	if err != nil {
		return nil, err
	}
	return openSQLite(ctx, path, options)
}

// waitInterval is the interval between two attempts to reach a database server.
const waitInterval = time.Second

// openOrWait opens the database at an address. With options.Wait, it waits for a server that cannot
// be reached.
func openOrWait(ctx context.Context, address string, options Options) (database, error) {
	for attempt := 1; ; attempt++ {
		db, err := open(ctx, address, options)
		if err == nil && attempt > 1 {
			options.Log.Info("the database can be reached", "database", Describe(address))
		}
		if !options.Wait || !isUnreachable(err) {
			return db, err
		}
		if attempt == 1 {
			options.Log.Warn("waiting for the database", "database", Describe(address), "error", err)
		}
		select {
		case <-time.After(waitInterval):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func isPostgres(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// Describe returns the location of a database for logs, without password and parameters.
func Describe(address string) string {
	if isPostgres(address) {
		return redact(address)
	}
	path, _ := pathOf(address)
	return path
}

// MaxFiles returns the largest number of open files and connections of a store at an address, with
// default options.
func MaxFiles(address string) int {
	if !isPostgres(address) {
		const filesOfConnection, further = 2, 4 // The database and its log; the lock and shared memory.
		return filesOfConnection*(defaultFileReaders()+1) + further
	}
	readers := defaultReaders
	if config, err := parsePostgres(address); err == nil {
		readers = int(config.MaxConns)
	}
	return readers + writerConnections
}

// pathOf returns the absolute path in the address of an SQLite database.
func pathOf(address string) (string, error) {
	path, ok := strings.CutPrefix(address, "sqlite://")
	if !ok {
		path, ok = strings.CutPrefix(address, "sqlite:")
	}
	if scheme, _, found := strings.Cut(address, "://"); found && !ok {
		return "", fmt.Errorf("unknown database scheme %q: use sqlite:PATH or postgres://HOST/NAME",
			scheme)
	}
	if path == "" {
		return "", errors.New("the database has no path: set --data to the path of a file")
	}
	return filepath.Abs(path)
}

// errRejected rejects a job, as if its first statement had changed no row. A concurrent transaction
// has inserted the same request.
var errRejected = errors.New("the job was rejected")

var errClosed = &Error{text: "the store is closed", unavailable: true, notSent: true}

// Texts for errors of databases.
const (
	brokenConstraint = "the change violates a constraint"
	diskFull         = "the disk is full"
	readOnly         = "the database is read-only"
	invalidFile      = "the file is not a valid database"
	locked           = "the database is locked by another process"
	rejected         = "the database rejected the statement"
	unreachable      = "the database cannot be reached"
)

// Error is a failure of the database. Its text never quotes the driver, because that text can
// contain data; the log value does.
type Error struct {
	text  string
	cause error
	// unavailable means that the database failed, not the statement.
	unavailable bool
	// notSent means that the statement was not sent, or that its transaction was rolled back.
	notSent bool
}

func (e *Error) Error() string { return e.text }

// Is reports whether the error is an [game.ErrUnavailable], [game.ErrNotSent] or
// [game.ErrInvalidValue].
func (e *Error) Is(target error) bool {
	switch target {
	case game.ErrUnavailable:
		return e.unavailable
	case game.ErrNotSent:
		return e.notSent
	case game.ErrInvalidValue:
		return stateClass(stateOf(e.cause)) == "22"
	}
	return false
}

// notSent marks an error of the database that cannot have changed anything.
func notSent(err error) error {
	if failed, ok := errors.AsType[*Error](err); ok {
		failed = new(*failed)
		failed.notSent = true
		return failed
	}
	return err
}

// LogValue implements [slog.LogValuer] and includes the error of the driver.
func (e *Error) LogValue() slog.Value {
	if e.cause == nil {
		return slog.StringValue(e.text)
	}
	return slog.StringValue(fmt.Sprintf("%v: %v", e, e.cause))
}

// failure converts an error of a driver to an [Error]. It returns errors of contexts unchanged,
// except for the deadline of a new connection: that is not the deadline of the caller.
func failure(err error) error {
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	if err == nil || ended && !connecting {
		return err
	}
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	text, code := describeSQLite(err)
	if text == "" {
		text, code = describePostgres(err)
	}
	unavailable := text != brokenConstraint && text != rejected
	failed := &Error{text: "the store failed", cause: err, unavailable: unavailable}
	if text != "" {
		failed.text += ": " + text
	}
	if code != "" {
		failed.text += " (" + code + ")"
	}
	return failed
}

// undecodable returns the error for a row with content that this program cannot decode.
func undecodable(err error) error {
	if err == nil {
		return nil
	}
	return &Error{text: "the store failed: a row cannot be decoded", cause: err}
}

// checkTexts returns an error if an argument of a statement is a text that only some databases can
// store.
func checkTexts(args []any) error {
	for _, arg := range args {
		if text, ok := arg.(string); ok && (!utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0) {
			return game.ErrInvalidValue
		}
	}
	return nil
}
