// Command flipside is the command line client. Package commands contains its commands.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/flipside-games/flipside/clients/cli/commands"
	"github.com/flipside-games/flipside/cmd/internal/release"
)

func main() {
	ctx, stop := untilSignal()
	streams := commands.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	code := commands.Run(ctx, release.Version, os.Args[1:], streams, os.Getenv)
	stop()
	os.Exit(code)
}

// grace is the time after a signal in which further ones are ignored: timeout(1) sends its signal to
// the program and again to the process group.
const grace = time.Second

// untilSignal returns a context that the first signal ends. After the grace another signal ends the
// program at once.
func untilSignal() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() { time.AfterFunc(grace, stop) })
	return ctx, stop
}
