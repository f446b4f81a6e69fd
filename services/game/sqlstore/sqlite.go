package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"

	sqlite "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// Commits are on the disk before they return. The writer makes checkpoints itself, between transactions. What the log
// has grown beyond longLog is given back once it starts anew.
var writerPragmas = fmt.Sprintf("_pragma=busy_timeout(%d)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)"+
	"&_pragma=wal_autocheckpoint(0)&_pragma=journal_size_limit(%d)&_pragma=cache_size(-2000)&_pragma=temp_store(MEMORY)",
	writerMilliseconds, longLog*pageBytes)

const readerPragmas = "_pragma=busy_timeout(5000)&_pragma=query_only(1)&_pragma=cache_size(-4096)&_pragma=temp_store(MEMORY)"

const (
	// checkpointEvery is after how many jobs the write-ahead log is copied into the database, which keeps it at a few
	// megabytes unless somebody else reads the file for long: what came after he began is copied when he has left.
	checkpointEvery = 1000
	// longLog is how many pages the log may have, and grow by, before readers are waited for, without which it may never
	// start anew.
	longLog   = 16 << 10
	pageBytes = 4 << 10
	// Readers of this process are done in far less than readersMilliseconds. Others are not waited for any longer.
	writerMilliseconds, readersMilliseconds = 5000, 100
)

// sqliteFile is a database in one file, which this process has for itself.
type sqliteFile struct {
	path string
	// files are what is to be closed at the end, in the reverse order. The first is the lock.
	files  []*sql.DB
	writer *conn
	// readers holds the connections that nobody reads on now.
	readers chan *conn
	closing chan struct{}
	// unsaved counts the jobs since the last checkpoint.
	unsaved int
	// tooLong is the length of the log, in pages, at which readers are waited for.
	tooLong int
}

// openSQLite creates the file if there is none, and brings its schema up to date: who has a file for himself has nobody
// to ask.
func openSQLite(ctx context.Context, path string, options Options) (*sqliteFile, error) {
	f := &sqliteFile{
		path:    path,
		readers: make(chan *conn, cmp.Or(options.Readers, 2*runtime.GOMAXPROCS(0))),
		closing: make(chan struct{}),
		tooLong: longLog,
	}
	if err := f.open(ctx); err != nil {
		return nil, errors.Join(err, f.closeReaders(len(f.readers)), f.closeFiles())
	}
	return f, nil
}

func (f *sqliteFile) open(ctx context.Context) error {
	lock, err := lockFile(ctx, f.path)
	if err != nil {
		return err
	}
	f.files = []*sql.DB{lock}
	write, err := f.openFile(writerPragmas, 1)
	if err != nil {
		return err
	}
	if err := migrate(ctx, dialectSQLite, write); err != nil {
		return err
	}
	read, err := f.openFile(readerPragmas, cap(f.readers))
	if err != nil {
		return err
	}
	for range cap(f.readers) {
		c, err := connect(ctx, read)
		if err != nil {
			return err
		}
		f.readers <- c
	}
	f.writer, err = connect(ctx, write)
	return err
}

// openFile opens a database that is closed with this one.
func (f *sqliteFile) openFile(pragmas string, connections int) (*sql.DB, error) {
	db, err := openFile(f.path, pragmas, connections)
	if err == nil {
		f.files = append(f.files, db)
	}
	return db, err
}

func (f *sqliteFile) shared() bool { return false }

func (f *sqliteFile) close() error {
	close(f.closing)
	return errors.Join(f.writer.close(), f.closeReaders(cap(f.readers)), f.closeFiles())
}

// closeReaders closes so many connections, each once it is free.
func (f *sqliteFile) closeReaders(n int) error {
	var errs []error
	for range n {
		c := <-f.readers
		errs = append(errs, c.close())
	}
	return errors.Join(errs...)
}

// closeFiles closes the lock last.
func (f *sqliteFile) closeFiles() error {
	var errs []error
	for _, db := range slices.Backward(f.files) {
		errs = append(errs, failure(db.Close()))
	}
	return errors.Join(errs...)
}

func (f *sqliteFile) read(ctx context.Context, do func(reader) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case c := <-f.readers:
		defer func() { f.readers <- c }()
		return do(c)
	case <-ctx.Done():
		return ctx.Err()
	case <-f.closing:
		return errClosed
	}
}

// transact makes room in the write-ahead log before, not after: those whose change is committed need not wait for it.
func (f *sqliteFile) transact(jobs []*job) (failed int, err error) {
	f.checkpoint()
	if failed, err = f.commit(jobs); err != nil {
		// This fails when the database has undone the transaction already, which is as well.
		_, _ = f.writer.exec("ROLLBACK")
		return failed, err
	}
	f.unsaved += len(jobs)
	return -1, nil
}

// commit does jobs in a transaction that it leaves open when it fails. Of a job that is refused only the first statement
// is run: the others would do nothing.
func (f *sqliteFile) commit(jobs []*job) (failed int, err error) {
	if _, err := f.writer.exec("BEGIN IMMEDIATE"); err != nil {
		return -1, err
	}
	for i, j := range jobs {
		for k, s := range j.statements {
			n, err := f.writer.exec(s.text, s.args...)
			if err != nil {
				return i, err
			}
			if k > 0 {
				continue
			}
			if j.changed = n; n == 0 {
				break
			}
		}
	}
	_, err = f.writer.exec("COMMIT")
	return -1, err
}

// checkpoint copies the write-ahead log into the database, now and then. One that fails loses nothing: the log grows until
// one succeeds.
func (f *sqliteFile) checkpoint() {
	if f.unsaved < checkpointEvery {
		return
	}
	f.unsaved = 0
	var busy, log, copied int
	err := f.writer.row([]any{&busy, &log, &copied}, "PRAGMA wal_checkpoint(PASSIVE)")
	if err != nil || log <= f.tooLong {
		return
	}
	f.tooLong = longLog
	if f.restart() != nil {
		f.tooLong += log
	}
}

// restart has the log start anew, for which nobody must read from it.
func (f *sqliteFile) restart() error {
	if err := f.waitAtMost(readersMilliseconds); err != nil {
		return err
	}
	var busy, log, copied int
	err := f.writer.row([]any{&busy, &log, &copied}, "PRAGMA wal_checkpoint(RESTART)")
	if err == nil && busy != 0 {
		err = errBusy
	}
	return errors.Join(err, f.waitAtMost(writerMilliseconds))
}

var errBusy = errors.New("others read from the log")

// waitAtMost sets how long the writer waits for others. A prepared statement would do so only when it is prepared.
func (f *sqliteFile) waitAtMost(milliseconds int) error {
	_, err := f.writer.sql.ExecContext(context.Background(), fmt.Sprintf("PRAGMA busy_timeout(%d)", milliseconds))
	return err
}

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

// withFile calls do with a database that nobody else has open.
func withFile(ctx context.Context, path string, do func(*sql.DB) error) error {
	lock, err := lockFile(ctx, path)
	if err != nil {
		return err
	}
	defer lock.Close()
	db, err := openFile(path, writerPragmas, 1)
	if err != nil {
		return err
	}
	defer db.Close()
	return do(db)
}

// codeOf returns the primary result code of SQLite, 0 for an error that is not its own.
func codeOf(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

// describeSQLite says what an error of SQLite means, "" for one that is not its own.
func describeSQLite(err error) string {
	code := codeOf(err)
	if code == 0 {
		return ""
	}
	return fmt.Sprintf("%s (SQLite code %d)", describeCode(code), code)
}

func describeCode(code int) string {
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
		return brokenConstraint
	case codes.SQLITE_NOMEM:
		return "there is no memory left"
	}
	return "the database refused"
}
