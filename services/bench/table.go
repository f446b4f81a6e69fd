//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// table is what a run came to.
type table struct {
	about string
	rows  []row
}

// row is one figure with its ceiling.
type row struct {
	what string
	// ceiling is what the figure is compared with; "" for nothing.
	ceiling string
	figures comparison
	unit    unit
	// reach is what the ratio is to be; nil where the figure is only told.
	reach *reach
}

// reach is a bound of a ratio.
type reach struct {
	sign  string
	bound float64
}

func atLeast(bound float64) *reach { return &reach{"≥", bound} }
func atMost(bound float64) *reach  { return &reach{"≤", bound} }

func (r *reach) String() string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf("%s %g", r.sign, r.bound)
}

// met says whether a ratio is as it is to be.
func (r *reach) met(ratio float64) string {
	switch {
	case r == nil:
		return ""
	case r.sign == "≥" && ratio >= r.bound, r.sign == "≤" && ratio <= r.bound:
		return "yes"
	}
	return "**no**"
}

// unit is how a figure is written.
type unit func(sample) string

func perSecond(s sample) string {
	if s.cpu == 0 {
		return count(s.value) + "/s"
	}
	return fmt.Sprintf("%s/s, %.0f µs CPU", count(s.value), s.cpu)
}

func microseconds(s sample) string { return count(s.value) + " µs" }
func kilobytes(s sample) string    { return fmt.Sprintf("%.1f KB", s.value/1000) }

// count writes a number with its thousands apart.
func count(n float64) string {
	digits := strconv.FormatFloat(n, 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// write prints the table in Markdown.
func (t table) write(w io.Writer) {
	fmt.Fprintf(w, "%s\n\n", t.about)
	fmt.Fprintln(w, "| what | measured | ceiling | measured | ratio | quartiles | reach | met |")
	fmt.Fprintln(w, "| --- | ---: | --- | ---: | ---: | --- | --- | --- |")
	for _, r := range t.rows {
		f := r.figures
		if r.ceiling == "" {
			fmt.Fprintf(w, "| %s | %s |  |  |  |  |  |  |\n", r.what, r.unit(f.figure))
			continue
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %.2f | %.2f to %.2f | %s | %s |\n",
			r.what, r.unit(f.figure), r.ceiling, r.unit(f.ceiling), f.ratio, f.low, f.high, r.reach, r.reach.met(f.ratio))
	}
}

// replaceIn puts what was made into the place that a page has for it.
func replaceIn(page, name string, made []byte) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	begins, ends := []byte("<!-- "+name+", made by make bench -->\n"), []byte("<!-- end of "+name+" -->\n")
	before, rest, begun := bytes.Cut(text, begins)
	_, after, ended := bytes.Cut(rest, ends)
	if !begun || !ended {
		return fmt.Errorf("%s has no place for %s", page, name)
	}
	return os.WriteFile(page, bytes.Join([][]byte{before, begins, made, ends, after}, nil), 0o644)
}

// machine says where, when and of what a run was made.
func machine(ctx context.Context) string {
	commit, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty", "--abbrev=12").Output()
	if err != nil {
		commit = []byte("unknown")
	}
	return fmt.Sprintf("%s, commit %s, %s for %s, %d cores (%s).", time.Now().UTC().Format(time.DateOnly),
		bytes.TrimSpace(commit), runtime.Version(), instructions(), runtime.NumCPU(), processor())
}

// instructions are those that the compiler may use: GOAMD64 where that counts.
func instructions() string {
	info, _ := debug.ReadBuildInfo()
	for _, setting := range info.Settings {
		if setting.Key == "GOAMD64" {
			return "amd64 " + setting.Value
		}
	}
	return runtime.GOARCH
}

// processor is the model of this machine's processors.
func processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, model, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(model)
		}
	}
	return runtime.GOARCH
}
