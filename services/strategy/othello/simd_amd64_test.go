package othello

import (
	"math/rand/v2"
	"testing"
)

// FuzzBoard tests the code for this processor. The code for processors without AVX-512 must hold
// too.
func TestBoardWithoutAVX512(t *testing.T) {
	defer func(has bool) { hasAVX512 = has }(hasAVX512)
	hasAVX512 = false
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		checkBoard(t, r.Uint64(), r.Uint64())
		b := randomGame(r, r.IntN(56))
		checkBoard(t, b.Mover, b.Opponent)
	}
}
