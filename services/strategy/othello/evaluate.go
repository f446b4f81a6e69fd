package othello

import (
	"bytes"
	_ "embed"
	"sync"

	"github.com/flipside-games/flipside/services/strategy/othello/pattern"
)

// weightFile is the output of `go run ./cmd/flipside-train`.
//
//go:embed weights.bin
var weightFile []byte

// trainedWeights returns the embedded weights. The first call unpacks them.
var trainedWeights = sync.OnceValue(func() *pattern.Weights {
	w, err := pattern.Read(bytes.NewReader(weightFile))
	if err != nil {
		panic(err) // The file is part of the binary, and the tests read it.
	}
	return w
})

// setContents computes the pattern contents of a board. A search then updates them move by move.
func (w *worker) setContents(b Board) {
	w.frames[b.Empties()] = pattern.PairOf(b.Mover, b.Opponent)
}

// makeMove updates the pattern contents for a move on the board in frames[n].
func (w *worker) makeMove(x Square, flipped uint64, n int) {
	w.frames[n-1].Play(&w.frames[n], int(x), flipped)
}

// evaluate returns the expected score of the board in frames[n], in discs from -63 to 63.
func (w *worker) evaluate(n int) int { return inDiscs(w.weights.Value(&w.frames[n], n)) }

// inDiscs rounds an evaluation to discs from -63 to 63: a score of 64 or -64 is always exact.
func inDiscs(units int) int {
	const lowest = 64
	discs := (units+pattern.Unit/2+lowest*pattern.Unit)/pattern.Unit - lowest
	return min(max(discs, -63), 63)
}

// evaluateLeaf scores a board at depth zero. It generates no moves: a board whose side to move must
// pass gets the evaluation too, and only a board without a disc of that side counts as finished.
func (w *worker) evaluateLeaf(b Board, n int) int {
	w.Nodes++
	if b.Mover == 0 {
		return w.scoring.Final(b)
	}
	return w.evaluate(n)
}

// evaluateAfter is evaluateLeaf for the board after a move that leaves n empty cells. It takes the
// contents before the move, from the opponent's view.
func (w *worker) evaluateAfter(b Board, x Square, flipped uint64, c *pattern.Vector, n int) int {
	w.Nodes++
	if flipped == b.Opponent {
		return w.scoring.Final(b.makeMove(x, flipped))
	}
	return inDiscs(w.weights.ValueAfter(c, int(x), flipped, n))
}
