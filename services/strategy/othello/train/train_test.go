package train

import (
	"testing"

	"github.com/flipside-games/flipside/services/strategy/othello"
	"github.com/flipside-games/flipside/services/strategy/othello/pattern"
)

func TestGamesSurviveAFile(t *testing.T) {
	p := newPlayer(Generation{Depth: 1, Exact: 8}, new(pattern.Weights), 1, 0, 0)
	for range 20 {
		want := p.game(t.Context())
		if got := unpack(want.pack()); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// TestGamesAreLegalAndScored replays games and compares their ends with their scores.
func TestGamesAreLegalAndScored(t *testing.T) {
	p := newPlayer(Generation{Depth: 1, Exact: 8}, new(pattern.Weights), 1, 0, 0)
	for range 20 {
		r := p.game(t.Context())
		var end othello.Board
		r.replay(func(i int, b othello.Board, x othello.Square, sign int) {
			if b.Moves()>>x&1 == 0 {
				t.Fatalf("move %d, %v, is illegal", i, x)
			}
			end = b.Play(x)
			if got := -sign * othello.EmptiesToWinner.Final(end); end.Over() && got != int(r.score) {
				t.Errorf("game ends at %d, scored %d", got, r.score)
			}
		})
		if !end.Over() {
			t.Errorf("game breaks off at %x", end)
		}
	}
}

func TestLearningForetellsResults(t *testing.T) {
	p := newPlayer(Generation{Depth: 0, Exact: 6}, new(pattern.Weights), 1, 0, 0)
	var games []record
	for range 300 {
		games = append(games, p.game(t.Context()))
	}
	_, untaught := newLearner().learn(games, 1, 1)
	l := newLearner()
	l.learn(games, 1, 2)
	if _, taught := l.learn(games, 1, 2); taught >= untaught {
		t.Errorf("error of %.2f discs after learning twice, %.2f after once", taught, untaught)
	}
}
