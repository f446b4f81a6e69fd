// Command flipsided runs the game server.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/flipside-games/flipside/cmd/internal/release"
	"github.com/flipside-games/flipside/services/app"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := app.Main(ctx, release.Version, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
