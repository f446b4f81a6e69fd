//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/dustin/go-humanize"
	"golang.org/x/sync/errgroup"
)

// row is one figure with its ceiling.
type row struct {
	what, ceiling string // ceiling is "" for a figure without one
	unit          unit
	reach         float64 // the bound that the ratio is meant to keep; 0 for none
	figure, limit meter   // measure the figure and its ceiling

	// The results are medians of all rounds. A ratio is of two consecutive rounds; low and high are
	// its quartiles.
	median, limitMedian sample
	ratio, low, high    float64
}

// bound formats the bound of the ratio, and whether the ratio keeps it.
func (r row) bound() (reach, met string) {
	if r.reach == 0 {
		return "", ""
	}
	met = "**no**"
	if r.ratio == r.reach || (r.ratio > r.reach) == (r.unit.sign == "≥") {
		met = "yes"
	}
	return fmt.Sprintf("%s %g", r.unit.sign, r.reach), met
}

// sample is the result of one round: a number per second, microseconds or bytes. cpu is the
// processor time that the server spent per unit, in microseconds; 0 if unknown.
type sample struct{ value, cpu float64 }

// unit formats samples. sign is that of the bounds of their ratios.
type unit struct {
	format func(sample) string
	sign   string
}

var (
	perSecond = unit{func(s sample) string {
		if s.cpu == 0 {
			return count(s.value) + "/s"
		}
		return fmt.Sprintf("%s/s, %.0f µs CPU", count(s.value), s.cpu)
	}, "≥"}
	microseconds = unit{func(s sample) string { return count(s.value) + " µs" }, "≤"}
	kilobytes    = unit{func(s sample) string { return fmt.Sprintf("%.1f KB", s.value/1000) }, "≤"}
	megabytes    = unit{func(s sample) string { return fmt.Sprintf("%.0f MB", s.value/1e6) }, "≤"}
	cores        = unit{func(s sample) string { return fmt.Sprintf("%.2f cores", s.value) }, "≤"}
)

// count formats a number with thousands separators.
func count(n float64) string { return humanize.Comma(int64(math.Round(n))) }

// meter measures one round.
type meter func(context.Context) sample

// call makes one call for a caller.
type call func(ctx context.Context, caller int) error

// compare measures each row and fills in its results. A first round of each figure and ceiling does
// not count.
func (b *bench) compare(ctx context.Context, rows ...row) []row {
	for i := range rows {
		r := &rows[i]
		var figures, ceilings []sample
		var ratios []float64
		for round := range b.rounds + 1 {
			c := r.limit(ctx)
			f := r.figure(ctx)
			if b.verbose {
				fmt.Fprintf(os.Stderr, "%12.0f %6.1f µs CPU, ceiling %12.0f %6.1f µs CPU\n",
					f.value, f.cpu, c.value, c.cpu)
			}
			if round > 0 {
				figures, ceilings = append(figures, f), append(ceilings, c)
				ratios = append(ratios, f.value/c.value)
			}
		}
		r.median, r.limitMedian = medians(figures), medians(ceilings)
		r.low, r.ratio, r.high = quantile(ratios, 0.25), median(ratios), quantile(ratios, 0.75)
	}
	check(ctx.Err())
	return rows
}

func medians(samples []sample) sample {
	var values, cpus []float64
	for _, s := range samples {
		values, cpus = append(values, s.value), append(cpus, s.cpu)
	}
	return sample{median(values), median(cpus)}
}

func median(values []float64) float64 { return quantile(values, 0.5) }

func quantile(values []float64, q float64) float64 {
	return slices.Sorted(slices.Values(values))[int(q*float64(len(values)-1)+0.5)]
}

// rate measures the calls per second of all callers, each with one call at a time. server answers
// the calls; it is nil if they stay in this process.
func (b *bench) rate(server *process, call call) meter {
	return func(ctx context.Context) sample {
		var calls atomic.Int64
		start, cpu := time.Now(), server.cpu()
		group, ctx := errgroup.WithContext(ctx)
		for caller := range callers {
			group.Go(func() error {
				for time.Since(start) < b.length {
					if err := call(ctx, caller); err != nil {
						return err
					}
					calls.Add(1)
				}
				return nil
			})
		}
		check(group.Wait())
		n := float64(calls.Load())
		return sample{n / time.Since(start).Seconds(), (server.cpu() - cpu) / n}
	}
}

// latency measures the median time of consecutive calls by the first caller, in microseconds. calls
// is their number; with 0 they last a round.
func (b *bench) latency(calls int, call call) meter {
	return func(ctx context.Context) sample {
		var times []float64
		for start := time.Now(); calls == 0 && time.Since(start) < b.length || len(times) < calls; {
			begun := time.Now()
			check(call(ctx, 0))
			times = append(times, float64(time.Since(begun).Nanoseconds())/1000)
		}
		return sample{value: median(times)}
	}
}

// formatRows returns the rows as a table in Markdown.
func formatRows(rows []row) string {
	var out bytes.Buffer
	heading(&out, "what", "measured:", "ceiling", "measured:", "ratio:", "quartiles", "reach", "met")
	for _, r := range rows {
		measured := r.unit.format(r.median)
		if r.ceiling == "" {
			fmt.Fprintf(&out, "| %s | %s |  |  |  |  |  |  |\n", r.what, measured)
			continue
		}
		reach, met := r.bound()
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %.2f | %.2f to %.2f | %s | %s |\n",
			r.what, measured, r.ceiling, r.unit.format(r.limitMedian), r.ratio, r.low, r.high, reach, met)
	}
	return out.String()
}

// heading writes an empty line and the first two lines of a table. A colon at the end of a name aligns the column to
// the right.
func heading(out *bytes.Buffer, columns ...string) {
	names, rule := "|", "|"
	for _, column := range columns {
		name, right := strings.CutSuffix(column, ":")
		names, rule = names+" "+name+" |", rule+" ---"
		if right {
			rule += ":"
		}
		rule += " |"
	}
	fmt.Fprintf(out, "\n%s\n%s\n", names, rule)
}

// publish prints a text, and puts it between its markers on the page if page is not "".
func publish(page, name, text string) {
	fmt.Fprint(os.Stdout, text)
	if page == "" {
		return
	}
	begin, end := "<!-- "+name+", made by make bench -->\n", "<!-- end of "+name+" -->\n"
	before, rest, begun := strings.Cut(string(must(os.ReadFile(page))), begin)
	_, after, ended := strings.Cut(rest, end)
	if !begun || !ended {
		check(fmt.Errorf("%s has no markers for %s: add the lines %q and %q", page, name, begin, end))
	}
	check(os.WriteFile(page, []byte(before+begin+text+end+after), 0o644))
}

// machine describes the date, the commit, the compiler and the processor of a run.
func machine(ctx context.Context) string {
	commit, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty", "--abbrev=12").Output()
	if err != nil {
		commit = []byte("unknown")
	}
	instructions, processor := runtime.GOARCH, runtime.GOARCH
	info, _ := debug.ReadBuildInfo()
	for _, setting := range info.Settings {
		if setting.Key == "GOAMD64" {
			instructions = "amd64 " + setting.Value
		}
	}
	cpus, _ := os.ReadFile("/proc/cpuinfo")
	if _, model, ok := strings.Cut(string(cpus), "model name\t: "); ok {
		processor, _, _ = strings.Cut(model, "\n")
	}
	return fmt.Sprintf("%s, commit %s, %s for %s, %d cores (%s).", time.Now().UTC().Format(time.DateOnly),
		bytes.TrimSpace(commit), runtime.Version(), instructions, runtime.NumCPU(), processor)
}
