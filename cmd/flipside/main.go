// Command flipside plays Reversi and Three Trios from the command line. All it does is in package cli.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/flipside-games/flipside/clients/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code := cli.Run(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, os.Getenv)
	stop()
	os.Exit(code)
}
