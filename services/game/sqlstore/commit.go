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
	was, err := s.before(ctx, c.Game.ID, c.Game.Version-len(c.Events))
	if errors.Is(err, game.ErrConflict) {
		return s.refusal(ctx, change.request)
	}
	if err != nil {
		return err
	}
	// As it will be read from the database, in another process as well as in this one.
	c.Game.Created, c.Game.Updated = timeOf(change.row.created), timeOf(change.row.updated)
	changed, err := s.writer.do(ctx, &job{
		statements: change.statements(was), gameID: c.Game.ID,
		kept: func() { s.cache.change(c.Game) },
	})
	if err == nil && changed == 0 {
		return s.refusal(ctx, change.request)
	}
	return err
}

// before returns what the lists had of a game at a version, or game.ErrConflict if it is not at that one. A game at a version
// never changes, so that it does not matter when and from where it was read.
func (s *Store) before(ctx context.Context, id string, version int) (known, error) {
	if version == 0 {
		return known{}, nil
	}
	if g, ok := s.cache.game(id); ok && g.Version == version {
		return known{state: g.State, players: [2]string{g.Seats[0].Player, g.Seats[1].Player}}, nil
	}
	var k known
	var at int
	err := s.db.read(ctx, func(r reader) error {
		return r.row([]any{&at, &k.state, &k.players[0], &k.players[1]}, selectKnown, id)
	})
	if errors.Is(err, game.ErrNotFound) || err == nil && at != version {
		return known{}, game.ErrConflict
	}
	return k, err
}

// refusal tells a request that was seen from a game that has moved on.
func (s *Store) refusal(ctx context.Context, r game.Request) error {
	if r.ID == "" {
		return game.ErrConflict
	}
	switch _, err := s.Request(ctx, r.Caller, r.ID); {
	case err == nil:
		return game.ErrRequestSeen
	case errors.Is(err, game.ErrNotFound):
		return game.ErrConflict
	default:
		return err
	}
}

// Lease implements game.Store.
func (s *Store) Lease(ctx context.Context, l game.Lease, now time.Time) (bool, error) {
	changed, err := s.writer.do(ctx, &job{statements: []statement{{
		updateLease, []any{l.Holder, nanoseconds(l.Until), l.GameID, l.Version, nanoseconds(now)},
	}}})
	return changed > 0, err
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

// known is what the lists of games depend on: the zero value for a game that is not there yet.
type known struct {
	state   game.State
	players [2]string
}

// statements returns what to write. The first puts the game in the place of what there was, if that is still what the
// change was decided on and the request is new; the others find that out by looking, and the events come last.
func (c *change) statements(was known) []statement {
	all := append(make([]statement, 0, 2), c.put())
	if are := (known{c.row.state, c.players}); was != are {
		all = append(all, c.index(was, are)...)
	}
	for i, e := range c.events {
		var r game.Request
		if i == 0 {
			r = c.request
		}
		all = append(all, statement{insertEvent, []any{
			c.row.id, e.version, e.time, e.data, r.Caller, r.ID, r.Fingerprint[:], c.row.version,
		}})
	}
	return all
}

func (c *change) put() statement {
	r := c.row
	args := append(make([]any, 0, 32),
		r.seats, c.players[0], c.players[1], string(r.state), r.version, r.position, r.firstMoves, r.secondMoves, r.lastCell,
		int64(r.winner), string(r.ending), r.updated, r.turnSince, r.deadline, int64(r.firstLeft), int64(r.secondLeft), c.robotSince,
		c.lease.Holder, nanoseconds(c.lease.Until), len(c.events), r.id, c.request.Caller, c.request.ID)
	if from := r.version - len(c.events); from > 0 {
		return statement{updateGame, append(args, from)}
	}
	return statement{insertGame, append(args, r.creator, string(r.visibility), r.created)}
}

// index keeps the lists that the game is in and the number of games in each state.
func (c *change) index(was, are known) []statement {
	var all []statement
	lists, listed := c.listings(was), c.listings(are)
	for _, l := range without(lists, listed) {
		all = append(all, statement{deleteListing, c.listing(l)})
	}
	for _, l := range without(listed, lists) {
		all = append(all, statement{insertListing, c.listing(l)})
	}
	if was.state == are.state {
		return all
	}
	if was.state != "" {
		all = append(all, statement{addToCounter, []any{-1, string(was.state), c.row.id, c.row.version}})
	}
	return append(all, statement{addToCounter, []any{1, string(are.state), c.row.id, c.row.version}})
}

// listing is one list that a game is in, but for its kind, which never changes.
type listing struct {
	viewer, player string
	state          game.State
}

func (c *change) listing(l listing) []any {
	return []any{l.viewer, l.player, string(l.state), string(c.kind), c.row.id, c.row.version}
}

// listings returns the lists that the game is in when it has this state and these players; none without a state.
func (c *change) listings(k known) []listing {
	if k.state == "" {
		return nil
	}
	viewers := []string{everybody}
	if c.row.visibility != game.Public {
		viewers = distinct(c.row.creator, k.players[0], k.players[1])
	}
	var lists []listing
	for _, viewer := range viewers {
		lists = append(lists, listing{viewer, anyPlayer, k.state})
		for _, player := range distinct(k.players[0], k.players[1]) {
			lists = append(lists, listing{viewer, player, k.state})
		}
	}
	return lists
}

// distinct returns the names there are, each once.
func distinct(names ...string) []string {
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
}

// without returns what is in all but not in some.
func without(all, some []listing) []listing {
	return slices.DeleteFunc(slices.Clone(all), func(l listing) bool { return slices.Contains(some, l) })
}
