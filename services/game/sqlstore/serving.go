package sqlstore

import (
	"cmp"
	"context"
	"sync/atomic"
	"time"
)

// defaultHeartbeat is the interval between two heartbeats of a process.
const defaultHeartbeat = time.Second

// serving records in the database that this process serves, by a heartbeat in every interval. The
// table serving has a row for each period in which the heartbeats of all processes together left no
// gap. The gaps between the rows are the outages.
type serving struct {
	interval time.Duration
	// maxSilence is the time between two heartbeats from which on it is an outage.
	maxSilence time.Duration
	// countOutages makes outages count on clocks.
	countOutages bool

	// beating holds a value during a heartbeat.
	beating chan struct{}
	// last is the time of the last heartbeat of this process, 0 before the first. It is a wall-clock
	// time, since monotonic clocks stop while a machine sleeps.
	last    atomic.Int64
	outages atomic.Pointer[[]outage]

	stop context.CancelFunc
	done chan struct{}
}

// outage is a time in which no process served, in nanoseconds since 1970.
type outage struct{ from, to int64 }

func newServing(o Options) *serving {
	interval := cmp.Or(o.Heartbeat, defaultHeartbeat)
	return &serving{
		interval: interval, maxSilence: interval * 5 / 2, countOutages: o.CountOutages,
		beating: make(chan struct{}, 1), done: make(chan struct{}),
	}
}

// silent reports whether this process has sent no heartbeat for so long that the known outages may
// be incomplete.
func (s *serving) silent(now time.Time) bool {
	return now.UnixNano()-s.last.Load() > int64(s.maxSilence)
}

// since returns the part of the time since t in which no process served.
func (s *serving) since(t time.Time) (paused time.Duration) {
	if s.countOutages {
		return 0
	}
	from := t.UnixNano()
	outages := *s.outages.Load()
	for i := len(outages) - 1; i >= 0 && outages[i].to > from; i-- {
		paused += time.Duration(outages[i].to - max(outages[i].from, from))
	}
	return paused
}

// startServing sends the first heartbeat and then one in every interval, until stopServing.
func (s *Store) startServing(ctx context.Context) error {
	if err := s.heartbeat(ctx); err != nil {
		return err
	}
	ctx, s.serving.stop = context.WithCancel(context.Background())
	go func() {
		defer close(s.serving.done)
		ticker := time.NewTicker(s.serving.interval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				_ = s.heartbeat(ctx) // The health of the store has the error.
			case <-ctx.Done():
				return
			}
		}
	}()
	return nil
}

// stopServing sends a last heartbeat, so that the outage starts now, and stops.
func (s *Store) stopServing() {
	s.serving.stop()
	<-s.serving.done
	if s.health.failing() == nil {
		_ = s.heartbeat(context.Background()) // Without it the outage starts at the heartbeat before.
	}
}

// heartbeat records that this process serves now, and ends an outage if there was one.
func (s *Store) heartbeat(ctx context.Context) error {
	v := s.serving
	select {
	case v.beating <- struct{}{}:
		defer func() { <-v.beating }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := s.measureClock(ctx); err != nil {
		return err
	}
	at := s.Now()
	now, alive := nanoseconds(at), nanoseconds(at.Add(-v.maxSilence))
	extended, err := s.write(ctx, extendServing, now, alive)
	if err == nil && extended == 0 {
		err = s.endOutage(ctx, now, alive)
	}
	if err == nil && v.silent(at) {
		err = s.readOutages(ctx)
	}
	if err == nil && s.db.shared() {
		_, err = s.write(ctx, mergeCounters)
	}
	if err != nil {
		return err
	}
	v.last.Store(now)
	s.health.succeed()
	return nil
}

// endOutage begins a period and moves the stored deadlines by the time of the outage before it.
// Nothing changes if another process has done so.
func (s *Store) endOutage(ctx context.Context, now, alive int64) error {
	begin := []statement{{beginServing, []any{now, alive}}}
	if !s.serving.countOutages {
		begin = append(begin, statement{moveDeadlines, []any{now}})
	}
	begin = append(begin, statement{confirmServing, []any{now}})
	_, err := s.writer.do(ctx, &job{statements: begin})
	return err
}

// readOutages reads the outages from the database.
func (s *Store) readOutages(ctx context.Context) error {
	var outages []outage
	var last int64
	err := s.db.read(ctx, func(reader reader) error {
		return reader.query(func(scan scanFunc) error {
			before := last
			var started int64
			err := scan(&started, &last)
			if before > 0 && started > before {
				outages = append(outages, outage{before, started})
			}
			return err
		}, selectServing)
	})
	if err == nil {
		s.serving.outages.Store(&outages)
	}
	return err
}

// pause returns the part of a turn, which started at since, in which no process served. Before it
// decides that, it makes sure that this process knows all outages.
func (s *Store) pause(ctx context.Context, since time.Time) (time.Duration, error) {
	if since.IsZero() {
		return 0, nil
	}
	if s.serving.silent(s.Now()) {
		if err := s.heartbeat(ctx); err != nil {
			return 0, err
		}
	}
	return s.serving.since(since), nil
}
