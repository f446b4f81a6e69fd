package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/search"
)

// play adds games to the file until there are as many as asked for. A game is a line: how many of its moves are random,
// and its moves.
func play(o options, log io.Writer) error {
	start, err := o.start()
	if err != nil {
		return err
	}
	done, err := countLines(o.file)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(o.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	for number := done; number < o.games; number++ {
		if _, err := fmt.Fprintln(file, o.game(start, number)); err != nil {
			return err
		}
		if number%500 == 0 {
			fmt.Fprintln(log, number, "games")
		}
	}
	return file.Close()
}

func countLines(name string) (lines int, err error) {
	file, err := os.Open(name)
	if os.IsNotExist(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer file.Close()
	for in := bufio.NewScanner(file); in.Scan(); {
		lines++
	}
	return lines, nil
}

// game plays the game of a number: random moves, then those the engine thinks best, then, once it sees to the end, its
// line.
func (o options) game(start *reversi.Position, number int) string {
	random := rand.New(rand.NewPCG(o.seed, uint64(number)))
	opening := 1 + random.IntN(o.random)
	record := []string{fmt.Sprint(opening)}
	p := start
	for ply := 0; p.Turn() != rules.NoSide; ply++ {
		var moves []rules.Move
		if legal := p.Legal(); ply < opening || len(legal) == 1 {
			moves = append(moves, legal[random.IntN(len(legal))])
		} else {
			moves = o.think(p)
		}
		for _, m := range moves {
			record = append(record, p.MoveNotation(m))
			p = after(p, m)
		}
	}
	return strings.Join(record, " ")
}

// think returns the engine's move, or its whole line if it is exact.
func (o options) think(p *reversi.Position) []rules.Move {
	var known strategy.Analysis
	meter := limits.NewMeter(context.Background())
	options := limits.Options{Limits: limits.Limits{Nodes: int64(o.nodes)}, Table: 64 * o.nodes}
	for known = range search.Analyze(meter, p, options) {
	}
	moves := known.Best().Moves
	if known.Exact {
		return moves
	}
	return moves[:1]
}

func after(p *reversi.Position, m rules.Move) *reversi.Position {
	next, _, err := p.Play(m)
	if err != nil {
		panic(fmt.Sprintf("%s is not legal in %s: %v", p.MoveNotation(m), p.Notation(), err))
	}
	return next.(*reversi.Position)
}
