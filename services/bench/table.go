package main

import (
	"bytes"
	"cmp"
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
	"github.com/prometheus/procfs"
	"golang.org/x/sync/errgroup"
)

// row is one figure with its ceiling.
type row struct {
	what, ceiling string
	unit          unit
	reach         float64 // the bound that the ratio is meant to keep; 0 for none
	fastest       bool    // the highest figure counts, not the median
	figure, limit meter   // measure the figure and its ceiling; limit is nil if there is none
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

// meter measures one round. A round is a scope.
type meter func() sample

// fixed is a meter of a known value.
func fixed(value float64) meter { return func() sample { return sample{value: value} } }

// call makes one call for a caller.
type call func(caller int) error

// compare measures each row in alternating rounds and returns the lines of the table. A ratio is of
// two consecutive rounds. A first round of the figure and of the ceiling does not count.
func (b *bench) compare(rows ...row) (lines []string) {
	measure := func(m meter) (s sample) {
		if m != nil {
			b.scope(func() { s = m() })
		}
		return s
	}
	for _, r := range rows {
		var figures, limits []sample
		var ratios []float64
		for range b.rounds + 1 {
			limit, figure := measure(r.limit), measure(r.figure)
			figures, limits = append(figures, figure), append(limits, limit)
			ratios = append(ratios, figure.value/limit.value)
			if b.verbose {
				fmt.Fprintf(os.Stderr, "%12.0f %6.1f µs CPU, ceiling %12.0f %6.1f µs CPU\n",
					figure.value, figure.cpu, limit.value, limit.cpu)
			}
		}
		lines = append(lines, r.line(figures[1:], limits[1:], ratios[1:]))
	}
	return lines
}

// line returns the line of the table.
func (r row) line(figures, limits []sample, ratios []float64) string {
	typical := median
	if r.fastest {
		typical = slices.Max[[]float64]
	}
	figure := r.unit.format(summary(figures, typical))
	if r.limit == nil {
		return line(r.what, figure, "", "", "", "", "", "")
	}
	ratio, reach, met := typical(ratios), "", ""
	if r.reach != 0 {
		reach, met = fmt.Sprintf("%s %g", r.unit.sign, r.reach), "**no**"
		if ratio == r.reach || (ratio > r.reach) == (r.unit.sign == "≥") {
			met = "yes"
		}
	}
	return line(r.what, figure, r.ceiling, r.unit.format(summary(limits, typical)),
		fmt.Sprintf("%.2f", ratio),
		fmt.Sprintf("%.2f to %.2f", quantile(ratios, 0.25), quantile(ratios, 0.75)), reach, met)
}

func summary(samples []sample, typical func([]float64) float64) sample {
	var values, cpus []float64
	for _, s := range samples {
		values, cpus = append(values, s.value), append(cpus, s.cpu)
	}
	return sample{typical(values), typical(cpus)}
}

func median(values []float64) float64 { return quantile(values, 0.5) }

func quantile(values []float64, q float64) float64 {
	return slices.Sorted(slices.Values(values))[int(q*float64(len(values)-1)+0.5)]
}

// rate measures the calls per second of all callers, each with one call at a time. server answers
// the calls; it is nil if they stay in this process.
func (b *bench) rate(server *process, call call) meter {
	return func() sample {
		var calls atomic.Int64
		var group errgroup.Group
		start, cpu := time.Now(), server.cpu()
		for caller := range callers {
			group.Go(func() (err error) {
				for err == nil && time.Since(start) < b.length {
					err = call(caller)
					calls.Add(1)
				}
				return err
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
	return func() sample {
		var times []float64
		for start := time.Now(); calls == 0 && time.Since(start) < b.length || len(times) < calls; {
			begun := time.Now()
			check(call(0))
			times = append(times, float64(time.Since(begun).Nanoseconds())/1000)
		}
		return sample{value: median(times)}
	}
}

// heading returns an empty line and the first two lines of a table in Markdown. A colon at the end
// of a name aligns the column to the right.
func heading(columns ...string) string {
	var names, rules []any
	for _, column := range columns {
		name := strings.TrimSuffix(column, ":")
		names, rules = append(names, name), append(rules, "---"+column[len(name):])
	}
	return "\n" + line(names...) + line(rules...)
}

// line returns a line of a table in Markdown.
func line(cells ...any) string {
	return fmt.Sprintf("|"+strings.Repeat(" %v |", len(cells))+"\n", cells...)
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
		check(fmt.Errorf("%s has no markers for %s: add the lines %q and %q",
			page, name, begin, end))
	}
	check(os.WriteFile(page, []byte(before+begin+text+end+after), 0o644))
}

// machine describes the date, the commit, the compiler and the processor of a run.
func machine(ctx context.Context) string {
	describe := []string{"describe", "--always", "--dirty", "--abbrev=12"}
	commit, err := exec.CommandContext(ctx, "git", describe...).Output()
	if err != nil {
		commit = []byte("unknown")
	}
	instructions := runtime.GOARCH
	info, _ := debug.ReadBuildInfo()
	for _, setting := range info.Settings {
		if setting.Key == "GOAMD64" {
			instructions = "amd64 " + setting.Value
		}
	}
	processor := must(must(procfs.NewDefaultFS()).CPUInfo())[0]
	return fmt.Sprintf("%s, commit %s, %s for %s, %d cores (%s).",
		time.Now().UTC().Format(time.DateOnly), bytes.TrimSpace(commit), runtime.Version(),
		instructions, runtime.NumCPU(), cmp.Or(processor.ModelName, runtime.GOARCH))
}
