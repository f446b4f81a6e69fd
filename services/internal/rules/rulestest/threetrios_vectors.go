package rulestest

import (
	_ "embed"
	"encoding/json"
	"testing"
)

//go:embed testdata/three_trios.json
var threeTriosCases []byte

// ThreeTriosVector is a published case for Three Trios: a setup, the moves of a game, which need
// not reach its end, and the picks of the strategies at some positions of it.
type ThreeTriosVector struct {
	Name string `json:"name"`
	// Grid and Deck are the contents of files. Rules are names in any order.
	Grid          string   `json:"grid"`
	Deck          string   `json:"deck"`
	Rules         []string `json:"rules"`
	CountOwnCards bool     `json:"count_own_cards"`

	Moves []ThreeTriosMove  `json:"-"`
	Picks []ThreeTriosPicks `json:"-"`
}

// ThreeTriosMove is a move of a case and its result.
type ThreeTriosMove struct {
	// Move is in notation, such as c1@0,1.
	Move string `json:"move"`
	// Flips is the number of cards that flip. Waves are their cells, in reading order inside a
	// wave.
	Flips int        `json:"flips"`
	Waves [][]string `json:"waves"`
	// Owners is the grid after the move. Slashes separate the rows of R, B, _ (empty) and . (hole).
	Owners string `json:"owners"`
	Score  struct {
		Red  int `json:"red"`
		Blue int `json:"blue"`
	} `json:"score"`
}

// ThreeTriosPicks holds the moves that the strategies pick in a position of a case.
type ThreeTriosPicks struct {
	// BeforeMove is the index of the move after the position: 0 for the start, len(Moves) for the
	// last position.
	BeforeMove int `json:"before_move"`
	// Picks maps a strategy, strategy1 to strategy4, to a move in notation.
	Picks map[string]string `json:"picks"`
}

// UnmarshalJSON separates the moves of a case from its picks. The file has both in one list.
func (v *ThreeTriosVector) UnmarshalJSON(text []byte) error {
	type fields ThreeTriosVector
	file := struct {
		*fields
		Steps []struct {
			ThreeTriosMove
			ThreeTriosPicks
		} `json:"steps"`
	}{fields: (*fields)(v)}
	if err := json.Unmarshal(text, &file); err != nil {
		return err
	}
	for _, step := range file.Steps {
		if step.Picks != nil {
			v.Picks = append(v.Picks, step.ThreeTriosPicks)
		} else {
			v.Moves = append(v.Moves, step.ThreeTriosMove)
		}
	}
	return nil
}

// ThreeTriosVectors returns the published cases for Three Trios in the order of the file.
func ThreeTriosVectors(t testing.TB) []ThreeTriosVector {
	t.Helper()
	var all []ThreeTriosVector
	if err := json.Unmarshal(threeTriosCases, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("there are no cases")
	}
	return all
}
