package commands

import (
	"bytes"
	"io"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/settings"
)

// brokenWriter accepts a number of bytes and then fails.
type brokenWriter struct {
	room int
	err  error
}

func (w *brokenWriter) Write(text []byte) (int, error) {
	if w.room < len(text) {
		return 0, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: w.err}
	}
	w.room -= len(text)
	return len(text), nil
}

// runTo runs the client with a standard output, and returns the exit code and the standard error.
func (f *fake) runTo(out io.Writer, args ...string) (int, string) {
	var stderr bytes.Buffer
	p := newProgram(Streams{In: strings.NewReader(f.stdin), Out: out, Err: &stderr}, f.getenv)
	p.dialer.Retry.Attempts = 1
	return p.run(f.t.Context(), args), stderr.String()
}

// printing returns command lines that print something: all commands, their helps and the scripts of
// all shells.
func printing() []string {
	all := []string{
		"game create hex", "game list", "game show 01hex", "game join 01hex", "game move 01hex d3", "game legal 01hex",
		"game resign 01done", "game claim 01away", "game abort 01trios", "game fork 01hex", "game robot 01hex hard",
		"game board 01hex", "game watch 01hex", "turns", "strategy list", "strategy choose greedy x",
		"strategy analyze alphabeta x", "arena easy hard", "player new", "player show", "player rotate-key",
		"webhook set https://a.example", "webhook show", "webhook delete",
		"context show", "context list", "doctor", "version", "play hex easy easy",
	}
	for _, command := range all {
		all = append(all, command+" -o json", command+" -o jsonl")
	}
	for _, shell := range []string{"bash", "fish", "powershell", "zsh"} {
		all = append(all, "completion "+shell)
	}
	var addHelp func(cmd *cobra.Command)
	addHelp = func(cmd *cobra.Command) {
		path := strings.TrimPrefix(cmd.CommandPath(), "flipside")
		all = append(all, strings.TrimSpace(path+" --help"))
		if cmd.HasSubCommands() {
			all = append(all, strings.TrimSpace(path))
		}
		for _, sub := range cmd.Commands() {
			addHelp(sub)
		}
	}
	addHelp((&program{}).root())
	return append(all, "help game", "--version")
}

func TestFailedWritesToStdoutAreErrors(t *testing.T) {
	t.Parallel()
	for _, args := range printing() {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			f.answerAll()
			f.saveConfig(t, settings.Config{Contexts: map[string]settings.Context{"home": {Address: f.address}}})
			code, stderr := f.runTo(&brokenWriter{err: syscall.ENOSPC}, strings.Fields(args)...)
			const want = "flipside: cannot write to the standard output: no space left on device\n"
			if code != exitOther || !strings.HasSuffix(stderr, want) || strings.Count(stderr, "flipside: ") != 1 {
				t.Errorf("a full disk: exit code %d, stderr %q", code, stderr)
			}
			code, stderr = f.runTo(&brokenWriter{err: syscall.EPIPE}, strings.Fields(args)...)
			if code != exitOther || strings.Contains(stderr, "flipside: ") {
				t.Errorf("a closed pipe: exit code %d, stderr %q", code, stderr)
			}
		})
	}
}

// A run that follows games ends although nothing else ends it.
func TestAFailedWriteEndsAStream(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.answerAll()
	for room := 0; ; room += 100 {
		out := &brokenWriter{room: room, err: syscall.ENOSPC}
		code, _ := f.runTo(out, "game", "watch", "01hex")
		if code == 0 {
			return // there was room for everything
		}
		if code != exitOther || room > 10_000 {
			t.Fatalf("exit code %d with room for %d bytes", code, room)
		}
	}
}
