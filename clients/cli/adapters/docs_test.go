package adapters_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var documented = regexp.MustCompile(`(?m)^flipside ((?:provide|gtp|nboard)\b.*)$`)

// The commands in docs/bots.md are valid. The test runs them with an engine that ends at once, and with
// boards that send nothing.
func TestDocumentedCommands(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/bots.md")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, line := range documented.FindAllStringSubmatch(string(page), -1) {
		ours, engine, provides := strings.Cut(line[1], " -- ")
		args, want := strings.Fields(ours), 0
		if provides {
			args, want = append(args, "--listen", "127.0.0.1:0", "--", "false"), 1
		}
		count[args[0]]++
		code, _, stderr := run(t, "", args...)
		if code != want || provides && (engine == "" || !strings.Contains(stderr, "the engine ended")) {
			t.Errorf("%s: exit code %d: %s", line[0], code, stderr)
		}
	}
	for _, name := range []string{"provide", "gtp", "nboard"} {
		if count[name] < 2 {
			t.Errorf("the page has %d commands %s: want several", count[name], name)
		}
	}
}
