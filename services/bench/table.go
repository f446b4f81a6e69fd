//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
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
	switch {
	case r.reach == 0:
		return "", ""
	case r.unit.sign == "≥" && r.ratio >= r.reach, r.unit.sign == "≤" && r.ratio <= r.reach:
		met = "yes"
	default:
		met = "**no**"
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
func count(n float64) string {
	digits := strconv.FormatFloat(n, 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// formatRows returns the rows as a table in Markdown.
func formatRows(rows []row) string {
	var out strings.Builder
	fmt.Fprintln(&out, "| what | measured | ceiling | measured | ratio | quartiles | reach | met |")
	fmt.Fprintln(&out, "| --- | ---: | --- | ---: | ---: | --- | --- | --- |")
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

// publish prints a text, and puts it between its markers on the page if page is not "".
func publish(page, name, text string) error {
	fmt.Fprint(os.Stdout, text)
	if page == "" {
		return nil
	}
	content, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	begin, end := "<!-- "+name+", made by make bench -->\n", "<!-- end of "+name+" -->\n"
	before, rest, begun := strings.Cut(string(content), begin)
	_, after, ended := strings.Cut(rest, end)
	if !begun || !ended {
		return fmt.Errorf("%s has no markers for %s: add the lines %q and %q", page, name, begin, end)
	}
	return os.WriteFile(page, []byte(before+begin+text+end+after), 0o644)
}

// machine describes the date, the commit, the compiler and the processor of a run.
func machine(ctx context.Context) string {
	commit, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty", "--abbrev=12").Output()
	if err != nil {
		commit = []byte("unknown")
	}
	return fmt.Sprintf("%s, commit %s, %s for %s, %d cores (%s).", time.Now().UTC().Format(time.DateOnly),
		bytes.TrimSpace(commit), runtime.Version(), instructions(), runtime.NumCPU(), processor())
}

// instructions names the instruction set that the compiler may use, with GOAMD64 on amd64.
func instructions() string {
	info, _ := debug.ReadBuildInfo()
	for _, setting := range info.Settings {
		if setting.Key == "GOAMD64" {
			return "amd64 " + setting.Value
		}
	}
	return runtime.GOARCH
}

// processor names the model of the processor.
func processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, model, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(model)
		}
	}
	return runtime.GOARCH
}
