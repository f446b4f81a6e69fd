//go:build !race

package board

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/flipside-games/flipside/clients/cli/layout"
)

func TestSelectACardByNumberKeysAndClicks(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), triosSetup(), caller(), robotSeat(easy()))
	g := d.current()
	d.keys("enter")
	d.see("Select a card first")
	d.keys("2")
	d.see("▸2")
	second := g.cards[0]
	d.keys("down")
	if third := g.hand(0)[2].GetName(); g.cards[0] != third || second == third {
		t.Errorf("down selects %q after %q", g.cards[0], second)
	}
	d.clickOn(g.hand(0)[0].GetName())
	if g.cards[0] != g.hand(0)[0].GetName() {
		t.Errorf("a click selects %q", g.cards[0])
	}
	d.clickOn(g.hand(1)[0].GetName())
	d.see("is a card of Blue")
	d.place(g, squareCell(1, 1))
	d.wait("the robot's card", func() bool { return g.history.Last() == 2 })
}

// Each side has its own hints, in either side's turn, with zeros.
func TestHintTogglesQAndW(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), triosSetup(), caller(), robotSeat(easy()))
	g := d.current()
	d.keys("q", "1")
	d.see("│     0     │")
	d.keys("w")
	d.clickOn(g.hand(1)[0].GetName())
	d.see("│   R0 B0   │", "is a card of Blue")
	d.keys("q")
	d.see("│     0     │")
	d.keys("w")
	d.unsee("│     0     │")
}

// The keys reach the hand of the opponent while its hints are on.
func TestHintsOfTheOpponentByKeys(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), triosSetup(), caller(), robotSeat(easy()))
	g := d.current()
	d.keys("w")
	d.see("Tab leads to the hand of Blue")
	d.keys("tab", "2")
	d.see("is a card of Blue", "│     0     │")
	if second := g.hand(1)[1].GetName(); g.cards[1] != second || g.cards[0] != "" {
		t.Errorf("the selected cards are %q, want %q of Blue", g.cards, second)
	}
	d.keys("down")
	if third := g.hand(1)[2].GetName(); g.cards[1] != third {
		t.Errorf("down selects %q, want %q", g.cards[1], third)
	}
	d.see("│     0     │")
	d.keys("w", "1") // without its hints, the keys are for the own hand again
	if first := g.hand(0)[0].GetName(); g.cards[0] != first {
		t.Errorf("the key 1 selects %q, want %q", g.cards[0], first)
	}
	d.place(g, squareCell(1, 1))
}

// Each card shows its name, its four values and the sign of its owner.
func TestCardsShowNameValuesAndOwner(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), triosSetup(), caller(), caller())
	g := d.current()
	for side, sign := range []string{"◆", "◇"} {
		for _, card := range g.hand(side) {
			x, y := d.find(card.GetName())
			lines := strings.Split(d.text(), "\n")
			line := func(y int) string { return string([]rune(lines[y])[x-6 : x+len(card.GetName())+6]) }
			shown := line(y-1) + "\n" + line(y+1) + "\n" + line(y+2)
			for _, n := range []int32{card.GetNorth(), card.GetWest(), card.GetEast(), card.GetSouth()} {
				if value := strings.Replace(strconv.Itoa(int(n)), "10", "A", 1); !strings.Contains(shown, value) {
					t.Errorf("card %s does not show %s:\n%s", card.GetName(), value, shown)
				}
			}
			if !strings.Contains(shown, sign) {
				t.Errorf("card %s does not show its owner:\n%s", card.GetName(), shown)
			}
		}
	}
}

// A card flips one card, and this one another: they change their owner one after the other.
func TestFlipsAppearWaveByWave(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), triosSetup(), caller(), caller())
	g := d.current()
	for _, move := range []struct {
		card string
		cell [2]int
	}{{"3", [2]int{1, 1}}, {"3", [2]int{0, 1}}, {"1", [2]int{1, 0}}} {
		d.keys(move.card)
		d.place(g, squareCell(move.cell[0], move.cell[1]))
	}
	d.keys("2")
	g.selectCell(layout.Cell{Row: 2, Index: 1})
	d.keys("enter")
	visible := func() (waves []int32) {
		for _, flip := range g.entry().Move.GetFlips() {
			if g.history.Last() == 4 && g.isFlipped(flip) {
				waves = append(waves, flip.GetWave())
			}
		}
		return waves
	}
	d.wait("the first wave", func() bool { return slices.Equal(visible(), []int32{0}) })
	d.wait("the second wave", func() bool { return slices.Equal(visible(), []int32{0, 1}) })
}

// Where only one line is free below the cards, a message takes the place of the turn and the keys.
func TestMessagesAreWholeInANarrowWindow(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), triosSetup(), caller(), robotSeat(easy()))
	g := d.current()
	d.resize(40, 24)
	d.see("Your turn: you play Red", "Enter Place")
	d.clickOn(g.hand(1)[0].GetName())
	d.see("is a card of Blue")
	d.keys("enter")
	d.see("Select a card first", "a click.")
	d.keys("1")
	d.see("Your turn: you play Red", "Enter Place")
}
