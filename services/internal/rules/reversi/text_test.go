package reversi_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/services/internal/rules"
)

func TestText(t *testing.T) {
	const (
		twoRings = "reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0"
		fourWide = "reversi/square:4 ____/_OX_/_XO_/____ X 0"
	)
	b2, c1 := rules.SquareCell(1, 1), rules.SquareCell(0, 2)
	centre, corner := rules.HexCell(0, 0), rules.HexCell(2, -2)
	for _, c := range []struct {
		name, position string
		options        rules.TextOptions
		want           string
	}{
		{"a hexagon", twoRings, rules.TextOptions{}, `
  _ _ _
 _ X O _
_ O _ X _
 _ X O _
  _ _ _`},
		{"a square", fourWide, rules.TextOptions{}, `
_ _ _ _
_ O X _
_ X O _
_ _ _ _`},
		{"a selected disc", fourWide, rules.TextOptions{Selected: &b2}, `
_ _ _ _
_ (O) X _
_ X O _
_ _ _ _`},
		{"a selected empty cell at the end of a row", twoRings, rules.TextOptions{Selected: &corner}, `
  _ _ (_)
 _ X O _
_ O _ X _
 _ X O _
  _ _ _`},
		{"a selection of another shape is not shown", fourWide, rules.TextOptions{Selected: &centre}, `
_ _ _ _
_ O X _
_ X O _
_ _ _ _`},
		{"hints on empty cells only", fourWide, rules.TextOptions{Hints: map[rules.Cell]string{b2: "9", c1: "1"}}, `
_ _ 1 _
_ O X _
_ X O _
_ _ _ _`},
		{"a selected hint", fourWide, rules.TextOptions{Selected: &c1, Hints: map[rules.Cell]string{c1: "1"}}, `
_ _ (1) _
_ O X _
_ X O _
_ _ _ _`},
		{"labels of a square", fourWide, rules.TextOptions{Labels: true}, `
  a b c d
1 _ _ _ _
2 _ O X _
3 _ X O _
4 _ _ _ _`},
		{"labels of a wide square are aligned", "reversi/square:10 XXXXXXXXXX/__________/__________/__________/__________/" +
			"__________/__________/__________/__________/OOOOOOOOOO - 0", rules.TextOptions{Labels: true}, `
   a b c d e f g h i j
 1 X X X X X X X X X X
 2 _ _ _ _ _ _ _ _ _ _
 3 _ _ _ _ _ _ _ _ _ _
 4 _ _ _ _ _ _ _ _ _ _
 5 _ _ _ _ _ _ _ _ _ _
 6 _ _ _ _ _ _ _ _ _ _
 7 _ _ _ _ _ _ _ _ _ _
 8 _ _ _ _ _ _ _ _ _ _
 9 _ _ _ _ _ _ _ _ _ _
10 O O O O O O O O O O`},
		{"labels of a hexagon", twoRings, rules.TextOptions{Labels: true}, `
-2   _ _ _    q 0..2
-1  _ X O _   q -1..2
 0 _ O _ X _  q -2..2
 1  _ X O _   q -2..1
 2   _ _ _    q -2..0`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, "\n"+position(t, c.position).Text(c.options)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
