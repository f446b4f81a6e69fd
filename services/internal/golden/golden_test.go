package golden_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/flipside-games/flipside/services/internal/golden"
)

// TestMain ignores -update: a test compares its golden file with other content.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("update", "false"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// recorder records failures instead of failing. Fatalf panics to stop the caller.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, _ ...any) { r.failures = append(r.failures, format) }

func (r *recorder) Fatalf(format string, _ ...any) { panic(format) }

func TestCheckAcceptsEqualContent(t *testing.T) {
	golden.Check(t, "sample.txt", []byte("one\ntwo\n"))
}

func TestCheckReportsADifference(t *testing.T) {
	r := &recorder{TB: t}
	golden.Check(r, "sample.txt", []byte("one\nthree\n"))
	if len(r.failures) != 1 || !strings.Contains(r.failures[0], "differs") {
		t.Errorf("failures %v, want one difference", r.failures)
	}
}

func TestCheckNeedsTheFile(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Check accepts a missing file")
		}
	}()
	golden.Check(&recorder{TB: t}, "missing.txt", nil)
}
