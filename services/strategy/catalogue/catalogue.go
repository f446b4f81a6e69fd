// Package catalogue lists the strategies with their games and parameters, and defines the levels.
package catalogue

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// Entry describes a strategy.
type Entry struct {
	// Name is the name of its field in a request, in lowerCamelCase.
	Name    string
	Summary string
	Games   []rules.Kind
	// Parameters are the fields of its message.
	Parameters []Parameter
}

// Parameter describes a parameter, with values in the JSON format of a request. Minimum and Maximum
// are empty if there is no bound, Values if the parameter is no enum, Default if it is required.
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

// Entries returns all strategies, the simplest first. The caller owns the slice.
func Entries() []Entry { return slices.Clone(entries) }

var entries = []Entry{
	{Name: "level", Games: everyGame,
		Summary: "A ready-made opponent. In Three Trios hard is leastExposed on more than 25 card " +
			"cells, and expert is the engine with one second a move.",
		Parameters: []Parameter{{
			Name: "level", Summary: "The strength.",
			Values: []string{"LEVEL_EASY", "LEVEL_MEDIUM", "LEVEL_HARD", "LEVEL_EXPERT"},
		}}},
	{Name: "skill", Games: everyGame,
		Summary: "A strength for people, from 1, a beginner, to 20. Weak levels overlook moves and " +
			"misjudge them. A robot waits up to 2.5 s before it moves.",
		Parameters: []Parameter{{
			Name: "skill", Summary: "The strength.", Minimum: "1", Maximum: "20",
		}}},
	{Name: "maxCapture", Games: reversiOnly, Summary: "The moves that flip most."},
	{Name: "greedy", Games: reversiOnly,
		Summary: "The first move, in reading order, of those that flip most."},
	{Name: "avoidNextToCorners", Games: reversiOnly,
		Summary: "All moves except those next to a corner."},
	{Name: "takeCorners", Games: reversiOnly, Summary: "The moves on corners."},
	{Name: "tryTwo", Games: reversiOnly,
		Summary: "The moves that the second strategy keeps of those that the first keeps; " +
			"if one keeps none, the other alone.",
		Parameters: []Parameter{
			{Name: "first", Summary: "The strategy whose moves the second one narrows down."},
			{Name: "second", Summary: "The strategy that narrows down the moves of the first."},
		}},
	{Name: "minimax", Games: reversiOnly,
		Summary:    "The moves that leave the opponent the fewest equally good replies.",
		Parameters: []Parameter{{Name: "assumed", Summary: "The assumed strategy of the opponent."}}},
	{Name: "corners", Games: triosOnly,
		Summary: "The corner and card with the highest sum of values on its open sides."},
	{Name: "mostFlips", Games: triosOnly,
		Summary: "The moves that flip most cards, including the chain."},
	{Name: "leastExposed", Games: triosOnly,
		Summary: "The cell and card that the fewest of the opponent's cards can beat."},
	{Name: "smallestReply", Games: triosOnly,
		Summary: "The moves after which the reply of the opponent, whose strategy it guesses, " +
			"flips the fewest cards; on grids of at most 25 card cells."},
	{Name: "alphaBeta", Games: everyGame,
		Summary: "The best move of an alpha-beta search on the difference in discs or cards.",
		Parameters: []Parameter{
			{Name: "maxDepth", Summary: "The depth of the search in plies; 0 means the default.",
				Minimum: "1", Maximum: "64", Default: "4, or no limit with maxTime"},
			{Name: "maxTime", Summary: "The time of the search; 0s means the default.",
				Minimum: "0s", Maximum: "60s", Default: "the deadline of the call"},
			{Name: "evaluation", Summary: "The evaluation of a position.",
				Default: "EVALUATION_DISC_DIFFERENCE", Values: []string{"EVALUATION_DISC_DIFFERENCE"}},
		}},
	{Name: "engine", Games: everyGame,
		Summary: "The best move of the strongest search within its limits, " +
			"exact when the end of the game is within reach.",
		Parameters: []Parameter{
			{Name: "maxTime", Summary: "The time of the search; 0s means the default.",
				Minimum: "0s", Maximum: "600s", Default: "the deadline of the call"},
			{Name: "maxDepth", Summary: "The depth of the search in plies; 0 means the default.",
				Minimum: "1", Maximum: "512", Default: "no limit"},
			{Name: "maxNodes", Summary: "The number of nodes to visit; 0 means the default.",
				Minimum: "1", Default: "no limit"},
			{Name: "threads",
				Summary: "The number of threads, at most one for each processor; 0 means the default.",
				Minimum: "1", Maximum: "256", Default: "1"},
		}},
}
