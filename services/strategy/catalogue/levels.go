package catalogue

import (
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/engine"
	"github.com/flipside-games/flipside/services/strategy/heuristic"
	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/trios"
)

// Level is the strength of a ready-made opponent.
type Level int

// The levels, in the order of flipside.strategy.v1.Level.
const (
	Easy Level = iota + 1
	Medium
	Hard
	Expert
)

// In Reversi each level extends the one before.
var (
	easy   = heuristic.MaxCapture{}
	medium = heuristic.TryTwo{First: heuristic.AvoidNextToCorners{}, Second: heuristic.MaxCapture{}}
	hard   = heuristic.TryTwo{First: heuristic.TakeCorners{}, Second: medium}
	expert = heuristic.TryTwo{First: heuristic.Minimax{Assumed: hard}, Second: hard}
)

var levels = map[rules.Kind]map[Level]strategy.Strategy{
	rules.Reversi: {Easy: easy, Medium: medium, Hard: hard, Expert: expert},
	rules.ThreeTrios: {
		Easy:   trios.MostFlips{},
		Medium: trios.Corners{},
		Hard:   hardTrios{},
		Expert: engine.Search{Limits: limits.Limits{Time: time.Second}},
	},
}

// hardTrios plays SmallestReply where it can, and LeastExposed on larger grids.
type hardTrios struct{}

// Keep implements [strategy.Strategy].
func (hardTrios) Keep(
	meter *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	if p.(*threetrios.Position).CardCells() > threetrios.MaxSmallestReplyCells {
		return trios.LeastExposed{}.Keep(meter, p, candidates)
	}
	return trios.SmallestReply{}.Keep(meter, p, candidates)
}

// In returns the strategy of a level in a game, or nil if there is no such level.
func (l Level) In(game rules.Kind) strategy.Strategy { return levels[game][l] }
