// Package train makes the weights of package othello from nothing: the engine plays itself in generations, each with
// the weights the one before has taught it, the last moves of every game are solved, and the weights learn to foretell
// how the games end. It also plays matches between weights and measures what the selective cuts rest on. All
// searching is the engine's.
package train

import (
	"fmt"
	"os"

	"github.com/flipside-games/flipside/services/strategy/othello"
)

// record is a game as it is kept: the moves without passes, how many of them were drawn by lot, and the final disc
// difference for the side that began, empty cells given to the winner.
type record struct {
	moves  [60]othello.Square
	random uint8
	score  int8
}

const recordBytes = 62

func (r *record) pack() []byte {
	packed := make([]byte, 0, recordBytes)
	for _, m := range r.moves {
		packed = append(packed, byte(m))
	}
	return append(packed, r.random, byte(r.score))
}

func unpack(packed []byte) (r record) {
	for i := range r.moves {
		r.moves[i] = othello.Square(packed[i])
	}
	r.random, r.score = packed[60], int8(packed[61])
	return r
}

// readGames is the games in a file, whole ones only; none if there is no file.
func readGames(path string) ([]record, error) {
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("games: %w", err)
	}
	games := make([]record, 0, len(data)/recordBytes)
	for ; len(data) >= recordBytes; data = data[recordBytes:] {
		games = append(games, unpack(data))
	}
	return games, nil
}

// replay calls visit for each board of the game where a move was made, with the move and the sign that turns the
// score into one for the side to move.
func (r *record) replay(visit func(i int, b othello.Board, x othello.Square, sign int)) {
	b, sign := othello.Start(), 1
	for i, x := range r.moves {
		if x == othello.Pass {
			return
		}
		if b.Moves() == 0 {
			b, sign = b.Pass(), -sign
		}
		visit(i, b, x, sign)
		b, sign = b.Play(x), -sign
	}
}
