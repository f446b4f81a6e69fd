package records_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/clients/records"
)

func TestParseSquare(t *testing.T) {
	t.Parallel()
	want := records.StandardSquare(4)
	want.Options = []string{"min_flips=2"}
	start := "reversi/square:4 ____/_OX_/_XO_/____ X 0 min_flips=2"
	if text := want.Notation(); text != start {
		t.Errorf("the notation is %q, want %q", text, start)
	}
	if got, ok := records.ParseSquare(start); !ok || !cmp.Equal(got, want) {
		t.Errorf("%s is %v", start, got)
	}
	for _, notation := range []string{
		"", "reversi/square:4 ____ X", "reversi/hexagon:4 ____/_OX_/_XO_/____ X 0",
		"reversi/square:4 ____/_OX_/_XO_/___ X 0", "reversi/square:2 OX/XO X 0",
		"reversi/square:4294967296 / X 0", // its square is 0 in 64 bits
		"reversi/square:18 " + strings.Repeat("_", 18*18) + " X 0",
	} {
		if _, ok := records.ParseSquare(notation); ok {
			t.Errorf("%q is a square", notation)
		}
	}
}
