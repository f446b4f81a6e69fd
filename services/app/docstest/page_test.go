package docstest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// top is the top of the repository.
var top = filepath.Join("..", "..", "..")

// block is a fenced block of a page.
type block struct {
	line     int
	section  string
	language string // "" for the output of commands
	content  string
	file     string // the file that has this content, "" for none
	notRun   string // the reason for which the block does not run, "" if it does
}

var (
	fileName = regexp.MustCompile("as `([^`]+)`:$")
	notRun   = regexp.MustCompile(`^<!-- not run: (.+) -->$`)
)

// parse returns the blocks of a page.
func parse(text string) (blocks []block) {
	var current *block
	var section, paragraph, last string
	for i, line := range strings.Split(text, "\n") {
		switch {
		case current != nil && line == "```":
			blocks = append(blocks, *current)
			current, paragraph, last = nil, "", ""
		case current != nil:
			current.content += line + "\n"
		case strings.HasPrefix(line, "```"):
			current = &block{line: i + 1, section: section, language: line[3:]}
			if found := notRun.FindStringSubmatch(last); found != nil {
				current.notRun = found[1]
			} else if found := fileName.FindStringSubmatch(last); found != nil {
				current.file = found[1]
			}
		case strings.HasPrefix(line, "## "):
			section = strings.TrimPrefix(line, "## ")
		case line == "":
			last, paragraph = strings.TrimSpace(paragraph), ""
		default:
			paragraph += line + " "
			last = strings.TrimSpace(paragraph)
		}
	}
	return blocks
}

// readPage returns the blocks of a page, named by its path from the top.
func readPage(t *testing.T, name string) []block {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, name))
	if err != nil {
		t.Fatal(err)
	}
	return parse(string(text))
}

// pageNames returns the paths of all pages.
func pageNames(t *testing.T) (names []string) {
	t.Helper()
	for _, pattern := range []string{"*.md", "docs/*.md", "clients/*/README.md"} {
		found, err := filepath.Glob(filepath.Join(top, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			name, err := filepath.Rel(top, path)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, filepath.ToSlash(name))
		}
	}
	return names
}

func TestParse(t *testing.T) {
	t.Parallel()
	const page = "# Title\n\n## First\n\nSave this\nas `a/b.py`:\n\n```python\nx = 1\n```\n\n" +
		"```sh\npython a/b.py\n```\n\n```\nout\n```\n\n<!-- not run: needs a moon -->\n```sh\nfly\n```\n"
	want := []block{
		{line: 8, section: "First", language: "python", content: "x = 1\n", file: "a/b.py"},
		{line: 12, section: "First", language: "sh", content: "python a/b.py\n"},
		{line: 16, section: "First", content: "out\n"},
		{line: 21, section: "First", language: "sh", content: "fly\n", notRun: "needs a moon"},
	}
	got := parse(page)
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %+v, want %+v", got[i], want[i])
		}
	}
}

func TestMissingLine(t *testing.T) {
	t.Parallel()
	const output = "first line\n{\"version\": 2, \"time\":\"12:00\"}\nlast line\n"
	for lines, want := range map[string]string{
		"first line\nlast line\n":               "",
		"{\"version\":2, \"time\": …}\nlast…\n": "",
		"last line\nfirst line\n":               "first line",
		"first\n":                               "first",
	} {
		if got := missingLine(output, lines); got != want {
			t.Errorf("%q: %q is missing, want %q", lines, got, want)
		}
	}
}
