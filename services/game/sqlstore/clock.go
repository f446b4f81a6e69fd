package sqlstore

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/flipside-games/flipside/services/game"
)

// warnOffset is the offset of a clock from which on the log warns.
const warnOffset = time.Second

// clock converts the time of this process to that of the database server, which all processes
// share.
type clock struct {
	log   *slog.Logger
	local func() time.Time
	// offset is the time of this process minus that of the server, in nanoseconds.
	offset atomic.Int64
	// level is the level of the last line in the log. Only measureClock uses it.
	level slog.Level
}

// Now implements [game.Store].
func (s *Store) Now() time.Time {
	return s.clock.local().Add(-time.Duration(s.clock.offset.Load()))
}

// InSync implements [game.Store].
func (s *Store) InSync() bool {
	return time.Duration(s.clock.offset.Load()).Abs() <= game.MaxClockOffset
}

// measureClock compares the clock of this process with that of a database server.
func (s *Store) measureClock(ctx context.Context) error {
	if !s.db.shared() {
		return nil
	}
	before := s.clock.local()
	var server int64
	if err := s.queryRow(ctx, []any{&server}, selectServerTime); err != nil {
		return err
	}
	// The server read its clock between both times of this process.
	uncertainty := s.clock.local().Sub(before) / 2
	s.clock.set(before.Add(uncertainty).Sub(timeOf(server)), uncertainty)
	return nil
}

// set replaces the offset unless the difference is smaller than the uncertainty of the measurement.
// It logs when the offset crosses a limit.
func (c *clock) set(offset, uncertainty time.Duration) {
	if old := time.Duration(c.offset.Load()); (offset - old).Abs() <= uncertainty {
		offset = old
	}
	c.offset.Store(int64(offset))
	level, text := slog.LevelInfo, "the clock agrees with the clock of the database again"
	switch size := offset.Abs(); {
	case size > game.MaxClockOffset:
		level, text = slog.LevelError, "the clock differs too much from the clock of the database: "+
			"this process plays no robots and ends no games"
	case size > warnOffset:
		level, text = slog.LevelWarn, "the clock differs from the clock of the database: "+
			"synchronize both, by NTP for example"
	}
	if level != c.level {
		c.level = level
		c.log.Log(context.Background(), level, text, "offset", offset.String())
	}
}

func (c *clock) metric() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "flipside_clock_offset_seconds",
		Help: "Time of this process minus time of the database server.",
	}, func() float64 { return time.Duration(c.offset.Load()).Seconds() })
}
