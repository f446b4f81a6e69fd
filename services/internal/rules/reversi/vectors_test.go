package reversi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/rulestest"
)

// minimax is a full search to the end of the game, with the values of all positions so far.
type minimax map[reversi.Position]int

// value returns Black's discs minus White's at the end, with best play by both sides.
func (seen minimax) value(t testing.TB, p rules.Position) int {
	if p.Turn() == rules.NoSide {
		return p.FinalScore().Margin(rules.First)
	}
	key := *p.(*reversi.Position)
	if v, ok := seen[key]; ok {
		return v
	}
	best, found := 0, false
	for _, m := range p.Legal() {
		next, _, err := p.Play(m)
		if err != nil {
			t.Fatal(err)
		}
		v := seen.value(t, next)
		if !found || (p.Turn() == rules.First) == (v > best) {
			best, found = v, true
		}
	}
	seen[key] = best
	return best
}

func TestValuesUnderPerfectPlay(t *testing.T) {
	solved := map[string]minimax{}
	for _, v := range rulestest.ReversiVectors(t, "value", "line") {
		t.Run(v.Name(), func(t *testing.T) {
			board := v.Board + v.Rule
			if testing.Short() && board == "square4voluntary" {
				t.Skip("a million positions take too long for a short run")
			}
			if solved[board] == nil {
				solved[board] = minimax{}
			}
			p := rules.Position(vectorStart(t, v, reversi.PassRule(v.Rule)))
			if v.Kind == "line" {
				p = rulestest.Replay(t, p, v.Moves(t, v.Key))
			}
			if got := solved[board].value(t, p); fmt.Sprint(got) != v.Value {
				t.Errorf("the value is %d, want %s", got, v.Value)
			}
		})
	}
}

func TestPublishedPositions(t *testing.T) {
	for _, v := range rulestest.ReversiVectors(t, "fixture") {
		t.Run(v.Name(), func(t *testing.T) {
			p := rulestest.Replay(t, vectorStart(t, v, reversi.PassRule(v.Rule)), v.Moves(t, v.Key))
			if p.Score() != v.Discs(t) {
				t.Errorf("the discs are %v, want %s", p.Score(), v.Value)
			}
		})
	}
}

func TestSixPlacementsOnFiveRings(t *testing.T) {
	for _, v := range rulestest.ReversiVectors(t, "seed001") {
		for _, rule := range []reversi.PassRule{reversi.Voluntary, reversi.Forced} {
			t.Run(v.Name()+" "+string(rule), func(t *testing.T) {
				moves := v.Moves(t, v.Key)
				last := len(moves) - 1
				before := rulestest.Replay(t, vectorStart(t, v, rule), moves[:last])
				p, flips, err := before.Play(moves[last])
				if err != nil {
					t.Fatal(err)
				}
				if p.Score() != v.Discs(t) || fmt.Sprint(len(flips)) != v.Value2 {
					t.Errorf("%v discs after %d flips, want %s after %s", p.Score(), len(flips), v.Value, v.Value2)
				}
			})
		}
	}
}

func TestPublishedGames(t *testing.T) {
	for _, v := range rulestest.ReversiVectors(t, "selfplay") {
		t.Run(v.Name(), func(t *testing.T) {
			moves := v.Moves(t, v.Note)
			passes := strings.Count(v.Note, "pass")
			if counts := fmt.Sprintf("%d/%d", len(moves)-passes, passes); counts != v.Value2 {
				t.Errorf("the game has %s placements/passes, want %s", counts, v.Value2)
			}
			wantEnd(t, rulestest.Replay(t, vectorStart(t, v, reversi.PassRule(v.Rule)), moves), v)
		})
	}
}

// TestPublishedGameWithoutPasses replays a game whose record omits the passes.
func TestPublishedGameWithoutPasses(t *testing.T) {
	for _, v := range rulestest.ReversiVectors(t, "greedy003") {
		t.Run(v.Name(), func(t *testing.T) {
			p := rules.Position(vectorStart(t, v, reversi.PassRule(v.Rule)))
			for _, m := range v.Moves(t, v.Note) {
				if rules.MustPass(p) {
					p = rulestest.Replay(t, p, []rules.Move{rules.Pass})
				}
				p = rulestest.Replay(t, p, []rules.Move{m})
			}
			wantEnd(t, p, v)
		})
	}
}

func wantEnd(t *testing.T, p rules.Position, v rulestest.ReversiVector) {
	t.Helper()
	if p.Turn() != rules.NoSide || p.Score() != v.Discs(t) {
		t.Errorf("the game is at %s with %v, want its end with %s", p.Notation(), p.Score(), v.Value)
	}
}
