package board

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	flipside "github.com/flipside-games/flipside/clients/go"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

const (
	takeback  = gamev1.OfferKind_OFFER_KIND_TAKEBACK
	agreement = gamev1.OfferKind_OFFER_KIND_DRAW
	rematch   = gamev1.OfferKind_OFFER_KIND_REMATCH
)

// offerNames names offers and the keys that accept them.
var offerNames = map[gamev1.OfferKind][2]string{
	takeback: {"a takeback", "u"}, agreement: {"a draw", "d"}, rematch: {"a rematch", "n"},
}

// offerKey handles the keys of offers: takeback, draw, rematch, and declining.
func (g *game) offerKey(name string) tea.Cmd {
	side := g.ownSide()
	both := g.mine(0) && g.mine(1)
	switch {
	case side < 0:
		g.notice = notice{"You watch this game.", true}
	case name == "x":
		return g.decline()
	case name == "n" && !g.isOver():
		g.notice = notice{"A rematch is for games that are over.", true}
	case name == "n" && g.latest.GetRematch() != "":
		return g.open(g.latest.GetRematch())
	case name == "n":
		return g.offer(rematch, side)
	case name == "u" && both:
		return g.offer(takeback, 1-side) // the side that moved last
	case name == "u":
		return g.offer(takeback, side)
	case both:
		question := &chooser{app: g.app, title: "End the game in a draw?", dialog: true}
		question.options = []option{
			{"y", "Draw", "", func() tea.Cmd {
				g.pop(question)
				return g.offer(agreement, side)
			}},
			{"n", "Play on", "", question.back},
		}
		question.index = 1
		g.push(question)
	default:
		return g.offer(agreement, side)
	}
	return nil
}

// offer makes an offer, or accepts the same offer of the opponent.
func (g *game) offer(kind gamev1.OfferKind, side int) tea.Cmd {
	request := &gamev1.OfferRequest{
		GameId: g.id, Kind: kind, Side: sideOf(side), RequestId: uuid.NewString(),
	}
	return change(g, g.server.Games.Offer, request)
}

// decline declines the offer of the opponent, or withdraws the user's own.
func (g *game) decline() tea.Cmd {
	offer := g.openOffer()
	if offer == nil {
		g.notice = notice{"There is no offer to decline.", true}
		return nil
	}
	if g.mine(sideIndex(offer.GetSide())) { // it is not the opponent who closes the offer
		g.latest.Offers = slices.DeleteFunc(g.latest.Offers, func(each *gamev1.Offer) bool {
			return each == offer
		})
	}
	request := &gamev1.DeclineOfferRequest{
		GameId: g.id, Kind: offer.GetKind(), Side: sideOf(g.ownSide()),
		RequestId: uuid.NewString(),
	}
	return change(g, g.server.Games.DeclineOffer, request)
}

// openOffer returns the latest open offer, nil if there is none or the user does not play.
func (g *game) openOffer() *gamev1.Offer {
	if offers := g.latest.GetOffers(); len(offers) > 0 && g.ownSide() >= 0 {
		return offers[len(offers)-1]
	}
	return nil
}

// offerText describes the open offer, "" if there is none.
func (g *game) offerText() string {
	offer := g.openOffer()
	if offer == nil {
		return ""
	}
	name, side := offerNames[offer.GetKind()], sideIndex(offer.GetSide())
	if g.mine(side) {
		return fmt.Sprintf("You offer %s. x withdraws the offer.", name[0])
	}
	return fmt.Sprintf("%s offers %s: %s accepts, x declines.", g.name(side), name[0], name[1])
}

// isOffered reports whether an offer of a side is open.
func (g *game) isOffered(side int, kind gamev1.OfferKind) bool {
	return slices.ContainsFunc(g.latest.GetOffers(), func(each *gamev1.Offer) bool {
		return each.GetKind() == kind && sideIndex(each.GetSide()) == side
	})
}

// noteOffer shows what the opponent did with an offer.
func (g *game) noteOffer(event *gamev1.Event) {
	if declined := event.GetOfferDeclined(); declined != nil {
		if side := sideIndex(declined.GetSide()); !g.mine(side) {
			does := " declines "
			if g.isOffered(side, declined.GetKind()) {
				does = " withdraws the offer of "
			}
			g.inform(g.name(side) + does + offerNames[declined.GetKind()][0] + ".")
		}
	}
	if back := event.GetMovesTakenBack(); back != nil {
		g.shown, g.selected = -1, nil
		g.inform(g.name(sideIndex(back.GetSide())) + " takes back the last turn.")
	}
}

// noteRematch shows that the opponent has declined the rematch. The stream of the game has ended,
// so only the state shows it.
func (g *game) noteRematch(before, after *gamev1.Game) {
	for _, offer := range before.GetOffers() {
		if side := sideIndex(offer.GetSide()); offer.GetKind() == rematch && g.mine(side) &&
			after.GetRematch() == "" && len(after.GetOffers()) == 0 {
			g.inform(g.name(1-side) + " declines " + offerNames[rematch][0] + ".")
		}
	}
}

// followRematch follows the offer of a rematch after the end of the game.
func (g *game) followRematch() {
	if g.ownSide() < 0 || g.mine(0) && g.mine(1) || g.robotSide() >= 0 {
		return
	}
	go g.readTurns()
}

// readTurns reads the stream of turns and refreshes the game when it changes.
func (g *game) readTurns() {
	o := g.streamOptions(g.refresh) // A stream does not show what happened before its first message.
	for m, err := range flipside.Turns(g.ctx, g.server.Games, &gamev1.WatchTurnsRequest{}, o) {
		switch {
		case err != nil:
			g.post(func() tea.Cmd { return g.streamFailed(err, g.followRematch) })
		case m.GetGameOver().GetGameId() == g.id:
			g.post(g.refresh)
		}
	}
}
