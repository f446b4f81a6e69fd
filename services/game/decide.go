package game

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// Decision is what a wish came to: the events to append to the log and the game after them. Deciding is pure; every
// refusal is a *fault.Error and leaves the game as it was.
type Decision struct {
	Game   Game
	Events []Event
	now    time.Time
}

// Create decides how a new game begins. It starts at once when no seat is open.
func Create(id string, c Created, now time.Time) (Decision, error) {
	setup, start, err := c.Setup.Resolve()
	if err != nil {
		return Decision{}, fault.At(err, "setup")
	}
	c.Setup, c.Rules = setup, RulesVersion
	if c.Visibility == Private && c.Seats.firstOpen() != rules.NoSide {
		return Decision{}, fault.New(fault.InvalidField, "a private game has no open seats").At("seats")
	}
	d := Decision{Game: Game{ID: id}, now: now}
	d.record(Event{Created: &c}, start)
	d.startIfFull()
	return d, nil
}

// Join decides whether a player may take an open seat: the one of side, or the first for NoSide.
func (g Game) Join(player Seat, side rules.Side, now time.Time) (Decision, error) {
	d := Decision{Game: g, now: now}
	switch {
	case g.State.Over():
		return d, g.overError()
	case side != rules.NoSide && !g.Seats.Of(side).Open():
		return d, fault.New(fault.SeatTaken, "the seat of %s is taken", g.called(side)).With("side", sideName(side))
	case g.State != Waiting:
		return d, fault.New(fault.SeatTaken, "both seats are taken")
	}
	if side == rules.NoSide {
		side = g.Seats.firstOpen()
	}
	d.record(Event{SeatTaken: &SeatTaken{Side: side, Seat: player}}, nil)
	d.startIfFull()
	return d, nil
}

// Play decides whether a player may play a move. The side is the one he holds, or the one to move where he
// holds both. expected is the version he has seen; 0 is any.
func (g Game) Play(player string, move rules.Move, expected int, now time.Time) (Decision, error) {
	held := g.Seats.heldBy(player)
	if len(held) == 0 {
		return Decision{}, fault.New(fault.NotYourSeat, "you have no seat in this game")
	}
	if expected != 0 && expected != g.Version {
		return Decision{}, fault.New(fault.VersionMismatch, "the game is at version %d, not %d", g.Version, expected).
			With("currentVersion", g.Version)
	}
	if err := g.mustBeActive(); err != nil {
		return Decision{}, err
	}
	turn := g.Turn()
	if !slices.Contains(held, turn) {
		return Decision{}, fault.New(fault.NotYourTurn, "it is the turn of %s", g.called(turn)).With("turn", sideName(turn))
	}
	return g.move(move, MovePlayed{}, now)
}

// PlayRobot plays a move for the robot to move. automatic marks a move that the server chose for it.
func (g Game) PlayRobot(c Choice, automatic bool, now time.Time) (Decision, error) {
	if g.RobotToMove() == nil {
		return Decision{}, fault.New(fault.NotYourTurn, "it is not a robot's turn")
	}
	return g.move(c.Move, MovePlayed{Automatic: automatic, Analysis: c.Analysis}, now)
}

// move plays a move for the side on turn, then the passes and the end that follow from it. played holds what is
// known beyond the move.
func (g Game) move(m rules.Move, played MovePlayed, now time.Time) (Decision, error) {
	d := Decision{Game: g, now: now}
	if err := d.play(m, played); err != nil {
		return Decision{}, err
	}
	d.settle()
	return d, nil
}

// Resign decides whether a player may give up, for the side named or the only one he holds.
func (g Game) Resign(player string, side rules.Side, now time.Time) (Decision, error) {
	held := g.Seats.heldBy(player)
	switch {
	case len(held) == 0, side != rules.NoSide && !slices.Contains(held, side):
		return Decision{}, fault.New(fault.NotYourSeat, "you do not hold that seat")
	case side == rules.NoSide && len(held) > 1:
		return Decision{}, fault.New(fault.InvalidField, "you hold both seats: say which side resigns").At("side")
	case side == rules.NoSide:
		side = held[0]
	}
	if err := g.mustBeActive(); err != nil {
		return Decision{}, err
	}
	d := Decision{Game: g, now: now}
	d.finish(Outcome{Winner: side.Other(), Ending: ByResignation})
	return d, nil
}

// Abort decides whether a player may call the game off: the creator and the seated may, until both sides have moved.
func (g Game) Abort(player string, now time.Time) (Decision, error) {
	if !g.involves(player) {
		return Decision{}, fault.New(fault.NotYourSeat, "only the creator and the players can abort a game")
	}
	if g.State.Over() {
		return Decision{}, g.overError()
	}
	if g.Moves[0] > 0 && g.Moves[1] > 0 {
		return Decision{}, fault.New(fault.GameStarted, "both sides have moved: resign instead")
	}
	side := rules.NoSide
	if held := g.Seats.heldBy(player); len(held) > 0 {
		side = held[0]
	}
	d := Decision{Game: g, now: now}
	d.record(Event{Aborted: &Called{Side: side}}, nil)
	return d, nil
}

// SetRobot decides whether a player may give a robot another strategy: the creator and the robot's opponent may.
func (g Game) SetRobot(player string, side rules.Side, robot Robot, now time.Time) (Decision, error) {
	robots := slices.DeleteFunc(slices.Clone(sides[:]), func(s rules.Side) bool { return g.Seats.Of(s).Robot == nil })
	switch {
	case !g.involves(player):
		return Decision{}, fault.New(fault.NotYourSeat, "only the creator and the robot's opponent can set a robot")
	case len(robots) == 0, side != rules.NoSide && !slices.Contains(robots, side):
		return Decision{}, fault.New(fault.InvalidField, "no robot sits there").At("side")
	case side == rules.NoSide && len(robots) > 1:
		return Decision{}, fault.New(fault.InvalidField, "both seats are robots: say which side").At("side")
	case side == rules.NoSide:
		side = robots[0]
	}
	if err := g.mustBeActive(); err != nil {
		return Decision{}, err
	}
	d := Decision{Game: g, now: now}
	d.record(Event{RobotChanged: &RobotChanged{Side: side, Robot: robot}}, nil)
	return d, nil
}

// Choice is the move that a robot chose and the analysis it is based on.
type Choice struct {
	Move     rules.Move
	Analysis json.RawMessage
}

// sideName is how metadata names a side.
func sideName(side rules.Side) string {
	switch side {
	case rules.First:
		return "SIDE_FIRST"
	case rules.Second:
		return "SIDE_SECOND"
	}
	return "SIDE_UNSPECIFIED"
}

// called is what the players of the game call a side.
func (g Game) called(side rules.Side) string { return g.Setup.Kind().SideName(side) }

// mustBeActive refuses what can only be done in a game that is being played.
func (g Game) mustBeActive() error {
	if g.State == Waiting {
		return fault.New(fault.GameNotStarted, "the game has not started: a seat is still open")
	}
	if g.State.Over() {
		return g.overError()
	}
	return nil
}

func (g Game) overError() error {
	switch {
	case g.State == Aborted:
		return fault.New(fault.GameOver, "the game was aborted")
	case g.Outcome.Ending == ByTime:
		return fault.New(fault.GameOver, "the game is over: the time was up")
	}
	return fault.New(fault.GameOver, "the game is over")
}

// record appends an event and takes the game past it. board is the position the event leads to; nil leaves it. Times in the
// log never go back, whatever the clocks of several processes say.
func (d *Decision) record(e Event, board rules.Position) {
	e.GameID, e.Version, e.Time = d.Game.ID, d.Game.Version+1, d.now
	if e.Time.Before(d.Game.Updated) {
		e.Time = d.Game.Updated
	}
	d.Events = append(d.Events, e)
	d.Game = d.Game.after(e, board)
}

// startIfFull starts the game when no seat is open.
func (d *Decision) startIfFull() {
	if d.Game.Seats.firstOpen() != rules.NoSide {
		return
	}
	d.record(Event{Started: &Started{Turn: d.Game.Position.Turn()}}, nil)
	d.settle()
}

// play plays a move for the side to move.
func (d *Decision) play(m rules.Move, played MovePlayed) error {
	before := d.Game.Position
	next, flips, err := before.Play(m)
	if err != nil {
		return err
	}
	played.Side, played.Move, played.Notation = before.Turn(), m, before.MoveNotation(m)
	played.Flips, played.Position, played.Score = flips, next.Notation(), next.Score()
	d.record(Event{MovePlayed: &played}, next)
	return nil
}

// settle does what nobody has to ask for: it passes for a side that cannot place, where the setup says so, and
// ends the game when its rules do.
func (d *Decision) settle() {
	for d.Game.Setup.AutoPass() && rules.MustPass(d.Game.Position) {
		if err := d.play(rules.Pass, MovePlayed{Automatic: true}); err != nil {
			panic(err) // a pass from the list of legal moves is legal
		}
	}
	if p := d.Game.Position; p.Turn() == rules.NoSide {
		d.finish(Outcome{Winner: p.FinalScore().Leader(), Ending: ByScore})
	}
}

func (d *Decision) finish(o Outcome) {
	d.record(Event{Finished: &Ended{Outcome: o, Score: d.Game.Position.Score()}}, nil)
}
