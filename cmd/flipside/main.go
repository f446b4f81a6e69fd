// Command flipside is the command line client. Package commands contains its commands.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/flipside-games/flipside/clients/cli/commands"
	"github.com/flipside-games/flipside/cmd/internal/release"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	streams := commands.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	code := commands.Run(ctx, release.Version, os.Args[1:], streams, os.Getenv)
	stop()
	os.Exit(code)
}
