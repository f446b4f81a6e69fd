package threetrios_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// drawSetup draws a game with an odd number of card cells. Its few different values make Same and
// Plus frequent, and include a one and an ace.
func drawSetup(t *rapid.T) threetrios.Setup {
	rows, columns := rapid.IntRange(1, 5).Draw(t, "rows"), rapid.IntRange(1, 5).Draw(t, "columns")
	letters := rapid.SliceOfN(rapid.SampledFrom([]byte("CCCX")), rows*columns, rows*columns).Draw(t, "cells")
	if n := strings.Count(string(letters), "C"); n%2 == 0 {
		letters[0] = "XC"[strings.Count(string(letters[:1]), "X")]
	}
	grid := fmt.Sprintf("%d %d\n", rows, columns)
	for row := range slices.Chunk(letters, columns) {
		grid += string(row) + "\n"
	}
	values := rapid.SampledFrom([]string{"1", "2", "3", "4", "A"})
	deck := ""
	for i := range strings.Count(string(letters), "C") + 1 {
		deck += fmt.Sprintf("c%d %s\n", i, strings.Join(rapid.SliceOfN(values, 4, 4).Draw(t, "values"), " "))
	}
	base := rapid.SampledFrom([]threetrios.Rule{threetrios.Default, threetrios.Reverse}).Draw(t, "base")
	extra := rapid.SliceOfNDistinct(rapid.SampledFrom(threetrios.AllRules()[2:]), 0, 3, rapid.ID).Draw(t, "extra")
	return threetrios.Setup{
		Grid: grid, Deck: deck, Rules: append(extra, base), CountOwnCards: new(rapid.Bool().Draw(t, "count own cards")),
	}
}

// everyMove plays a random game of a random setup and checks every move.
func everyMove(t *rapid.T, check func(before, after *threetrios.Position, m rules.Move, flips []rules.Flip)) {
	_, p, err := drawSetup(t).Resolve()
	if err != nil {
		t.Fatal(err)
	}
	for p.Turn() != rules.NoSide {
		m := rapid.SampledFrom(p.Legal()).Draw(t, "move")
		next, flips, err := p.Play(m)
		if err != nil {
			t.Fatal(err)
		}
		check(p, next.(*threetrios.Position), m, flips)
		p = next.(*threetrios.Position)
	}
}

// TestFlipsMatchReference compares Play with a second implementation of the rules. It starts from
// the cards under attack instead of the attackers, and keeps the cards in a map.
func TestFlipsMatchReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		everyMove(t, func(before, _ *threetrios.Position, m rules.Move, flips []rules.Flip) {
			diff := cmp.Diff(referenceFlips(before, m), flips, cmp.Comparer(func(a, b rules.Cell) bool { return a == b }))
			if diff != "" {
				t.Fatalf("the flips of %s in %s (-want +got):\n%s", before.MoveNotation(m), before.Notation(), diff)
			}
		})
	})
}

// placed is a card of the reference on a cell: its values by the direction they face, and its
// owner.
type placed struct {
	values map[[2]int]int
	owner  rules.Side
}

var compass = [][2]int{{-1, 0}, {0, -1}, {0, 1}, {1, 0}}

// referenceFlips returns the flips of a legal move.
func referenceFlips(p *threetrios.Position, m rules.Move) []rules.Flip {
	table := map[[2]int]placed{}
	for row := range p.Rows() {
		for column := range p.Columns() {
			if s := p.At(row, column); s.Owner != rules.NoSide {
				table[[2]int{row, column}] = place(s.Card, s.Owner)
			}
		}
	}
	hand := p.Hand(p.Turn())
	i := slices.IndexFunc(hand, func(c threetrios.Card) bool { return c.Name == m.Card })
	row, column := m.Cell.RowColumn()
	played := [2]int{row, column}
	table[played] = place(hand[i], p.Turn())
	flips := []rules.Flip{}
	for attackers, wave := map[[2]int]bool{played: true}, 0; len(attackers) > 0; wave++ {
		flipped := map[[2]int]bool{}
		for row := range p.Rows() {
			for column := range p.Columns() {
				at := [2]int{row, column}
				if cause := attacked(p, table, at, attackers, wave == 0); cause != rules.NoCause {
					flipped[at] = true
					flips = append(flips, rules.Flip{Cell: rules.SquareCell(row, column), Wave: wave, Cause: cause})
				}
			}
		}
		for at := range flipped {
			table[at] = placed{table[at].values, p.Turn()}
		}
		attackers = flipped
	}
	return flips
}

func place(c threetrios.Card, owner rules.Side) placed {
	return placed{map[[2]int]int{{-1, 0}: c.North, {1, 0}: c.South, {0, 1}: c.East, {0, -1}: c.West}, owner}
}

// attacked returns the cause if any of the attackers flips the card on a cell, or NoCause.
func attacked(
	p *threetrios.Position, table map[[2]int]placed, at [2]int, attackers map[[2]int]bool, first bool,
) rules.Cause {
	causes := []rules.Cause{}
	for _, d := range compass {
		from := [2]int{at[0] + d[0], at[1] + d[1]}
		if table[at].owner == p.Turn().Other() && attackers[from] {
			a, v := table[from].values[[2]int{-d[0], -d[1]}], table[at].values[d]
			causes = append(causes, baseCause(p, a, v))
			if first {
				causes = append(causes, pairCauses(p, table, from, a, v)...)
			}
		}
	}
	causes = slices.DeleteFunc(causes, func(c rules.Cause) bool { return c == rules.NoCause })
	if len(causes) == 0 {
		return rules.NoCause
	}
	return slices.Min(causes)
}

func baseCause(p *threetrios.Position, a, d int) rules.Cause {
	on := p.Rules()
	ace := slices.Contains(on, threetrios.FallenAce)
	if slices.Contains(on, threetrios.Reverse) {
		switch {
		case a < d:
			return rules.CauseLess
		case ace && a-d == 9:
			return rules.CauseFallenAce
		}
		return rules.NoCause
	}
	switch {
	case a > d:
		return rules.CauseGreater
	case ace && d-a == 9:
		return rules.CauseFallenAce
	}
	return rules.NoCause
}

// pairCauses returns Same and Plus if they flip the neighbour whose pair of values with the card at
// from is a, v. They need a second pair that counts and is equal or has the same sum.
func pairCauses(p *threetrios.Position, table map[[2]int]placed, from [2]int, a, v int) []rules.Cause {
	equal, sum := 0, 0
	for _, d := range compass {
		n, ok := table[[2]int{from[0] + d[0], from[1] + d[1]}]
		if !ok || n.owner == p.Turn() && !p.CountOwnCards() {
			continue
		}
		mine, theirs := table[from].values[d], n.values[[2]int{-d[0], -d[1]}]
		if mine == theirs {
			equal++
		}
		if mine+theirs == a+v {
			sum++
		}
	}
	causes := []rules.Cause{}
	if a == v && equal > 1 && slices.Contains(p.Rules(), threetrios.Same) {
		causes = append(causes, rules.CauseSame)
	}
	if sum > 1 && slices.Contains(p.Rules(), threetrios.Plus) {
		causes = append(causes, rules.CausePlus)
	}
	return causes
}

func TestScoresAddUpToTheCardsInPlay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		everyMove(t, func(before, after *threetrios.Position, _ rules.Move, flips []rules.Flip) {
			was, is := before.Score(), after.Score()
			if was.First+was.Second != is.First+is.Second {
				t.Errorf("the scores %v and %v have different sums", was, is)
			}
			if gain := is.Margin(before.Turn()) - was.Margin(before.Turn()); gain != 2*len(flips) {
				t.Errorf("%d flips change the margin by %d", len(flips), gain)
			}
			if after.Turn() == rules.NoSide && (len(after.Hand(rules.First)) != 0 || len(after.Hand(rules.Second)) != 1) {
				t.Errorf("at the end the hands are %v and %v", after.Hand(rules.First), after.Hand(rules.Second))
			}
		})
	})
}

func TestOnlyOpposingCardsFlip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		everyMove(t, func(before, after *threetrios.Position, m rules.Move, flips []rules.Flip) {
			flipped := map[rules.Cell]bool{}
			for _, f := range flips {
				flipped[f.Cell] = true
			}
			for row := range before.Rows() {
				for column := range before.Columns() {
					cell := rules.SquareCell(row, column)
					was, is := before.At(row, column), after.At(row, column)
					want := was
					switch {
					case cell == m.Cell:
						want.Owner, want.Card = before.Turn(), is.Card
					case flipped[cell] && was.Owner == before.Turn().Other():
						want.Owner = before.Turn()
					}
					if is != want {
						t.Errorf("%v became %v, want %v", was, is, want)
					}
				}
			}
		})
	})
}

// FlipCount and PlayCard agree with Play, for both sides, and change nothing.
func TestFlipCountAndPlayCardAgreeWithPlay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		everyMove(t, func(before, _ *threetrios.Position, _ rules.Move, _ []rules.Flip) {
			notation := before.Notation()
			for _, side := range []rules.Side{rules.First, rules.Second} {
				p := before.WithTurn(side).(*threetrios.Position)
				checkPlayCard(t, p)
				if p.Turn() != side || len(p.Legal()) == 0 {
					t.Errorf("side %d has no moves in %s", side, notation)
				}
			}
			if before.Notation() != notation {
				t.Errorf("%s changed to %s", notation, before.Notation())
			}
		})
	})
}

func checkPlayCard(t *rapid.T, p *threetrios.Position) {
	legal := p.Legal()
	if len(legal) != p.CountLegal() {
		t.Errorf("CountLegal() = %d, but there are %d legal moves", p.CountLegal(), len(legal))
	}
	hand := p.Hand(p.Turn())
	for at, cell := range p.EmptyCells() {
		for i, card := range hand {
			m := rules.Play(card.Name, cell)
			if got := legal[at*len(hand)+i]; got != m {
				t.Fatalf("the legal moves have %v instead of %v", got, m)
			}
			next, flips, err := p.Play(m)
			if err != nil || p.FlipCount(i, cell) != len(flips) || p.PlayCard(i, cell).Notation() != next.Notation() {
				t.Errorf("%s: %d flips, FlipCount = %d, %v", p.MoveNotation(m), len(flips), p.FlipCount(i, cell), err)
			}
		}
	}
}

func TestBaseRule(t *testing.T) {
	const one, ace = 1, threetrios.Ace
	for _, c := range []struct {
		name  string
		rules []threetrios.Rule
		beats [][2]int
		not   [][2]int
	}{
		{
			"default", []threetrios.Rule{threetrios.Default},
			[][2]int{{5, 4}, {ace, one}}, [][2]int{{4, 5}, {5, 5}, {one, ace}},
		},
		{
			"no base rule named", []threetrios.Rule{threetrios.Same},
			[][2]int{{5, 4}, {ace, one}}, [][2]int{{4, 5}, {5, 5}, {one, ace}},
		},
		{
			"reverse", []threetrios.Rule{threetrios.Reverse},
			[][2]int{{4, 5}, {one, ace}}, [][2]int{{5, 4}, {5, 5}, {ace, one}},
		},
		{
			"fallen ace", []threetrios.Rule{threetrios.FallenAce},
			[][2]int{{5, 4}, {ace, one}, {one, ace}}, [][2]int{{4, 5}, {5, 5}, {one, 9}, {2, ace}, {ace, ace}},
		},
		{
			"reverse and fallen ace", []threetrios.Rule{threetrios.FallenAce, threetrios.Reverse},
			[][2]int{{4, 5}, {one, ace}, {ace, one}}, [][2]int{{5, 4}, {5, 5}, {9, one}, {ace, 2}, {one, one}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := start(t, threetrios.Setup{Rules: c.rules})
			for _, pair := range c.beats {
				if !p.Beats(pair[0], pair[1]) {
					t.Errorf("%d does not beat %d", pair[0], pair[1])
				}
			}
			for _, pair := range c.not {
				if p.Beats(pair[0], pair[1]) {
					t.Errorf("%d beats %d", pair[0], pair[1])
				}
			}
		})
	}
}

// In the chain, q and p beat r in the same wave: q by the greater value, p by the rule FallenAce.
func TestACardThatIsBeatenTwiceFlipsOnceForTheFirstCause(t *testing.T) {
	p := start(t, threetrios.Setup{
		StartFrom: "threetrios/_R./RR_ B - default,fallen-ace grid p:1111 q:1151 r:A112 red s:1111 blue l:9999 t:1111",
	})
	_, flips, err := p.Play(rules.Play("l", rules.SquareCell(0, 0)))
	if err != nil {
		t.Fatal(err)
	}
	want := []rules.Flip{
		{Cell: rules.SquareCell(0, 1), Wave: 0, Cause: rules.CauseGreater},
		{Cell: rules.SquareCell(1, 0), Wave: 0, Cause: rules.CauseGreater},
		{Cell: rules.SquareCell(1, 1), Wave: 1, Cause: rules.CauseGreater},
	}
	if !slices.Equal(flips, want) {
		t.Errorf("the flips are %v, want %v", flips, want)
	}
}
