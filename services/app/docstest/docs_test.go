package docstest

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/flipside-games/flipside/clients/cli/commands"
	"github.com/flipside-games/flipside/services/app"
)

var clients = flag.String("client", "",
	"comma-separated clients whose programs run too: python, typescript")

// programVariable names the program that the test program runs instead of tests.
const programVariable = "FLIPSIDE_DOCSTEST_PROGRAM"

func TestMain(m *testing.M) {
	program := os.Getenv(programVariable)
	if program == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if program == "flipsided" {
		os.Exit(app.Main(ctx, "0.0.0", os.Args[1:], os.Stdout, os.Stderr))
	}
	streams := commands.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	os.Exit(commands.Run(ctx, "0.0.0", os.Args[1:], streams, os.Getenv))
}

// Every program on a page runs: a block of commands names its file.
func TestEveryProgramRuns(t *testing.T) {
	t.Parallel()
	for _, name := range pageNames(t) {
		commands := ""
		blocks := readPage(t, name)
		for _, b := range blocks {
			if b.language == "sh" {
				commands += b.content
			}
		}
		for _, b := range blocks {
			switch {
			case elsewhere[name] != "" || !b.runs():
			case b.file == "" && b.language != "sh":
				t.Errorf("%s:%d: nothing runs this block: name its file in front of it, as `NAME`, "+
					"or write <!-- not run: REASON -->", name, b.line)
			case !strings.Contains(commands, path.Base(b.file)):
				t.Errorf("%s:%d: no command uses %s", name, b.line, b.file)
			}
		}
	}
}

// elsewhere names the tests that run the blocks of a page.
var elsewhere = map[string]string{
	"docs/bots.md":            "clients/python/tests/test_bots.py",
	"docs/files.md":           "clients/cli/commands: TestFilesPage",
	"docs/language-models.md": "clients/cli/mcptools",
	"docs/operations.md":      "services/app/runbooktest",
}

func TestPages(t *testing.T) {
	t.Parallel()
	for _, name := range pageNames(t) {
		blocks := readPage(t, name)
		if elsewhere[name] != "" || !slices.ContainsFunc(blocks, block.runs) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runPage(t, blocks)
		})
	}
}

func (b block) runs() bool { return b.language != "" && b.notRun == "" }

// runPage runs the sections of a page one after the other, in one session.
func runPage(t *testing.T, blocks []block) {
	t.Helper()
	s := newSession(t)
	for len(blocks) > 0 {
		title := blocks[0].section
		n := slices.IndexFunc(blocks, func(b block) bool { return b.section != title })
		if n < 0 {
			n = len(blocks)
		}
		section := blocks[:n]
		blocks = blocks[n:]
		if !t.Run(title, func(t *testing.T) { runSection(t, s, section) }) {
			return
		}
	}
}

func runSection(t *testing.T, s *session, blocks []block) {
	t.Helper()
	for _, b := range blocks {
		needTools(t, b)
	}
	for i, b := range blocks {
		output := ""
		if i+1 < len(blocks) && blocks[i+1].language == "" {
			output = blocks[i+1].content
		}
		if b.runs() {
			s.run(t, b, output)
		}
	}
}

// tools are programs that the commands of a block need, and the client that the flag must name.
var tools = []struct {
	commands *regexp.Regexp
	program  string
	client   string
}{
	{regexp.MustCompile(`\.venv`), "python3", "python"},
	{regexp.MustCompile(`\bnpm\b`), "npm", "typescript"},
	{regexp.MustCompile(`\bcurl\b`), "curl", ""},
	{regexp.MustCompile(`\bunzip\b`), "unzip", ""},
	{regexp.MustCompile(`\bjq\b`), "jq", ""},
	{regexp.MustCompile(`\bgrpcurl\b`), "grpcurl", ""},
}

// needTools skips the section of a block if a program is missing. CI requires all of them.
func needTools(t *testing.T, b block) {
	t.Helper()
	if !b.runs() || b.language != "sh" {
		return
	}
	for _, tool := range tools {
		if !tool.commands.MatchString(b.content) {
			continue
		}
		if tool.client != "" && !slices.Contains(strings.Split(*clients, ","), tool.client) {
			t.Skipf("-client %s runs this section", tool.client)
		}
		if _, err := exec.LookPath(tool.program); err == nil || tool.program == "grpcurl" && buf() != "" {
			continue
		}
		if os.Getenv("FLIPSIDE_REQUIRE_TOOLS") == "1" {
			t.Fatalf("%s is not installed", tool.program)
		}
		t.Skipf("%s is not installed", tool.program)
	}
}
