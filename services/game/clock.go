package game

import (
	"slices"
	"time"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// TimeControl is how long the players of a game may take and what happens to one who takes longer. Either PerMove is set,
// or Initial and perhaps Increment, or no limit at all; ClaimAfter may be set beside each.
type TimeControl struct {
	// PerMove is the time for each move.
	PerMove time.Duration `json:"perMove,omitempty"`
	// Initial is the time for all moves of a side. It grows by Increment with each of them.
	Initial   time.Duration `json:"initial,omitempty"`
	Increment time.Duration `json:"increment,omitempty"`
	// ClaimAfter is how long a turn lasts before the other side may claim that its player is away; 0 is for ever.
	ClaimAfter time.Duration `json:"claimAfter,omitempty"`
	// Absence is what happens to a player whose time is up, or who is away.
	Absence Absence `json:"absence"`
	// Robot is who takes the seat with TakenOver.
	Robot *Robot `json:"robot,omitempty"`
}

// Absence is what becomes of a game when a player does not move in time.
type Absence string

// The other side wins, nobody does, or a robot takes the seat and the game goes on. A robot that does not move in time
// loses even then, so that every game ends.
const (
	Forfeited Absence = "forfeit"
	Drawn     Absence = "draw"
	TakenOver Absence = "robot"
)

// limited reports whether moves have to be made by a deadline.
func (c *TimeControl) limited() bool { return c != nil && (c.PerMove > 0 || c.Initial > 0) }

// Deadline returns when the time of the side to move is up: the zero time where it has no limit or there is none to move.
func (g Game) Deadline() time.Time {
	switch {
	case g.Turn() == rules.NoSide || !g.TimeControl.limited():
		return time.Time{}
	case g.TimeControl.PerMove > 0:
		return g.TurnSince.Add(g.TimeControl.PerMove)
	}
	return g.TurnSince.Add(g.left(g.Turn()))
}

// Clocks returns how much time each side had when the turn began, and whether there is a limit.
func (g Game) Clocks() (clocks [2]time.Duration, limited bool) {
	if !g.TimeControl.limited() {
		return clocks, false
	}
	if limit := g.TimeControl.PerMove; limit > 0 {
		return [2]time.Duration{limit, limit}, true
	}
	return g.Left, true
}

// ClaimTime returns from when on the side that waits may claim that the other is away: the zero time for never.
func (g Game) ClaimTime() time.Time {
	turn := g.Turn()
	if turn == rules.NoSide || g.TimeControl == nil || g.TimeControl.ClaimAfter == 0 || g.Seats.Of(turn).Robot != nil {
		return time.Time{}
	}
	return g.TurnSince.Add(g.TimeControl.ClaimAfter)
}

func (g Game) left(side rules.Side) time.Duration { return g.Left[side-rules.First] }

// runClocks returns the game with its clocks as an event leaves them; was is the game before it. The clock of a side runs
// from the event that gives it the turn to the one that ends its turn. What happens at once, as a pass that nobody had to
// ask for, takes no time, and what the server does in place of a player gains no increment.
func (g Game) runClocks(was Game, e Event) Game {
	c := g.TimeControl
	switch {
	case c == nil:
		return g
	case e.Created != nil:
		g.Left = [2]time.Duration{c.Initial, c.Initial}
		return g
	case e.RobotChanged != nil && e.RobotChanged.Replaced == nil:
		return g
	}
	if mover := was.Turn(); mover != rules.NoSide && c.Initial > 0 {
		left := max(0, was.Deadline().Sub(e.Time))
		switch {
		case e.RobotChanged != nil:
			left = c.Initial
		case e.MovePlayed != nil && !e.MovePlayed.Automatic:
			left += c.Increment
		}
		g.Left[mover-rules.First] = left
	}
	g.TurnSince = time.Time{}
	if g.Turn() != rules.NoSide {
		g.TurnSince = e.Time
	}
	return g
}

// TimeUp decides what becomes of a game whose player has not moved by the deadline and the grace beyond it. Before
// that, up is false.
func (g Game) TimeUp(now time.Time, grace time.Duration) (d Decision, up bool) {
	deadline := g.Deadline()
	if deadline.IsZero() || !now.After(deadline.Add(grace)) {
		return Decision{}, false
	}
	return g.withoutPlayer(ByTime, now), true
}

// ClaimAbandonment decides whether a player may claim that his opponent is away: that it has been the opponent's turn for as
// long as the time control says.
func (g Game) ClaimAbandonment(player string, now time.Time) (Decision, error) {
	held := g.Seats.heldBy(player)
	if len(held) == 0 {
		return Decision{}, fault.New(fault.NotYourSeat, "you have no seat in this game")
	}
	if err := g.mustBeActive(); err != nil {
		return Decision{}, err
	}
	from := g.ClaimTime()
	switch {
	case slices.Contains(held, g.Turn()):
		return Decision{}, fault.New(fault.NotAway, "it is your own turn")
	case g.Seats.Of(g.Turn()).Robot != nil:
		return Decision{}, fault.New(fault.NotAway, "a robot is never away")
	case from.IsZero():
		return Decision{}, fault.New(fault.NotAway, "nobody counts as away in this game: its time control has no claimAfter")
	case now.Before(from):
		return Decision{}, fault.New(fault.NotAway, "%s counts as away from %s on", g.called(g.Turn()), from.Format(time.RFC3339)).
			With("claimTime", from.Format(time.RFC3339Nano))
	}
	return g.withoutPlayer(ByAbandonment, now), nil
}

// withoutPlayer goes on without the player whose turn it is, as the time control says.
func (g Game) withoutPlayer(ending Ending, now time.Time) Decision {
	d := Decision{Game: g, now: now}
	turn := g.Turn()
	seat := g.Seats.Of(turn)
	switch c := g.TimeControl; {
	case c.Absence == TakenOver && seat.Robot == nil:
		d.record(Event{RobotChanged: &RobotChanged{Side: turn, Robot: *c.Robot, Replaced: &seat}}, nil)
	case c.Absence == Drawn:
		d.finish(Outcome{Ending: ending})
	default:
		d.finish(Outcome{Winner: turn.Other(), Ending: ending})
	}
	return d
}
