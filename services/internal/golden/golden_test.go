package golden_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/flipside-games/flipside/services/internal/golden"
)

// TestMain keeps -update from rewriting the file that is compared with something else on purpose.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("update", "false"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// recorder is a test that notes what failed instead of failing. Fatalf panics to stop the caller.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, _ ...any) { r.failures = append(r.failures, format) }

func (r *recorder) Fatalf(format string, _ ...any) { panic(format) }

func TestCheckPassesWhatTheFileSays(t *testing.T) {
	golden.Check(t, "sample.txt", []byte("one\ntwo\n"))
}

func TestCheckFailsOnADifference(t *testing.T) {
	r := &recorder{TB: t}
	golden.Check(r, "sample.txt", []byte("one\nthree\n"))
	if len(r.failures) != 1 || !strings.Contains(r.failures[0], "differs") {
		t.Errorf("the failures are %v, want one difference", r.failures)
	}
}

func TestCheckStopsWithoutAFile(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a missing file passes")
		}
	}()
	golden.Check(&recorder{TB: t}, "missing.txt", nil)
}
