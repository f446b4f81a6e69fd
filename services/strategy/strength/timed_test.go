//go:build !race

package main

import (
	"regexp"
	"testing"

	"github.com/flipside-games/flipside/services/strategy/arena"
)

// With the race detector these tests would solve deals for minutes, and no game runs beside
// another.

func TestAMatchAgainstAnOpponentIsARow(t *testing.T) {
	cards := timedTournaments()[2]
	row, err := cards.timed(t.Context(), cards.players[0], 2)
	if err != nil || !regexp.MustCompile(`^\d+ \| \d+ \| \d+ \| \d+ ± \d+ \| \d+ \| \d+ \| \d+ of \d+$`).MatchString(row) {
		t.Errorf("%q, %v", row, err)
	}
}

func TestTheScoreOfAStartIsTheNegativeOfTheOtherSides(t *testing.T) {
	cards := timedTournaments()[2]
	different := false
	_, err := arena.Play(t.Context(), arena.Match{
		Setup: cards.setup, First: arena.Strategy(cards.players[0].strategy),
		Second: arena.Strategy(cards.players[1].strategy),
		Games:  8, Parallel: 1,
	}, func(g arena.Game, _ arena.Tally) error {
		score, err := solve(t.Context(), g)
		g.FirstSide = g.FirstSide.Other()
		swapped, _ := solve(t.Context(), g)
		different = different || score != 0
		if score != -swapped {
			t.Errorf("the score of %s is %d, and %d for the other side", g.Start, score, swapped)
		}
		return err
	})
	if err != nil || !different {
		t.Errorf("all deals are even: %v", err)
	}
}
