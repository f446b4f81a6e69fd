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

// Listings with anyViewer are visible to every player. Listings with anyPlayer are in the lists
// that name no player.
const anyViewer, anyPlayer = "", ""

// Commit implements [game.Store]. If ctx ends while the change waits, the change may be committed
// nevertheless.
func (s *Store) Commit(ctx context.Context, c game.Change) error {
	change, err := newChange(c)
	if err != nil {
		return err
	}
	before, err := s.listedAt(ctx, c.Game.ID, c.Game.Version-len(c.Events))
	if errors.Is(err, game.ErrConflict) {
		return s.rejection(ctx, change.request)
	}
	if err != nil {
		return notSent(err)
	}
	// The cached game must equal the game that is read from the database, where times have no
	// location.
	c.Game.Created, c.Game.Updated = timeOf(change.row.created), timeOf(change.row.updated)
	changed, err := s.writer.do(ctx, &job{
		statements: change.statements(before), gameID: c.Game.ID,
		committed: func() { s.cache.put(c.Game) },
	})
	if err == nil && changed == 0 {
		return s.rejection(ctx, change.request)
	}
	return err
}

// listedAt returns what the listings of a game depend on at a version, or game.ErrConflict if the
// game is at another one. A stale game is good enough, because a game at a given version never
// changes.
func (s *Store) listedAt(ctx context.Context, id string, version int) (listed, error) {
	if version == 0 {
		return listed{}, nil
	}
	if g, ok := s.cache.get(id); ok && g.Version == version {
		return listed{g.State, playersOf(g)}, nil
	}
	var l listed
	var current int
	err := s.queryRow(ctx, []any{&current, &l.state, &l.players[0], &l.players[1]}, selectListed, id)
	if errors.Is(err, game.ErrNotFound) || err == nil && current != version {
		return listed{}, game.ErrConflict
	}
	return l, err
}

// rejection returns the error for a change that was rejected: ErrRequestSeen if its request was
// committed before, else ErrConflict.
func (s *Store) rejection(ctx context.Context, r game.Request) error {
	if r.ID == "" {
		return game.ErrConflict
	}
	switch _, err := s.Request(ctx, r.Caller, r.ID, r.GameID); {
	case err == nil:
		return game.ErrRequestSeen
	case errors.Is(err, game.ErrNotFound):
		return game.ErrConflict
	default:
		return err
	}
}

// Lease implements [game.Store].
func (s *Store) Lease(ctx context.Context, l game.Lease, now time.Time) (bool, error) {
	changed, err := s.write(ctx, updateLease,
		l.Holder, nanoseconds(l.Until), l.GameID, l.Version, nanoseconds(now))
	return changed > 0, err
}

// change is an encoded game.Change. The goroutine of the caller encodes it, so that the writer only
// runs statements.
type change struct {
	row     gameRow
	kind    rules.Kind
	players [2]string
	// services are those of the players. The second one is "" if both are the same, so that the
	// game is once in the index of its service.
	services [2]string
	events   []eventRow
	// request has an empty id if there is none.
	request game.Request
	// lease is the lease on the next turn, or the zero value. robotSince is the start of a robot's
	// turn, or 0.
	lease      game.Lease
	robotSince int64
	// invitations is the number of reserved seats if the game waits for their players.
	invitations int
}

func playersOf(g game.Game) [2]string { return [2]string{g.Seats[0].Player, g.Seats[1].Player} }

func servicesOf(g game.Game) [2]string {
	services := [2]string{g.Seats[0].Service, g.Seats[1].Service}
	if services[0] == services[1] {
		services[1] = ""
	}
	return services
}

func newChange(c game.Change) (*change, error) {
	if err := checkVersions(c); err != nil {
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
		row: row, kind: c.Game.Setup.Kind(), players: playersOf(c.Game), services: servicesOf(c.Game),
		events:  events,
		request: *cmp.Or(c.Request, &game.Request{}), lease: *cmp.Or(c.Lease, &game.Lease{}),
	}
	if c.Game.RobotToMove() != nil {
		change.robotSince = row.updated
	}
	if c.Game.State == game.StateWaiting {
		change.invitations = c.Game.Seats.Invitations()
	}
	return change, nil
}

// checkVersions rejects a change that would leave a gap in the log.
func checkVersions(c game.Change) error {
	before := c.Game.Version - len(c.Events)
	for i, e := range c.Events {
		if want := before + i + 1; e.Version != want {
			return fmt.Errorf("a change to version %d has an event at version %d instead of %d",
				c.Game.Version, e.Version, want)
		}
	}
	if len(c.Events) == 0 || before < 0 {
		return fmt.Errorf("a change to version %d has %d events", c.Game.Version, len(c.Events))
	}
	return nil
}

// listed has the columns of a game that its listings depend on. It is zero before the game is
// created.
type listed struct {
	state   game.State
	players [2]string
}

// statements returns the statements of the change. The first replaces the stored game if it is
// still at the version that the change was decided on and the request is new. The others check
// whether the first one did, and the events come last.
func (c *change) statements(before listed) []statement {
	all := append(make([]statement, 0, 2), c.putGame())
	if after := (listed{c.row.state, c.players}); before != after {
		all = append(all, c.updateIndexes(before, after)...)
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

func (c *change) putGame() statement {
	r := c.row
	args := append(make([]any, 0, 32),
		r.seats, c.players[0], c.players[1], string(r.state), r.version, r.position,
		r.firstMoves, r.secondMoves, r.lastCell, int64(r.winner), string(r.ending),
		r.updated, r.turnSince, r.deadline, int64(r.firstLeft), int64(r.secondLeft), c.robotSince,
		c.lease.Holder, nanoseconds(c.lease.Until), r.id, c.request.Caller, c.request.ID,
		r.extras, c.invitations, c.services[0], c.services[1])
	if before := r.version - len(c.events); before > 0 {
		return statement{updateGame, append(args, before)}
	}
	return statement{insertGame, append(args, r.creator, string(r.visibility), r.created)}
}

// updateIndexes returns the statements that update the listings of the game and the number of games
// in each state.
func (c *change) updateIndexes(before, after listed) []statement {
	var all []statement
	old, current := c.listings(before), c.listings(after)
	for _, l := range without(old, current) {
		all = append(all, statement{deleteListing, c.listingArgs(l)})
	}
	for _, l := range without(current, old) {
		all = append(all, statement{insertListing, c.listingArgs(l)})
	}
	if before.state == after.state {
		return all
	}
	if before.state != "" {
		all = append(all, c.addToCounter(-1, before.state))
	}
	return append(all, c.addToCounter(1, after.state))
}

func (c *change) addToCounter(n int, state game.State) statement {
	return statement{addToCounter, []any{n, string(state), c.row.id, c.row.version}}
}

// listing is one list that the game is in. The kind is part of the list too, but never changes.
type listing struct {
	viewer, player string
	state          game.State
}

func (c *change) listingArgs(l listing) []any {
	return []any{l.viewer, l.player, string(l.state), string(c.kind), c.row.id, c.row.version}
}

// listings returns the lists that contain the game: none before it is created.
func (c *change) listings(l listed) []listing {
	if l.state == "" {
		return nil
	}
	viewers := []string{anyViewer}
	if c.row.visibility != game.Public {
		viewers = distinct(c.row.creator, l.players[0], l.players[1])
	}
	var lists []listing
	for _, viewer := range viewers {
		lists = append(lists, listing{viewer, anyPlayer, l.state})
		for _, player := range distinct(l.players[0], l.players[1]) {
			lists = append(lists, listing{viewer, player, l.state})
		}
	}
	return lists
}

// distinct returns the names in order, without duplicates and empty names.
func distinct(names ...string) []string {
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
}

// without returns the elements of all that are not in some.
func without(all, some []listing) []listing {
	return slices.DeleteFunc(slices.Clone(all), func(l listing) bool {
		return slices.Contains(some, l)
	})
}
