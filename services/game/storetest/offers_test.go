package storetest

import "github.com/flipside-games/flipside/services/game"

// invited returns a seat that is reserved for a player.
func invited(id string) game.Seat {
	seat := seatOf(id)
	seat.Invited = true
	return seat
}

func invitationsAreCounted(f *fixture) {
	want := func(n int) {
		f.Helper()
		got, err := f.Invitations(f.Context(), "creator")
		f.check(err)
		if got != n {
			f.Errorf("%d invitations, want %d", got, n)
		}
	}
	want(0)
	accepted := f.commit(f.created(small, seatOf("ann"), invited("bob")))
	declined := f.commit(f.created(trios, invited("ann"), invited("bob")))
	f.commit(f.created(small, seatOf("ann"), emptySeat))
	f.commit(f.createdAs(game.Created{
		Creator: "other", Visibility: game.Private, Setup: hex, Seats: game.Seats{seatOf("other"), invited("bob")},
	}))
	want(2)
	f.same("a waiting game", accepted, f.stored(accepted.ID))
	d, err := accepted.Join(seatOf("bob"), 0, f.now())
	f.check(err)
	f.same("an accepted game", f.commit(d), f.stored(accepted.ID))
	want(1)
	d, err = declined.Abort("bob", f.now())
	f.check(err)
	f.commit(d)
	want(0)
}

// offersAreStored plays a game with offers, a takeback and a rematch, and compares it with the
// stored game after each.
func offersAreStored(f *fixture) {
	g := f.commit(f.created(small, seatOf("ann"), seatOf("bob")))
	offer := func(player string, kind game.OfferKind) {
		f.Helper()
		c := game.OfferCommand{Player: player, Kind: kind, RematchID: f.newID()}
		if kind == game.OfferTakeback {
			side, err := g.TakebackSide(player, 0)
			f.check(err)
			c.LastTurn, err = g.LastTurn(side, func(version int, kinds ...game.EventKind) (game.Event, error) {
				return f.LastEvent(f.Context(), g.ID, version, kinds...)
			})
			f.check(err)
		}
		d, err := g.Offer(c, f.now())
		f.check(err)
		g = f.commit(d)
		f.same("the game after an offer", g, f.stored(g.ID))
		replayed, err := game.Replay(f.log(g.ID))
		f.check(err)
		f.same("the replayed game", g, replayed)
	}
	for range 3 {
		g = f.commit(f.moved(g))
	}
	offer("ann", game.OfferTakeback)
	offer("bob", game.OfferTakeback)
	g = f.commit(f.moved(g))
	offer("bob", game.OfferDraw)
	d, err := g.DeclineOffer("ann", 0, game.OfferDraw, f.now())
	f.check(err)
	g = f.commit(d)
	f.same("the game after a decline", g, f.stored(g.ID))
	offer("ann", game.OfferDraw)
	g = f.commit(f.moved(g))
	offer("ann", game.OfferDraw)
	offer("bob", game.OfferDraw)
	offer("ann", game.OfferRematch)
	offer("bob", game.OfferRematch)
	if !g.State.Over() || g.Rematch == "" {
		f.Errorf("the game is %s with rematch %q", g.State, g.Rematch)
	}
	rematch, err := game.Create(g.Rematch, game.RematchOf(g), f.now())
	f.check(err)
	f.commit(rematch)
	f.reopen()
	f.same("the game in a reopened store", g, f.stored(g.ID))
	f.same("the rematch", rematch.Game, f.stored(g.Rematch))
}
