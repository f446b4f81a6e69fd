package train

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// progressGames is the number of games between two lines of progress.
const progressGames = 500

// play adds games of self-play to a file, chunk by chunk, until it has the number in the options. A
// chunk depends on the seed, the generation and its number alone.
func (t *trainer) play(ctx context.Context, path string) error {
	newAnalyzer, err := t.engine.load(t.initial)
	if err != nil {
		return err
	}
	size := t.engine.chunk()
	file, done, err := openGames(path, size)
	if err != nil {
		return err
	}
	defer file.Close()
	for chunk := done / size; chunk*size < t.games; chunk += t.threads {
		parts := make([]strings.Builder, t.threads)
		var all sync.WaitGroup
		for i := range parts {
			number := chunk + i
			if number*size >= t.games {
				break
			}
			all.Go(func() { t.playChunk(ctx, newAnalyzer(), number, &parts[i]) })
		}
		all.Wait()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for i := range parts {
			if _, err := file.WriteString(parts[i].String()); err != nil {
				return err
			}
		}
		if played := (chunk + t.threads) * size; played%progressGames < t.threads*size {
			fmt.Fprintf(t.log, "%s: %d of %d games\n", path, min(played, t.games), t.games)
		}
	}
	return file.Close()
}

func (t *trainer) playChunk(ctx context.Context, a analyzer, number int, to *strings.Builder) {
	stream := uint64(t.generation)<<32 | uint64(number)
	pl := player{trainer: t, analyzer: a, random: rand.New(rand.NewPCG(t.seed, stream))}
	for range t.engine.chunk() {
		if ctx.Err() != nil {
			return
		}
		fmt.Fprintln(to, pl.game(ctx))
	}
}

// player plays both sides of games.
type player struct {
	*trainer
	analyzer analyzer
	random   *rand.Rand
}

// game plays games until one is balanced enough after its opening, and returns its line for the
// file.
func (pl *player) game(ctx context.Context) string {
	for {
		plies, advantage := pl.engine.opening(pl.options, pl.random)
		if line, balanced := pl.attempt(ctx, plies, advantage); balanced {
			return line
		}
	}
}

// attempt plays a game: random moves, then the engine's moves with their scores and, as soon as the
// score is exact, its principal variation. It gives up if the first score of the engine shows a
// greater advantage than this.
func (pl *player) attempt(ctx context.Context, plies, advantage int) (line string, balanced bool) {
	p, record := pl.start, []string{""}
	opening, drawn, isFirst := 0, 0, true
	for p.Turn() != rules.NoSide {
		inOpening := drawn < plies
		c := pl.choose(ctx, p, inOpening)
		if len(c.moves) == 0 {
			c.moves = append(c.moves, pl.draw(p))
			drawn++
		}
		if c.searched && isFirst && max(c.score, -c.score) > advantage && ctx.Err() == nil {
			return "", false
		}
		isFirst = isFirst && !c.searched
		for _, m := range c.moves {
			record = append(record, p.MoveNotation(m))
			next, err := makeMove(p, m)
			if err != nil {
				panic(fmt.Sprintf("illegal move in self-play at %s: %v", p.Notation(), err))
			}
			p = next
		}
		if c.searched && !c.exact {
			record[len(record)-1] += fmt.Sprintf("/%d", c.score)
		}
		if inOpening {
			opening = len(record) - 1
		}
	}
	record[0] = strconv.Itoa(opening)
	return strings.Join(record, " "), true
}

// choice holds the next moves of a game. Without any, the player draws a move.
type choice struct {
	moves []rules.Move
	// score is the score of the position if the engine searched it.
	score           int
	searched, exact bool
}

// choose returns a forced move, the move of the engine or, by chance, a random one instead, and the
// rest of the game if the score is exact.
func (pl *player) choose(ctx context.Context, p *reversi.Position, inOpening bool) (c choice) {
	switch {
	case !pl.engine.drawsForced() && rules.MustPass(p):
		return choice{moves: []rules.Move{rules.Pass}}
	case inOpening, pl.engine.drawsForced() && p.CountLegal() == 1:
		return choice{}
	case pl.depth == 0 && pl.nodes == 0 && empties(p) > pl.exact:
		return choice{}
	}
	a := pl.analyzer.best(ctx, p, pl.limits(p))
	best := a.Best()
	c = choice{moves: best.Moves, score: best.Score, searched: true, exact: a.Exact}
	if !c.exact {
		c.moves = best.Moves[:1]
		if pl.mistakes > 0 && pl.random.IntN(pl.mistakes) == 0 {
			c.moves = []rules.Move{pl.draw(p)}
		}
	}
	return c
}

// draw returns a random legal move.
func (pl *player) draw(p *reversi.Position) rules.Move {
	legal := p.Legal()
	return legal[pl.random.IntN(len(legal))]
}

// limits returns the limits for one move: none if there are few enough empty cells to solve the
// game.
func (o options) limits(p *reversi.Position) limits.Options {
	if empties(p) <= o.exact {
		return limits.Options{}
	}
	return limits.Options{
		Limits: limits.Limits{Depth: o.depth, Nodes: int64(o.nodes)}, Table: 64 * o.nodes,
	}
}
