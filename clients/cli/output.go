package cli

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

// format is how data is printed.
type format int

// The formats. JSON is the reply as one value, JSONL one line for each item or event, text is for people.
const (
	textFormat format = iota
	jsonFormat
	jsonlFormat
)

var formats = []word[format]{{"text", textFormat}, {"json", jsonFormat}, {"jsonl", jsonlFormat}}

// reply prints one answer.
func (p *program) reply(m proto.Message, text func(w io.Writer)) error {
	if p.flags.output == textFormat {
		text(p.Out)
		return nil
	}
	return p.json(toJSON(m))
}

// list prints an answer that is a list: in lines of JSON each of its items has one.
func list[M proto.Message](p *program, whole proto.Message, items []M, text func(w io.Writer)) error {
	if p.flags.output != jsonlFormat {
		return p.reply(whole, text)
	}
	for _, item := range items {
		if err := p.json(toJSON(item)); err != nil {
			return err
		}
	}
	return nil
}

// json prints a value as the user wants his JSON.
func (p *program) json(value []byte, err error) error {
	if err != nil {
		return fmt.Errorf("cannot write JSON: %w", err)
	}
	var out bytes.Buffer
	if p.flags.output == jsonlFormat {
		err = json.Compact(&out, value)
	} else {
		err = json.Indent(&out, value, "", "  ")
	}
	if err == nil {
		_, err = fmt.Fprintln(p.Out, out.String())
	}
	return err
}

// value prints what is not a message of the API.
func (p *program) value(v any, text func(w io.Writer)) error {
	if p.flags.output == textFormat {
		text(p.Out)
		return nil
	}
	return p.json(json.Marshal(v))
}

// values prints a list of what are no messages of the API.
func values[T any](p *program, items []T, text func(w io.Writer)) error {
	if p.flags.output != jsonlFormat {
		return p.value(items, text)
	}
	for _, item := range items {
		if err := p.value(item, nil); err != nil {
			return err
		}
	}
	return nil
}

// toJSON writes a message as REST does, with the fields that hold their default.
func toJSON(m proto.Message) ([]byte, error) {
	return protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(m)
}

// series prints items as they come. In JSON they are the elements of one list, which close ends.
type series struct {
	p     *program
	count int
}

func (s *series) item(m proto.Message, text string) error {
	s.count++
	switch s.p.flags.output {
	case textFormat:
		_, err := io.WriteString(s.p.Out, text)
		return err
	case jsonlFormat:
		return s.p.json(toJSON(m))
	default:
		return s.element(toJSON(m))
	}
}

func (s *series) element(value []byte, err error) error {
	if err != nil {
		return fmt.Errorf("cannot write JSON: %w", err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, value, "  ", "  "); err != nil {
		return err
	}
	before := ",\n  "
	if s.count == 1 {
		before = "[\n  "
	}
	_, err = io.WriteString(s.p.Out, before+out.String())
	return err
}

func (s *series) close() {
	switch {
	case s.p.flags.output != jsonFormat:
	case s.count == 0:
		fmt.Fprintln(s.p.Out, "[]")
	default:
		fmt.Fprint(s.p.Out, "\n]\n")
	}
}

// table prints rows in columns; cells of a row are separated by tabs.
func table(w io.Writer, rows ...string) {
	var text bytes.Buffer
	columns := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(columns, row)
	}
	_ = columns.Flush()
	for line := range strings.Lines(text.String()) {
		fmt.Fprintln(w, strings.TrimRight(line, " \n"))
	}
}

func row(cells ...string) string { return strings.Join(cells, "\t") }
