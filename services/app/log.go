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

// newLogger returns the logger that the settings ask for. What it gathers is written at last by finish.
func newLogger(out io.Writer, s Settings) (log *slog.Logger, finish func(), err error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(s.LogLevel)); err != nil {
		return nil, nil, fmt.Errorf("--log-level: there is no level %q", s.LogLevel)
	}
	lines := &gathered{out: out}
	options := &slog.HandlerOptions{Level: level}
	switch s.LogFormat {
	case "json":
		return slog.New(prompt{slog.NewJSONHandler(lines, options), lines.flush}), lines.flush, nil
	case "text":
		return slog.New(prompt{slog.NewTextHandler(lines, options), lines.flush}), lines.flush, nil
	}
	return nil, nil, errors.New("--log-format: json or text")
}

const (
	// gatherTime is how late a line may reach the log, and gatherSize how many bytes of lines wait at most.
	gatherTime = 100 * time.Millisecond
	gatherSize = 64 << 10
)

// gathered writes lines many at a time: every call has one, and writing one costs as much as making two. It may be
// used from many goroutines. That the log cannot be written there is nobody to tell.
type gathered struct {
	out   io.Writer
	mu    sync.Mutex
	lines []byte
}

func (g *gathered) Write(line []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.lines) == 0 {
		time.AfterFunc(gatherTime, g.flush)
	}
	if g.lines = append(g.lines, line...); len(g.lines) > gatherSize {
		g.write()
	}
	return len(line), nil
}

// flush writes what waits.
func (g *gathered) flush() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.write()
}

func (g *gathered) write() {
	if len(g.lines) > 0 {
		_, _ = g.out.Write(g.lines)
		g.lines = g.lines[:0]
	}
}

// prompt has warnings and errors written at once, with what waits before them.
type prompt struct {
	slog.Handler
	flush func()
}

// Handle implements slog.Handler.
func (p prompt) Handle(ctx context.Context, r slog.Record) error {
	err := p.Handler.Handle(ctx, r)
	if r.Level >= slog.LevelWarn {
		p.flush()
	}
	return err
}

// WithAttrs implements slog.Handler.
func (p prompt) WithAttrs(attrs []slog.Attr) slog.Handler {
	return prompt{p.Handler.WithAttrs(attrs), p.flush}
}

// WithGroup implements slog.Handler.
func (p prompt) WithGroup(name string) slog.Handler {
	return prompt{p.Handler.WithGroup(name), p.flush}
}
