// Command flipside-train trains the weights of the Reversi engines, plays matches between weights
// and measures errors. Package train has the commands.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/flipside-games/flipside/services/strategy/train"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := train.Main(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "flipside-train:", err)
		os.Exit(1)
	}
}
