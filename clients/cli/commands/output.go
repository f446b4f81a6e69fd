package commands

import (
	"context"
	"io"
	"sync"
)

// output is the standard output of a run. The first write that fails ends the run and decides its
// exit code, even where a caller ignores the error.
type output struct {
	io.Writer
	end    context.CancelFunc
	failed error
}

func (o *output) Write(text []byte) (int, error) {
	n, err := o.Writer.Write(text)
	if err != nil && o.failed == nil {
		o.failed = err
		o.end()
	}
	return n, err
}

// lockedWriter is a writer for several goroutines.
type lockedWriter struct {
	mu sync.Mutex
	io.Writer
}

func (w *lockedWriter) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.Writer.Write(text)
}
