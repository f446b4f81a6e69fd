package threetrios_test

import (
	"fmt"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// Red plays king in the middle. It touches oak and elm with equal values (Same), and yew with the
// same sum of values as them (Plus). Then oak, which is now Red's, beats fir by the base rule.
func ExamplePosition_Play() {
	p, err := threetrios.Parse("threetrios/_BB/B_B/___ R - default,same,plus " +
		"grid oak:1591 fir:9992 elm:1151 yew:1117 " +
		"red king:5135 a:1999 b:1118 blue c:1111 d:1111 e:1111")
	if err != nil {
		panic(err)
	}
	next, flips, err := p.Play(rules.Play("king", rules.SquareCell(1, 1)))
	if err != nil {
		panic(err)
	}
	for _, flip := range flips {
		row, column := flip.Cell.RowColumn()
		fmt.Printf("%s in wave %d by %s\n", p.At(row, column).Card.Name, flip.Wave, flip.Cause)
	}
	fmt.Println("Red has", next.Score().First, "cards, Blue has", next.Score().Second)
	// Output:
	// oak in wave 0 by same
	// elm in wave 0 by same
	// yew in wave 0 by plus
	// fir in wave 1 by greater
	// Red has 7 cards, Blue has 3
}

// FlipCount predicts the flips of a move for the side to move.
func ExamplePosition_FlipCount() {
	p, err := threetrios.Parse("threetrios/_BB/B_B/___ R - default,same,plus " +
		"grid oak:1591 fir:9992 elm:1151 yew:1117 " +
		"red king:5135 a:1999 b:1118 blue c:1111 d:1111 e:1111")
	if err != nil {
		panic(err)
	}
	for index, card := range p.Hand(p.Turn()) {
		fmt.Println(card.Name, p.FlipCount(index, rules.SquareCell(1, 1)))
	}
	// Output:
	// king 4
	// a 2
	// b 1
}
