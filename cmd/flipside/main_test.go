//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestMain runs the program in place of the tests if the environment asks for it.
func TestMain(m *testing.M) {
	if os.Getenv("FLIPSIDE_TEST_SIGNALS") == "" {
		os.Exit(m.Run())
	}
	ctx, stop := untilSignal()
	defer stop()
	fmt.Fprintln(os.Stdout, "ready")
	<-ctx.Done()
	for range 100 { // as the signal to the process group, at any moment
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
	}
	fmt.Fprintln(os.Stdout, "ended")
}

// `timeout 10s flipside turns -o json` sends SIGTERM twice. The JSON must be complete nevertheless.
func TestASecondSignalAtOnceDoesNotCutTheOutput(t *testing.T) {
	t.Parallel()
	program := exec.CommandContext(t.Context(), os.Args[0])
	program.Env = append(os.Environ(), "FLIPSIDE_TEST_SIGNALS=1")
	out, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for buffer := make([]byte, 64); ; {
		n, err := out.Read(buffer)
		text.Write(buffer[:n])
		if err != nil {
			break
		}
		if text.String() == "ready\n" {
			_ = program.Process.Signal(syscall.SIGTERM)
		}
	}
	if err := program.Wait(); err != nil || text.String() != "ready\nended\n" {
		t.Errorf("%q, %v", text.String(), err)
	}
}
