// Package render turns answers into output: JSON, lines of JSON, or text for people. It names the
// values of the API, describes games, clocks and searches in words, and explains errors. It makes
// no calls and knows no rules.
package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// Format selects how data is printed.
type Format int

// The formats: text for people, JSON with one value for each reply, and JSON Lines with one line
// for each item or event.
const (
	Text Format = iota
	JSON
	JSONLines
)

// Formats are the values of --output.
var Formats = Enum[Format]{{"text", Text}, {"json", JSON}, {"jsonl", JSONLines}}

// Printer prints data to Out and notes for the user to Err.
type Printer struct {
	Format   Format
	Out, Err io.Writer
}

// Note prints one line to Err.
func (p *Printer) Note(format string, args ...any) {
	fmt.Fprintf(p.Err, format+"\n", args...)
}

// Print prints one value: the text, or the JSON of v. Messages are encoded as over REST.
func (p *Printer) Print(v any, text string) error {
	if p.Format == Text {
		_, err := io.WriteString(p.Out, text)
		return err
	}
	return p.printJSON(v)
}

// PrintList prints a list: the text, the JSON of whole, or a line of JSON for each item.
func PrintList[T any](p *Printer, whole any, items []T, text string) error {
	if p.Format != JSONLines {
		return p.Print(whole, text)
	}
	for _, item := range items {
		if err := p.printJSON(item); err != nil {
			return err
		}
	}
	return nil
}

func (p *Printer) printJSON(v any) error {
	value, err := Encode(v)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if p.Format == JSONLines {
		err = json.Compact(&out, value)
	} else {
		err = json.Indent(&out, value, "", "  ")
	}
	if err != nil {
		return err
	}
	out.WriteByte('\n')
	_, err = out.WriteTo(p.Out)
	return err
}

// Encode returns the JSON of a value, that of a message as over REST.
func Encode(v any) ([]byte, error) {
	if m, ok := v.(proto.Message); ok {
		return protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(m)
	}
	return json.Marshal(v)
}

// Series prints items as they arrive. In JSON they become the elements of one list, which Close
// ends.
type Series struct {
	*Printer
	count int
}

// Print prints the next item: the text, or the JSON of v.
func (s *Series) Print(v any, text string) error {
	s.count++
	if s.Format != JSON {
		return s.Printer.Print(v, text)
	}
	value, err := Encode(v)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	out.WriteString(",\n  ")
	if s.count == 1 {
		out.Reset()
		out.WriteString("[\n  ")
	}
	if err := json.Indent(&out, value, "  ", "  "); err != nil {
		return err
	}
	_, err = out.WriteTo(s.Out)
	return err
}

// Close ends the list.
func (s *Series) Close() {
	switch {
	case s.Format != JSON:
	case s.count == 0:
		fmt.Fprintln(s.Out, "[]")
	default:
		fmt.Fprint(s.Out, "\n]\n")
	}
}

// Table aligns rows in columns.
func Table(rows ...string) string {
	var aligned, text strings.Builder
	columns := tabwriter.NewWriter(&aligned, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(columns, row)
	}
	_ = columns.Flush()
	for line := range strings.Lines(aligned.String()) {
		text.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return text.String()
}

// Row joins cells to a row of a table.
func Row(cells ...string) string { return strings.Join(cells, "\t") }

// OneLine joins the lines of a text and the runs of spaces in it.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Lines returns text that ends with a line break unless it is empty.
func Lines(text []byte) string {
	if len(text) == 0 || bytes.HasSuffix(text, []byte("\n")) {
		return string(text)
	}
	return string(text) + "\n"
}
