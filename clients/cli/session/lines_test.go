package session

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/clients/cli/render"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
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
	for _, kind := range []rulesv1.GameKind{render.Reversi, render.Trios} {
		for line := range strings.Lines(help(kind)) {
			if line = strings.TrimSuffix(line, "\n"); len(line) > 80 {
				t.Errorf("%d columns: %s", len(line), line)
			}
		}
	}
}

func TestHelpOffersOnlyCommandsOfTheGame(t *testing.T) {
	t.Parallel()
	for kind, passes := range map[rulesv1.GameKind]bool{render.Reversi: true, render.Trios: false} {
		text := help(kind)
		if strings.Contains(text, "pass") != passes || !strings.Contains(text, "quit") {
			t.Errorf("the help of %s:\n%s", kind, text)
		}
	}
}

// The board shows the cards of a hand with numbers, which replace their names in a move.
func TestCardsHaveNumbers(t *testing.T) {
	t.Parallel()
	hands := &rulesv1.ThreeTriosPosition_Hands{
		First:  []*rulesv1.Card{{Name: "anchor"}, {Name: "bell"}},
		Second: []*rulesv1.Card{{Name: "candle"}, {Name: "7"}, {Name: "0"}},
	}
	position := &rulesv1.Position{Layout: &rulesv1.Position_ThreeTrios{
		ThreeTrios: &rulesv1.ThreeTriosPosition{Hands: hands},
	}}
	for _, test := range []struct {
		side       rulesv1.Side
		line, want string
	}{
		{rulesv1.Side_SIDE_FIRST, "0@0,2", "anchor@0,2"},
		{rulesv1.Side_SIDE_FIRST, "1@2,0", "bell@2,0"},
		{rulesv1.Side_SIDE_FIRST, "2@0,2", "2@0,2"},
		{rulesv1.Side_SIDE_FIRST, "-1@0,2", "-1@0,2"},
		{rulesv1.Side_SIDE_FIRST, "bell@0,2", "bell@0,2"},
		{rulesv1.Side_SIDE_FIRST, "1", "1"},
		{rulesv1.Side_SIDE_SECOND, "1@0,2", "7@0,2"},
		{rulesv1.Side_SIDE_SECOND, "0@0,2", "0@0,2"},
	} {
		s := New(nil, &gamev1.Game{Position: position, Turn: &gamev1.Turn{Side: test.side}})
		if got := s.withName(test.line); got != test.want {
			t.Errorf("%s by %s plays %s, want %s", test.line, test.side, got, test.want)
		}
	}
}
