// Package rulestest helps to test games: a suite that every game must pass, golden playthroughs,
// random games, and the published cases. It uses games only through rules.Position.
package rulestest

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// The suite stops playing from a start after this number of games or of positions, because one game
// on a large board has hundreds of positions.
const (
	gamesPerStart   = 3
	enoughPositions = 150
)

// Suite plays seeded random games from every start and checks the contract of rules.Position at
// every position. The key of a start is its name; parse reads the notation of the game. Suite tries
// every legal move of every position, so that its running time grows with the board.
func Suite(
	t *testing.T, starts map[string]rules.Position, parse func(string) (rules.Position, error),
) {
	for _, name := range slices.Sorted(maps.Keys(starts)) {
		t.Run(name, func(t *testing.T) {
			s := &suite{parse: parse}
			for seed := range uint64(gamesPerStart) {
				positions, moves := RandomGame(t, starts[name], seed)
				s.positions = append(s.positions, positions...)
				s.addMoves(moves)
				if len(s.positions) >= enoughPositions {
					break
				}
			}
			s.run(t)
		})
	}
}

type suite struct {
	parse     func(string) (rules.Position, error)
	positions []rules.Position
	// moves are all moves of these games. Where one is illegal, it tests the rejection.
	moves []rules.Move
}

func (s *suite) addMoves(moves []rules.Move) {
	for _, m := range moves {
		if !slices.Contains(s.moves, m) {
			s.moves = append(s.moves, m)
		}
	}
}

func (s *suite) run(t *testing.T) {
	requirements := []struct {
		name  string
		check func(*testing.T, rules.Position)
	}{
		{"Legal is empty only when the game is over", s.legalUntilOver},
		{"the caller owns the result of Legal", s.legalIsOwned},
		{"Play accepts every legal move and does not change the position", s.legalMovesPlay},
		{"the notations of moves are unique and survive a round trip", s.moveNotation},
		{"Parse reads the notation back to an equal position", s.notation},
		{"an illegal move is a fault and does not change the position", s.illegalMoves},
		{"WithTurn gives the turn to either side", s.withTurn},
		{"FinalScore has the leader of Score", s.sameLeader},
		{"Text has no trailing blanks", s.cleanText},
		{"positions are safe for concurrent use", s.concurrent},
	}
	for _, r := range requirements {
		t.Run(r.name, func(t *testing.T) {
			for _, p := range s.positions {
				if r.check(t, p); t.Failed() {
					t.Fatalf("at %s", p.Notation())
				}
			}
		})
	}
}

// facts holds the results of all methods of a position without arguments.
type facts struct {
	Kind              rules.Kind
	Turn              rules.Side
	Score, FinalScore rules.Score
	Legal             []string
	Notation, Text    string
}

func factsOf(p rules.Position) facts {
	return facts{p.Kind(), p.Turn(), p.Score(), p.FinalScore(), moveNotations(p), p.Notation(),
		p.Text(rules.TextOptions{})}
}

func moveNotations(p rules.Position) []string {
	var all []string
	for _, m := range p.Legal() {
		all = append(all, p.MoveNotation(m))
	}
	return all
}

func sameFacts(t *testing.T, name string, want, got facts) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func (s *suite) legalUntilOver(t *testing.T, p rules.Position) {
	if over, none := p.Turn() == rules.NoSide, len(p.Legal()) == 0; over != none {
		t.Errorf("the game is over: %v; there are no legal moves: %v", over, none)
	}
}

func (s *suite) legalIsOwned(t *testing.T, p rules.Position) {
	before := factsOf(p)
	clear(p.Legal())
	sameFacts(t, "after overwriting the list of legal moves", before, factsOf(p))
}

func (s *suite) legalMovesPlay(t *testing.T, p rules.Position) {
	before := factsOf(p)
	for _, m := range p.Legal() {
		next, _, err := p.Play(m)
		if err != nil {
			t.Fatalf("Play rejects the legal move %s: %v", p.MoveNotation(m), err)
		}
		if next.Kind() != p.Kind() || next.Notation() == before.Notation {
			t.Errorf("%s leads to %s", p.MoveNotation(m), next.Notation())
		}
	}
	sameFacts(t, "after playing every legal move", before, factsOf(p))
}

func (s *suite) moveNotation(t *testing.T, p rules.Position) {
	seen := map[string]bool{}
	for _, m := range p.Legal() {
		text := p.MoveNotation(m)
		if seen[text] {
			t.Errorf("two legal moves have the notation %s", text)
		}
		seen[text] = true
		if got, err := p.ParseMove(text); err != nil || got != m {
			t.Errorf("%+v has the notation %s, which parses as %+v, %v", m, text, got, err)
		}
		if m.Kind == rules.PassTurn {
			continue
		}
		text = p.CellNotation(m.Cell)
		if got, err := p.ParseCell(text); err != nil || got != m.Cell {
			t.Errorf("%+v has the notation %s, which parses as %+v, %v", m.Cell, text, got, err)
		}
	}
}

func (s *suite) notation(t *testing.T, p rules.Position) {
	if strings.ContainsAny(p.Notation(), "\r\n") || rules.KindOf(p.Notation()) != p.Kind() {
		t.Errorf("the notation is not one line that starts with %s/", p.Kind())
	}
	back, err := s.parse(p.Notation())
	if err != nil {
		t.Fatalf("the notation does not parse: %v", err)
	}
	sameFacts(t, "the parsed position", factsOf(p), factsOf(back))
	for _, m := range p.Legal() {
		want, wantFlips, _ := p.Play(m)
		got, gotFlips, err := back.Play(m)
		if err != nil || got.Notation() != want.Notation() || !slices.Equal(gotFlips, wantFlips) {
			t.Errorf("the parsed position plays %s differently: %v", p.MoveNotation(m), err)
		}
	}
}

// neverLegal are moves that are illegal in every position of every game.
var neverLegal = []rules.Move{
	{},
	{Kind: 200},
	rules.Place(rules.HexCell(99, -99)),
	rules.Place(rules.SquareCell(-1, 0)),
	rules.Place(rules.SquareCell(0, 1<<40)),
	rules.Play("", rules.SquareCell(0, 0)),
	rules.Play("no such card", rules.HexCell(0, 0)),
}

func (s *suite) illegalMoves(t *testing.T, p rules.Position) {
	before, legal := factsOf(p), p.Legal()
	for _, m := range slices.Concat(neverLegal, []rules.Move{rules.Pass}, s.moves) {
		if slices.Contains(legal, m) {
			continue
		}
		_, flips, err := p.Play(m)
		got, ok := errors.AsType[*fault.Error](err)
		if !ok || got.Reason == "" || got.Message == "" || len(flips) != 0 {
			t.Errorf("Play(%+v) returns the error %#v and the flips %v", m, err, flips)
		}
	}
	sameFacts(t, "after illegal moves", before, factsOf(p))
}

func (s *suite) withTurn(t *testing.T, p rules.Position) {
	before := factsOf(p)
	sameFacts(t, "with the same turn", before, factsOf(p.WithTurn(p.Turn())))
	for _, side := range []rules.Side{rules.First, rules.Second} {
		other := p.WithTurn(side)
		if p.Turn() == rules.NoSide {
			sameFacts(t, "a finished game with another turn", before, factsOf(other))
			continue
		}
		if other.Turn() != side || other.Score() != p.Score() {
			t.Errorf("WithTurn(%d) returns the turn %d and the score %v", side, other.Turn(), other.Score())
		}
		s.legalUntilOver(t, other)
		s.legalMovesPlay(t, other)
	}
	sameFacts(t, "after WithTurn", before, factsOf(p))
}

func (s *suite) sameLeader(t *testing.T, p rules.Position) {
	if p.Turn() == rules.NoSide && p.FinalScore().Leader() != p.Score().Leader() {
		t.Errorf("the score is %v but the final score is %v", p.Score(), p.FinalScore())
	}
}

func (s *suite) cleanText(t *testing.T, p rules.Position) {
	for _, options := range []rules.TextOptions{{}, {Labels: true}} {
		text := p.Text(options)
		if text == "" || strings.HasSuffix(text, "\n") {
			t.Errorf("the text is empty or ends in a newline: %q", text)
		}
		for line := range strings.Lines(text) {
			if line = strings.TrimSuffix(line, "\n"); line != strings.TrimRight(line, " \t\r") {
				t.Errorf("the line %q ends in a blank", line)
			}
		}
	}
}

// concurrent uses a position from two goroutines, for the race detector.
func (s *suite) concurrent(t *testing.T, p rules.Position) {
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for _, m := range p.Legal() {
				_, _, _ = p.Play(m)
			}
			factsOf(p)
			factsOf(p.WithTurn(p.Turn().Other()))
		})
	}
	readers.Wait()
}
