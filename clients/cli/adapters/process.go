package adapters

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// process is a running engine. Only one goroutine may use it.
type process struct {
	in    io.Writer
	lines *lineReader
	last  string             // the last line with text that it sent
	kill  context.CancelFunc // with its children
	ended chan struct{}      // closed at its end
	state error              // how it ended; valid once ended is closed
}

// startProcess starts an engine. Its error output goes to log or, if that is nil, counts as output.
// It runs until ctx ends or kill is called.
func startProcess(ctx context.Context, command []string, log io.Writer) (*process, error) {
	ctx, cancel := context.WithCancel(ctx)
	//nolint:gosec // The user names the command.
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Cancel = group(cmd)
	cmd.WaitDelay = time.Second // for children that left the group
	in, err := cmd.StdinPipe()
	if err != nil {
		cancel()
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		if cmd.Stderr = log; log == nil {
			cmd.Stderr = cmd.Stdout
		}
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("cannot start the engine: %w", err)
	}
	p := &process{
		in: in, lines: readLines(ctx, out), kill: cancel, ended: make(chan struct{}),
	}
	go func() {
		defer close(p.ended)
		defer cancel()
		<-p.lines.ended
		_ = cmd.Cancel() // the children
		p.state = cmd.Wait()
	}()
	return p, nil
}

// dead reports whether the engine has ended.
func (p *process) dead() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// send sends a line. It reports no error: receive finds that the engine has ended.
func (p *process) send(line string) { _, _ = io.WriteString(p.in, line+"\n") }

// receive returns the next line of the engine.
func (p *process) receive(ctx context.Context) (string, error) {
	line, err := p.lines.next(ctx)
	switch {
	case err == nil:
		if strings.TrimSpace(line) != "" {
			p.last = line
		}
		return line, nil
	case ctx.Err() != nil:
		return "", &lateError{ctx.Err()}
	case errors.Is(err, errLineTooLong):
		return "", fmt.Errorf("the engine sent %w", err)
	}
	select {
	case <-p.ended:
	case <-ctx.Done():
		return "", &lateError{ctx.Err()}
	}
	how := "normally"
	if p.state != nil {
		how = p.state.Error()
	}
	return "", fmt.Errorf("the engine ended (%s)", how)
}

// lateError is the error of an engine that does not answer before a context ends.
type lateError struct{ err error }

func (*lateError) Error() string { return "the engine did not answer in time" }

// Unwrap returns the error of the context.
func (e *lateError) Unwrap() error { return e.err }

// lastLine describes the last line of the engine, for error messages.
func (p *process) lastLine() string {
	if p.last == "" {
		return "it sent no line"
	}
	return fmt.Sprintf("its last line is %.100q", p.last)
}
