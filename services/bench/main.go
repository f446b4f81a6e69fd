//go:build linux

// Command bench measures what Flipside makes of a machine: each figure of the product beside a ceiling, which is the
// least that any program would have to do for the same, measured in the same run. The two take turns in short rounds,
// so that whatever else the machine does slows both. The table it prints is kept in docs/performance.md.
//
// It is a client: it builds the daemon and runs it, as its users do, in a process of its own. What one package costs by itself is
// measured by that package's Go benchmarks.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// bench is one run.
type bench struct {
	dir    string // for all that is written, on the disk that is measured
	daemon string // the program under test
	rounds int
	length time.Duration // of one round
	games  int           // in the large store
	// verbose tells of every round.
	verbose bool
	// overnight has time for what takes hours.
	overnight bool
}

// callers is how many call at once, over connections as many.
const callers, connections = 64, 2

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	if len(os.Args) > 2 && os.Args[1] == bareCommand {
		err = serveBare(ctx, os.Args[2], os.Args[3:])
	} else {
		err = run(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	var b bench
	flag.IntVar(&b.rounds, "rounds", 9, "rounds of each figure and of its ceiling")
	flag.DurationVar(&b.length, "round", time.Second, "the time of one round")
	flag.IntVar(&b.games, "games", 1_000_000, "games in the large store")
	flag.BoolVar(&b.verbose, "v", false, "tell of every round")
	only := flag.String("only", "", "measure only what matches this regular `expression`: "+
		"get, log, play, postgres, rest, watch, crowd, perft, store, engine")
	flag.BoolVar(&b.overnight, "overnight", false, "solve 6x6, too, which takes hours")
	page := flag.String("write", "", "the `page` in which to replace the table")
	flag.StringVar(&b.daemon, "daemon", "", "a flipsided to measure instead of that of this checkout")
	disk := flag.String("dir", "", "a `folder` on the disk to measure; the system's for temporary files by default")
	flag.Parse()
	wanted, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if b.dir, err = os.MkdirTemp(*disk, "flipside-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if err := b.build(ctx); err != nil {
		return err
	}
	if err := b.measure(ctx, wanted, *page); err != nil || !wanted.MatchString("engine") {
		return err
	}
	fmt.Fprintln(os.Stderr, "measuring engine")
	tables, err := b.engineTables(ctx)
	if err != nil {
		return fmt.Errorf("engine: %w", err)
	}
	return publish(*page, "engine", tables)
}

// publish prints what was made and puts it into its place on the page, if there is one.
func publish(page, name, made string) error {
	fmt.Fprint(os.Stdout, made)
	if page == "" {
		return nil
	}
	return replaceIn(page, name, []byte(made))
}

// build makes the program under test from this checkout, unless another one is to be measured.
func (b *bench) build(ctx context.Context) error {
	if b.daemon != "" {
		return nil
	}
	b.daemon = filepath.Join(b.dir, "flipsided")
	const program = "github.com/flipside-games/flipside/cmd/flipsided"
	build := exec.CommandContext(ctx, "go", "build", "-o", b.daemon, program) //nolint:gosec // A folder that this program made.
	build.Stderr = os.Stderr
	return build.Run()
}

// measure makes the table, and says on the way what it is at, since that takes minutes.
func (b *bench) measure(ctx context.Context, wanted *regexp.Regexp, page string) error {
	t := table{about: fmt.Sprintf("%s %d rounds of %s.", machine(ctx), b.rounds, b.length)}
	for _, part := range []struct {
		name    string
		measure func(context.Context) ([]row, error)
	}{
		{"get", b.getGame},
		{"log", b.logging},
		{"play", b.playMove},
		{"postgres", b.playOnPostgres},
		{"rest", b.rest},
		{"watch", b.watch},
		{"crowd", b.crowd},
		{"perft", b.perft},
		{"store", b.growth},
	} {
		if !wanted.MatchString(part.name) {
			continue
		}
		fmt.Fprintln(os.Stderr, "measuring", part.name)
		rows, err := part.measure(ctx)
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		t.rows = append(t.rows, rows...)
	}
	if len(t.rows) == 0 {
		return nil
	}
	var made strings.Builder
	t.write(&made)
	return publish(page, "table", made.String())
}
