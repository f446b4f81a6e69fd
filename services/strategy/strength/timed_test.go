//go:build !race

package main

import (
	"regexp"
	"testing"

	"github.com/flipside-games/flipside/services/strategy/arena"
)

// The race detector would make these tests minutes of solving deals, and find nothing: no game here is played beside another.

func TestTheEngineAgainstEachOpponentIsARowOfTheTable(t *testing.T) {
	e := timedEvents()[2]
	row, err := e.timed(t.Context(), e.players[0], 2)
	if err != nil || !regexp.MustCompile(`^\d+ \| \d+ \| \d+ \| \d+ ± \d+ \| \d+ \| \d+ \| \d+ of \d+$`).MatchString(row) {
		t.Errorf("%q, %v", row, err)
	}
}

// The built-in deal is even, and what wins it is of no use to the other side.
func TestAStartIsWorthToOneSideWhatItIsNotToTheOther(t *testing.T) {
	e := timedEvents()[2]
	different := false
	_, err := arena.Play(t.Context(), arena.Match{
		Setup: e.setup, First: e.players[0].strategy, Second: e.players[1].strategy, Games: 8, Parallel: 1,
	}, func(g arena.Game, _ arena.Tally) error {
		worth, err := solve(t.Context(), g)
		g.FirstSide = g.FirstSide.Other()
		swapped, _ := solve(t.Context(), g)
		different = different || worth != 0
		if worth != -swapped {
			t.Errorf("%s is worth %d, and %d to the other side", g.Start, worth, swapped)
		}
		return err
	})
	if err != nil || !different {
		t.Errorf("no deal favours anybody: %v", err)
	}
}
