package game_test

import (
	"fmt"
	"testing"

	"github.com/flipside-games/flipside/services/game"
)

func TestPartitionKeyIsTheEndOfAnID(t *testing.T) {
	for id, want := range map[string]string{
		"01k4x6q2v0000000000000abcd": "cd", "cd": "cd", "d": "d", "": "",
	} {
		if got := game.PartitionKey(id); got != want {
			t.Errorf("partition key of %q is %q, want %q", id, got, want)
		}
	}
}

func TestNewIDGetsThePartitionKeyOfAnother(t *testing.T) {
	if got := game.Beside("01k4x6q2v0000000000000abcd", "01k4x6q2v0000000000000wxyz"); got != "01k4x6q2v0000000000000abyz" {
		t.Errorf("got %q", got)
	}
}

func TestNamesSelectThePartitionKey(t *testing.T) {
	const id, later = "01k4x6q2v0000000000000abcd", "01k4x6q2w0000000000000efgh"
	placed := game.PlacedBy(id, "ann", "request")
	if placed[:24] != id[:24] || len(placed) != len(id) {
		t.Errorf("%q became %q", id, placed)
	}
	if game.PartitionKey(placed) != game.PartitionKey(game.PlacedBy(later, "ann", "request")) {
		t.Error("the same names select different partition keys")
	}
	if game.PlacedBy(id, "a", "bc") == game.PlacedBy(id, "ab", "c") {
		t.Error("the border between the names has no effect")
	}
	keys := map[string]int{}
	for i := range 1 << 15 {
		keys[game.PartitionKey(game.PlacedBy(id, "ann", fmt.Sprint(i)))]++
	}
	if len(keys) != 1024 {
		t.Errorf("%d partition keys, want 1024", len(keys))
	}
}
