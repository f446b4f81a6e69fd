package game_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/services/game"
)

func TestMerge(t *testing.T) {
	first, second := &game.Delayed{Attempt: 1}, &game.Delayed{Attempt: 2}
	thinking := &game.Thinking{Analysis: []byte(`{"depth":1}`)}
	deeper := &game.Thinking{Analysis: []byte(`{"depth":2}`)}
	for _, test := range []struct {
		name                 string
		earlier, later, want game.Wake
	}{
		{"later version", game.Wake{Version: 3}, game.Wake{Version: 4}, game.Wake{Version: 4}},
		{"higher version out of order", game.Wake{Version: 4}, game.Wake{Version: 3}, game.Wake{Version: 4}},
		{"delay at the same version", game.Wake{Version: 3, Delayed: first}, game.Wake{Version: 3}, game.Wake{Version: 3, Delayed: first}},
		{"last delay", game.Wake{Version: 3, Delayed: first}, game.Wake{Version: 3, Delayed: second}, game.Wake{Version: 3, Delayed: second}},
		{"delay before the move", game.Wake{Version: 3, Delayed: first}, game.Wake{Version: 4}, game.Wake{Version: 4}},
		{"delay out of order", game.Wake{Version: 4}, game.Wake{Version: 3, Delayed: first}, game.Wake{Version: 4}},
		{
			"last progress", game.Wake{Version: 3, Thinking: thinking},
			game.Wake{Version: 3, Thinking: deeper}, game.Wake{Version: 3, Thinking: deeper},
		},
		{
			"progress at the same version", game.Wake{Version: 3, Thinking: thinking},
			game.Wake{Version: 3}, game.Wake{Version: 3, Thinking: thinking},
		},
		{
			"progress before the move", game.Wake{Version: 3, Thinking: thinking},
			game.Wake{Version: 4}, game.Wake{Version: 4},
		},
		{
			"progress out of order", game.Wake{Version: 4},
			game.Wake{Version: 3, Thinking: thinking}, game.Wake{Version: 4},
		},
		{
			"progress of the next attempt", game.Wake{Version: 3, Delayed: first},
			game.Wake{Version: 3, Thinking: thinking},
			game.Wake{Version: 3, Delayed: first, Thinking: thinking},
		},
		{
			"progress of a failed attempt", game.Wake{Version: 3, Thinking: thinking},
			game.Wake{Version: 3, Delayed: first}, game.Wake{Version: 3, Delayed: first},
		},
		{"missed before the first", game.Wake{Version: 3, Missed: true}, game.Wake{Version: 4}, game.Wake{Version: 4, Missed: true}},
		{"missed before the second", game.Wake{Version: 3}, game.Wake{Missed: true}, game.Wake{Version: 3, Missed: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, test.earlier.Merge(test.later)); diff != "" {
				t.Errorf("merged (-want +got):\n%s", diff)
			}
		})
	}
}
