package game_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// The time controls of these tests.
var (
	perMove = game.TimeControl{PerMove: 30 * time.Second, OnAbsence: game.Forfeit}
	fischer = game.TimeControl{Initial: time.Minute, Increment: 3 * time.Second, OnAbsence: game.Forfeit}
	claims  = game.TimeControl{ClaimAfter: time.Minute, OnAbsence: game.Forfeit}
)

// withPolicy returns the time control with another absence policy.
func withPolicy(c game.TimeControl, policy game.AbsencePolicy) *game.TimeControl {
	c.OnAbsence = policy
	if policy == game.ReplaceWithRobot {
		c.Robot = robot.Robot
	}
	return &c
}

// timed creates a game with a time control on a 4x4 board.
func timed(t *testing.T, c *game.TimeControl, seats ...game.Seat) game.Game {
	t.Helper()
	d, err := game.Create("g", game.Created{
		Creator: "cat", Visibility: game.Public, Setup: games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 4, AutoPass: true}},
		TimeControl: c, Seats: game.Seats(seats),
	}, now)
	if err != nil {
		t.Fatal(err)
	}
	return d.Game
}

// moveAt plays the first legal move for the player to move.
func moveAt(t *testing.T, g game.Game, at time.Time) game.Game {
	t.Helper()
	d, err := g.Play(g.Seats.Of(g.Turn()).Player, g.Position.Legal()[0], 0, at)
	if err != nil {
		t.Fatal(err)
	}
	return d.Game
}

func TestDeadlinePerMove(t *testing.T) {
	g := timed(t, &perMove, ann, bob)
	for _, after := range []time.Duration{0, time.Second, 29 * time.Second, 30 * time.Second} {
		if want := g.TurnSince.Add(30 * time.Second); !g.Deadline().Equal(want) {
			t.Fatalf("deadline %v, want %v", g.Deadline(), want)
		}
		at := g.TurnSince.Add(after)
		if g = moveAt(t, g, at); !g.TurnSince.Equal(at) {
			t.Fatalf("turn since %v, want %v", g.TurnSince, at)
		}
	}
}

// TestFischerClocks plays whole games with moves of random duration and computes the remaining
// times independently.
func TestFischerClocks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	passed := false
	for range 20 {
		g := timed(t, &fischer, ann, bob)
		left := [2]time.Duration{time.Minute, time.Minute}
		for at := now; !g.State.Over(); {
			mover := g.Turn() - rules.First
			if want := g.TurnSince.Add(left[mover]); g.Left != left || !g.Deadline().Equal(want) {
				t.Fatalf("%v left, deadline %v; want %v, %v", g.Left, g.Deadline(), left, want)
			}
			duration := time.Duration(random.Int64N(int64(5 * time.Second)))
			at = at.Add(duration)
			left[mover] += 3*time.Second - duration
			legal := g.Position.Legal()
			d, err := g.Play(g.Seats[mover].Player, legal[random.IntN(len(legal))], 0, at)
			if err != nil {
				t.Fatal(err)
			}
			g = d.Game
			passed = passed || len(d.Events) > 1 && d.Events[1].MovePlayed != nil
		}
		if g.Left != left || !g.TurnSince.IsZero() || !g.Deadline().IsZero() {
			t.Errorf("at the end %v left, deadline %v; want %v and none", g.Left, g.Deadline(), left)
		}
	}
	if !passed {
		t.Error("no game had an automatic pass")
	}
}

func TestMoveInGracePeriodLeavesNoTime(t *testing.T) {
	g := timed(t, &fischer, ann, bob)
	g = moveAt(t, g, g.Deadline().Add(time.Second))
	if want := [2]time.Duration{3 * time.Second, time.Minute}; g.Left != want {
		t.Errorf("%v left, want %v", g.Left, want)
	}
}

func TestClocksStartWithTheGame(t *testing.T) {
	waiting := timed(t, &fischer, ann, open)
	if !waiting.Deadline().IsZero() {
		t.Errorf("a waiting game has the deadline %v", waiting.Deadline())
	}
	d, err := waiting.Join(bob, rules.NoSide, now.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if want := now.Add(time.Hour + time.Minute); !d.Game.Deadline().Equal(want) {
		t.Errorf("deadline %v, want %v", d.Game.Deadline(), want)
	}
	if untimed := timed(t, nil, ann, bob); !untimed.Deadline().IsZero() || !untimed.TurnSince.IsZero() {
		t.Errorf("a game without a time control has the deadline %v", untimed.Deadline())
	}
}

func TestTimeUp(t *testing.T) {
	const grace = time.Second
	tests := []struct {
		name    string
		control *game.TimeControl
		first   game.Seat
		events  string
		outcome *game.Outcome
	}{
		{"forfeit", withPolicy(fischer, game.Forfeit), ann, "finished", &game.Outcome{Winner: rules.Second, Ending: game.ByTime}},
		{"forfeit per move", withPolicy(perMove, game.Forfeit), ann, "finished", &game.Outcome{Winner: rules.Second, Ending: game.ByTime}},
		{"draw", withPolicy(fischer, game.Draw), ann, "finished", &game.Outcome{Ending: game.ByTime}},
		{"robot", withPolicy(fischer, game.ReplaceWithRobot), ann, "robotChanged", nil},
		{"a robot is not replaced", withPolicy(fischer, game.ReplaceWithRobot), robot, "finished",
			&game.Outcome{Winner: rules.Second, Ending: game.ByTime}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := timed(t, tt.control, tt.first, bob)
			last := g.Deadline().Add(grace)
			if _, up := g.TimeUp(last, grace); up {
				t.Error("the time is up in the grace period")
			}
			d, up := g.TimeUp(last.Add(1), grace)
			if !up || kinds(d.Events) != tt.events {
				t.Fatalf("up: %v, %s; want %s", up, kinds(d.Events), tt.events)
			}
			if diff := cmp.Diff(tt.outcome, d.Game.Outcome); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
			if _, again := d.Game.TimeUp(last.Add(2), grace); again {
				t.Error("the time is up twice")
			}
			if left, _ := d.Game.Clocks(); tt.outcome != nil && (left[0] != 0 || left[1] == 0) {
				t.Errorf("the clocks show %v after the time of the first side is up", left)
			}
		})
	}
}

func TestReplacementGetsTheInitialTime(t *testing.T) {
	g := timed(t, withPolicy(fischer, game.ReplaceWithRobot), ann, bob)
	g = moveAt(t, moveAt(t, g, now.Add(10*time.Second)), now.Add(20*time.Second))
	d, _ := g.TimeUp(now.Add(time.Hour), 0)
	changed := d.Events[0].RobotChanged
	if changed.Side != rules.First || changed.Replaced == nil || changed.Replaced.Player != "ann" {
		t.Errorf("got the event %+v", changed)
	}
	if d.Game.RobotToMove() == nil || d.Game.Left != [2]time.Duration{time.Minute, 53 * time.Second} {
		t.Errorf("seat %+v, %v left", d.Game.Seats[0], d.Game.Left)
	}
	if want := now.Add(time.Hour + time.Minute); !d.Game.Deadline().Equal(want) {
		t.Errorf("deadline %v, want %v", d.Game.Deadline(), want)
	}
}

func TestTheClockOfTheSideToMoveRuns(t *testing.T) {
	for _, test := range []struct {
		name          string
		control       *game.TimeControl
		after         time.Duration
		first, second time.Duration
	}{
		{"at the start of the turn", &fischer, 0, time.Minute, time.Minute},
		{"later", &fischer, 10 * time.Second, 50 * time.Second, time.Minute},
		{"with a time for each move", &perMove, 10 * time.Second, 20 * time.Second, 30 * time.Second},
		{"after the deadline", &perMove, time.Hour, 0, 30 * time.Second},
	} {
		g := timed(t, test.control, ann, bob)
		left, limited := g.TimeLeft(g.TurnSince.Add(test.after))
		if want := [2]time.Duration{test.first, test.second}; left != want || !limited {
			t.Errorf("%s: %v, %v; want %v", test.name, left, limited, want)
		}
	}
	g := timed(t, &claims, ann, bob)
	if left, limited := g.TimeLeft(now); limited {
		t.Errorf("%v without a time limit", left)
	}
}

func TestSetRobotKeepsTheClocks(t *testing.T) {
	g := timed(t, &fischer, robot, bob)
	d, err := g.SetRobot("bob", rules.NoSide, *robot.Robot, now.Add(10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if !d.Game.Deadline().Equal(g.Deadline()) || d.Events[0].RobotChanged.Replaced != nil {
		t.Errorf("deadline %v, want %v", d.Game.Deadline(), g.Deadline())
	}
}

func TestResignStopsTheClocks(t *testing.T) {
	g := timed(t, &fischer, ann, bob)
	d, err := g.Resign("bob", rules.NoSide, now.Add(10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if !d.Game.Deadline().IsZero() || d.Game.Left != [2]time.Duration{50 * time.Second, time.Minute} {
		t.Errorf("%v left, deadline %v", d.Game.Left, d.Game.Deadline())
	}
}

func TestClaimAbandonment(t *testing.T) {
	early, late := now.Add(time.Minute-1), now.Add(time.Minute)
	tests := []struct {
		name    string
		control *game.TimeControl
		seats   [2]game.Seat
		player  string
		at      time.Time
		reason  fault.Reason
		outcome *game.Outcome
	}{
		{"win", &claims, [2]game.Seat{ann, bob}, "bob", late, "", &game.Outcome{Winner: rules.Second, Ending: game.ByAbandonment}},
		{"draw", withPolicy(claims, game.Draw), [2]game.Seat{ann, bob}, "bob", late, "", &game.Outcome{Ending: game.ByAbandonment}},
		{"robot", withPolicy(claims, game.ReplaceWithRobot), [2]game.Seat{ann, bob}, "bob", late, "", nil},
		{"too early", &claims, [2]game.Seat{ann, bob}, "bob", early, fault.NotAway, nil},
		{"own turn", &claims, [2]game.Seat{ann, bob}, "ann", late, fault.NotAway, nil},
		{"both seats", &claims, [2]game.Seat{ann, ann}, "ann", late, fault.NotAway, nil},
		{"against a robot", &claims, [2]game.Seat{robot, bob}, "bob", late, fault.NotAway, nil},
		{"no seat", &claims, [2]game.Seat{ann, bob}, "cat", late, fault.NotYourSeat, nil},
		{"no claimAfter", &perMove, [2]game.Seat{ann, bob}, "bob", late, fault.NotAway, nil},
		{"no time control", nil, [2]game.Seat{ann, bob}, "bob", late, fault.NotAway, nil},
		{"waiting game", &claims, [2]game.Seat{open, bob}, "bob", late, fault.GameNotStarted, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := timed(t, tt.control, tt.seats[:]...)
			d, err := g.ClaimAbandonment(tt.player, tt.at)
			if tt.reason != "" {
				wantReason(t, err, tt.reason)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.outcome, d.Game.Outcome); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
			if tt.outcome == nil && d.Game.RobotToMove() == nil {
				t.Errorf("the seat is %+v", d.Game.Seats.Of(d.Game.Turn()))
			}
		})
	}
}

// TestTimesNeverDecrease moves by the slow clock of another process.
func TestTimesNeverDecrease(t *testing.T) {
	g := timed(t, &fischer, ann, bob)
	g = moveAt(t, g, now.Add(5*time.Second))
	g = moveAt(t, g, now.Add(4*time.Second))
	if want := now.Add(5 * time.Second); !g.Updated.Equal(want) || g.Left != [2]time.Duration{58 * time.Second, 63 * time.Second} {
		t.Errorf("updated at %v with %v left, want %v", g.Updated, g.Left, want)
	}
}
