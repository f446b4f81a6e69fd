package main

import (
	"context"
	"fmt"
	"io"
	"os"
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

The same kind of matches, but the result depends on the machine. It ran nothing else, and as
many games at the same time as it has processors. In Three Trios every start was solved:
a deal is lost by force if the engine loses it against perfect play. The engine wins such
games only through errors of the opponent.

| game | opponent | won | drawn | lost | score | lost by force | ` +
	`won or drawn of these | won of the others |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
`

// timedTournaments returns the tournaments with the opponents of the engine at a time limit.
func timedTournaments() []tournament {
	onReversi := []player{
		level("expert", catalogue.Expert),
		{"alphaBeta 6", alphabeta.Search{Limits: limits.Limits{Depth: 6}}},
	}
	timed := tournaments()
	for i, t := range timed {
		if t.setup.Reversi != nil {
			timed[i].players = onReversi
		} else {
			timed[i].players = t.players[:4] // the strategies without a search
		}
	}
	return timed
}

// writeTimed plays the engine against its opponents and prints the table.
func writeTimed(ctx context.Context, out io.Writer, count int) error {
	fmt.Fprint(out, timedHead)
	for _, t := range timedTournaments() {
		for _, opponent := range t.players {
			row, err := t.timed(ctx, opponent, count)
			if err != nil {
				return err
			}
			row = fmt.Sprintf("| %s | %s | %s |\n", t.name, opponent.name, row)
			fmt.Fprint(os.Stderr, row)
			fmt.Fprint(out, row)
		}
	}
	return nil
}

// timed plays a match of the engine at 0.1 s a move and returns the cells of its row.
func (t tournament) timed(ctx context.Context, opponent player, count int) (string, error) {
	timed := engine.Search{Limits: limits.Limits{Time: 100 * time.Millisecond}}
	tally, played, err := t.play(ctx, timed, opponent.strategy, count)
	if err != nil {
		return "", err
	}
	row := fmt.Sprintf("%d | %d | %d | %s", tally.Wins, tally.Draws, tally.Losses, cell(tally.Score()))
	if t.setup.ThreeTrios == nil {
		return row + " |  |  | ", nil
	}
	lost, others, err := splitByScore(ctx, played)
	return fmt.Sprintf("%s | %d | %d | %d of %d",
		row, lost.games, lost.won+lost.drawn, others.won, others.games), err
}

// splitByScore splits games of Three Trios by the exact score of their start for the match's first
// strategy. It runs after the match, so that it takes no time from the players.
func splitByScore(ctx context.Context, played []arena.Game) (lost, others results, err error) {
	for _, g := range played {
		score, err := solve(ctx, g)
		if err != nil {
			return lost, others, err
		}
		if score < 0 {
			lost.add(g)
		} else {
			others.add(g)
		}
	}
	return lost, others, nil
}

// results counts the results of games.
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

// solve returns the exact score of the start of a game for the match's first strategy.
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
	score := choice.Analysis.Best().Score
	if g.FirstSide == rules.Second {
		score = -score
	}
	return score, nil
}
