// Command flipsided runs the game server.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/flipside-games/flipside/services/app"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := app.Command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "flipsided:", err)
		os.Exit(1)
	}
}
