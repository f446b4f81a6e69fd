package commands

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// complete returns the completions of the last argument, without descriptions, and whether the shell
// also completes names of files.
func (f *fake) complete(args ...string) (values []string, files bool) {
	f.t.Helper()
	got := f.run(append([]string{"__complete"}, args...)...)
	lines := strings.Split(strings.TrimSpace(got.out), "\n")
	if got.code != 0 || len(lines) == 0 {
		f.t.Fatalf("exit code %d: %s", got.code, got.err)
	}
	directive := lines[len(lines)-1]
	for _, line := range lines[:len(lines)-1] {
		value, _, _ := strings.Cut(line, "\t")
		values = append(values, value)
	}
	return values, directive == ":0"
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	formats := []string{"text", "json", "jsonl"}
	for _, test := range []struct {
		args  string // "_" is the argument to complete
		want  []string
		files bool
	}{
		{"game move _", []string{"01hex", "01trios"}, false},
		{"game move 01hex _", []string{"k1@0,2", "pass"}, false},
		{"game move 01hex pass _", nil, false},
		{"game fork _", []string{"01hex", "01trios"}, false},
		{"game list _", nil, false},
		{"game list --state _", []string{"waiting", "active", "finished", "aborted"}, false},
		{"game list --player _", nil, false},
		{"-o _", formats, false},
		{"version -o _", formats, false},
		{"game create trios --grid _", nil, true},
		{"--ca _", nil, true},
		{"context use _", []string{"club"}, false},
		{"--context _", []string{"club"}, false},
		{"turns _", nil, false},
		{"play _", []string{"hex", "square", "trios", "01hex", "01trios"}, false},
		{"player _", []string{"new", "rotate-key", "show"}, false},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			f.answerAll()
			if got := f.run("context", "set", "club"); got.code != 0 {
				t.Fatal(got.err)
			}
			args := strings.Fields(test.args)
			args[len(args)-1] = ""
			values, files := f.complete(args...)
			if diff := cmp.Diff(test.want, values); diff != "" || files != test.files {
				t.Errorf("completes files: %v; values (-want +got):\n%s", files, diff)
			}
		})
	}
}

// A completion must not surprise the user with a new player, nor with an error.
func TestCompletionWithoutAKeyCreatesNoPlayer(t *testing.T) {
	t.Parallel()
	f := newUser(t)
	if values, files := f.complete("game", "move", ""); len(values) > 0 || files {
		t.Errorf("values %q, files %v", values, files)
	}
	f.env["FLIPSIDE_KEY"], f.env["FLIPSIDE_ADDRESS"] = "ada-key", "127.0.0.1:1"
	if values, files := f.complete("game", "move", ""); len(values) > 0 || files {
		t.Errorf("without a server: values %q, files %v", values, files)
	}
	if calls := f.methods(); len(calls) > 0 {
		t.Errorf("called %q", calls)
	}
}

func TestEveryLevelSuggestsCommands(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	for args, want := range map[string]string{
		"gmae":               "did you mean game?",
		"game lst":           "did you mean list?",
		"game create sqare":  "did you mean square?",
		"strategy chose":     "did you mean choose?",
		"play tris":          "did you mean trios?",
		"player rotate":      "did you mean rotate-key?",
		"context frob":       `unknown command "frob" for "flipside context": use delete, list, set, show or use`,
		"play hx human easy": "did you mean hex?",
	} {
		got := f.run(strings.Fields(args)...)
		if got.code != exitUsage || !strings.Contains(got.err, want) {
			t.Errorf("%s: exit code %d, %q; want %q", args, got.code, got.err, want)
		}
	}
}

// The help of a flag has one default.
func TestFlagsShowOneDefault(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	for _, command := range printing() {
		if !strings.HasSuffix(command, "--help") {
			continue
		}
		help := strings.Join(strings.Fields(f.run(strings.Fields(command)...).out), " ")
		_, flags, _ := strings.Cut(help, " Flags: ")
		for flag := range strings.SplitSeq(flags, " --") {
			if strings.Count(flag, "default ")+strings.Count(flag, "default: ") > 1 {
				t.Errorf("%s: --%s", command, flag)
			}
		}
	}
}
