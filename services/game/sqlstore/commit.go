package sqlstore

import (
	"cmp"
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
	// As it will be read from the database, in another process as well as in this one.
	c.Game.Created, c.Game.Updated = timeOf(change.row.created), timeOf(change.row.updated)
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
	players [2]string
	events  []eventRow
	// request has no id when there is none.
	request game.Request
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
	change := &change{
		row: row, kind: c.Game.Setup.Kind(), players: [2]string{c.Game.Seats[0].Player, c.Game.Seats[1].Player},
		events: events,
	}
	if c.Request != nil {
		change.request = *c.Request
	}
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

// known is what the lists of games depend on, and the version.
type known struct {
	version int
	state   game.State
	players [2]string
}

// write writes the change, or returns a refusal and writes nothing. The key of events refuses the first of them where the
// version is taken or the request was seen, which leaves only games that are not as far as the change takes them to be.
func (c *change) write(b *batch) error {
	fresh, err := b.insertEvent(c.row.id, c.events[0], c.request)
	if err != nil {
		return err
	}
	if !fresh {
		return c.refuse(b)
	}
	was, err := c.put(b, b.seq+int64(len(c.events)-1))
	if errors.Is(err, game.ErrConflict) {
		return cmp.Or(b.deleteEvent(), err)
	}
	if err != nil {
		return err
	}
	for _, e := range c.events[1:] {
		if _, err := b.insertEvent(c.row.id, e, game.Request{}); err != nil {
			return err
		}
	}
	return c.index(b, was)
}

// refuse tells a request that was seen from a game that has moved on.
func (c *change) refuse(b *batch) error {
	if c.request.ID == "" {
		return game.ErrConflict
	}
	_, err := b.request(c.request.Caller, c.request.ID)
	if errors.Is(err, game.ErrNotFound) {
		return game.ErrConflict
	}
	return cmp.Or(err, game.ErrRequestSeen)
}

// put puts the game in the place of what there was, and returns that: the zero value for nothing. The first event is the
// last one written; seq is that of the last one to be. Most changes are moves, which leave state and players alone, so that
// is tried first.
func (c *change) put(b *batch, seq int64) (was known, err error) {
	from := c.row.version - len(c.events)
	if from == 0 {
		_, err := b.exec(insertGame, append(c.columns(seq), c.row.creator, string(c.row.visibility), c.row.created, b.seq)...)
		return known{}, err
	}
	was = known{version: from, state: c.row.state, players: c.players}
	if done, err := c.update(b, seq, was); done || err != nil {
		return was, err
	}
	if was, err = b.known(c.row.id); err != nil {
		return was, err
	}
	if was.version != from {
		return was, game.ErrConflict
	}
	_, err = c.update(b, seq, was)
	return was, err
}

func (c *change) update(b *batch, seq int64, was known) (done bool, err error) {
	n, err := b.exec(updateGame, append(c.columns(seq), was.version, string(was.state), was.players[0], was.players[1])...)
	return n > 0, err
}

// columns returns what of a game can change, and its id.
func (c *change) columns(seq int64) []any {
	r := c.row
	return append(make([]any, 0, 32),
		r.seats, c.players[0], c.players[1], string(r.state), r.version, r.position, r.firstMoves, r.secondMoves, r.lastCell,
		int64(r.winner), string(r.ending), r.updated, r.turnSince, r.deadline, int64(r.firstLeft), int64(r.secondLeft), c.robotSince,
		c.lease.Holder, nanoseconds(c.lease.Until), seq, r.id)
}

// index keeps the lists that the game is in and the number of games in each state.
func (c *change) index(b *batch, was known) error {
	if was.state == c.row.state && was.players == c.players {
		return nil
	}
	if was.state != c.row.state {
		b.count(was.state, c.row.state)
	}
	return b.relist(c, c.listings(was.state, was.players), c.listings(c.row.state, c.players))
}

// listing is one list that a game is in, but for its kind, which never changes.
type listing struct {
	viewer, player string
	state          game.State
}

// listings returns the lists that the game is in when it has this state and these players; none without a state.
func (c *change) listings(state game.State, players [2]string) []listing {
	if state == "" {
		return nil
	}
	viewers := []string{everybody}
	if c.row.visibility != game.Public {
		viewers = distinct(c.row.creator, players[0], players[1])
	}
	var lists []listing
	for _, viewer := range viewers {
		lists = append(lists, listing{viewer, anyPlayer, state})
		for _, player := range distinct(players[0], players[1]) {
			lists = append(lists, listing{viewer, player, state})
		}
	}
	return lists
}

// distinct returns the names there are, each once.
func distinct(names ...string) []string {
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
}

// known returns what there is of a game: the zero value for nothing.
func (b *batch) known(id string) (known, error) {
	var k known
	err := b.row([]any{&k.version, &k.state, &k.players[0], &k.players[1]}, selectKnown, id)
	if errors.Is(err, game.ErrNotFound) {
		return known{}, nil
	}
	return k, err
}

// insertEvent reports whether neither the version nor the request was there.
func (b *batch) insertEvent(gameID string, e eventRow, r game.Request) (fresh bool, err error) {
	n, err := b.exec(insertEvent, b.seq+1, gameID, e.version, e.time, e.data, r.Caller, r.ID, r.Fingerprint[:], r.Last)
	b.seq += n
	return n > 0, err
}

// deleteEvent takes back the last event.
func (b *batch) deleteEvent() error {
	_, err := b.exec(deleteEvent, b.seq)
	b.seq--
	return err
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

// without returns what is in all but not in some.
func without(all, some []listing) []listing {
	return slices.DeleteFunc(slices.Clone(all), func(l listing) bool { return slices.Contains(some, l) })
}
