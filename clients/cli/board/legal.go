package board

import (
	"context"

	tea "charm.land/bubbletea/v2"
	"google.golang.org/grpc"

	"github.com/flipside-games/flipside/clients/cli/layout"
	flipside "github.com/flipside-games/flipside/clients/go"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// movesKey names a list of legal moves: of a side, and of one card with cards.
type movesKey struct {
	side int
	card string
}

// moves are legal moves: the cells with the number of flips. They are nil until the reply arrives.
type moves struct{ flips map[layout.Cell]int }

// loadMoves asks for the legal moves that the screen shows and does not have yet.
func (g *game) loadMoves() tea.Cmd {
	if g.latest.GetState() != gamev1.GameState_GAME_STATE_ACTIVE || !g.isLive() {
		return nil
	}
	var commands []tea.Cmd
	for side := range 2 {
		wanted := g.hints[side] || side == g.mover() && g.mine(side)
		key := movesKey{side, g.cards[side]}
		if wanted && g.legal[key] == nil && (!g.isTrios() || key.card != "") {
			commands = append(commands, g.load(key))
		}
	}
	return tea.Batch(commands...)
}

func (g *game) load(key movesKey) tea.Cmd {
	list := &moves{}
	g.legal[key] = list
	request := &gamev1.ListLegalMovesRequest{
		GameId: g.id, Side: sideOf(key.side), Card: key.card,
	}
	version := g.history.Version
	do := func(
		ctx context.Context, request *gamev1.ListLegalMovesRequest, _ ...grpc.CallOption,
	) (*gamev1.ListLegalMovesResponse, error) {
		return flipside.LegalMoves(ctx, g.server.Games, request)
	}
	return call(g.ctx, do, request, func(got *gamev1.ListLegalMovesResponse, err error) tea.Cmd {
		if err != nil {
			delete(g.legal, key) // so that the next change asks again
			if g.ctx.Err() == nil {
				g.warn(err)
			}
			return nil
		}
		if got.GetVersion() == version {
			list.flips = g.flips(got.GetMoves())
		}
		return nil
	})
}

// flips returns the number of flips for each cell.
func (g *game) flips(all []*rulesv1.LegalMove) map[layout.Cell]int {
	flips := map[layout.Cell]int{}
	for _, each := range all {
		cell := each.GetMove().GetPlace().GetCell()
		if g.isTrios() {
			cell = each.GetMove().GetPlayCard().GetCell()
		}
		if cell != nil {
			flips[g.shape.FromProto(cell)] = int(each.GetFlipCount())
		}
	}
	return flips
}

// legalCells returns the cells where the user can place now: none while the opponent is to move.
func (g *game) legalCells() map[layout.Cell]bool {
	side := g.mover()
	list := g.legal[movesKey{side, g.cardOf(side)}]
	if side < 0 || !g.mine(side) || list == nil || g.isPast() || g.playing {
		return nil
	}
	cells := map[layout.Cell]bool{}
	for cell := range list.flips {
		cells[cell] = true
	}
	return cells
}

func (g *game) cardOf(side int) string {
	if side < 0 {
		return ""
	}
	return g.cards[side]
}

// hintsOf returns the hints of a side, nil if they are off.
func (g *game) hintsOf(side int) map[layout.Cell]int {
	list := g.legal[movesKey{side, g.cards[side]}]
	if !g.hints[side] || list == nil || g.isPast() {
		return nil
	}
	return list.flips
}

// toggleHints turns hints of sides on, or off if they are all on.
func (g *game) toggleHints(sides ...int) tea.Cmd {
	on := true
	for _, side := range sides {
		on = on && g.hints[side]
	}
	state := map[bool]string{true: "on", false: "off"}[!on]
	for _, side := range sides {
		g.hints[side] = !on
	}
	text := "Hints are " + state + "."
	if len(sides) == 1 {
		text = "Hints for " + g.colour(sides[0]) + " are " + state + "."
	}
	if g.focus == onOtherHand && !g.hints[g.handSide()] {
		g.focus = onHand
	}
	switch missing := !on && g.isTrios() && g.cards[sides[0]] == ""; {
	case missing && sides[0] == g.handSide():
		text += " Select a card to see what it would flip."
	case missing:
		text += " Tab leads to the hand of " + g.colour(sides[0]) + "; a click selects a card too."
	}
	g.inform(text)
	return g.loadMoves()
}

// ownSides returns the sides that the user plays, both for a spectator.
func (g *game) ownSides() []int {
	switch {
	case g.mine(0) == g.mine(1):
		return []int{0, 1}
	case g.mine(0):
		return []int{0}
	}
	return []int{1}
}
