// Package rulestest is what tests of games share: the suite that every game must pass, golden
// playthroughs, random play, and the published cases. It knows games only as rules.Position.
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

// The suite plays random games from every start until it has seen enough: so many games, or so many
// positions, since one game on a large board has hundreds.
const (
	gamesPerStart   = 3
	enoughPositions = 150
)

// Suite plays seeded random games from every start and checks, at every position on the way, all
// that rules.Position promises. The starts are by name; parse reads the notation of the game. The time it
// takes grows with the board, since every legal move of every position is tried.
func Suite(t *testing.T, starts map[string]rules.Position, parse func(string) (rules.Position, error)) {
	for _, name := range slices.Sorted(maps.Keys(starts)) {
		t.Run(name, func(t *testing.T) {
			s := &suite{parse: parse}
			for seed := range uint64(gamesPerStart) {
				positions, moves := RandomGame(t, starts[name], seed)
				s.positions = append(s.positions, positions...)
				s.remember(moves)
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
	// moves were all legal somewhere in these games, which makes them good tries elsewhere.
	moves []rules.Move
}

func (s *suite) remember(moves []rules.Move) {
	for _, m := range moves {
		if !slices.Contains(s.moves, m) {
			s.moves = append(s.moves, m)
		}
	}
}

func (s *suite) run(t *testing.T) {
	musts := []struct {
		name  string
		check func(*testing.T, rules.Position)
	}{
		{"there is a legal move until the game is over", s.legalUntilOver},
		{"the caller owns the list of legal moves", s.legalIsOwned},
		{"every legal move plays and changes nothing", s.legalMovesPlay},
		{"moves read back and differ", s.movesReadBack},
		{"the notation reads back to an equal position", s.notationReadsBack},
		{"a refused move is a fault and changes nothing", s.refusedChangesNothing},
		{"either side can be asked", s.eitherSide},
		{"the final score has the same leader", s.sameLeader},
		{"the text has lines without trailing blanks", s.cleanText},
		{"many goroutines may look", s.concurrent},
	}
	for _, must := range musts {
		t.Run(must.name, func(t *testing.T) {
			for _, p := range s.positions {
				if must.check(t, p); t.Failed() {
					t.Fatalf("at %s", p.Notation())
				}
			}
		})
	}
}

// facts is everything a position tells about itself.
type facts struct {
	Kind              rules.Kind
	Turn              rules.Side
	Score, FinalScore rules.Score
	Legal             []string
	Notation, Text    string
}

func factsOf(p rules.Position) facts {
	return facts{p.Kind(), p.Turn(), p.Score(), p.FinalScore(), moveNotations(p), p.Notation(), p.Text(rules.TextOptions{})}
}

func moveNotations(p rules.Position) []string {
	var all []string
	for _, m := range p.Legal() {
		all = append(all, p.MoveNotation(m))
	}
	return all
}

func sameFacts(t *testing.T, what string, want, got facts) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func (s *suite) legalUntilOver(t *testing.T, p rules.Position) {
	if over, none := p.Turn() == rules.NoSide, len(p.Legal()) == 0; over != none {
		t.Errorf("over is %v but the lack of legal moves is %v", over, none)
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
			t.Fatalf("%s is legal but refused: %v", p.MoveNotation(m), err)
		}
		if next.Kind() != p.Kind() || next.Notation() == before.Notation {
			t.Errorf("%s leads to %s", p.MoveNotation(m), next.Notation())
		}
	}
	sameFacts(t, "after playing every legal move", before, factsOf(p))
}

func (s *suite) movesReadBack(t *testing.T, p rules.Position) {
	seen := map[string]bool{}
	for _, m := range p.Legal() {
		text := p.MoveNotation(m)
		if seen[text] {
			t.Errorf("two legal moves are written %s", text)
		}
		seen[text] = true
		if got, err := p.ParseMove(text); err != nil || got != m {
			t.Errorf("%+v is written %s, which reads back as %+v, %v", m, text, got, err)
		}
		if m.Kind == rules.PassTurn {
			continue
		}
		text = p.CellNotation(m.Cell)
		if got, err := p.ParseCell(text); err != nil || got != m.Cell {
			t.Errorf("%+v is written %s, which reads back as %+v, %v", m.Cell, text, got, err)
		}
	}
}

func (s *suite) notationReadsBack(t *testing.T, p rules.Position) {
	if strings.ContainsAny(p.Notation(), "\r\n") || rules.KindOf(p.Notation()) != p.Kind() {
		t.Errorf("the notation is not one line that starts with %s/", p.Kind())
	}
	back, err := s.parse(p.Notation())
	if err != nil {
		t.Fatalf("the notation does not read back: %v", err)
	}
	sameFacts(t, "the position read back", factsOf(p), factsOf(back))
	for _, m := range p.Legal() {
		want, wantFlips, _ := p.Play(m)
		got, gotFlips, err := back.Play(m)
		if err != nil || got.Notation() != want.Notation() || !slices.Equal(gotFlips, wantFlips) {
			t.Errorf("the position read back plays %s differently: %v", p.MoveNotation(m), err)
		}
	}
}

// oddMoves are legal nowhere, whatever the game.
var oddMoves = []rules.Move{
	{},
	{Kind: 200},
	rules.Place(rules.HexCell(99, -99)),
	rules.Place(rules.SquareCell(-1, 0)),
	rules.Place(rules.SquareCell(0, 1<<40)),
	rules.Play("", rules.SquareCell(0, 0)),
	rules.Play("no such card", rules.HexCell(0, 0)),
}

func (s *suite) refusedChangesNothing(t *testing.T, p rules.Position) {
	before, legal := factsOf(p), p.Legal()
	for _, m := range slices.Concat(oddMoves, []rules.Move{rules.Pass}, s.moves) {
		if slices.Contains(legal, m) {
			continue
		}
		_, flips, err := p.Play(m)
		refusal, ok := errors.AsType[*fault.Error](err)
		if !ok || refusal.Reason == "" || refusal.Message == "" || len(flips) != 0 {
			t.Errorf("playing %+v gives the error %#v and flips %v", m, err, flips)
		}
	}
	sameFacts(t, "after refused moves", before, factsOf(p))
}

func (s *suite) eitherSide(t *testing.T, p rules.Position) {
	before := factsOf(p)
	sameFacts(t, "seen from the side to move", before, factsOf(p.WithTurn(p.Turn())))
	for _, side := range []rules.Side{rules.First, rules.Second} {
		asked := p.WithTurn(side)
		if p.Turn() == rules.NoSide {
			sameFacts(t, "an ended position seen from a side", before, factsOf(asked))
			continue
		}
		if asked.Turn() != side || asked.Score() != p.Score() {
			t.Errorf("asked of side %d, it is the turn of side %d with score %v", side, asked.Turn(), asked.Score())
		}
		s.legalUntilOver(t, asked)
		s.legalMovesPlay(t, asked)
	}
	sameFacts(t, "after asking for either side", before, factsOf(p))
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

// concurrent gives the race detector something to find.
func (s *suite) concurrent(t *testing.T, p rules.Position) {
	var looking sync.WaitGroup
	for range 2 {
		looking.Go(func() {
			for _, m := range p.Legal() {
				_, _, _ = p.Play(m)
			}
			factsOf(p)
			factsOf(p.WithTurn(p.Turn().Other()))
		})
	}
	looking.Wait()
}
