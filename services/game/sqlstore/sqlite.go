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

// Commits are synchronous. The writer runs checkpoints itself, between transactions. When the
// write-ahead log restarts, SQLite truncates it to maxLogPages.
var writerPragmas = fmt.Sprintf("_pragma=busy_timeout(%d)&_pragma=journal_mode(WAL)"+
	"&_pragma=synchronous(FULL)&_pragma=wal_autocheckpoint(0)&_pragma=journal_size_limit(%d)"+
	"&_pragma=cache_size(-2000)&_pragma=temp_store(MEMORY)", writerWaitMS, maxLogPages*pageBytes)

const readerPragmas = "_pragma=busy_timeout(5000)&_pragma=query_only(1)" +
	"&_pragma=cache_size(-4096)&_pragma=temp_store(MEMORY)"

const (
	// checkpointJobs is the number of jobs between checkpoints. It keeps the write-ahead log at a
	// few megabytes, unless another process has a long read transaction: pages after its snapshot
	// are copied when it ends.
	checkpointJobs = 1000
	// maxLogPages is the size of the log, and later its growth, at which a checkpoint waits for
	// readers, so that the log can restart.
	maxLogPages = 16 << 10
	pageBytes   = 4 << 10
	// writerWaitMS and restartWaitMS limit the wait for locks, in milliseconds. Readers of this
	// process finish long before restartWaitMS.
	writerWaitMS, restartWaitMS = 5000, 100
)

// sqliteFile is a database in one file. It locks out other processes.
type sqliteFile struct {
	path string
	// files are closed in reverse order. The first is the lock.
	files  []*sql.DB
	writer *conn
	// readers holds the idle connections for reading.
	readers chan *conn
	closing chan struct{}
	// pendingJobs is the number of jobs since the last checkpoint.
	pendingJobs int
	// restartPages is the size of the log at which a checkpoint waits for readers.
	restartPages int
}

// defaultFileReaders returns the number of connections for reading if the options set none.
func defaultFileReaders() int { return 2 * runtime.GOMAXPROCS(0) }

// openSQLite opens a file, creates it if necessary, and upgrades its schema.
func openSQLite(ctx context.Context, path string, options Options) (*sqliteFile, error) {
	f := &sqliteFile{
		path:         path,
		readers:      make(chan *conn, cmp.Or(options.Readers, defaultFileReaders())),
		closing:      make(chan struct{}),
		restartPages: maxLogPages,
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
	if err := f.openLocked(ctx); err != nil {
		return fmt.Errorf("cannot open the database %s: %w", f.path, err)
	}
	return nil
}

// openLocked upgrades the schema of a locked file and connects to it.
func (f *sqliteFile) openLocked(ctx context.Context) error {
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

// openFile opens a connection pool that closeFiles closes.
func (f *sqliteFile) openFile(pragmas string, connections int) (*sql.DB, error) {
	db, err := openFile(f.path, pragmas, connections)
	if err == nil {
		f.files = append(f.files, db)
	}
	return db, err
}

func (f *sqliteFile) shared() bool { return false }

func (f *sqliteFile) writers() int { return 1 }

func (f *sqliteFile) close() error {
	close(f.closing)
	return errors.Join(f.writer.close(), f.closeReaders(cap(f.readers)), f.closeFiles())
}

// closeReaders closes n connections, each as soon as it is idle.
func (f *sqliteFile) closeReaders(n int) error {
	var errs []error
	for range n {
		c := <-f.readers
		errs = append(errs, c.close())
	}
	return errors.Join(errs...)
}

// closeFiles closes the connection pools, the lock last.
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

// transact runs a checkpoint first, if one is due, so that no caller waits for a checkpoint after
// its commit.
func (f *sqliteFile) transact(jobs []*job) (failed int, err error) {
	f.checkpoint()
	if failed, err = f.commit(jobs); err != nil {
		// This fails if SQLite has rolled back the transaction itself.
		_, _ = f.writer.exec("ROLLBACK")
		return failed, err
	}
	f.pendingJobs += len(jobs)
	return -1, nil
}

// commit runs jobs in a transaction, which it leaves open on an error. It runs only the first
// statement of a rejected job, because the others would change nothing.
func (f *sqliteFile) commit(jobs []*job) (failed int, err error) {
	if _, err := f.writer.exec("BEGIN IMMEDIATE"); err != nil {
		return -1, notSent(err)
	}
	for i, j := range jobs {
		for k, s := range j.statements {
			n, err := f.writer.exec(s.text, s.args...)
			if err != nil {
				return i, notSent(err)
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

// checkpoint copies the write-ahead log into the database if enough jobs were committed. Nothing is
// lost if it fails: the log grows until a checkpoint succeeds.
func (f *sqliteFile) checkpoint() {
	if f.pendingJobs < checkpointJobs {
		return
	}
	f.pendingJobs = 0
	var busy, log, copied int
	err := queryRow(f.writer, []any{&busy, &log, &copied}, "PRAGMA wal_checkpoint(PASSIVE)")
	if err != nil || log <= f.restartPages {
		return
	}
	f.restartPages = maxLogPages
	if f.restartLog() != nil {
		f.restartPages += log
	}
}

// restartLog runs a checkpoint that waits for readers, so that the next transaction writes to the
// start of the log.
func (f *sqliteFile) restartLog() error {
	if err := f.setBusyTimeout(restartWaitMS); err != nil {
		return err
	}
	var busy, log, copied int
	err := queryRow(f.writer, []any{&busy, &log, &copied}, "PRAGMA wal_checkpoint(RESTART)")
	if err == nil && busy != 0 {
		err = errBusy
	}
	return errors.Join(err, f.setBusyTimeout(writerWaitMS))
}

var errBusy = errors.New("another process reads from the log")

// setBusyTimeout sets the time that the writer waits for locks. It does not use a prepared
// statement, because the pragma takes effect when it is prepared.
func (f *sqliteFile) setBusyTimeout(milliseconds int) error {
	text := fmt.Sprintf("PRAGMA busy_timeout(%d)", milliseconds)
	_, err := f.writer.sql.ExecContext(context.Background(), text)
	return err
}

// openFile opens a pool of connections to a file at an absolute path. Idle connections stay open.
func openFile(path, pragmas string, connections int) (*sql.DB, error) {
	source := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: pragmas}
	db, err := sql.Open("sqlite", source.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// withFile calls do with a locked database.
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

// codeOf returns the primary result code of an SQLite error, or 0 for other errors.
func codeOf(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

// describeSQLite describes an SQLite error and returns its code. The text of other errors is "".
func describeSQLite(err error) (text, code string) {
	n := codeOf(err)
	if n == 0 {
		return "", ""
	}
	return cmp.Or(codeTexts[n], rejected), fmt.Sprintf("SQLite code %d", n)
}

var codeTexts = map[int]string{
	codes.SQLITE_BUSY:       locked,
	codes.SQLITE_LOCKED:     locked,
	codes.SQLITE_FULL:       diskFull,
	codes.SQLITE_READONLY:   readOnly,
	codes.SQLITE_PERM:       readOnly,
	codes.SQLITE_CANTOPEN:   "the file cannot be opened",
	codes.SQLITE_IOERR:      "the disk reported an I/O error",
	codes.SQLITE_CORRUPT:    invalidFile,
	codes.SQLITE_NOTADB:     invalidFile,
	codes.SQLITE_CONSTRAINT: brokenConstraint,
	codes.SQLITE_NOMEM:      "out of memory",
}
