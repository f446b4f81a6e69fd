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
	halfAMinute = game.TimeControl{PerMove: 30 * time.Second, Absence: game.Forfeited}
	fischer     = game.TimeControl{Initial: time.Minute, Increment: 3 * time.Second, Absence: game.Forfeited}
	claims      = game.TimeControl{ClaimAfter: time.Minute, Absence: game.Forfeited}
)

// absence returns the time control with another policy.
func absence(c game.TimeControl, policy game.Absence) *game.TimeControl {
	c.Absence = policy
	if policy == game.TakenOver {
		c.Robot = robot.Robot
	}
	return &c
}

// timed creates a game with a time control on a square of four.
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

// moveAt plays the first legal move for the player whose turn it is.
func moveAt(t *testing.T, g game.Game, at time.Time) game.Game {
	t.Helper()
	d, err := g.Play(g.Seats.Of(g.Turn()).Player, g.Position.Legal()[0], 0, at)
	if err != nil {
		t.Fatal(err)
	}
	return d.Game
}

func TestEachMoveHasItsTime(t *testing.T) {
	g := timed(t, &halfAMinute, ann, bob)
	for _, after := range []time.Duration{0, time.Second, 29 * time.Second, 30 * time.Second} {
		if want := g.TurnSince.Add(30 * time.Second); !g.Deadline().Equal(want) {
			t.Fatalf("the deadline is %v, want %v", g.Deadline(), want)
		}
		at := g.TurnSince.Add(after)
		if g = moveAt(t, g, at); !g.TurnSince.Equal(at) {
			t.Fatalf("the turn began at %v, want %v", g.TurnSince, at)
		}
	}
}

// TestAClockRunsInItsOwnTurnsOnly plays whole games with moves that take their time, and keeps count of it beside.
func TestAClockRunsInItsOwnTurnsOnly(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	passed := false
	for range 20 {
		g := timed(t, &fischer, ann, bob)
		left := [2]time.Duration{time.Minute, time.Minute}
		for at := now; !g.State.Over(); {
			mover := g.Turn() - rules.First
			if want := g.TurnSince.Add(left[mover]); g.Left != left || !g.Deadline().Equal(want) {
				t.Fatalf("%v left by %v, want %v by %v", g.Left, g.Deadline(), left, want)
			}
			took := time.Duration(random.Int64N(int64(5 * time.Second)))
			at = at.Add(took)
			left[mover] += 3*time.Second - took
			legal := g.Position.Legal()
			d, err := g.Play(g.Seats[mover].Player, legal[random.IntN(len(legal))], 0, at)
			if err != nil {
				t.Fatal(err)
			}
			g = d.Game
			passed = passed || len(d.Events) > 1 && d.Events[1].MovePlayed != nil
		}
		if g.Left != left || !g.TurnSince.IsZero() || !g.Deadline().IsZero() {
			t.Errorf("at the end %v left by %v, want %v", g.Left, g.Deadline(), left)
		}
	}
	if !passed {
		t.Error("no side ever passed by itself")
	}
}

func TestAMoveInTheGraceLeavesNothing(t *testing.T) {
	g := timed(t, &fischer, ann, bob)
	g = moveAt(t, g, g.Deadline().Add(time.Second))
	if want := [2]time.Duration{3 * time.Second, time.Minute}; g.Left != want {
		t.Errorf("%v left, want %v", g.Left, want)
	}
}

func TestWhenTheClocksStart(t *testing.T) {
	waiting := timed(t, &fischer, ann, open)
	if !waiting.Deadline().IsZero() {
		t.Errorf("a game that waits has the deadline %v", waiting.Deadline())
	}
	d, err := waiting.Join(bob, rules.NoSide, now.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if want := now.Add(time.Hour + time.Minute); !d.Game.Deadline().Equal(want) {
		t.Errorf("the deadline is %v, want %v", d.Game.Deadline(), want)
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
		{"the other side wins", absence(fischer, game.Forfeited), ann, "finished", &game.Outcome{Winner: rules.Second, Ending: game.ByTime}},
		{"with a limit for each move", absence(halfAMinute, game.Forfeited), ann, "finished", &game.Outcome{Winner: rules.Second, Ending: game.ByTime}},
		{"nobody wins", absence(fischer, game.Drawn), ann, "finished", &game.Outcome{Ending: game.ByTime}},
		{"a robot takes over", absence(fischer, game.TakenOver), ann, "robotChanged", nil},
		{"a robot takes over from no robot", absence(fischer, game.TakenOver), robot, "finished", &game.Outcome{Winner: rules.Second, Ending: game.ByTime}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := timed(t, tt.control, tt.first, bob)
			last := g.Deadline().Add(grace)
			if _, up := g.TimeUp(last, grace); up {
				t.Error("the time is up while there is grace")
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
		})
	}
}

func TestARobotThatTakesOverHasAllTheTimeAnew(t *testing.T) {
	g := timed(t, absence(fischer, game.TakenOver), ann, bob)
	g = moveAt(t, moveAt(t, g, now.Add(10*time.Second)), now.Add(20*time.Second))
	d, _ := g.TimeUp(now.Add(time.Hour), 0)
	changed := d.Events[0].RobotChanged
	if changed.Side != rules.First || changed.Replaced == nil || changed.Replaced.Player != "ann" {
		t.Errorf("the event says %+v", changed)
	}
	if d.Game.RobotToMove() == nil || d.Game.Left != [2]time.Duration{time.Minute, 53 * time.Second} {
		t.Errorf("the turn is that of %+v, %v left", d.Game.Seats[0], d.Game.Left)
	}
	if want := now.Add(time.Hour + time.Minute); !d.Game.Deadline().Equal(want) {
		t.Errorf("the deadline is %v, want %v", d.Game.Deadline(), want)
	}
}

func TestSettingARobotStopsNoClock(t *testing.T) {
	g := timed(t, &fischer, robot, bob)
	d, err := g.SetRobot("bob", rules.NoSide, *robot.Robot, now.Add(10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if !d.Game.Deadline().Equal(g.Deadline()) || d.Events[0].RobotChanged.Replaced != nil {
		t.Errorf("the deadline was %v and is %v", g.Deadline(), d.Game.Deadline())
	}
}

func TestGivingUpStopsTheClocks(t *testing.T) {
	g := timed(t, &fischer, ann, bob)
	d, err := g.Resign("bob", rules.NoSide, now.Add(10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if !d.Game.Deadline().IsZero() || d.Game.Left != [2]time.Duration{50 * time.Second, time.Minute} {
		t.Errorf("%v left by %v", d.Game.Left, d.Game.Deadline())
	}
}

func TestClaimAbandonment(t *testing.T) {
	soon, late := now.Add(time.Minute-1), now.Add(time.Minute)
	tests := []struct {
		name    string
		control *game.TimeControl
		seats   [2]game.Seat
		player  string
		at      time.Time
		refused fault.Reason
		outcome *game.Outcome
	}{
		{"a win", &claims, [2]game.Seat{ann, bob}, "bob", late, "", &game.Outcome{Winner: rules.Second, Ending: game.ByAbandonment}},
		{"a draw", absence(claims, game.Drawn), [2]game.Seat{ann, bob}, "bob", late, "", &game.Outcome{Ending: game.ByAbandonment}},
		{"a robot", absence(claims, game.TakenOver), [2]game.Seat{ann, bob}, "bob", late, "", nil},
		{"too early", &claims, [2]game.Seat{ann, bob}, "bob", soon, fault.NotAway, nil},
		{"in one's own turn", &claims, [2]game.Seat{ann, bob}, "ann", late, fault.NotAway, nil},
		{"against oneself", &claims, [2]game.Seat{ann, ann}, "ann", late, fault.NotAway, nil},
		{"against a robot", &claims, [2]game.Seat{robot, bob}, "bob", late, fault.NotAway, nil},
		{"without a seat", &claims, [2]game.Seat{ann, bob}, "cat", late, fault.NotYourSeat, nil},
		{"without a claimAfter", &halfAMinute, [2]game.Seat{ann, bob}, "bob", late, fault.NotAway, nil},
		{"without a time control", nil, [2]game.Seat{ann, bob}, "bob", late, fault.NotAway, nil},
		{"before the start", &claims, [2]game.Seat{open, bob}, "bob", late, fault.GameNotStarted, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := timed(t, tt.control, tt.seats[:]...)
			d, err := g.ClaimAbandonment(tt.player, tt.at)
			if tt.refused != "" {
				refuses(t, err, tt.refused)
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

// TestTimesInALogNeverGoBack has a process whose clock is slow.
func TestTimesInALogNeverGoBack(t *testing.T) {
	g := timed(t, &fischer, ann, bob)
	g = moveAt(t, g, now.Add(5*time.Second))
	g = moveAt(t, g, now.Add(4*time.Second))
	if want := now.Add(5 * time.Second); !g.Updated.Equal(want) || g.Left != [2]time.Duration{58 * time.Second, 63 * time.Second} {
		t.Errorf("%v left at %v, want it at %v", g.Left, g.Updated, want)
	}
}
