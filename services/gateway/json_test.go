package gateway

import (
	"strings"
	"testing"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// What is held of a game is told apart by its etag alone, and a game without one is not held.
func TestAGameIsWrittenAsItIs(t *testing.T) {
	m := newMarshaler()
	for _, test := range []struct {
		etag, id, want string
	}{
		{"a-1", "a", `"a"`},
		{"a-1", "a", `"a"`},
		{"b-1", "b", `"b"`},
		{"", "c", `"c"`},
		{"", "d", `"d"`},
	} {
		text, err := m.Marshal(&gamev1.GetGameResponse{Game: &gamev1.Game{Id: test.id, Etag: test.etag}})
		if err != nil || !strings.Contains(string(text), test.want) {
			t.Errorf("the game %s with etag %q was written as %s (%v)", test.id, test.etag, text, err)
		}
	}
	if m.games.Len() != 2 {
		t.Errorf("%d games are held, want the two with etags", m.games.Len())
	}
}
