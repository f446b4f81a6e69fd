package triosearch

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// drawSetup draws a game with holes and 1 to most card cells. It draws from few values, so that
// cards are sometimes equal and every rule applies.
func drawSetup(t *rapid.T, most int) threetrios.Setup {
	rows := rapid.IntRange(1, 4).Draw(t, "rows")
	columns := rapid.IntRange(1, 4).Draw(t, "columns")
	letters := rapid.SliceOfN(rapid.SampledFrom([]byte("CCCX")), rows*columns, rows*columns).Draw(t, "cells")
	for i, cards := 0, 0; i < len(letters); i++ {
		if letters[i] == 'C' {
			cards++
		}
		if cards > most {
			letters[i] = 'X'
		}
	}
	if cards := strings.Count(string(letters), "C"); cards%2 == 0 {
		letters[0] = "XC"[strings.Count(string(letters[:1]), "X")]
	}
	values := rapid.SampledFrom([]string{"1", "2", "3", "A"})
	deck := ""
	for i := range strings.Count(string(letters), "C") + 1 {
		deck += fmt.Sprintf("c%d %s\n", i, strings.Join(rapid.SliceOfN(values, 4, 4).Draw(t, "values"), " "))
	}
	base := rapid.SampledFrom([]threetrios.Rule{threetrios.Default, threetrios.Reverse}).Draw(t, "base")
	extra := rapid.SliceOfNDistinct(rapid.SampledFrom(threetrios.AllRules()[2:]), 0, 3, rapid.ID).Draw(t, "extra")
	return threetrios.Setup{
		Grid: gridText(slices.Collect(slices.Chunk(letters, columns))), Deck: deck,
		Rules: append(extra, base), CountOwnCards: new(rapid.Bool().Draw(t, "count own cards")),
	}
}

func gridText(rows [][]byte) string {
	return fmt.Sprintf("%d %d\n%s\n", len(rows), len(rows[0]), bytes.Join(rows, []byte("\n")))
}

func resolve(t rapid.TB, s threetrios.Setup) *threetrios.Position {
	t.Helper()
	_, p, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// drawPosition plays random moves of a random game until at most left moves are left, sometimes
// fewer.
func drawPosition(t *rapid.T, left int) *threetrios.Position {
	p := resolve(t, drawSetup(t, 9))
	playOn := func() bool { return len(p.EmptyCells()) > 1 && rapid.IntRange(0, 3).Draw(t, "play on") == 0 }
	for p.Turn() != rules.NoSide && (len(p.EmptyCells()) > left || playOn()) {
		p = after(t, p, rapid.SampledFrom(p.Legal()).Draw(t, "move"))
	}
	return p
}

func after(t rapid.TB, p *threetrios.Position, m rules.Move) *threetrios.Position {
	next, _, err := p.Play(m)
	if err != nil {
		t.Fatal(err)
	}
	return next.(*threetrios.Position)
}

// description is the state of a board or of a position of package threetrios.
type description struct {
	Squares     map[rules.Cell]threetrios.GridCell
	Hands       [2][]values
	Turn        rules.Side
	Empty       []rules.Cell
	Lead, Left  int
	FlipsByMove map[string]int
}

func describeBoard(b *board) description {
	d := description{Squares: map[rules.Cell]threetrios.GridCell{}, Lead: b.lead, Left: b.left, FlipsByMove: map[string]int{}}
	for cell := 1; cell <= b.cells; cell++ {
		if owner := b.owner[cell]; owner != emptyCell {
			d.Squares[b.at[cell]] = threetrios.GridCell{Owner: rules.First + rules.Side(owner), Card: cardOf(b.cards[cell])}
		}
	}
	for side, h := range b.hands {
		for i := h.slots.next[0]; i != 0; i = h.slots.next[i] {
			for range h.count[i] {
				d.Hands[side] = append(d.Hands[side], b.slots[side][i].values)
			}
		}
		slices.Sort(d.Hands[side])
	}
	if d.Turn = rules.NoSide; b.left > 0 {
		d.Turn = rules.First + rules.Side(b.turn)
	}
	for cell := b.empty.next[0]; cell != 0; cell = b.empty.next[cell] {
		d.Empty = append(d.Empty, b.at[cell])
		for _, v := range d.Hands[b.turn] {
			d.FlipsByMove[fmt.Sprint(v, b.at[cell])] = b.flips(cell, v)
		}
	}
	return d
}

func cardOf(v values) threetrios.Card {
	return threetrios.Card{North: int(v.at(0)), South: int(v.at(1)), East: int(v.at(2)), West: int(v.at(3))}
}

func describePosition(p *threetrios.Position) description {
	d := description{
		Squares: map[rules.Cell]threetrios.GridCell{}, Lead: p.Score().Margin(rules.First), Left: len(p.EmptyCells()),
		Turn: p.Turn(), FlipsByMove: map[string]int{},
	}
	for row := range p.Rows() {
		for column := range p.Columns() {
			if s := p.At(row, column); s.Owner != rules.NoSide {
				s.Card.Name = ""
				d.Squares[rules.SquareCell(row, column)] = s
			}
		}
	}
	for i, side := range []rules.Side{rules.First, rules.Second} {
		for _, card := range p.Hand(side) {
			d.Hands[i] = append(d.Hands[i], valuesOf(card))
		}
		slices.Sort(d.Hands[i])
	}
	for _, cell := range p.EmptyCells() {
		d.Empty = append(d.Empty, cell)
		for i, card := range p.Hand(p.Turn()) {
			d.FlipsByMove[fmt.Sprint(valuesOf(card), cell)] = p.FlipCount(i, cell)
		}
	}
	return d
}

// moveFor converts a move of the rules.
func moveFor(b *board, p *threetrios.Position, m rules.Move) move {
	return b.roots(p, []rules.Move{m})[0].move
}

// The board agrees with the rules after every move, and unmaking all moves restores it.
func TestTheBoardAgreesWithTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := resolve(t, drawSetup(t, 16))
		g := newGame(p)
		b := newBoard(g, p)
		var moves []move
		var undos []undo
		var boards []board
		for p.Turn() != rules.NoSide {
			m := rapid.SampledFrom(p.Legal()).Draw(t, "move")
			boards = append(boards, snapshot(b))
			moves = append(moves, moveFor(b, p, m))
			undos = append(undos, b.makeMove(moves[len(moves)-1]))
			p = after(t, p, m)
			if diff := gocmp.Diff(describePosition(p), describeBoard(b), cmpopts.EquateComparable(rules.Cell{})); diff != "" {
				t.Fatalf("after %s (-rules +board):\n%s", p.Notation(), diff)
			}
			if key := keyOf(b); b.key != key {
				t.Fatalf("%s has the key %x, not %x", p.Notation(), b.key, key)
			}
		}
		for i, m := range slices.Backward(moves) {
			b.unmakeMove(m, undos[i])
			if diff := difference(boards[i], snapshot(b)); diff != "" {
				t.Fatalf("after unmaking move %d: %s", i, diff)
			}
		}
	})
}

// snapshot copies a board without what empty cells keep of earlier cards.
func snapshot(b *board) board {
	s := *b
	s.flipped = slices.Clone(b.flipped)
	for cell := range s.owner {
		if s.owner[cell] >= emptyCell {
			s.cards[cell], s.flipKeys[cell] = 0, 0
		}
	}
	s.empty = members(&b.empty)
	for i := range s.hands {
		s.hands[i].slots = members(&b.hands[i].slots)
	}
	return s
}

// members returns a set without the links of removed numbers.
func members(s *linkedSet) linkedSet {
	in := map[int]bool{}
	for i := s.next[0]; i != 0; i = s.next[i] {
		in[int(i)] = true
	}
	return newLinkedSet(255, func(i int) bool { return in[i] })
}

func difference(a, b board) string {
	flat := func(b board) string {
		flipped := string(b.flipped)
		return fmt.Sprint(b.owner, b.cards, b.flipKeys, b.empty, b.hands, b.turn, b.left, b.lead, b.key, flipped)
	}
	if x, y := flat(a), flat(b); x != y {
		return "was " + x + "\nis  " + y
	}
	return ""
}

// keyOf computes the key of a position from all cards.
func keyOf(b *board) uint64 {
	key := uint64(0)
	for cell := 1; cell <= b.cells; cell++ {
		if b.owner[cell] >= emptyCell {
			continue
		}
		keys := keysFor(cell, b.cards[cell]&b.facing(cell))
		if key ^= keys.first; b.owner[cell] == second {
			key ^= keys.flip
		}
	}
	for side, h := range b.hands {
		for i, s := range b.slots[side] {
			for _, k := range s.keys[:h.count[i]] {
				key ^= k
			}
		}
	}
	return key
}

// Hands can run out early in a position where the turn was changed.
func TestMovesLeftCountsHandsThatRunOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPosition(t, 7)
		for range rapid.IntRange(0, 2).Draw(t, "turns") {
			if p = p.WithTurn(p.Turn().Other()).(*threetrios.Position); p.Turn() == rules.NoSide {
				return
			}
			p = after(t, p, p.Legal()[0])
		}
		if p.Turn() == rules.NoSide {
			return
		}
		left := newBoard(newGame(p), p).left
		for p.Turn() != rules.NoSide {
			p, left = after(t, p, p.Legal()[0]), left-1
		}
		if left != 0 {
			t.Errorf("it counts %d moves too many", left)
		}
	})
}
