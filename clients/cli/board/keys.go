package board

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"github.com/flipside-games/flipside/clients/cli/layout"
	"github.com/flipside-games/flipside/clients/cli/render"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// focus is the part of the screen that the arrow keys move in.
type focus int

const (
	onBoard focus = iota
	onMoves
	onHand      // with cards
	onOtherHand // the hand of the opponent, while its hints are on
)

// Targets of clicks.
type (
	cellTarget  struct{ layout.Cell }
	cardTarget  struct{ side, index int }
	entryTarget int // the index of a position
)

func (g *game) press(name, _ string) tea.Cmd {
	g.notice = notice{}
	switch name {
	case "enter", "space":
		return g.enter()
	case "p":
		return g.pass()
	case "h":
		return g.toggleHints(g.ownSides()...)
	case "q":
		return g.toggleHints(0)
	case "w":
		return g.toggleHints(1)
	case "u", "d", "n", "x":
		return g.offerKey(name)
	case "r":
		return g.resign()
	case "s":
		return g.editRobot()
	case "f":
		return g.forkHere()
	case "a":
		return g.toggleAnalysis()
	case "c":
		return g.openForm(&newCopyForm(g.app, g.latest).form)
	case "l":
		g.noLabels = !g.noLabels
	case "?":
		g.push(newHelp(g.app, g))
	case "tab":
		g.nextFocus()
	case "esc":
		g.escape()
	default:
		return g.navigate(name)
	}
	return nil
}

// enter places, or goes on from the hand to the board.
func (g *game) enter() tea.Cmd {
	if g.focus == onMoves {
		g.focus = onBoard
		return g.showEntry(-1)
	}
	if g.inHand() && g.selected == nil && g.mover() >= 0 && g.cards[g.mover()] != "" {
		g.focus = onBoard
		g.selectCell(g.cursor)
		return nil
	}
	return g.place()
}

// navigate handles the keys that move the selection.
func (g *game) navigate(name string) tea.Cmd {
	switch name {
	case "pgup", ",", "<", "[":
		return g.walk(-1)
	case "pgdown", ".", ">", "]":
		return g.walk(1)
	case "home":
		return g.showEntry(0)
	case "end":
		return g.showEntry(-1)
	case "left", "right", "up", "down":
		return g.arrow(name)
	}
	if n, err := strconv.Atoi(name); err == nil && g.isTrios() && n > 0 {
		return g.selectCard(g.handSide(), n-1)
	}
	return nil
}

var directions = map[string]layout.Direction{
	"left": layout.Left, "right": layout.Right, "up": layout.Up, "down": layout.Down,
}

// arrow handles an arrow key.
func (g *game) arrow(name string) tea.Cmd {
	switch {
	case g.focus == onMoves && (name == "left" || name == "up"):
		return g.walk(-1)
	case g.focus == onMoves:
		return g.walk(1)
	case g.inHand() && name == "up":
		return g.nextCard(-1)
	case g.inHand() && name == "down":
		return g.nextCard(1)
	case g.inHand(), g.selected == nil:
		g.focus = onBoard
		g.selectCell(g.cursor)
	default:
		g.selectCell(g.shape.Step(g.cursor, directions[name]))
	}
	return nil
}

func (g *game) selectCell(cell layout.Cell) {
	g.cursor, g.selected = cell, &cell
}

// inHand reports whether the focus is on a hand.
func (g *game) inHand() bool { return g.focus == onHand || g.focus == onOtherHand }

// nextFocus moves the focus: the hand with cards, that of the opponent if its hints are on, the
// board, the list of moves.
func (g *game) nextFocus() {
	next := map[focus]focus{
		onHand: onBoard, onOtherHand: onBoard, onBoard: onMoves, onMoves: onBoard,
	}
	if g.isTrios() {
		next[onMoves] = onHand
		if g.hints[1-g.ownHand()] {
			next[onHand] = onOtherHand
		}
	}
	g.focus = next[g.focus]
	if g.focus == onMoves {
		g.inform("Arrow keys walk through the moves. Tab returns to the board.")
	}
}

// escape goes back one step: from a past position, from a selection, from the game.
func (g *game) escape() {
	switch {
	case g.isPast() || g.focus == onMoves:
		g.focus, g.shown = onBoard, -1
	case g.selected != nil:
		g.selected = nil
	default:
		g.pop(g)
	}
}

// walk shows an earlier or later position.
func (g *game) walk(by int) tea.Cmd {
	at := g.history.Last()
	if g.isPast() {
		at = g.shown
	}
	return g.showEntry(max(at+by, 0))
}

// showEntry shows a position of the history, the latest for -1.
func (g *game) showEntry(index int) tea.Cmd {
	g.shown, g.animation = index, animation{}
	if index >= g.history.Last() {
		g.shown = -1
	}
	return g.analyseShown()
}

func (g *game) click(target any) tea.Cmd {
	g.notice = notice{}
	switch t := target.(type) {
	case cellTarget:
		if g.selected != nil && *g.selected == t.Cell {
			g.selected = nil
			return nil
		}
		g.focus = onBoard
		g.selectCell(t.Cell)
	case cardTarget:
		return g.selectCard(t.side, t.index)
	case entryTarget:
		return g.showEntry(int(t))
	default:
		g.selected = nil
	}
	return nil
}

// hand returns the cards in the hand of a side.
func (g *game) hand(side int) []*rulesv1.Card {
	return render.Hand(g.entry().Position, sideOf(side))
}

// handSide returns the side whose cards the keys select.
func (g *game) handSide() int {
	if g.focus == onOtherHand {
		return 1 - g.ownHand()
	}
	return g.ownHand()
}

// ownHand returns the side of the user, the side to move for a spectator.
func (g *game) ownHand() int {
	if side := g.ownSide(); side >= 0 {
		return side
	}
	return max(g.mover(), 0)
}

// selectCard selects a card, or deselects the selected one. A card of the opponent cannot be
// played, but it is selected for hints while these are on.
func (g *game) selectCard(side, index int) tea.Cmd {
	hand := g.hand(side)
	if index >= len(hand) {
		g.notice = notice{"There is no card " + strconv.Itoa(index+1) + " in this hand.", true}
		return nil
	}
	name := hand[index].GetName()
	if !g.mine(side) {
		g.notice = notice{name + " is a card of " + g.colour(side) + ".", !g.hints[side]}
		if !g.hints[side] {
			return nil
		}
	}
	if g.cards[side] == name {
		name = ""
	}
	g.cards[side] = name
	g.focus = onHand
	if side != g.ownHand() {
		g.focus = onOtherHand
	}
	return g.loadMoves()
}

// nextCard selects the next or the previous card of the hand.
func (g *game) nextCard(by int) tea.Cmd {
	side := g.handSide()
	hand := g.hand(side)
	if len(hand) == 0 {
		return nil
	}
	next := -1
	for i, card := range hand {
		if card.GetName() == g.cards[side] {
			next = i
		}
	}
	if next < 0 && by < 0 {
		next = 0
	}
	next = (next + by + len(hand)) % len(hand)
	return g.selectCard(side, next)
}

// keepCards forgets selected cards that were played.
func (g *game) keepCards() {
	if !g.isTrios() {
		return
	}
	for side := range g.cards {
		found := false
		for _, card := range g.hand(side) {
			found = found || card.GetName() == g.cards[side]
		}
		if !found {
			g.cards[side] = ""
		}
	}
}
