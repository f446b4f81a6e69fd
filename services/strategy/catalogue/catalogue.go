// Package catalogue is the table of the strategies there are: what they are called, what each plays, what can be set,
// and what the levels are made of.
package catalogue

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// Entry describes a strategy.
type Entry struct {
	// Name is its field in a request, in lowerCamel.
	Name    string
	Summary string
	Games   []rules.Kind
	// Parameters are what can be set.
	Parameters []Parameter
}

// Parameter describes what can be set, with values as they stand in a request. Minimum, Maximum and Values are empty
// where they say nothing, Default where the parameter is required.
type Parameter struct {
	Name, Summary             string
	Minimum, Maximum, Default string
	Values                    []string
}

var (
	reversiOnly = []rules.Kind{rules.Reversi}
	triosOnly   = []rules.Kind{rules.ThreeTrios}
	everyGame   = []rules.Kind{rules.Reversi, rules.ThreeTrios}
)

// Entries returns the strategies there are, the simplest first. The caller owns the slice.
func Entries() []Entry { return slices.Clone(entries) }

var entries = []Entry{
	{
		Name: "level", Games: everyGame,
		Summary: "A ready-made opponent; the best of these in Three Trios is the engine, thinking for a second.",
		Parameters: []Parameter{{
			Name: "level", Summary: "How strong it is.",
			Values: []string{"LEVEL_EASY", "LEVEL_MEDIUM", "LEVEL_HARD", "LEVEL_EXPERT"},
		}},
	},
	{Name: "maxCapture", Games: reversiOnly, Summary: "The moves that flip most."},
	{Name: "greedy", Games: reversiOnly, Summary: "The move that flips most; of several the topmost, then the leftmost."},
	{Name: "avoidNextToCorners", Games: reversiOnly, Summary: "All moves but those next to a corner."},
	{Name: "takeCorners", Games: reversiOnly, Summary: "The moves on corners."},
	{
		Name: "tryTwo", Games: reversiOnly,
		Summary: "What the second strategy keeps of the moves of the first, and either alone where the other keeps none.",
		Parameters: []Parameter{
			{Name: "first", Summary: "The strategy that is asked first."},
			{Name: "second", Summary: "The strategy that chooses among what the first keeps."},
		},
	},
	{
		Name: "minimax", Games: reversiOnly,
		Summary:    "The moves that leave the opponent the fewest replies he would hold equally good.",
		Parameters: []Parameter{{Name: "assumed", Summary: "The strategy that the opponent is assumed to play."}},
	},
	{Name: "corners", Games: triosOnly, Summary: "The corner and card with the highest sum of values on its open sides."},
	{Name: "mostFlips", Games: triosOnly, Summary: "The moves that flip most, chain and all."},
	{
		Name: "leastExposed", Games: triosOnly,
		Summary: "The cell and card that the fewest of the opponent's cards could beat.",
	},
	{
		Name: "smallestReply", Games: triosOnly,
		Summary: "The moves after which the reply of the opponent, whose strategy is guessed, flips least; " +
			"on grids of at most 25 card cells.",
	},
	{
		Name: "alphaBeta", Games: everyGame,
		Summary: "The move of the best line of play so many plies deep, by the difference in discs or cards.",
		Parameters: []Parameter{
			{
				Name: "maxDepth", Summary: "How many plies deep to search; 0 is left out.",
				Minimum: "0", Maximum: "64", Default: "4, or as deep as maxTime allows where that is given",
			},
			{
				Name: "maxTime", Summary: "How long to search; 0s is left out.",
				Minimum: "0s", Maximum: "60s", Default: "no limit but the deadline of the call",
			},
			{
				Name: "evaluation", Summary: "What a position is worth.",
				Default: "EVALUATION_DISC_DIFFERENCE", Values: []string{"EVALUATION_DISC_DIFFERENCE"},
			},
		},
	},
	{
		Name: "engine", Games: everyGame,
		Summary: "The strongest move that a search finds within its limits, exact as soon as the game can be searched to its end.",
		Parameters: []Parameter{
			{
				Name: "maxTime", Summary: "How long to search; 0s is left out.",
				Minimum: "0s", Maximum: "600s", Default: "no limit but the deadline of the call",
			},
			{
				Name: "maxDepth", Summary: "How many plies deep to search; 0 is left out.",
				Minimum: "0", Maximum: "512", Default: "no limit",
			},
			{
				Name: "maxNodes", Summary: "How many positions to visit; 0 is left out.",
				Minimum: "0", Default: "no limit",
			},
			{
				Name: "threads", Summary: "How many threads search, never more than there are processors; 0 is left out.",
				Minimum: "0", Maximum: "256", Default: "1",
			},
		},
	},
}
