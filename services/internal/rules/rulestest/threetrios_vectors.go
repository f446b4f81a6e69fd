package rulestest

import (
	_ "embed"
	"encoding/json"
	"testing"
)

//go:embed testdata/three_trios.json
var threeTriosCases []byte

// ThreeTriosVector is one published case for Three Trios: a setup and the moves of a game.
type ThreeTriosVector struct {
	Name string `json:"name"`
	// Grid and Deck are files, Rules the names of the rules in any order.
	Grid          string           `json:"grid"`
	Deck          string           `json:"deck"`
	Rules         []string         `json:"rules"`
	CountOwnCards bool             `json:"count_own_cards"`
	Moves         []ThreeTriosMove `json:"-"`
}

// ThreeTriosMove is one move of a case and what it leads to.
type ThreeTriosMove struct {
	// Picks are what the strategies choose in the position before the move, by the name of the strategy:
	// strategy1 to strategy4. Most moves have none.
	Picks map[string]string
	// Move is in notation, such as c1@0,1.
	Move string
	// Waves are the cells that flip, wave by wave and in reading order.
	Waves [][]string
	// Owners shows the grid after the move, rows separated by slashes: R, B, _ empty, a dot for a hole.
	Owners    string
	Red, Blue int
}

// Flips returns how many cards the move flips.
func (m ThreeTriosMove) Flips() int { ... }
