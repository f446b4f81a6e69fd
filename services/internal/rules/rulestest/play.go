package rulestest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/flipside-games/flipside/services/internal/golden"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// longestGame is more plies than any game on any board can have.
const longestGame = 2000

// RandomGame plays random legal moves until the game is over and returns every position, the start
// and the end included, and the moves between them. The same seed gives the same game. A game that does not
// end fails the test.
func RandomGame(t testing.TB, start rules.Position, seed uint64) ([]rules.Position, []rules.Move) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	positions, moves := []rules.Position{start}, []rules.Move{}
	for p := start; p.Turn() != rules.NoSide; {
		m := randomMove(random, p.Legal())
		next, _, err := p.Play(m)
		if err != nil {
			t.Fatalf("%s is legal in %s but refused: %v", p.MoveNotation(m), p.Notation(), err)
		}
		p = next
		positions, moves = append(positions, p), append(moves, m)
		if len(moves) > longestGame {
			t.Fatalf("no end after %d plies from %s", longestGame, start.Notation())
		}
	}
	return positions, moves
}

// randomMove seldom passes of its own free will, or games with voluntary passing would be over too soon
// to show anything.
func randomMove(random *rand.Rand, legal []rules.Move) rules.Move {
	last := len(legal) - 1
	if last > 0 && legal[last] == rules.Pass && random.IntN(16) > 0 {
		legal = legal[:last]
	}
	return legal[random.IntN(len(legal))]
}

// Replay plays the moves in turn and returns where they lead. A refused move fails the test.
func Replay(t testing.TB, start rules.Position, moves []rules.Move) rules.Position {
	t.Helper()
	p := start
	for i, m := range moves {
		next, _, err := p.Play(m)
		if err != nil {
			t.Fatalf("move %d, %s, is refused in %s: %v", i+1, p.MoveNotation(m), p.Notation(), err)
		}
		p = next
	}
	return p
}

// Playthrough writes down a game so that people can read it, with the board, the score and the legal
// moves at every ply and what each move flips, and compares it with the golden file
// testdata/playthrough/name.txt.
func Playthrough(t *testing.T, name string, start rules.Position, moves []rules.Move) {
	t.Helper()
	var page strings.Builder
	p := start
	for i, m := range moves {
		describe(&page, i, p)
		next, flips, err := p.Play(m)
		if err != nil {
			t.Fatalf("move %d, %s, is refused: %v", i+1, p.MoveNotation(m), err)
		}
		fmt.Fprintf(&page, "move     %s\nflips   %s\n\n", p.MoveNotation(m), flipWords(p, flips))
		p = next
	}
	describe(&page, len(moves), p)
	if p.Turn() == rules.NoSide {
		fmt.Fprintf(&page, "final    %s, %s\n", score(p.FinalScore()), verdict(p.FinalScore()))
	}
	golden.Check(t, "playthrough/"+name+".txt", []byte(page.String()))
}

func describe(page *strings.Builder, ply int, p rules.Position) {
	fmt.Fprintf(page, "# ply %d\n%s\n\n", ply, p.Text(rules.TextOptions{}))
	fmt.Fprintf(page, "notation %s\nturn     %s\nscore    %s\n", p.Notation(), sideNames[p.Turn()], score(p.Score()))
	if legal := moveNotations(p); len(legal) > 0 {
		fmt.Fprintf(page, "legal    %s\n", strings.Join(legal, " "))
	}
}

var sideNames = map[rules.Side]string{rules.NoSide: "none, the game is over", rules.First: "first", rules.Second: "second"}

var causeNames = map[rules.Cause]string{
	rules.CauseGreater: "greater", rules.CauseLess: "less", rules.CauseFallenAce: "fallen ace",
	rules.CauseSame: "same", rules.CausePlus: "plus",
}

func score(s rules.Score) string { return fmt.Sprintf("%d-%d", s.First, s.Second) }

func verdict(final rules.Score) string {
	if leader := final.Leader(); leader != rules.NoSide {
		return sideNames[leader] + " wins"
	}
	return "draw"
}

// flipWords lists flips in order, each with its wave and cause where the game knows causes.
func flipWords(p rules.Position, flips []rules.Flip) string {
	var words strings.Builder
	for _, f := range flips {
		fmt.Fprintf(&words, " %s", p.CellNotation(f.Cell))
		if f.Cause != rules.NoCause {
			fmt.Fprintf(&words, " (wave %d, %s)", f.Wave, causeNames[f.Cause])
		}
	}
	if len(flips) == 0 {
		return " none"
	}
	return words.String()
}
