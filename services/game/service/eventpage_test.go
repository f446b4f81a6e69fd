package service

import (
	"strings"
	"testing"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// A watcher who reads old events must not make the server hold many large ones.
func TestPagesOfEventsAreLimitedByBytes(t *testing.T) {
	for blanks, want := range map[int]int{0: maxEventPage, 50_000: 5, eventPageBytes: 1} {
		setup := games.Setup{ThreeTrios: &threetrios.Setup{Deck: strings.Repeat("\n", blanks)}}
		if got := eventPage(game.Game{Setup: setup}); got != want {
			t.Errorf("a game of %d bytes: %d events, want %d", blanks, got, want)
		}
	}
}
