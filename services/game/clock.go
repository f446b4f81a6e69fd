package game

import (
	"slices"
	"time"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// TimeControl limits the time of moves. Either PerMove or Initial is set, or no limit at all.
// ClaimAfter can be combined with each.
type TimeControl struct {
	// PerMove is the time for each move.
	PerMove time.Duration `json:"perMove,omitempty"`
	// Initial is the time for all moves of a side. Increment is added to the remaining time after
	// each of its moves.
	Initial   time.Duration `json:"initial,omitempty"`
	Increment time.Duration `json:"increment,omitempty"`
	// ClaimAfter is the length of a turn after which the opponent can claim that the player has
	// left; 0 for never.
	ClaimAfter time.Duration `json:"claimAfter,omitempty"`
	// OnAbsence applies to a player whose time is up or who has left.
	OnAbsence AbsencePolicy `json:"absence"`
	// Robot replaces the player if OnAbsence is ReplaceWithRobot.
	Robot *Robot `json:"robot,omitempty"`
}

// AbsencePolicy selects how a game continues when a player does not move in time.
type AbsencePolicy string

// The policies.
const (
	// Forfeit makes the opponent win.
	Forfeit AbsencePolicy = "forfeit"
	// Draw makes the game a draw.
	Draw AbsencePolicy = "draw"
	// ReplaceWithRobot makes a robot replace the player. A robot that is late loses, so that every
	// game ends.
	ReplaceWithRobot AbsencePolicy = "robot"
)

// limited reports whether moves have a deadline.
func (c *TimeControl) limited() bool { return c != nil && (c.PerMove > 0 || c.Initial > 0) }

// Deadline returns the time at which the clock of the side to move runs out, the zero time for
// never.
func (g Game) Deadline() time.Time {
	switch turn := g.Turn(); {
	case turn == rules.NoSide || !g.TimeControl.limited():
		return time.Time{}
	case g.TimeControl.PerMove > 0:
		return g.TurnSince.Add(g.TimeControl.PerMove + g.Paused)
	default:
		return g.TurnSince.Add(g.Left[turn-rules.First] + g.Paused)
	}
}

// Clocks returns the time that each side had left at the start of the turn, and whether moves have
// a deadline. A side that has lost on time has none.
func (g Game) Clocks() (left [2]time.Duration, limited bool) {
	if !g.TimeControl.limited() {
		return left, false
	}
	if limit := g.TimeControl.PerMove; limit > 0 {
		left = [2]time.Duration{limit, limit}
		if g.Outcome != nil && g.Outcome.Ending == ByTime {
			left[g.Position.Turn()-rules.First] = 0
		}
		return left, true
	}
	return g.Left, true
}

// TimeLeft returns the time that each side has left at a time during the turn, and whether moves have
// a deadline.
func (g Game) TimeLeft(now time.Time) (left [2]time.Duration, limited bool) {
	left, limited = g.Clocks()
	if deadline := g.Deadline(); !deadline.IsZero() {
		left[g.Turn()-rules.First] = max(0, deadline.Sub(now))
	}
	return left, limited
}

// ClaimTime returns the time from which the opponent of the side to move can claim that the player
// has left, the zero time for never.
func (g Game) ClaimTime() time.Time {
	turn, c := g.Turn(), g.TimeControl
	if turn == rules.NoSide || c == nil || c.ClaimAfter == 0 || g.Seats.Of(turn).Robot != nil {
		return time.Time{}
	}
	return g.TurnSince.Add(c.ClaimAfter + g.Paused)
}

// updateClocks returns the game with its clocks after an event; before is the game before it. The
// clock of a side runs from the event that gives it the turn until the event that ends its turn.
// Automatic passes take no time, and moves of the server gain no increment.
func (g Game) updateClocks(before Game, e Event) Game {
	c := g.TimeControl
	switch {
	case c == nil:
		return g
	case e.Created != nil:
		g.Left = [2]time.Duration{c.Initial, c.Initial}
		return g
	case e.MovesTakenBack != nil:
		g.Left, g.TurnSince, g.Paused = e.MovesTakenBack.Left, e.Time, 0
		return g
	case e.MovePlayed == nil && e.Started == nil && e.Finished == nil && e.Aborted == nil &&
		(e.RobotChanged == nil || e.RobotChanged.Replaced == nil):
		return g
	}
	if mover := before.Turn(); mover != rules.NoSide && c.Initial > 0 {
		left := max(0, before.Deadline().Sub(e.Time))
		switch {
		case e.RobotChanged != nil:
			left = c.Initial
		case e.MovePlayed != nil && !e.MovePlayed.Automatic:
			left += c.Increment
		}
		g.Left[mover-rules.First] = left
	}
	g.TurnSince, g.Paused = time.Time{}, 0
	if g.Turn() != rules.NoSide {
		g.TurnSince = e.Time
	}
	return g
}

// TimeUp applies the absence policy if the deadline and a grace period beyond it have passed.
// Otherwise up is false.
func (g Game) TimeUp(now time.Time, grace time.Duration) (d Decision, up bool) {
	deadline := g.Deadline()
	if deadline.IsZero() || !now.After(deadline.Add(grace)) {
		return Decision{}, false
	}
	return g.applyAbsencePolicy(ByTime, now), true
}

// ClaimAbandonment applies the absence policy for a player whose opponent has had the turn since
// before [Game.ClaimTime].
func (g Game) ClaimAbandonment(player string, now time.Time) (Decision, error) {
	sides := g.Seats.of(player)
	if len(sides) == 0 {
		return Decision{}, errNoSeat()
	}
	if err := g.requireActive(); err != nil {
		return Decision{}, err
	}
	from := g.ClaimTime()
	switch {
	case slices.Contains(sides, g.Turn()):
		return Decision{}, fault.New(fault.NotAway, "it is your own turn")
	case g.Seats.Of(g.Turn()).Robot != nil:
		return Decision{}, fault.New(fault.NotAway, "a robot cannot leave a game")
	case from.IsZero():
		return Decision{}, fault.New(fault.NotAway,
			"the time control of this game has no claimAfter: no player can be claimed absent")
	case now.Before(from):
		return Decision{}, fault.New(fault.NotAway, "%s can be claimed absent from %s on",
			g.sideName(g.Turn()), from.Format(time.RFC3339)).With("claimTime", from.Format(time.RFC3339Nano))
	}
	return g.applyAbsencePolicy(ByAbandonment, now), nil
}

// applyAbsencePolicy goes on without the player to move.
func (g Game) applyAbsencePolicy(ending Ending, now time.Time) Decision {
	d := g.decide(now)
	turn := g.Turn()
	seat := g.Seats.Of(turn)
	switch c := g.TimeControl; {
	case c.OnAbsence == ReplaceWithRobot && seat.Robot == nil:
		d.record(Event{RobotChanged: &RobotChanged{Side: turn, Robot: *c.Robot, Replaced: &seat}}, nil)
	case c.OnAbsence == Draw:
		d.finish(Outcome{Ending: ending})
	default:
		d.finish(Outcome{Winner: turn.Other(), Ending: ending})
	}
	return d
}
