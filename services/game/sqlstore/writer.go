package sqlstore

import (
	"context"
	"iter"
	"runtime"
	"sync"
	"time"

	"github.com/flipside-games/flipside/services/internal/telemetry"
)

const (
	// batchJobs is how many jobs share a transaction at most.
	batchJobs = 128
	// batchBytes is about how much they may have to write together. So much is on its way to a database server at once, even
	// if this process is stopped in between, and does not keep other processes waiting.
	batchBytes = 128 << 10
)

// writer has one goroutine write. It takes the jobs that are waiting and does them in one transaction, so that
// all of them share the wait for the disk, and for the database server if there is one. Only while jobs come one by one does
// each caller write his own, which spares him the handing over.
type writer struct {
	db      database
	cache   *cache
	queue   chan *job
	metrics metrics

	// writing is held by whoever writes. crowded is whether the last transaction had more than one job.
	writing sync.Mutex
	crowded bool

	// mu keeps the queue open while a job is handed in.
	mu     sync.RWMutex
	closed bool
	done   chan struct{}
}

// job is something to write. Its first statement decides: when that changes no row the job is refused, and the others
// must change nothing either.
type job struct {
	ctx        context.Context
	statements []statement
	// gameID is the game that the job changes, "" for none; kept is called once its change is committed.
	gameID string
	kept   func()

	// changed is how many rows the first statement changed.
	changed  int64
	answered chan error
}

// size is about how many bytes the job has to write.
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

func newWriter(db database, cache *cache) *writer {
	w := &writer{
		db: db, cache: cache, queue: make(chan *job, batchJobs), metrics: newMetrics(), done: make(chan struct{}),
	}
	go w.run()
	return w
}

// do hands a job in and waits until it is committed or refused. It returns how many rows its first statement changed, 0 when
// it was refused. When ctx ends before, the job may be done all the same.
func (w *writer) do(ctx context.Context, j *job) (changed int64, err error) {
	j.ctx, j.answered = ctx, make(chan error, 1)
	if !w.doAtOnce(j) {
		if err := w.enqueue(ctx, j); err != nil {
			return 0, err
		}
	}
	select {
	case err := <-j.answered:
		if err != nil {
			return 0, err
		}
		return j.changed, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// doAtOnce does a job unless others write, or are likely to, or the caller may not want to wait for it.
func (w *writer) doAtOnce(j *job) bool {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.closed || j.ctx.Done() != nil || !w.writing.TryLock() {
		return false
	}
	defer w.writing.Unlock()
	if w.crowded || len(w.queue) > 0 {
		return false
	}
	w.write([]*job{j})
	return true
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
		w.writing.Lock()
		// Whoever hands a job in to an idle writer would see it run at once. Let those go first who are about to hand theirs in.
		runtime.Gosched()
		if jobs := w.gather(first); len(jobs) > 0 {
			w.write(jobs)
		}
		w.writing.Unlock()
	}
}

// write does jobs, and measures that.
func (w *writer) write(jobs []*job) {
	start, end := time.Now(), telemetry.StartLinkedSpan("store transaction", contexts(jobs))
	w.work(jobs)
	end()
	w.crowded = len(jobs) > 1
	w.metrics.took.Observe(time.Since(start).Seconds())
	w.metrics.jobs.Observe(float64(len(jobs)))
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
	var jobs []*job
	size := 0
	for j, ok := first, true; ok; {
		if err := j.ctx.Err(); err != nil {
			j.answered <- err
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

// work does jobs and answers them. One that fails does so alone: the transaction is undone, and the others are done again
// without it.
func (w *writer) work(jobs []*job) {
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
		w.finish(jobs[failed:failed+1], err)
		jobs = append(jobs[:failed:failed], jobs[failed+1:]...)
	}
}

// finish answers jobs after their transaction. When that failed nobody knows whether it was committed.
func (w *writer) finish(jobs []*job, err error) {
	for _, j := range jobs {
		switch {
		case j.gameID == "":
		case err != nil:
			w.cache.forget(j.gameID)
		case j.changed > 0:
			j.kept()
		}
		if j.gameID != "" {
			w.cache.end(j.gameID)
		}
		j.answered <- err
	}
}
