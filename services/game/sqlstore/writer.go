package sqlstore

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/telemetry"
)

const (
	// batchSize is how many jobs share a transaction at most.
	batchSize = 128
	// checkpointEvery is after how many jobs the write-ahead log is copied into the database, which keeps it at a few
	// megabytes, and callers never wait for the copying of more than that.
	checkpointEvery = 1000
	// longLog is how many pages the log may have before readers are waited for, without which it cannot start anew.
	longLog = 16 << 10
)

// writer is the one goroutine that writes. It takes the jobs that are waiting, does them in one transaction and commits,
// so that all of them share the wait for the disk.
type writer struct {
	conn    *conn
	cache   *cache
	queue   chan *job
	metrics metrics

	// mu keeps the queue open while a job is handed in.
	mu     sync.RWMutex
	closed bool
	done   chan struct{}

	// seq is that of the last event that was committed.
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

func newWriter(conn *conn, cache *cache) (*writer, error) {
	w := &writer{conn: conn, cache: cache, queue: make(chan *job, batchSize), metrics: newMetrics(), done: make(chan struct{})}
	if err := conn.row([]any{&w.seq}, selectLastSeq); err != nil {
		return nil, err
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

// close lets no more jobs in and returns when those that are waiting have been done. It returns false when it was
// called before.
func (w *writer) close() bool {
	w.mu.Lock()
	first := !w.closed
	if first {
		w.closed = true
		close(w.queue)
	}
	w.mu.Unlock()
	<-w.done
	return first
}

func (w *writer) run() {
	defer close(w.done)
	for first := range w.queue {
		jobs := w.gather(first)
		start, end := time.Now(), telemetry.Shared("store transaction", contexts(jobs))
		w.work(jobs)
		end()
		w.metrics.took.Observe(time.Since(start).Seconds())
		w.metrics.jobs.Observe(float64(len(jobs)))
		w.checkpoint(len(jobs))
	}
}

// contexts yields those of the calls that wait for jobs.
func contexts(jobs []*job) iter.Seq[context.Context] {
	return func(yield func(context.Context) bool) {
		for _, j := range jobs {
			if !yield(j.ctx) {
				return
			}
		}
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

// work does jobs and answers them. One that fails does so alone: the transaction is undone, and the others are done again
// without it.
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
	if _, err := w.conn.exec("BEGIN IMMEDIATE"); err != nil {
		return -1, err
	}
	b := &batch{conn: w.conn, seq: w.seq, counts: map[game.State]int{}}
	for i, j := range jobs {
		if j.err = j.ctx.Err(); j.err != nil {
			continue
		}
		if j.err = j.write(b); j.err != nil && !isRefusal(j.err) {
			w.rollback()
			return i, j.err
		}
	}
	if err := b.saveCounts(); err != nil {
		w.rollback()
		return -1, err
	}
	if _, err := w.conn.exec("COMMIT"); err != nil {
		w.rollback()
		return -1, err
	}
	w.seq = b.seq
	return -1, nil
}

// rollback undoes a transaction. It fails when the database has undone it already, which is as well.
func (w *writer) rollback() {
	_, _ = w.conn.exec("ROLLBACK")
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

// checkpoint copies the write-ahead log into the database, now and then. One that fails loses nothing: the log grows until
// one succeeds.
func (w *writer) checkpoint(jobs int) {
	if w.unsaved += jobs; w.unsaved < checkpointEvery {
		return
	}
	var busy, log, copied int
	err := w.conn.row([]any{&busy, &log, &copied}, "PRAGMA wal_checkpoint(PASSIVE)")
	if err == nil && log > longLog {
		err = w.conn.row([]any{&busy, &log, &copied}, "PRAGMA wal_checkpoint(RESTART)")
	}
	if err == nil {
		w.unsaved = 0
	}
}

// batch is one transaction of the writer.
type batch struct {
	*conn
	// seq is that of the last event.
	seq int64
	// counts has what to add to the number of games in each state.
	counts map[game.State]int
}

// count counts a game that goes from one state to another; one that is created comes from "".
func (b *batch) count(from, to game.State) {
	if from != "" {
		b.counts[from]--
	}
	b.counts[to]++
}

func (b *batch) saveCounts() error {
	for state, n := range b.counts {
		if n == 0 {
			continue
		}
		if _, err := b.exec(addToCounter, n, string(state)); err != nil {
			return err
		}
	}
	return nil
}
