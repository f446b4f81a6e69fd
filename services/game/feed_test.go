package game_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/services/game"
)

func TestMergedWakeUpsTellTheNewest(t *testing.T) {
	first, second := &game.Delayed{Attempt: 1}, &game.Delayed{Attempt: 2}
	for _, test := range []struct {
		name                 string
		earlier, later, want game.Wake
	}{
		{"the later version", game.Wake{Version: 3}, game.Wake{Version: 4}, game.Wake{Version: 4}},
		{"the higher version where they come out of order", game.Wake{Version: 4}, game.Wake{Version: 3}, game.Wake{Version: 4}},
		{
			"a late robot of the same version",
			game.Wake{Version: 3, Delayed: first}, game.Wake{Version: 3}, game.Wake{Version: 3, Delayed: first},
		},
		{
			"the later word on a late robot",
			game.Wake{Version: 3, Delayed: first}, game.Wake{Version: 3, Delayed: second}, game.Wake{Version: 3, Delayed: second},
		},
		{"no robot that has moved since", game.Wake{Version: 3, Delayed: first}, game.Wake{Version: 4}, game.Wake{Version: 4}},
		{"nor one that had moved before", game.Wake{Version: 4}, game.Wake{Version: 3, Delayed: first}, game.Wake{Version: 4}},
		{"that some were lost before the first", game.Wake{Version: 3, Missed: true}, game.Wake{Version: 4}, game.Wake{Version: 4, Missed: true}},
		{"that some were lost before the second", game.Wake{Version: 3}, game.Wake{Missed: true}, game.Wake{Version: 3, Missed: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, test.earlier.Merge(test.later)); diff != "" {
				t.Errorf("merged (-want +got):\n%s", diff)
			}
		})
	}
}
