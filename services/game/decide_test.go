package game_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

var now = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

// The seats of these tests.
var (
	ann   = game.Seat{Player: "ann", Name: "Ann"}
	bob   = game.Seat{Player: "bob", Name: "Bob"}
	open  = game.Seat{}
	robot = game.Seat{Robot: &game.Robot{Strategy: []byte(`{"level":"LEVEL_EASY"}`)}}
)

// hexagon returns the setup of a hexagonal board. A board with one ring has no legal placement.
func hexagon(rings int) reversi.Setup { return reversi.Setup{Shape: reversi.Hexagon, Size: rings} }

func forced(s reversi.Setup) reversi.Setup {
	s.PassRule = reversi.Forced
	return s
}

// create creates a game by the player cat.
func create(t *testing.T, setup reversi.Setup, seats ...game.Seat) game.Decision {
	t.Helper()
	d, err := game.Create("g", game.Created{
		Creator:    "cat",
		Visibility: game.Public,
		Setup:      games.Setup{Reversi: &setup},
		Seats:      game.Seats(seats),
	}, now)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// play plays moves in notation, each for the player to move, and returns the game after them.
func play(t *testing.T, g game.Game, moves string) game.Game {
	t.Helper()
	for notation := range strings.FieldsSeq(moves) {
		d, err := g.Play(g.Seats.Of(g.Turn()).Player, parse(t, g, notation), 0, now)
		if err != nil {
			t.Fatalf("%s: %v", notation, err)
		}
		g = d.Game
	}
	return g
}

func parse(t *testing.T, g game.Game, notation string) rules.Move {
	t.Helper()
	m, err := g.Position.ParseMove(notation)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// kinds returns the names of events.
func kinds(events []game.Event) string {
	var names []string
	for _, e := range events {
		switch {
		case e.Created != nil:
			names = append(names, "created")
		case e.SeatTaken != nil:
			names = append(names, "seatTaken")
		case e.Started != nil:
			names = append(names, "started")
		case e.MovePlayed != nil:
			names = append(names, e.MovePlayed.Notation)
		case e.RobotChanged != nil:
			names = append(names, "robotChanged")
		case e.OfferMade != nil:
			names = append(names, "offerMade")
		case e.OfferDeclined != nil:
			names = append(names, "offerDeclined")
		case e.MovesTakenBack != nil:
			names = append(names, "movesTakenBack")
		case e.RematchCreated != nil:
			names = append(names, "rematchCreated")
		case e.Finished != nil:
			names = append(names, "finished")
		case e.Aborted != nil:
			names = append(names, "aborted")
		}
	}
	return strings.Join(names, " ")
}

// wantReason fails the test unless the error has a reason.
func wantReason(t *testing.T, err error, want fault.Reason) {
	t.Helper()
	if got := fault.ReasonOf(err); got != want {
		t.Fatalf("got %q (%v), want %s", got, err, want)
	}
}

func TestCreate(t *testing.T) {
	tests := []struct {
		name   string
		setup  reversi.Setup
		seats  [2]game.Seat
		state  game.State
		events string
	}{
		{"waits for an open seat", hexagon(2), [2]game.Seat{ann, open}, game.StateWaiting, "created"},
		{"starts when it is full", hexagon(2), [2]game.Seat{ann, bob}, game.StateActive, "created started"},
		{"one player may have both seats", hexagon(2), [2]game.Seat{ann, ann}, game.StateActive, "created started"},
		{"is over at once without a legal placement", forced(hexagon(1)), [2]game.Seat{ann, bob}, game.StateFinished,
			"created started finished"},
		{"passes automatically if the setup has automatic passes", reversi.Setup{Shape: reversi.Hexagon, Size: 1, AutoPass: true},
			[2]game.Seat{ann, bob}, game.StateFinished, "created started pass pass finished"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := create(t, tt.setup, tt.seats[:]...)
			if got := kinds(d.Events); got != tt.events || d.Game.State != tt.state {
				t.Errorf("got %s, %s; want %s, %s", got, d.Game.State, tt.events, tt.state)
			}
			if d.Game.Version != len(d.Events) {
				t.Errorf("version %d after %d events", d.Game.Version, len(d.Events))
			}
		})
	}
}

func TestCreateRejects(t *testing.T) {
	t.Run("a private game with an open seat", func(t *testing.T) {
		_, err := game.Create("g", game.Created{
			Visibility: game.Private, Setup: games.Setup{Reversi: &reversi.Setup{}}, Seats: game.Seats{ann, open},
		}, now)
		wantReason(t, err, fault.InvalidField)
	})
	t.Run("a setup out of range, with the field", func(t *testing.T) {
		setup := hexagon(13)
		_, err := game.Create("g", game.Created{Setup: games.Setup{Reversi: &setup}}, now)
		wantReason(t, err, fault.InvalidField)
		if rejected, ok := errors.AsType[*fault.Error](err); !ok || rejected.Field != "setup.reversi.hexagon.rings" {
			t.Errorf("got %+v", rejected)
		}
	})
	t.Run("a missing setup", func(t *testing.T) {
		_, err := game.Create("g", game.Created{}, now)
		wantReason(t, err, fault.InvalidField)
	})
}

func TestJoin(t *testing.T) {
	waiting := create(t, hexagon(2), open, ann).Game
	t.Run("takes the open seat and starts the game", func(t *testing.T) {
		d, err := waiting.Join(bob, rules.NoSide, now)
		if err != nil {
			t.Fatal(err)
		}
		if got := kinds(d.Events); got != "seatTaken started" || d.Game.Seats.Of(rules.First).Player != "bob" {
			t.Errorf("got %s, seats %v", got, d.Game.Seats)
		}
	})
	t.Run("rejects a taken seat", func(t *testing.T) {
		_, err := waiting.Join(bob, rules.Second, now)
		wantReason(t, err, fault.SeatTaken)
	})
	t.Run("rejects a full game", func(t *testing.T) {
		_, err := create(t, hexagon(2), ann, ann).Game.Join(bob, rules.NoSide, now)
		wantReason(t, err, fault.SeatTaken)
	})
	t.Run("rejects a finished game", func(t *testing.T) {
		_, err := create(t, forced(hexagon(1)), ann, ann).Game.Join(bob, rules.NoSide, now)
		wantReason(t, err, fault.GameOver)
	})
}

func TestPlay(t *testing.T) {
	g := create(t, hexagon(2), ann, bob).Game

	t.Run("records the effect of the move", func(t *testing.T) {
		d, err := g.Play("ann", parse(t, g, "1,-2"), 2, now)
		if err != nil {
			t.Fatal(err)
		}
		got := d.Events[0].MovePlayed
		want := &game.MovePlayed{
			Side:     rules.First,
			Move:     rules.Place(rules.HexCell(1, -2)),
			Notation: "1,-2",
			Flips:    []rules.Flip{{Cell: rules.HexCell(1, -1)}},
			Position: "reversi/hex:2 _X_/_XX_/_O_X_/_XO_/___ O 0",
			Score:    rules.Score{First: 5, Second: 2},
		}
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b rules.Cell) bool { return a == b }),
			cmpopts.IgnoreUnexported(game.MovePlayed{})); diff != "" {
			t.Error(diff)
		}
		if after, err := got.DecodePosition(); err != nil || after.Notation() != want.Position {
			t.Errorf("decoded position %v, %v", after, err)
		}
		if d.Game.Version != 3 || d.Game.Turn() != rules.Second || *d.Game.LastCell != rules.HexCell(1, -2) {
			t.Errorf("the game after it: %+v", d.Game)
		}
	})
	t.Run("two passes end a voluntary game", func(t *testing.T) {
		over := play(t, g, "1,-2 pass pass")
		want := game.Outcome{Winner: rules.First, Ending: game.ByScore}
		if over.State != game.StateFinished || *over.Outcome != want {
			t.Errorf("got %s, %+v", over.State, over.Outcome)
		}
	})
	t.Run("an illegal move between two passes changes nothing", func(t *testing.T) {
		passed := play(t, g, "pass")
		_, err := passed.Play("bob", rules.Place(rules.HexCell(0, 0)), 0, now)
		wantReason(t, err, fault.FlipsNothing)
		if over := play(t, passed, "pass"); over.State != game.StateFinished {
			t.Errorf("the game is %s", over.State)
		}
	})
	t.Run("a side that cannot place passes automatically", func(t *testing.T) {
		setup := reversi.Setup{AutoPass: true, StartFrom: "reversi/square:4 XO__/____/____/XO__ X 0"}
		d, err := create(t, setup, ann, bob).Game.Play("ann", rules.Place(rules.SquareCell(0, 2)), 0, now)
		if err != nil {
			t.Fatal(err)
		}
		if got := kinds(d.Events); got != "c1 pass" || !d.Events[1].MovePlayed.Automatic {
			t.Errorf("got %s, %+v", got, d.Events[1].MovePlayed)
		}
	})
}

// TestPlayOrderOfChecks combines each fault with all faults that are checked later. The earlier one
// must be reported.
func TestPlayOrderOfChecks(t *testing.T) {
	waiting := create(t, hexagon(2), ann, open).Game
	active := create(t, hexagon(2), ann, bob).Game
	over := play(t, active, "pass pass")
	taken, offBoard := rules.Place(rules.HexCell(0, -1)), rules.Place(rules.HexCell(9, 9))
	tests := []struct {
		name     string
		game     game.Game
		player   string
		move     rules.Move
		expected int
		want     fault.Reason
	}{
		{"no seat", over, "eve", offBoard, 99, fault.NotYourSeat},
		{"another version", over, "ann", offBoard, 99, fault.VersionMismatch},
		{"not started", waiting, "ann", offBoard, 0, fault.GameNotStarted},
		{"over", over, "ann", offBoard, 0, fault.GameOver},
		{"not their turn", active, "bob", offBoard, 0, fault.NotYourTurn},
		{"off the board", active, "ann", offBoard, 0, fault.OffBoard},
		{"cell taken", active, "ann", taken, 0, fault.CellTaken},
		{"flips nothing", active, "ann", rules.Place(rules.HexCell(0, 0)), 0, fault.FlipsNothing},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tt.game.Play(tt.player, tt.move, tt.expected, now)
			wantReason(t, err, tt.want)
		})
	}
}

func TestPlayRobot(t *testing.T) {
	g := create(t, hexagon(2), robot, bob).Game
	choice := game.Choice{Move: rules.Place(rules.HexCell(1, -2)), Analysis: []byte(`{"depth":1}`)}
	t.Run("records the analysis", func(t *testing.T) {
		d, err := g.PlayRobot(choice, now)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(d.Events[0].MovePlayed.Analysis); got != `{"depth":1}` {
			t.Errorf("the analysis is %s", got)
		}
	})
	t.Run("rejects a choice when it is a player's turn", func(t *testing.T) {
		d, err := g.PlayRobot(choice, now)
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.Game.PlayRobot(choice, now)
		wantReason(t, err, fault.NotYourTurn)
	})
}

func TestResign(t *testing.T) {
	g := create(t, hexagon(2), ann, bob).Game
	d, err := g.Resign("bob", rules.NoSide, now)
	if err != nil {
		t.Fatal(err)
	}
	want := game.Outcome{Winner: rules.First, Ending: game.ByResignation}
	if *d.Game.Outcome != want || kinds(d.Events) != "finished" {
		t.Errorf("got %+v after %s", d.Game.Outcome, kinds(d.Events))
	}
	both := create(t, hexagon(2), ann, ann).Game
	_, err = both.Resign("ann", rules.NoSide, now)
	wantReason(t, err, fault.InvalidField)
	_, err = g.Resign("ann", rules.Second, now)
	wantReason(t, err, fault.NotYourSeat)
	_, err = d.Game.Resign("ann", rules.NoSide, now)
	wantReason(t, err, fault.GameOver)
	_, err = create(t, hexagon(2), ann, open).Game.Resign("ann", rules.NoSide, now)
	wantReason(t, err, fault.GameNotStarted)
}

func TestAbort(t *testing.T) {
	g := create(t, hexagon(2), ann, bob).Game
	for _, player := range []string{"cat", "ann", "bob"} {
		if d, err := play(t, g, "1,-2").Abort(player, now); err != nil || d.Game.State != game.StateAborted {
			t.Errorf("%s cannot abort before both sides have moved: %v", player, err)
		}
	}
	_, err := g.Abort("eve", now)
	wantReason(t, err, fault.NotYourSeat)
	_, err = play(t, g, "1,-2 2,-1").Abort("ann", now)
	wantReason(t, err, fault.GameStarted)
	_, err = play(t, g, "pass pass").Abort("ann", now)
	wantReason(t, err, fault.GameOver)
}

func TestSetRobot(t *testing.T) {
	hard := game.Robot{Strategy: []byte(`{"level":"LEVEL_HARD"}`)}
	g := create(t, hexagon(2), robot, bob).Game
	for _, player := range []string{"cat", "bob"} {
		d, err := g.SetRobot(player, rules.NoSide, hard, now)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(d.Game.Seats.Of(rules.First).Robot.Strategy); got != string(hard.Strategy) {
			t.Errorf("set by %s, the robot plays %s", player, got)
		}
	}
	_, err := g.SetRobot("eve", rules.NoSide, hard, now)
	wantReason(t, err, fault.NotYourSeat)
	_, err = g.SetRobot("bob", rules.Second, hard, now)
	wantReason(t, err, fault.InvalidField)
	_, err = create(t, hexagon(2), robot, robot).Game.SetRobot("cat", rules.NoSide, hard, now)
	wantReason(t, err, fault.InvalidField)
	_, err = create(t, forced(hexagon(1)), robot, bob).Game.SetRobot("cat", rules.NoSide, hard, now)
	wantReason(t, err, fault.GameOver)
	if _, err := create(t, hexagon(2), robot, open).Game.SetRobot("cat", rules.NoSide, hard, now); err != nil {
		t.Errorf("before the start: %v", err)
	}
}

// TestReplay replays a log with every kind of event and compares the game.
func TestReplay(t *testing.T) {
	d := create(t, hexagon(2), robot, open)
	log := d.Events
	steps := []func(g game.Game) (game.Decision, error){
		func(g game.Game) (game.Decision, error) { return g.Join(bob, rules.NoSide, now.Add(time.Second)) },
		func(g game.Game) (game.Decision, error) {
			return g.PlayRobot(game.Choice{Move: rules.Place(rules.HexCell(1, -2))}, now)
		},
		func(g game.Game) (game.Decision, error) { return g.SetRobot("bob", rules.First, *robot.Robot, now) },
		func(g game.Game) (game.Decision, error) { return g.Play("bob", rules.Pass, 0, now) },
		func(g game.Game) (game.Decision, error) { return g.Resign("bob", rules.NoSide, now) },
	}
	g := d.Game
	for _, step := range steps {
		d, err := step(g)
		if err != nil {
			t.Fatal(err)
		}
		log, g = append(log, d.Events...), d.Game
	}
	replayed, err := game.Replay(log)
	if err != nil {
		t.Fatal(err)
	}
	same := cmp.Comparer(func(a, b rules.Position) bool { return a.Notation() == b.Notation() })
	cells := cmp.Comparer(func(a, b rules.Cell) bool { return a == b })
	if diff := cmp.Diff(g, replayed, same, cells); diff != "" {
		t.Error(diff)
	}
	t.Run("rejects a log with a gap", func(t *testing.T) {
		if _, err := game.Replay(append(log[:1:1], log[2:]...)); err == nil {
			t.Error("Replay accepted the log")
		}
	})
}
