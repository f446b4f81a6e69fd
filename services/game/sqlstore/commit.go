package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// everybody is the viewer of the lists that anybody may see, anyPlayer the player of those that name none.
const everybody, anyPlayer = "", ""

// Commit implements game.Store. When ctx ends while the change waits, it may be committed all the same.
func (s *Store) Commit(ctx context.Context, c game.Change) error {
	change, err := newChange(c)
	if err != nil {
		return err
	}
	return s.writer.do(ctx, &job{
		write: change.write, gameID: c.Game.ID,
		kept: func() { s.cache.change(c.Game) },
	})
}

// Lease implements game.Store.
func (s *Store) Lease(ctx context.Context, l game.Lease, now time.Time) (bool, error) {
	granted := false
	err := s.writer.do(ctx, &job{write: func(b *batch) error {
		n, err := b.exec(updateLease, l.Holder, nanoseconds(l.Until), l.GameID, l.Version, nanoseconds(now))
		granted = n > 0
		return err
	}})
	return err == nil && granted, err
}

// change is a game.Change in the form it is written in. It is made by the goroutine that wants it committed, so that the
// one that writes has nothing left to do but that.
type change struct {
	row     row
	kind    rules.Kind
	seats   game.Seats
	events  []eventRow
	request *game.Request
	// lease is that of the turn, the zero value for none. robotSince is when the turn of a robot began, else 0.
	lease      game.Lease
	robotSince int64
}

func newChange(c game.Change) (*change, error) {
	if err := checkDense(c); err != nil {
		return nil, err
	}
	row, err := encode(c.Game)
	if err != nil {
		return nil, err
	}
	events, err := encodeEvents(c.Events)
	if err != nil {
		return nil, err
	}
	change := &change{row: row, kind: c.Game.Setup.Kind(), seats: c.Game.Seats, events: events, request: c.Request}
	if c.Lease != nil {
		change.lease = *c.Lease
	}
	if c.Game.RobotToMove() != nil {
		change.robotSince = row.updated
	}
	return change, nil
}

// checkDense refuses what would leave a gap in the log.
func checkDense(c game.Change) error {
	from := c.Game.Version - len(c.Events)
	for i, e := range c.Events {
		if e.Version != from+i+1 {
			return fmt.Errorf("the event at version %d does not lead to version %d", e.Version, c.Game.Version)
		}
	}
	if len(c.Events) == 0 || from < 0 {
		return errors.New("a change has no events")
	}
	return nil
}

// before is what the writer needs to know of a game as it was.
type before struct {
	version int
	seats   string
	state   game.State
	seq     int64
}

// write writes the change, or returns a refusal and writes nothing.
func (c *change) write(b *batch) error {
	was, err := b.before(c.row.id)
	if err != nil {
		return err
	}
	if was.version != c.row.version-len(c.events) {
		return c.refuse(b)
	}
	if c.request != nil {
		// The first thing written, so that a request that was seen leaves no trace.
		fresh, err := b.remember(*c.request)
		if err != nil {
			return err
		}
		if !fresh {
			return game.ErrRequestSeen
		}
	}
	seq := b.next()
	if err := c.writeRow(b, was, seq); err != nil {
		return err
	}
	for _, e := range c.events {
		if _, err := b.exec(insertEvent, c.row.id, e.version, e.time, e.data); err != nil {
			return err
		}
	}
	return c.index(b, was, seq)
}

// refuse tells a request that was seen from a game that has moved on.
func (c *change) refuse(b *batch) error {
	if c.request == nil {
		return game.ErrConflict
	}
	seen, err := b.seen(*c.request)
	if err != nil {
		return err
	}
	if seen {
		return game.ErrRequestSeen
	}
	return game.ErrConflict
}

func (c *change) writeRow(b *batch, was before, seq int64) error {
	r := c.row
	args := []any{
		string(r.state), r.version, r.position, r.firstMoves, r.secondMoves, r.lastCell, int(r.winner), string(r.ending),
		r.updated, c.robotSince, c.lease.Holder, nanoseconds(c.lease.Until), seq, r.id,
	}
	if was.version == 0 {
		_, err := b.exec(insertGame, append(args, r.seats, r.creator, string(r.visibility), r.created)...)
		return err
	}
	if _, err := b.exec(updateGame, args...); err != nil || was.seats == r.seats {
		return err
	}
	_, err := b.exec(updateSeats, r.seats, r.id)
	return err
}

// index keeps what games are found by: the turns of players, the lists and the counts of states.
func (c *change) index(b *batch, was before, seq int64) error {
	var seated game.Seats
	if was.version > 0 {
		var err error
		if seated, err = c.seatsBefore(was); err != nil {
			return err
		}
	}
	if err := b.moveTurns(c.row.id, players(seated), players(c.seats), was.seq, seq); err != nil {
		return err
	}
	if was.state == c.row.state && was.seats == c.row.seats {
		return nil
	}
	if was.version > 0 {
		b.count(string(was.state), -1)
	}
	b.count(string(c.row.state), 1)
	return b.relist(c, c.listings(seated, was.state), c.listings(c.seats, c.row.state))
}

func (c *change) seatsBefore(was before) (game.Seats, error) {
	if was.seats == c.row.seats {
		return c.seats, nil
	}
	return decodeSeats(was.seats)
}

// listing is one list that a game is in, but for its kind, which never changes.
type listing struct {
	viewer, player string
	state          game.State
}

// listings returns the lists that the game is in when it has these seats and this state; none without a state.
func (c *change) listings(seats game.Seats, state game.State) []listing {
	if state == "" {
		return nil
	}
	seated := players(seats)
	viewers := []string{everybody}
	if c.row.visibility != game.Public {
		viewers = distinct(append([]string{c.row.creator}, seated...))
	}
	var lists []listing
	for _, viewer := range viewers {
		for _, player := range append([]string{anyPlayer}, seated...) {
			lists = append(lists, listing{viewer, player, state})
		}
	}
	return lists
}

// players returns who sits in a game, each once.
func players(seats game.Seats) []string {
	return distinct([]string{seats[0].Player, seats[1].Player})
}

// distinct returns the names there are, each once.
func distinct(names []string) []string {
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
}

// without returns what is in all but not in some.
func without[T comparable](all, some []T) []T {
	return slices.DeleteFunc(slices.Clone(all), func(t T) bool { return slices.Contains(some, t) })
}

// before returns what a game is before a change: the zero value when there is none.
func (b *batch) before(id string) (was before, err error) {
	err = b.row([]any{&was.version, &was.seats, &was.state, &was.seq}, selectBefore, id)
	if errors.Is(err, game.ErrNotFound) {
		return before{}, nil
	}
	return was, err
}

// remember stores a request and reports whether its id is new.
func (b *batch) remember(r game.Request) (fresh bool, err error) {
	n, err := b.exec(insertRequest, r.Caller, r.ID, r.Fingerprint[:], r.GameID, r.First, r.Last)
	return n > 0, err
}

func (b *batch) seen(r game.Request) (bool, error) {
	var found game.Request
	var fingerprint []byte
	err := b.row([]any{&fingerprint, &found.GameID, &found.First, &found.Last}, selectRequest, r.Caller, r.ID)
	if errors.Is(err, game.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// moveTurns makes a change the last one of the game for those who sit in it now, and nothing for those who did before.
func (b *batch) moveTurns(gameID string, were, are []string, from, to int64) error {
	for _, player := range without(were, are) {
		if _, err := b.exec(deleteTurn, player, from); err != nil {
			return err
		}
	}
	for _, player := range are {
		var err error
		if slices.Contains(were, player) {
			_, err = b.exec(updateTurn, to, player, from)
		} else {
			_, err = b.exec(insertTurn, player, to, gameID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// relist moves a game from the lists that it was in to those that it is in.
func (b *batch) relist(c *change, were, are []listing) error {
	for _, l := range without(were, are) {
		if _, err := b.exec(deleteListing, l.viewer, l.player, string(l.state), string(c.kind), c.row.id); err != nil {
			return err
		}
	}
	for _, l := range without(are, were) {
		if _, err := b.exec(insertListing, l.viewer, l.player, string(l.state), string(c.kind), c.row.id); err != nil {
			return err
		}
	}
	return nil
}
