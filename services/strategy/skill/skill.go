// Package skill plays every game like people of different strength, on levels from 1 to [Highest].
// Weak levels overlook moves, like moves that look good at once and misjudge the others; strong
// levels are the engine with a limit of nodes. No level plays random moves.
package skill

import (
	"hash/fnv"
	"math/rand/v2"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/engine"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Highest is the strongest level.
const Highest = 20

// Player is a strategy for every game. Its choice depends only on its level, its seed, the position
// and the candidates, unless the context ends first.
type Player struct {
	// Level is the strength, from 1 to Highest.
	Level int
	// Seed determines what the player overlooks and how it misjudges: another seed gives other
	// games.
	Seed int64
	// Memory bounds the memory of all searches that share it; nil means no bound.
	Memory *engine.MemoryBudget
}

var _ strategy.Seeded = Player{}

// WithSeed implements [strategy.Seeded].
func (l Player) WithSeed(seed int64) strategy.Strategy {
	l.Seed = seed
	return l
}

// Keep implements [strategy.Strategy]. It keeps one candidate.
func (l Player) Keep(
	meter *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	if len(candidates) < 2 {
		return candidates, nil
	}
	return l.keep(meter, p, candidates, settingsOf(p, l.Level)), nil
}

func (l Player) keep(
	meter *limits.Meter, p rules.Position, candidates []strategy.Candidate, s settings,
) []strategy.Candidate {
	opening := inOpening(p)
	scores := l.search(meter, p, s.limits(), s.lines(opening, len(strategy.Placements(p))))
	appeals := appealsOf(p, candidates)
	random := l.random(p)
	best, bestValue := -1, 0.0
	for i, c := range candidates {
		// Each move draws the same numbers, whatever happens to the others.
		overlooked, misjudged, varied := random.Float64(), random.NormFloat64(), random.Float64()
		score, searched := scores[c.Move]
		if !searched || overlooked < s.overlook*(1-appeals.share(i)) {
			continue
		}
		value := (1-s.naive)*float64(score) + s.naive*appeals.values[i] + s.noise*misjudged
		if opening {
			value += appeals.margin * varied
		}
		if best < 0 || value > bestValue {
			best, bestValue = i, value
		}
	}
	if best < 0 {
		best = appeals.highest()
	}
	chosen := candidates[best]
	if score, searched := scores[chosen.Move]; searched {
		chosen.Value, chosen.Measure = score, strategy.Score
	}
	return []strategy.Candidate{chosen}
}

// search returns the scores of the best moves, as many as lines.
func (l Player) search(
	meter *limits.Meter, p rules.Position, within limits.Limits, lines int,
) map[rules.Move]int {
	var last strategy.Analysis
	for last = range (engine.Search{Limits: within, Memory: l.Memory}).Analyze(meter, p, lines) {
	}
	scores := make(map[rules.Move]int, len(last.Lines))
	for _, line := range last.Lines {
		scores[line.Moves[0]] = line.Score
	}
	return scores
}

// random returns the generator for a position. It is a PCG generator with the seed, and the FNV-1a
// hash of the notation, so that a game has other numbers at each of its moves.
func (l Player) random(p rules.Position) *rand.Rand {
	hash := fnv.New64a()
	hash.Write([]byte(p.Notation()))
	return rand.New(rand.NewPCG(uint64(l.Seed), hash.Sum64()^uint64(l.Level)))
}
