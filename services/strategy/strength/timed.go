package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/alphabeta"
	"github.com/flipside-games/flipside/services/strategy/arena"
	"github.com/flipside-games/flipside/services/strategy/catalogue"
	"github.com/flipside-games/flipside/services/strategy/engine"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

const timedHead = `
## The engine at 0.1 s a move

As above, but what the engine finds in that time depends on the machine, which did nothing else meanwhile and played as many
games at once as it has processors. In Three Trios every start was solved: a deal is lost by force if the engine's side loses it
against the best play, whatever it does. What it wins of those nevertheless its opponents gave away.

| game | opponent | won | drawn | lost | score | lost by force | won or drawn of those | won of the others |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
`

// timedEvents are the boards of the tables, with the opponents of the engine at so much time a move.
func timedEvents() []event {
	onReversi := []player{level("expert", catalogue.Expert), {"alphaBeta 6", alphabeta.Search{Limits: limits.Limits{Depth: 6}}}}
	timed := events()
	for i, e := range timed {
		if e.setup.Reversi != nil {
			timed[i].players = onReversi
		} else {
			timed[i].players = e.players[:4] // those that do not search
		}
	}
	return timed
}

// writeTimed plays the engine against its opponents and prints the table.
func writeTimed(ctx context.Context, out io.Writer, count int) error {
	fmt.Fprint(out, timedHead)
	for _, e := range timedEvents() {
		for _, opponent := range e.players {
			row, err := e.timed(ctx, opponent, count)
			if err != nil {
				return err
			}
			row = fmt.Sprintf("| %s | %s | %s |\n", e.name, opponent.name, row)
			fmt.Fprint(os.Stderr, row)
			fmt.Fprint(out, row)
		}
	}
	return nil
}

// timed plays a match of the engine at a tenth of a second a move and returns the rest of its row.
func (e event) timed(ctx context.Context, opponent player, count int) (string, error) {
	var played []arena.Game
	tally, err := arena.Play(ctx, arena.Match{
		Setup: e.setup, First: engine.Search{Limits: limits.Limits{Time: 100 * time.Millisecond}}, Second: opponent.strategy,
		Games: count, Seed: 1, OpeningPlies: e.opening, Parallel: runtime.GOMAXPROCS(0),
	}, func(g arena.Game, _ arena.Tally) error {
		played = append(played, g)
		return nil
	})
	if err != nil {
		return "", err
	}
	row := fmt.Sprintf("%d | %d | %d | %s", tally.Wins, tally.Draws, tally.Losses, cell(tally.Score()))
	if e.setup.ThreeTrios == nil {
		return row + " |  |  | ", nil
	}
	lost, others, err := byWorth(ctx, played)
	return fmt.Sprintf("%s | %d | %d | %d of %d", row, lost.games, lost.won+lost.drawn, others.won, others.games), err
}

// byWorth sorts the games of a match of cards by what their starts are worth to its first strategy. It is done after the
// match, where it takes no time from the players.
func byWorth(ctx context.Context, played []arena.Game) (lost, others results, err error) {
	for _, g := range played {
		worth, err := solve(ctx, g)
		if err != nil {
			return lost, others, err
		}
		if worth < 0 {
			lost.add(g)
		} else {
			others.add(g)
		}
	}
	return lost, others, nil
}

// results are those of some games of a match.
type results struct{ games, won, drawn int }

func (r *results) add(g arena.Game) {
	r.games++
	switch g.Points() {
	case 1:
		r.won++
	case 0.5:
		r.drawn++
	}
}

// solve returns what the start of a game of cards is worth to the match's first strategy.
func solve(ctx context.Context, g arena.Game) (int, error) {
	p, err := games.Parse(g.Start)
	if err != nil {
		return 0, err
	}
	choice, err := strategy.Choose(ctx, engine.Search{}, p, 0)
	if err != nil {
		return 0, err
	}
	if !choice.Analysis.Exact {
		return 0, fmt.Errorf("the deal %s is not solved", g.Start)
	}
	worth := choice.Analysis.Best().Score
	if g.FirstSide == rules.Second {
		worth = -worth
	}
	return worth, nil
}
