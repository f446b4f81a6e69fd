package adapters_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// measured are the numbers of a transcript that differ from run to run.
var measured = regexp.MustCompile(`(?m)^(nodestats \d+ |=== \S+/\S*/|search \S+ \S+ 0 \S+ )[\d.]*`)

// A transcript is a golden file: the lines of a board, and the answers of the server.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	address, _ := strategies(t)
	for _, test := range []struct {
		name string
		args []string
	}{
		{"gtp", []string{"gtp", "--strategy", "easy"}},
		{"nboard", []string{"nboard", "--strategy", "alphabeta"}},
		{"hints", []string{"nboard", "--strategy", "alphabeta"}},
	} {
		in, err := os.ReadFile(filepath.Join("testdata", test.name+".in"))
		if err != nil {
			t.Fatal(err)
		}
		code, out, stderr := run(t, string(in), append(test.args, "--strategy-address", address)...)
		if code != 0 || stderr != "" {
			t.Errorf("%s: exit code %d: %s", test.name, code, stderr)
		}
		checkGolden(t, test.name+".out", measured.ReplaceAll([]byte(out), []byte("${1}N")))
	}
}

// checkGolden compares a text with a golden file, or writes the file.
func checkGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs, -update writes it (-want +got):\n%s", name, diff)
	}
}

// A ping ends the search: its answer comes at once, and the move never.
func TestPingEndsTheSearch(t *testing.T) {
	t.Parallel()
	address, _ := strategies(t)
	_, out, _ := run(t, "set depth 60\ngo\nping 7\n", "nboard", "--time", "1m", "--strategy-address", address)
	if strings.Contains(out, "===") || !strings.HasSuffix(out, "pong 7\n") {
		t.Errorf("the answers are %q: want pong 7 and no move", out)
	}
}

// Without a server, a command fails with the reason, and the session goes on.
func TestBoardsWithoutAServer(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, in, want string }{
		{"gtp", "1 genmove b\n", "?1 cannot reach the Strategy service at 127.0.0.1:1"},
		{"gtp", "1 quit\n2 name\n", "=1 \n\n"},
		{"nboard", "nboard 2\ngo\n", "status Error: cannot reach the Strategy service at 127.0.0.1:1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, out, _ := run(t, test.in, test.name, "--strategy-address", "127.0.0.1:1")
			if !strings.Contains(out, test.want) {
				t.Errorf("the answer is %q: want %q", out, test.want)
			}
		})
	}
	for _, name := range []string{"gtp", "nboard"} {
		code, _, err := run(t, strings.Repeat("x", 1<<20), name, "--strategy-address", "127.0.0.1:1")
		if code != 1 || !strings.Contains(err, "a line of more than 65536 bytes") {
			t.Errorf("an endless line for %s: exit code %d: %s", name, code, err)
		}
		code, _, err = run(t, "", name, "--strategy", "greedy", "--depth", "3")
		if code != 2 || !strings.Contains(err, "--depth is for alphabeta and engine") {
			t.Errorf("a depth for greedy: exit code %d: %s", code, err)
		}
	}
}
