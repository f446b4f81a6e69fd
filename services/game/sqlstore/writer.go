package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/flipside-games/flipside/services/game"
)

// changes is the counter of changes; each state of a game is a counter too.
const changes = "changes"

const (
	// batchSize is how many jobs share a transaction at most.
	batchSize = 128
	// checkpointEvery is after how many jobs the write-ahead log is copied into the database. It keeps the log at some
	// ten megabytes, and callers never wait for the copying of more than that.
	checkpointEvery = 1000
)

// writer is the one goroutine that writes. It takes the jobs that are waiting, does them in one transaction and
// commits, so that all of them share the wait for the disk.
type writer struct {
	// on is one connection, which nobody else uses.
	on    *statements
	conn  *sql.Conn
	cache *cache
	queue chan *job

	// mu keeps the queue open while a job is handed in.
	mu     sync.RWMutex
	closed bool
	done   chan struct{}

	// seq is the change_seq of the last change that was committed.
	seq int64
	// unsaved counts the jobs since the last checkpoint.
	unsaved int
}

// job is something to write.
type job struct {
	ctx context.Context
	// write may run more than once. It must write nothing when it returns a refusal.
	write func(*batch) error
	// gameID is the game that the job changes, "" for none; kept is called once its change is committed.
	gameID string
	kept   func()

	err      error
	answered chan error
}

// isRefusal tells answers from failures of the database.
func isRefusal(err error) bool {
	return errors.Is(err, game.ErrConflict) || errors.Is(err, game.ErrRequestSeen) || errors.Is(err, game.ErrNotFound)
}

func newWriter(ctx context.Context, db *sql.DB, cache *cache) (*writer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, failure(err)
	}
	w := &writer{
		on: &statements{on: conn}, conn: conn, cache: cache, queue: make(chan *job, batchSize), done: make(chan struct{}),
	}
	if err := w.on.row(ctx, []any{&w.seq}, selectCounter, changes); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	go w.run()
	return w, nil
}

// do hands a job in and waits until it is committed or refused. When ctx ends before, the job may be done all the same.
func (w *writer) do(ctx context.Context, j *job) error {
	j.ctx, j.answered = ctx, make(chan error, 1)
	if err := w.enqueue(ctx, j); err != nil {
		return err
	}
	select {
	case err := <-j.answered:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *writer) enqueue(ctx context.Context, j *job) error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.closed {
		return errClosed
	}
	select {
	case w.queue <- j:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// close lets no more jobs in and returns when those that are waiting have been done.
func (w *writer) close() {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.queue)
	}
	w.mu.Unlock()
	<-w.done
}

// exec runs a statement. What is written is never given up half-way, so no context reaches the database.
func (w *writer) exec(text string) error {
	_, err := w.on.exec(context.Background(), text)
	return err
}

func (w *writer) run() {
	defer close(w.done)
	defer w.conn.Close()
	defer w.on.close()
	for first := range w.queue {
		jobs := w.gather(first)
		w.work(jobs)
		w.checkpoint(len(jobs))
	}
}

// gather takes what is waiting. It does not wait for more: while a transaction commits, the next jobs gather by
// themselves.
func (w *writer) gather(first *job) []*job {
	jobs := append(make([]*job, 0, len(w.queue)+1), first)
	for len(jobs) < batchSize {
		select {
		case j, ok := <-w.queue:
			if !ok {
				return jobs
			}
			jobs = append(jobs, j)
		default:
			return jobs
		}
	}
	return jobs
}

// work does jobs and answers them. A job that fails fails alone: the transaction is undone, and the others are done
// again without it.
func (w *writer) work(jobs []*job) {
	for _, j := range jobs {
		if j.gameID != "" {
			w.cache.begin(j.gameID)
		}
	}
	for len(jobs) > 0 {
		failed, err := w.transaction(jobs)
		if failed < 0 {
			w.finish(jobs, err)
			return
		}
		jobs[failed].err = nil
		w.finish(jobs[failed:failed+1], err)
		jobs = append(jobs[:failed:failed], jobs[failed+1:]...)
	}
}

// transaction does jobs in one transaction. It returns the index of the job that failed, -1 when it was none or the
// transaction itself.
func (w *writer) transaction(jobs []*job) (failed int, err error) {
	if err := w.exec("BEGIN IMMEDIATE"); err != nil {
		return -1, err
	}
	b := &batch{on: w.on, seq: w.seq, counts: map[string]int64{}}
	for i, j := range jobs {
		if j.err = j.ctx.Err(); j.err != nil {
			continue
		}
		if j.err = j.write(b); j.err != nil && !isRefusal(j.err) {
			w.rollback()
			return i, j.err
		}
	}
	b.count(changes, b.seq-w.seq)
	if err := b.saveCounts(); err != nil {
		w.rollback()
		return -1, err
	}
	if err := w.exec("COMMIT"); err != nil {
		w.rollback()
		return -1, err
	}
	w.seq = b.seq
	return -1, nil
}

// rollback undoes a transaction. It fails when the database has undone it already, which is as well.
func (w *writer) rollback() {
	_ = w.exec("ROLLBACK")
}

// finish answers jobs after their transaction. When that failed they all did.
func (w *writer) finish(jobs []*job, err error) {
	for _, j := range jobs {
		switch {
		case j.gameID == "":
		case err != nil:
			w.cache.forget(j.gameID)
		case j.err == nil:
			j.kept()
		}
		if j.gameID != "" {
			w.cache.end(j.gameID)
		}
		if err != nil {
			j.err = err
		}
		j.answered <- j.err
	}
}

// checkpoint copies the write-ahead log into the database, now and then.
func (w *writer) checkpoint(jobs int) {
	if w.unsaved += jobs; w.unsaved < checkpointEvery {
		return
	}
	// A checkpoint that fails loses nothing: the log grows until one succeeds.
	if w.exec("PRAGMA wal_checkpoint(PASSIVE)") == nil {
		w.unsaved = 0
	}
}

// batch is one transaction of the writer.
type batch struct {
	on  *statements
	seq int64
	// counts has what to add to each counter.
	counts map[string]int64
}

func (b *batch) exec(text string, args ...any) (int64, error) {
	return b.on.exec(context.Background(), text, args...)
}

func (b *batch) row(dest []any, text string, args ...any) error {
	return b.on.row(context.Background(), dest, text, args...)
}

// next returns the change_seq of another change.
func (b *batch) next() int64 {
	b.seq++
	return b.seq
}

func (b *batch) count(name string, n int64) { b.counts[name] += n }

func (b *batch) saveCounts() error {
	for name, n := range b.counts {
		if n == 0 {
			continue
		}
		if _, err := b.exec(addToCounter, n, name); err != nil {
			return err
		}
	}
	return nil
}
