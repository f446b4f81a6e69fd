package rulestest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/flipside-games/flipside/services/internal/golden"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// longestGame is a number of moves that no random game reaches.
const longestGame = 2000

// RandomGame plays random legal moves until the game is over. It returns every position, including
// the start and the end, and the moves between them. The same seed gives the same game. A game that
// does not end fails the test.
func RandomGame(t testing.TB, start rules.Position, seed uint64) ([]rules.Position, []rules.Move) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	positions, moves := []rules.Position{start}, []rules.Move{}
	for p := start; p.Turn() != rules.NoSide; {
		m := randomMove(random, p.Legal())
		next, _, err := p.Play(m)
		if err != nil {
			t.Fatalf("Play rejects the legal move %s in %s: %v", p.MoveNotation(m), p.Notation(), err)
		}
		p = next
		positions, moves = append(positions, p), append(moves, m)
		if len(moves) > longestGame {
			t.Fatalf("the game from %s does not end in %d moves", start.Notation(), longestGame)
		}
	}
	return positions, moves
}

// randomMove seldom chooses a voluntary pass, because two in a row end a game.
func randomMove(random *rand.Rand, legal []rules.Move) rules.Move {
	last := len(legal) - 1
	if last > 0 && legal[last] == rules.Pass && random.IntN(16) > 0 {
		legal = legal[:last]
	}
	return legal[random.IntN(len(legal))]
}

// Replay returns the position after the moves. An illegal move fails the test.
func Replay(t testing.TB, start rules.Position, moves []rules.Move) rules.Position {
	t.Helper()
	p := start
	for i, m := range moves {
		next, _, err := p.Play(m)
		if err != nil {
			t.Fatalf("move %d, %s, is illegal in %s: %v", i+1, p.MoveNotation(m), p.Notation(), err)
		}
		p = next
	}
	return p
}

// Playthrough compares a game with the golden file testdata/playthrough/<name>.txt. The file shows
// the board, the score, the legal moves and the flips at every ply, for people to check.
func Playthrough(t *testing.T, name string, start rules.Position, moves []rules.Move) {
	t.Helper()
	var page strings.Builder
	p := start
	for i, m := range moves {
		describe(&page, i, p)
		next, flips, err := p.Play(m)
		if err != nil {
			t.Fatalf("move %d, %s, is illegal: %v", i+1, p.MoveNotation(m), err)
		}
		fmt.Fprintf(&page, "move     %s\nflips   %s\n\n", p.MoveNotation(m), listFlips(p, flips))
		p = next
	}
	describe(&page, len(moves), p)
	if p.Turn() == rules.NoSide {
		fmt.Fprintf(&page, "final    %s, %s\n", score(p.FinalScore()), result(p.FinalScore()))
	}
	golden.Check(t, "playthrough/"+name+".txt", []byte(page.String()))
}

func describe(page *strings.Builder, ply int, p rules.Position) {
	fmt.Fprintf(page, "# ply %d\n%s\n\n", ply, p.Text(rules.TextOptions{}))
	fmt.Fprintf(page, "notation %s\nturn     %s\nscore    %s\n", p.Notation(), sideNames[p.Turn()],
		score(p.Score()))
	if legal := moveNotations(p); len(legal) > 0 {
		fmt.Fprintf(page, "legal    %s\n", strings.Join(legal, " "))
	}
}

var sideNames = map[rules.Side]string{
	rules.NoSide: "none, the game is over", rules.First: "first", rules.Second: "second",
}

func score(s rules.Score) string { return fmt.Sprintf("%d-%d", s.First, s.Second) }

func result(final rules.Score) string {
	if leader := final.Leader(); leader != rules.NoSide {
		return sideNames[leader] + " wins"
	}
	return "draw"
}

// listFlips lists flips in order, with wave and cause if the flip has a cause.
func listFlips(p rules.Position, flips []rules.Flip) string {
	var list strings.Builder
	for _, f := range flips {
		fmt.Fprintf(&list, " %s", p.CellNotation(f.Cell))
		if f.Cause != rules.NoCause {
			fmt.Fprintf(&list, " (wave %d, %s)", f.Wave, f.Cause)
		}
	}
	if len(flips) == 0 {
		return " none"
	}
	return list.String()
}
