package adapters

import (
	"bufio"
	"context"
	"errors"
	"io"
)

// maxLine bounds the bytes of a line.
const maxLine = 64 << 10

// errLineTooLong is the error for a line of more than maxLine bytes.
var errLineTooLong = errors.New("a line of more than 65536 bytes")

// lineReader reads the lines of a stream in a goroutine.
type lineReader struct {
	lines chan string
	ended chan struct{} // closed at the end of the stream
	err   error         // of the stream, nil at a normal end; valid once ended is closed
}

// readLines reads in until it ends, fails, or ctx ends.
func readLines(ctx context.Context, in io.Reader) *lineReader {
	r := &lineReader{lines: make(chan string), ended: make(chan struct{})}
	go func() {
		defer close(r.ended)
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, maxLine)
		for scanner.Scan() {
			select {
			case r.lines <- scanner.Text():
			case <-ctx.Done():
				r.err = ctx.Err()
				return
			}
		}
		r.err = scanner.Err()
		if errors.Is(r.err, bufio.ErrTooLong) {
			r.err = errLineTooLong
		}
	}()
	return r
}

// next returns the next line. It returns io.EOF at a normal end of the stream.
func (r *lineReader) next(ctx context.Context) (string, error) {
	select {
	case line := <-r.lines:
		return line, nil
	case <-r.ended:
		if r.err != nil {
			return "", r.err
		}
		return "", io.EOF
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
