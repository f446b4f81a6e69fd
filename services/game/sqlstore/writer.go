package sqlstore

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/flipside-games/flipside/services/internal/telemetry"
)

const (
	// batchJobs is the maximum number of jobs in a transaction.
	batchJobs = 128
	// batchBytes is the approximate number of bytes that a transaction writes at most. It bounds
	// the data that is on its way to a database server while other processes wait.
	batchBytes = 128 << 10
	// turnLimit is the time after which the next transaction does not wait for the end of the one
	// before, if the database can run several. Until then more jobs gather for it.
	turnLimit = 3 * time.Millisecond
)

// writer runs the write transactions of a store. Its goroutine takes all jobs that wait and commits
// them in one transaction (group commit), so that they share one wait for the disk and one round
// trip to the database server. While jobs come one by one, each caller runs its own transaction,
// which saves two switches between goroutines. While a transaction is slow, the next ones start
// beside it, on other connections.
type writer struct {
	db      database
	cache   *gameCache
	queue   chan *job
	metrics metrics

	// slots has a place for each transaction that can run, and idle the places without one.
	slots []slot
	idle  chan *slot
	// turn holds a value while a transaction keeps the next one waiting.
	turn chan struct{}
	// batched reports whether the last transaction had several jobs.
	batched atomic.Bool

	// mu guards closed. Its read lock keeps the queue open while a job is sent to it.
	mu     sync.RWMutex
	closed bool
	done   chan struct{}
}

// job is a write. If its first statement changes no row, the job is rejected, and its other
// statements must change nothing either.
type job struct {
	ctx        context.Context
	statements []statement
	// gameID is the game that the job changes, or "". The writer calls committed after the commit
	// of such a job.
	gameID    string
	committed func()

	// changed is the number of rows that the first statement changed.
	changed int64
	result  chan error
}

// size returns the approximate number of bytes that the job writes.
func (j *job) size() int {
	size := 0
	for _, s := range j.statements {
		for _, arg := range s.args {
			switch arg := arg.(type) {
			case string:
				size += len(arg)
			case []byte:
				size += len(arg)
			default:
				size += 8
			}
		}
	}
	return size
}

func newWriter(db database, cache *gameCache) *writer {
	w := &writer{
		db: db, cache: cache, metrics: newMetrics(),
		queue: make(chan *job, batchJobs), done: make(chan struct{}),
		slots: make([]slot, db.writers()), idle: make(chan *slot, db.writers()),
		turn: make(chan struct{}, 1),
	}
	for i := range w.slots {
		w.idle <- &w.slots[i]
	}
	go w.run()
	return w
}

// do runs a job and waits for its commit. It returns the number of rows that the first statement
// changed: 0 if the job was rejected. If ctx ends during the wait, the job may be committed
// nevertheless.
func (w *writer) do(ctx context.Context, j *job) (changed int64, err error) {
	for _, s := range j.statements {
		if err := checkTexts(s.args); err != nil {
			return 0, err
		}
	}
	j.ctx, j.result = ctx, make(chan error, 1)
	if !w.tryDirect(j) {
		if err := w.enqueue(ctx, j); err != nil {
			return 0, err
		}
	}
	select {
	case err := <-j.result:
		if err != nil {
			return 0, err
		}
		return j.changed, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// tryDirect runs a job in the goroutine of its caller. It returns false if other jobs are running
// or likely to come, or if the context of the caller can end during the transaction.
func (w *writer) tryDirect(j *job) bool {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.closed || j.ctx.Done() != nil || w.batched.Load() || len(w.queue) > 0 {
		return false
	}
	select {
	case w.turn <- struct{}{}:
	default:
		return false
	}
	select {
	case at := <-w.idle:
		w.write(at, []*job{j})
		return true
	default:
		<-w.turn
		return false
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

// close rejects new jobs and waits until all queued jobs are done. It may be called once.
func (w *writer) close() {
	w.mu.Lock()
	w.closed = true
	close(w.queue)
	w.mu.Unlock()
	<-w.done
}

func (w *writer) run() {
	defer close(w.done)
	var transactions sync.WaitGroup
	defer transactions.Wait()
	for first := range w.queue {
		at := <-w.idle
		w.turn <- struct{}{}
		// A job that arrives at an idle writer would run alone. Let other callers that are ready
		// send theirs first.
		runtime.Gosched()
		jobs := w.collect(first)
		switch {
		case len(jobs) == 0:
			<-w.turn
			w.idle <- at
		case len(w.slots) == 1:
			w.write(at, jobs)
		default:
			transactions.Go(func() { w.write(at, jobs) })
		}
	}
}

// slot is a place for a running transaction. since is its start in nanoseconds since 1970, 0 if
// there is none.
type slot struct{ since atomic.Int64 }

// longest returns the duration of the transaction that has been running for the longest time, 0 if
// none runs.
func (w *writer) longest(now time.Time) (longest time.Duration) {
	for i := range w.slots {
		if since := w.slots[i].since.Load(); since > 0 {
			longest = max(longest, time.Duration(now.UnixNano()-since))
		}
	}
	return longest
}

// write runs jobs in a slot and measures the transaction. It gives the turn back, and the slot.
func (w *writer) write(at *slot, jobs []*job) {
	giveTurn := sync.OnceFunc(func() { <-w.turn })
	if len(w.slots) > 1 {
		defer time.AfterFunc(turnLimit, giveTurn).Stop()
	}
	start, end := time.Now(), telemetry.StartLinkedSpan("store transaction", contexts(jobs))
	at.since.Store(start.UnixNano())
	w.commit(jobs)
	at.since.Store(0)
	end()
	w.batched.Store(len(jobs) > 1)
	w.metrics.seconds.Observe(time.Since(start).Seconds())
	w.metrics.jobs.Observe(float64(len(jobs)))
	giveTurn()
	w.idle <- at
}

func contexts(jobs []*job) iter.Seq[context.Context] {
	return func(yield func(context.Context) bool) {
		for _, j := range jobs {
			if !yield(j.ctx) {
				return
			}
		}
	}
}

// collect returns the queued jobs whose callers still wait, up to the limits of a batch. It does
// not wait for more: the next jobs queue up while a transaction commits.
func (w *writer) collect(first *job) []*job {
	var jobs []*job
	size := 0
	for j, ok := first, true; ok; {
		if err := j.ctx.Err(); err != nil {
			j.result <- err
		} else {
			jobs, size = append(jobs, j), size+j.size()
		}
		if len(jobs) == batchJobs || size > batchBytes {
			break
		}
		select {
		case j, ok = <-w.queue:
		default:
			ok = false
		}
	}
	return jobs
}

// commit commits jobs in one transaction. If a job fails, the transaction is rolled back and
// retried without that job.
func (w *writer) commit(jobs []*job) {
	for _, j := range jobs {
		if j.gameID != "" {
			w.cache.begin(j.gameID)
		}
	}
	for len(jobs) > 0 {
		failed, err := w.db.transact(jobs)
		if failed < 0 {
			w.finish(jobs, err)
			return
		}
		if errors.Is(err, errRejected) {
			jobs[failed].changed, err = 0, nil
		}
		w.finish(jobs[failed:failed+1], err)
		jobs = append(jobs[:failed:failed], jobs[failed+1:]...)
	}
}

// finish updates the cache and returns results to the callers. After an error, the outcome of the
// transaction is unknown.
func (w *writer) finish(jobs []*job, err error) {
	for _, j := range jobs {
		if j.gameID != "" {
			switch {
			case err != nil:
				w.cache.remove(j.gameID)
			case j.changed > 0:
				j.committed()
			}
			w.cache.end(j.gameID)
		}
		j.result <- err
	}
}
