package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"
)

// newLogger returns the logger of the settings. flush writes the lines that it has buffered and
// returns the error of the first write that has failed.
func newLogger(out io.Writer, s Settings) (log *slog.Logger, flush func() error, err error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(s.LogLevel)); err != nil {
		return nil, nil, fmt.Errorf(
			"--log-level: unknown level %q: use debug, info, warn or error", s.LogLevel)
	}
	lines := &lineBuffer{out: out}
	options := &slog.HandlerOptions{Level: level}
	var handler slog.Handler
	switch s.LogFormat {
	case "json":
		handler = slog.NewJSONHandler(lines, options)
	case "text":
		handler = slog.NewTextHandler(lines, options)
	default:
		return nil, nil, fmt.Errorf("--log-format: unknown format %q: use json or text", s.LogFormat)
	}
	return slog.New(flushingHandler{handler, lines.flush}), lines.flush, nil
}

const (
	// flushInterval is the longest time that a line is buffered.
	flushInterval = 100 * time.Millisecond
	// maxBuffered is the number of buffered bytes above which the lines are written at once.
	maxBuffered = 64 << 10
)

// lineBuffer writes many lines at a time, since every call logs a line and a write costs twice as
// much as formatting it. After a write error it goes on. It is safe for concurrent use.
type lineBuffer struct {
	out    io.Writer
	mu     sync.Mutex
	lines  []byte
	failed error // of the first write that has failed
}

func (b *lineBuffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.lines) == 0 {
		time.AfterFunc(flushInterval, func() { _ = b.flush() }) // The last flush returns the error.
	}
	if b.lines = append(b.lines, line...); len(b.lines) > maxBuffered {
		b.write()
	}
	return len(line), nil
}

// flush writes the buffered lines.
func (b *lineBuffer) flush() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.write()
	return b.failed
}

func (b *lineBuffer) write() {
	if len(b.lines) == 0 {
		return
	}
	if _, err := b.out.Write(b.lines); err != nil && b.failed == nil {
		b.failed = fmt.Errorf("cannot write the log: %w", err)
	}
	b.lines = b.lines[:0]
}

// flushingHandler flushes after warnings and errors.
type flushingHandler struct {
	slog.Handler
	flush func() error
}

// Handle implements slog.Handler.
func (h flushingHandler) Handle(ctx context.Context, r slog.Record) error {
	err := h.Handler.Handle(ctx, r)
	if r.Level >= slog.LevelWarn {
		err = errors.Join(err, h.flush())
	}
	return err
}

// WithAttrs implements slog.Handler.
func (h flushingHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return flushingHandler{h.Handler.WithAttrs(attrs), h.flush}
}

// WithGroup implements slog.Handler.
func (h flushingHandler) WithGroup(name string) slog.Handler {
	return flushingHandler{h.Handler.WithGroup(name), h.flush}
}
