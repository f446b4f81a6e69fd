package train

import (
	"context"
	"math/bits"
	"math/rand/v2"

	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/othello"
	"github.com/flipside-games/flipside/services/strategy/othello/pattern"
)

// Generation is one turn of playing and learning.
type Generation struct {
	// Games is how many are played.
	Games int
	// Depth is how far the players look; 0 means they play at random.
	Depth int
	// Exact is the number of empty cells from which games are played out perfectly.
	Exact int
}

// chunk is the number of games that share an engine and a source of chance: what is played in a chunk depends on the
// seed, the generation and the number of the chunk alone, not on how many run at once.
const chunk = 500

// player plays games against itself.
type player struct {
	Generation
	engine *othello.Engine
	chance *rand.Rand
}

func newPlayer(g Generation, w *pattern.Weights, seed uint64, generation, chunk int) *player {
	return &player{
		Generation: g,
		engine:     othello.New(othello.Options{TableBytes: 4 << 20, Scoring: othello.EmptiesToWinner, Weights: w}),
		chance:     rand.New(rand.NewPCG(seed, uint64(generation)<<32|uint64(chunk))),
	}
}

// game plays one game: some moves by lot, the middle with the engine's short sight, the end perfectly.
func (p *player) game(ctx context.Context) (r record) {
	for i := range r.moves {
		r.moves[i] = othello.Pass
	}
	r.random = uint8(p.opening())
	b, sign, made := othello.Start(), 1, 0
	for !b.Over() {
		if b.Moves() == 0 {
			b, sign = b.Pass(), -sign
		}
		if b.Empties() <= p.Exact && made >= int(r.random) {
			break
		}
		x := p.choose(ctx, b, made < int(r.random))
		r.moves[made] = x
		b, sign, made = b.Play(x), -sign, made+1
	}
	if b.Over() {
		r.score = int8(sign * othello.EmptiesToWinner.Final(b))
		return r
	}
	r.score = int8(sign * p.finish(ctx, b, r.moves[made:]))
	return r
}

// opening is the number of moves to draw by lot: half the games have few and are mostly played, the others leave the
// beaten track anywhere, so that the weights also learn what good players avoid.
func (p *player) opening() int {
	if p.chance.IntN(2) == 0 {
		return 8 + p.chance.IntN(9)
	}
	return 8 + p.chance.IntN(60-p.Exact-8)
}

// choose is a move by lot or by search.
func (p *player) choose(ctx context.Context, b othello.Board, random bool) othello.Square {
	if !random && p.Depth > 0 {
		return p.engine.Search(limits.NewMeter(ctx), b, limits.Options{Limits: limits.Limits{Depth: p.Depth}})[0].PrincipalVariation[0]
	}
	moves := b.Moves()
	for range p.chance.IntN(bits.OnesCount64(moves)) {
		moves &= moves - 1
	}
	return othello.Square(bits.TrailingZeros64(moves))
}

// finish plays the rest perfectly, writes its moves and returns its score for the side to move.
func (p *player) finish(ctx context.Context, b othello.Board, moves []othello.Square) int {
	solved := p.engine.Search(limits.NewMeter(ctx), b, limits.Options{})[0]
	made := 0
	for _, x := range solved.PrincipalVariation {
		if x != othello.Pass {
			moves[made] = x
			made++
		}
	}
	return solved.Score
}
