package storetest

import (
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules/games"
)

// timed returns the decision that creates a game in which each side has one minute plus three
// seconds for each move.
func (f *fixture) timed(setup games.Setup, first, second game.Seat) game.Decision {
	f.Helper()
	return f.createdAs(game.Created{
		Creator: "creator", Visibility: game.Public, Setup: setup, Seats: game.Seats{first, second},
		TimeControl: &game.TimeControl{
			Initial: time.Minute, Increment: 3 * time.Second, ClaimAfter: time.Hour,
			OnAbsence: game.ReplaceWithRobot, Robot: robot.Robot,
		},
	})
}

// overdue returns the ids of the games whose deadlines are earlier than before.
func (f *fixture) overdue(before, now time.Time, limit int) []string {
	f.Helper()
	found, err := f.DueClocks(f.Context(), before, now, limit)
	f.check(err)
	return f.idsOfDue(found)
}

func clocksAreDue(f *fixture) {
	ann, bob := seatOf("ann"), seatOf("bob")
	first := f.commit(f.timed(small, ann, bob))
	f.commit(f.created(small, ann, bob))
	f.commit(f.timed(small, ann, emptySeat))
	second := f.commit(f.timed(trios, ann, bob))
	third := f.commit(f.timed(hex, robot, bob))
	now := third.Deadline().Add(time.Hour)
	later := now.Add(time.Minute)

	f.sub("earliest deadline first", func(f *fixture) {
		f.same("ids", []string{first.ID, second.ID, third.ID}, f.overdue(now, now, 10))
	})
	f.sub("at most limit", func(f *fixture) { f.same("ids", []string{first.ID, second.ID}, f.overdue(now, now, 2)) })
	f.sub("strictly before the time", func(f *fixture) {
		f.same("ids at a deadline", []string{first.ID}, f.overdue(second.Deadline(), now, 10))
		f.same("ids just after it", []string{first.ID, second.ID}, f.overdue(second.Deadline().Add(1), now, 10))
	})
	f.sub("not while a lease lasts", func(f *fixture) {
		f.same("granted", true, f.lease(first, "me", now, later))
		f.same("ids", []string{second.ID, third.ID}, f.overdue(now, now, 10))
		f.same("ids at the end", []string{first.ID, second.ID, third.ID}, f.overdue(now, later, 10))
	})
	f.sub("by the deadline of the current turn", func(f *fixture) {
		second = f.commit(f.moved(second))
		f.same("ids", []string{third.ID, second.ID}, f.overdue(now, now, 10))
	})
	f.sub("with the committed clocks", func(f *fixture) {
		for _, g := range []game.Game{first, second, third} {
			f.same("game", g, f.stored(g.ID))
		}
		f.reopen()
		for _, g := range []game.Game{first, second, third} {
			f.same("game after reopening", g, f.stored(g.ID))
		}
		f.same("ids after reopening", []string{third.ID, second.ID}, f.overdue(now, now, 10))
	})
	f.sub("not after the time was up", func(f *fixture) {
		d, up := third.TimeUp(now, 0)
		f.same("up", true, up)
		third = f.commit(d)
		f.same("state", game.StateFinished, f.stored(third.ID).State)
		d, _ = second.TimeUp(now, 0)
		second = f.commit(d)
		f.same("seats", second.Seats, f.stored(second.ID).Seats)
		f.same("ids", []string{first.ID}, f.overdue(now, later, 10))
	})
}
