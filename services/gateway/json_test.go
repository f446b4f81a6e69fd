package gateway

import (
	"strings"
	"testing"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/internal/cache"
)

// Games are cached by etag. A game without etag is not cached.
func TestGamesAreCachedByETag(t *testing.T) {
	m := newMarshaler(cache.NewBudget(1 << 20))
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
			t.Errorf("game %s with etag %q: %s, %v", test.id, test.etag, text, err)
		}
	}
	if cached := m.games.Stats().Entries; cached != 2 {
		t.Errorf("%d games are cached, want the 2 with etags", cached)
	}
}
