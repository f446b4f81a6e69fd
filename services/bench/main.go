// Command bench measures how close Flipside comes to the limits of a machine. Each figure of the
// product stands beside a ceiling: the least work that any program must do for the same result. The
// two are measured in turns, in short rounds of the same run, so that other load on the machine
// slows both. docs/performance.md keeps the table.
//
// The program is a client: it builds the daemon and runs it in a process of its own, as users do.
// Go benchmarks in the other packages measure one package by itself. It needs /proc of Linux.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// bench is one run.
type bench struct {
	dir     string // of all files that the run writes, on the disk to measure
	daemon  string // the program to measure
	rounds  int
	length  time.Duration // of one round
	games   int           // in the large store
	verbose bool          // print every round

	cleanups []func() // of all scopes, the inner ones last
}

// callers is the number of concurrent callers, connections that of their gRPC connections.
const callers, connections = 64, 2

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			fmt.Fprintln(os.Stderr, "bench:", r.error)
			os.Exit(1)
		default:
			panic(r)
		}
	}()
	var b bench
	b.scope(func() {
		if len(os.Args) > 3 && os.Args[1] == ceilingCommand {
			b.serveCeiling(ctx, os.Args[2], os.Args[3], os.Args[4:])
		} else {
			b.run(ctx)
		}
	})
}

func (b *bench) run(ctx context.Context) {
	flag.IntVar(&b.rounds, "rounds", 9, "rounds of each figure and of its ceiling")
	flag.DurationVar(&b.length, "round", time.Second, "duration of one round")
	flag.IntVar(&b.games, "games", 1_000_000, "games in the large store")
	flag.BoolVar(&b.verbose, "v", false, "print every round")
	only := flag.String("only", "", "measure only the parts that match this regular `expression`: "+
		"get, log, play, postgres, spread, rest, watch, connections, crowd, perft, store, engine")
	page := flag.String("write", "", "`page` in which to replace the tables")
	flag.StringVar(&b.daemon, "daemon", "", "flipsided to measure (default: build this checkout)")
	disk := flag.String("dir", "", "`folder` on the disk to measure (default: for temporary files)")
	flag.Parse()
	wanted := must(regexp.Compile(*only))
	b.dir = must(os.MkdirTemp(*disk, "flipside-bench-"))
	b.cleanup(func() { _ = os.RemoveAll(b.dir) })
	if b.daemon == "" {
		b.daemon = filepath.Join(b.dir, "flipsided")
		const program = "github.com/flipside-games/flipside/cmd/flipsided"
		//nolint:gosec // The run's own folder.
		build := exec.CommandContext(ctx, "go", "build", "-o", b.daemon, program)
		build.Stderr = os.Stderr
		check(build.Run())
	}
	b.measure(ctx, wanted, *page)
}

// parts measure the rows of the table, in its order.
var parts = []struct {
	name    string
	measure func(*bench, context.Context) []string // returns lines of the table
}{
	{"get", (*bench).get},
	{"log", (*bench).logging},
	{"play", (*bench).playOnSQLite},
	{"postgres", (*bench).playOnPostgres},
	{"spread", (*bench).spread},
	{"rest", (*bench).rest},
	{"watch", (*bench).watch},
	{"connections", (*bench).watchSeparately},
	{"crowd", (*bench).paced},
	{"perft", (*bench).perft},
	{"store", (*bench).stored},
}

// measure measures the parts whose names match and publishes their tables.
func (b *bench) measure(ctx context.Context, wanted *regexp.Regexp, page string) {
	about := machine(ctx) // first, since the page that this run writes is a change of the checkout
	var lines []string
	for _, part := range parts {
		if wanted.MatchString(part.name) {
			fmt.Fprintln(os.Stderr, "measuring", part.name)
			b.scope(func() { lines = append(lines, part.measure(b, ctx)...) })
			check(ctx.Err())
		}
	}
	if len(lines) > 0 {
		rounds := fmt.Sprintf("%s %d rounds of %s.\n", about, b.rounds, b.length)
		publish(page, "table", rounds+heading("what", "measured:", "ceiling", "measured:",
			"ratio:", "quartiles", "reach", "met")+strings.Join(lines, ""))
	}
	if wanted.MatchString("engine") {
		fmt.Fprintln(os.Stderr, "measuring engine")
		tables := about + "\n" + endgames(ctx) + perft11() + searches(ctx) + lateness(ctx)
		check(ctx.Err())
		publish(page, "engine", tables)
	}
}

// failure is the error that ends the run. Nothing can be measured after an error, so [check] panics
// with it and main reports it.
type failure struct{ error }

func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

// scope runs do, and then the functions that do passed to cleanup, the last one first.
func (b *bench) scope(do func()) {
	outer := len(b.cleanups)
	defer func() {
		for _, cleanup := range slices.Backward(b.cleanups[outer:]) {
			cleanup()
		}
		b.cleanups = b.cleanups[:outer]
	}()
	do()
}

func (b *bench) cleanup(f func()) { b.cleanups = append(b.cleanups, f) }
