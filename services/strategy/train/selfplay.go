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

// game plays a game and returns its line for the file: random moves, then the engine's moves and,
// as soon as the score is exact, its principal variation.
func (pl *player) game(ctx context.Context) string {
	p, record := pl.start, []string{""}
	opening, drawn, count := 0, 0, pl.engine.opening(pl.options, pl.random)
	for p.Turn() != rules.NoSide {
		inOpening := drawn < count
		moves := pl.choose(ctx, p, inOpening)
		if len(moves) == 0 {
			legal := p.Legal()
			moves = append(moves, legal[pl.random.IntN(len(legal))])
			drawn++
		}
		for _, m := range moves {
			record = append(record, p.MoveNotation(m))
			next, err := makeMove(p, m)
			if err != nil {
				panic(fmt.Sprintf("illegal move in self-play at %s: %v", p.Notation(), err))
			}
			p = next
		}
		if inOpening {
			opening = len(record) - 1
		}
	}
	record[0] = strconv.Itoa(opening)
	return strings.Join(record, " ")
}

// choose returns the moves to play, or none for a random move.
func (pl *player) choose(ctx context.Context, p *reversi.Position, inOpening bool) []rules.Move {
	switch {
	case !pl.engine.drawsForced() && rules.MustPass(p):
		return []rules.Move{rules.Pass}
	case inOpening, pl.engine.drawsForced() && p.CountLegal() == 1:
		return nil
	case pl.depth == 0 && pl.nodes == 0 && empties(p) > pl.exact:
		return nil
	}
	a := pl.analyzer.best(ctx, p, pl.limits(p))
	if !a.Exact {
		return a.Best().Moves[:1]
	}
	return a.Best().Moves
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
