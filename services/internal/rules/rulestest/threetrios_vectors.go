package rulestest

import (
	_ "embed"
	"encoding/json"
	"testing"
)

//go:embed testdata/three_trios.json
var threeTriosCases []byte

// ThreeTriosVector is one published case for Three Trios: a setup, the moves of a game that may stop
// before its end, and what the strategies pick on the way.
type ThreeTriosVector struct {
	Name string `json:"name"`
	// Grid and Deck are files, Rules the names of the rules in any order.
	Grid          string   `json:"grid"`
	Deck          string   `json:"deck"`
	Rules         []string `json:"rules"`
	CountOwnCards bool     `json:"count_own_cards"`

	Moves []ThreeTriosMove  `json:"-"`
	Picks []ThreeTriosPicks `json:"-"`
}

// ThreeTriosMove is one move of a case and what it leads to.
type ThreeTriosMove struct {
	// Move is in notation, such as c1@0,1.
	Move string `json:"move"`
	// Flips is how many cards flip, and Waves their cells, wave by wave and in reading order.
	Flips int        `json:"flips"`
	Waves [][]string `json:"waves"`
	// Owners is the grid after the move, rows separated by slashes: R, B, _ empty, a dot for a hole.
	Owners string `json:"owners"`
	Score  struct {
		Red  int `json:"red"`
		Blue int `json:"blue"`
	} `json:"score"`
}

// ThreeTriosPicks is what each strategy picks in one position of a case.
type ThreeTriosPicks struct {
	// BeforeMove is the index of the move that follows: 0 is the start, and as many as there are moves the
	// position after the last.
	BeforeMove int `json:"before_move"`
	// Picks are moves in notation by the name of the strategy, strategy1 to strategy4.
	Picks map[string]string `json:"picks"`
}

// UnmarshalJSON tells the moves of a case from its picks, which the file has in one list.
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

// ThreeTriosVectors returns every published case for Three Trios in the order of the file.
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
