package session

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadLines(t *testing.T) {
	t.Parallel()
	var got []string
	for line := range readLines(t.Context(), strings.NewReader(" a \r\n\nlast without an end")) {
		got = append(got, line)
	}
	if diff := cmp.Diff([]string{"a", "", "last without an end"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestHelpFitsIntoATerminal(t *testing.T) {
	t.Parallel()
	for line := range strings.Lines(lineHelp) {
		if line = strings.TrimSuffix(line, "\n"); len(line) > 80 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}
