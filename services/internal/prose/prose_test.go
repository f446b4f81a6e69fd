// Package prose tests that comments, documents and messages are in plain English. It counts four habits that make a
// sentence hard to read, and fails when one of them is more frequent than the project allows.
package prose

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A habit is a way to write that a reader has to read twice.
type habit struct {
	name    string
	pattern *regexp.Regexp
	// limit is the highest count per 1,000 words.
	limit float64
	// instead is the advice in the failure message.
	instead string
}

var habits = []habit{
	{
		name:    "defines by a question word",
		pattern: regexp.MustCompile(`(?i)\b(is|are|was|were) (what|how|who|whose|whom)\b`),
		limit:   0.3,
		instead: "start with the subject: \"Commit appends …\", \"timeout limits …\"",
	},
	{
		name:    "tells and says",
		pattern: regexp.MustCompile(`(?i)\b(tell|tells|told|telling|say|says|said|saying)\b`),
		limit:   0.3,
		instead: "data does not talk: use send, return, report, contain, mean",
	},
	{
		name:    "nobody and somebody",
		pattern: regexp.MustCompile(`(?i)\b(nobody|somebody|anybody|everybody|whoever|(of|to|for|by|than|one|those) who)\b`),
		limit:   0.2,
		instead: "name the caller, the player, the client, the operator, the process",
	},
	{
		name:    "he",
		pattern: regexp.MustCompile(`(?i)\b(he|his|him|himself)\b`),
		limit:   0,
		instead: "a player is \"they\"",
	},
}

// A sentence is a piece of prose and its place in the tree.
type sentence struct{ place, text string }

func TestProseIsPlain(t *testing.T) {
	t.Parallel()
	prose, err := readTree(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	words := 0
	for _, s := range prose {
		words += len(strings.Fields(s.text))
	}
	if words < 20_000 {
		t.Fatalf("found only %d words: is this still the way to the top of the repository?", words)
	}
	for _, h := range habits {
		found := h.find(prose)
		rate := float64(len(found)) * 1000 / float64(words)
		t.Logf("%s: %d in %d words, %.2f per 1,000", h.name, len(found), words, rate)
		if rate > h.limit {
			t.Errorf("%s: %.2f per 1,000 words, at most %v; %s:\n%s",
				h.name, rate, h.limit, h.instead, strings.Join(found, "\n"))
		}
	}
}

func TestEveryHabitIsFound(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ habit, text string }{
		{"defines by a question word", "This is what a caller may see."},
		{"defines by a question word", "The first two are how a game ends."},
		{"tells and says", "The feed tells readers that a game changed."},
		{"tells and says", "It was said above."},
		{"nobody and somebody", "Nobody waits for a slow reader."},
		{"nobody and somebody", "It belongs to those who play."},
		{"he", "The player may extend his lease."},
		{"", "The caller who holds the seat sees the result; what follows is sent in order."},
		{"", "The help shows the history."},
	} {
		var found string
		for _, h := range habits {
			if len(h.find([]sentence{{text: test.text}})) > 0 {
				found = h.name
			}
		}
		if found != test.habit {
			t.Errorf("%q: found %q, want %q", test.text, found, test.habit)
		}
	}
}

// find lists the places where the habit occurs, with the words around each.
func (h habit) find(prose []sentence) []string {
	var found []string
	for _, s := range prose {
		for _, at := range h.pattern.FindAllStringIndex(s.text, -1) {
			around := s.text[max(0, at[0]-40):min(len(s.text), at[1]+40)]
			found = append(found, fmt.Sprintf("%s: …%s…", s.place, strings.Join(strings.Fields(around), " ")))
		}
	}
	return found
}

// readTree returns the prose of the project: comments of Go code and protos, messages in Go code, and documents.
func readTree(top string) ([]sentence, error) {
	var prose []sentence
	err := filepath.WalkDir(top, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if skipped(entry.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		place, err := filepath.Rel(top, name)
		if err != nil {
			return err
		}
		read := readers[filepath.Ext(name)]
		if read == nil || filepath.Base(filepath.Dir(name)) == "prose" {
			return nil
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		found, err := read(place, content)
		prose = append(prose, found...)
		return err
	})
	return prose, err
}

// skipped reports whether a folder has no prose of the project: data of tests, generated code, and hidden folders.
func skipped(folder string) bool {
	switch folder {
	case "testdata", "gen", "node_modules", "dist":
		return true
	}
	return folder != ".." && strings.HasPrefix(folder, ".")
}

var readers = map[string]func(place string, content []byte) ([]sentence, error){
	".go":    goProse,
	".proto": lineComments,
	".sql":   lineComments,
	".ts":    lineComments,
	".md":    markdown,
	".yaml":  markdown,
	".yml":   markdown,
}

// goProse returns the comments of a Go file and, outside tests, its messages: strings of at least three words.
func goProse(place string, content []byte) ([]sentence, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, place, content, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var prose []sentence
	add := func(pos token.Pos, text string) {
		prose = append(prose, sentence{place: fmt.Sprintf("%s:%d", place, files.Position(pos).Line), text: text})
	}
	for _, group := range file.Comments {
		add(group.Pos(), group.Text())
	}
	if strings.HasSuffix(place, "_test.go") {
		return prose, nil
	}
	ast.Inspect(file, func(node ast.Node) bool {
		literal, ok := node.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		if text, err := strconv.Unquote(literal.Value); err == nil && len(strings.Fields(text)) >= 3 {
			add(literal.Pos(), text)
		}
		return true
	})
	return prose, nil
}

var lineComment = regexp.MustCompile(`(?m)(?://|--|^\s*\*)\s+(.*)$`)

// lineComments returns the comments of a file whose comments run to the end of a line.
func lineComments(place string, content []byte) ([]sentence, error) {
	var prose []sentence
	for i, line := range strings.Split(string(content), "\n") {
		if m := lineComment.FindStringSubmatch(line); m != nil {
			prose = append(prose, sentence{place: fmt.Sprintf("%s:%d", place, i+1), text: m[1]})
		}
	}
	return prose, nil
}

var inlineCode = regexp.MustCompile("`[^`]*`")

// markdown returns the lines of a document outside its blocks of code.
func markdown(place string, content []byte) ([]sentence, error) {
	var prose []sentence
	code := false
	for i, line := range strings.Split(string(content), "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
		} else if !code {
			text := inlineCode.ReplaceAllString(line, "")
			prose = append(prose, sentence{place: fmt.Sprintf("%s:%d", place, i+1), text: text})
		}
	}
	return prose, nil
}
