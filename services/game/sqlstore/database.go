package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
)

// database is what differs between SQLite and PostgreSQL. Its errors are those of game.Store.
type database interface {
	// read lends a reader to do, once there is one.
	read(ctx context.Context, do func(reader) error) error

	// transact does the statements of jobs in one transaction, in their order, and notes what the first of each came to. The
	// transactions of all processes follow each other: one begins to look at rows when the one before has ended. It returns
	// the index of the job that failed, -1 when it was none of them or the transaction itself.
	transact(jobs []*job) (failed int, err error)

	// shared reports whether other processes may write too.
	shared() bool

	// metric is a figure that only this kind of database has.
	metric() prometheus.Collector

	// close lets those who read finish. Nobody writes any more.
	close() error
}

// reader runs queries. One goroutine uses it at a time.
type reader interface {
	// row scans the one row of a query. It returns game.ErrNotFound when there is none.
	row(dest []any, text string, args ...any) error
	// rows calls each for every row of a query. each scans the row with the function that it is given.
	rows(each func(scan func(dest ...any) error) error, text string, args ...any) error
}

// statement is one that changes rows.
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

func isPostgres(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// Describe names the database at an address to people, without a password or what else a URL may hold.
func Describe(address string) string {
	if isPostgres(address) {
		return describeLocation(address)
	}
	path, _ := pathOf(address)
	return path
}

// pathOf returns the file that the address of an SQLite database names.
func pathOf(address string) (string, error) {
	path, ok := strings.CutPrefix(address, "sqlite://")
	if ok {
		return path, nil
	}
	if path, ok = strings.CutPrefix(address, "sqlite:"); ok {
		return path, nil
	}
	if scheme, _, ok := strings.Cut(address, "://"); ok {
		return "", fmt.Errorf("there is no store for %s: databases have URLs that begin with sqlite: or with postgres://", scheme)
	}
	return address, nil
}

var errClosed = errors.New("the store is closed")

// brokenConstraint is what both databases mean by a change that they refuse.
const brokenConstraint = "the change breaks a constraint"

// Error says that the database failed. Its text is in words of ours; what the driver said is for logs only.
type Error struct {
	text  string
	cause error
}

func (e *Error) Error() string { return e.text }

// LogValue tells logs the cause too.
func (e *Error) LogValue() slog.Value {
	return slog.StringValue(fmt.Sprintf("%v: %v", e, e.cause))
}

// failure turns an error of a driver into one that may be shown.
func failure(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	text := "the store failed"
	if what := cmp.Or(describeSQLite(err), describePostgres(err)); what != "" {
		text += ": " + what
	}
	return &Error{text: text, cause: err}
}
