package game

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// Decision is the result of an accepted command: the events to append to the log and the game after
// them. The functions that decide are pure. They reject a command with a *[fault.Error].
type Decision struct {
	Game   Game
	Events []Event
	now    time.Time
}

// Change returns the change to commit, without a request and a lease.
func (d Decision) Change() Change { return Change{Game: d.Game, Events: d.Events} }

// Create creates a game. It starts at once if every seat is filled.
func Create(id string, c Created, now time.Time) (Decision, error) {
	setup, start, err := c.Setup.Resolve()
	if err != nil {
		return Decision{}, fault.At(err, "setup")
	}
	c.Setup, c.Rules = setup, RulesVersion
	if c.Visibility == Private && len(c.Seats.open()) > 0 {
		return Decision{}, fault.Invalid(
			"a private game cannot have open seats: fill both seats").At("seats")
	}
	d := Decision{Game: Game{ID: id}, now: now}
	d.record(Event{Created: &c}, start)
	d.startIfFull()
	return d, nil
}

// Join gives a player the seat of a side: a seat reserved for them, or an open one. NoSide selects
// the reserved seat, else the first open one. Joining again changes nothing; a player gets a second
// seat only by naming its side.
func (g Game) Join(player Seat, side rules.Side, now time.Time) (Decision, error) {
	if g.State.Over() {
		return Decision{}, g.errOver()
	}
	mine := g.Seats.of(player.Player)
	if side == rules.NoSide && len(mine) > 0 {
		side = mine[0]
	}
	if open := g.Seats.open(); side == rules.NoSide && len(open) > 0 {
		side = open[0]
	}
	if side == rules.NoSide {
		return Decision{}, fault.New(fault.SeatTaken, "both seats are taken")
	}
	d := g.decide(now)
	switch seat := g.Seats.Of(side); {
	case seat.Player == player.Player && !seat.Invited:
		return d, nil
	case seat.Invited && seat.Player != player.Player:
		return Decision{}, fault.New(fault.SeatTaken,
			"the seat of %s is reserved for an invited player", g.sideName(side)).
			With("side", enumName(side))
	case !seat.vacant():
		return Decision{}, fault.New(fault.SeatTaken, "the seat of %s is taken", g.sideName(side)).
			With("side", enumName(side))
	}
	d.record(Event{SeatTaken: &SeatTaken{Side: side, Seat: player}}, nil)
	d.startIfFull()
	return d, nil
}

// Play plays a move for a player. A player with both seats plays for the side to move. expected is
// the version that the player has seen, 0 for any.
func (g Game) Play(player string, move rules.Move, expected int, now time.Time) (Decision, error) {
	sides := g.Seats.of(player)
	if len(sides) == 0 {
		return Decision{}, errNoSeat()
	}
	if expected != 0 && expected != g.Version {
		return Decision{}, fault.New(fault.VersionMismatch,
			"the game is at version %d, not %d", g.Version, expected).
			With("currentVersion", g.Version)
	}
	if err := g.requireActive(); err != nil {
		return Decision{}, err
	}
	if turn := g.Turn(); !slices.Contains(sides, turn) {
		return Decision{}, fault.New(fault.NotYourTurn, "it is the turn of %s", g.sideName(turn)).
			With("turn", enumName(turn))
	}
	return g.move(move, MovePlayed{}, now)
}

// Choice is the move for a robot, with the robot's analysis. Substitute is set if the server chose
// the move in place of the robot.
type Choice struct {
	Move       rules.Move
	Analysis   json.RawMessage
	Substitute *Substitute
}

// PlayRobot plays a move for the robot to move.
func (g Game) PlayRobot(c Choice, now time.Time) (Decision, error) {
	if g.RobotToMove() == nil {
		return Decision{}, fault.New(fault.NotYourTurn, "it is not a robot's turn")
	}
	return g.move(c.Move, MovePlayed{
		Automatic: c.Substitute != nil, Substitute: c.Substitute, Analysis: c.Analysis,
	}, now)
}

// move plays a move for the side to move, then the automatic passes and the ending that follow from
// it. The event contains what does not follow from the move.
func (g Game) move(m rules.Move, event MovePlayed, now time.Time) (Decision, error) {
	d := g.decide(now)
	if err := d.play(m, event); err != nil {
		return Decision{}, err
	}
	d.advance()
	return d, nil
}

// Resign ends the game with a loss for a player. side can be NoSide if the player has one seat.
func (g Game) Resign(player string, side rules.Side, now time.Time) (Decision, error) {
	side, err := g.seatOf(player, side)
	if err != nil {
		return Decision{}, err
	}
	if err := g.requireActive(); err != nil {
		return Decision{}, err
	}
	d := g.decide(now)
	d.finish(Outcome{Winner: side.Other(), Ending: ByResignation})
	return d, nil
}

// seatOf returns the side that a player acts for. side can be NoSide if the player has one seat.
func (g Game) seatOf(player string, side rules.Side) (rules.Side, error) {
	sides := g.Seats.of(player)
	switch {
	case len(sides) == 0:
		return side, errNoSeat()
	case side != rules.NoSide && !slices.Contains(sides, side):
		return side, fault.New(fault.NotYourSeat, "you do not have that seat")
	case side == rules.NoSide && len(sides) > 1:
		return side, fault.Invalid("you have both seats: set the side that you act for").At("side")
	case side == rules.NoSide:
		side = sides[0]
	}
	return side, nil
}

// Abort aborts the game. The creator and the players may do so until both sides have moved. An
// invited player declines the invitation in this way.
func (g Game) Abort(player string, now time.Time) (Decision, error) {
	if !g.involves(player) {
		return Decision{}, fault.New(fault.NotYourSeat,
			"only the creator and the players can abort a game")
	}
	if g.State.Over() {
		return Decision{}, g.errOver()
	}
	if g.Moves[0] > 0 && g.Moves[1] > 0 {
		return Decision{}, fault.New(fault.GameStarted, "both sides have moved: resign instead")
	}
	side := rules.NoSide
	if sides := g.Seats.of(player); len(sides) > 0 {
		side = sides[0]
	}
	d := g.decide(now)
	d.record(Event{Aborted: &Aborted{Side: side}}, nil)
	return d, nil
}

// SetRobot gives a robot another strategy, also before the game starts. The creator and the robot's
// opponent may do so. side can be NoSide if the game has one robot.
func (g Game) SetRobot(
	player string, side rules.Side, robot Robot, now time.Time,
) (Decision, error) {
	robots := g.Seats.sides(func(s Seat) bool { return s.Robot != nil })
	switch {
	case !g.involves(player):
		return Decision{}, fault.New(fault.NotYourSeat,
			"only the creator and the robot's opponent can change a robot")
	case len(robots) == 0, side != rules.NoSide && !slices.Contains(robots, side):
		return Decision{}, fault.Invalid("that seat has no robot").At("side")
	case side == rules.NoSide && len(robots) > 1:
		return Decision{}, fault.Invalid("both seats have robots: set the side to change").At("side")
	case side == rules.NoSide:
		side = robots[0]
	}
	if g.State.Over() {
		return Decision{}, g.errOver()
	}
	if err := g.mayAdjust(); err != nil {
		return Decision{}, err
	}
	d := g.decide(now)
	d.record(Event{RobotChanged: &RobotChanged{Side: side, Robot: robot}}, nil)
	return d, nil
}

// MaxAdjustments bounds the events of a game that are not moves, so that no caller can make its log
// grow without end.
const MaxAdjustments = 500

// mayAdjust returns an error if the game has reached [MaxAdjustments].
func (g Game) mayAdjust() error {
	if g.Adjustments < MaxAdjustments {
		return nil
	}
	return fault.New(fault.TooManyChanges,
		"robot changes, offers and takebacks of a game are limited to %d", MaxAdjustments).
		With("limit", MaxAdjustments)
}

// enumName returns the API name of a side, for the metadata of errors.
func enumName(side rules.Side) string {
	switch side {
	case rules.First:
		return "SIDE_FIRST"
	case rules.Second:
		return "SIDE_SECOND"
	}
	return "SIDE_UNSPECIFIED"
}

// sideName returns the name of a side in this game, such as Black.
func (g Game) sideName(side rules.Side) string { return g.Setup.Kind().SideName(side) }

// requireActive returns an error unless the game is active.
func (g Game) requireActive() error {
	if g.State == StateWaiting {
		return fault.New(fault.GameNotStarted, "the game has not started: it waits for a player")
	}
	if g.State.Over() {
		return g.errOver()
	}
	return nil
}

func (g Game) errOver() error {
	switch {
	case g.State == StateAborted:
		return fault.New(fault.GameOver, "the game was aborted")
	case g.Outcome.Ending == ByTime:
		return fault.New(fault.GameOver, "the game is over: the time was up")
	}
	return fault.New(fault.GameOver, "the game is over")
}

func errNoSeat() error { return fault.New(fault.NotYourSeat, "you have no seat in this game") }

// decide returns a decision without events.
func (g Game) decide(now time.Time) Decision { return Decision{Game: g, now: now} }

// record appends an event and applies it to the game. p is the position after the event, nil if the
// event does not change it. Times in the log never decrease, even if the clocks of several
// processes differ.
func (d *Decision) record(e Event, p rules.Position) {
	e.GameID, e.Version, e.Time, e.Paused = d.Game.ID, d.Game.Version+1, d.now, d.Game.Paused
	if e.Time.Before(d.Game.Updated) {
		e.Time = d.Game.Updated
	}
	d.Events = append(d.Events, e)
	d.Game = d.Game.apply(e, p)
}

// startIfFull starts the game if every seat is filled.
func (d *Decision) startIfFull() {
	if len(d.Game.Seats.sides(Seat.vacant)) > 0 {
		return
	}
	d.record(Event{Started: &Started{Turn: d.Game.Position.Turn()}}, nil)
	d.advance()
}

// play plays a move for the side to move.
func (d *Decision) play(m rules.Move, event MovePlayed) error {
	before := d.Game.Position
	after, flips, err := before.Play(m)
	if err != nil {
		return err
	}
	event.Side, event.Move, event.Notation = before.Turn(), m, before.MoveNotation(m)
	event.Flips, event.Position, event.Score = flips, after.Notation(), after.Score()
	event.Left, event.decoded = d.Game.Left, after
	d.record(Event{MovePlayed: &event}, after)
	return nil
}

// advance plays the automatic passes, if the setup has them, and finishes the game if the rules end
// it.
func (d *Decision) advance() {
	for d.Game.Setup.AutoPass() && rules.MustPass(d.Game.Position) {
		if err := d.play(rules.Pass, MovePlayed{Automatic: true}); err != nil {
			panic(err) // A pass from the list of legal moves is legal.
		}
	}
	if p := d.Game.Position; p.Turn() == rules.NoSide {
		d.finish(Outcome{Winner: p.FinalScore().Leader(), Ending: ByScore})
	}
}

func (d *Decision) finish(o Outcome) {
	d.record(Event{Finished: &Finished{Outcome: o, Score: d.Game.Position.Score()}}, nil)
}
