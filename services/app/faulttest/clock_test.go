package faulttest

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/types/known/durationpb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
)

// The test kills the daemon while the clocks run, and restarts it after the deadlines. The clocks
// stand still meanwhile unless outages count.
func TestClocksWhileTheDaemonIsDown(t *testing.T) {
	t.Parallel()
	for store, place := range map[string]func(t *testing.T) string{
		"SQLite":     func(t *testing.T) string { return filepath.Join(t.TempDir(), "games.db") },
		"PostgreSQL": func(t *testing.T) string { return pgtest.Database(t) },
	} {
		for name, args := range map[string][]string{"": nil, ", outages count": {"--count-outages"}} {
			t.Run(store+name, func(t *testing.T) {
				t.Parallel()
				testClocksOfARestart(t, place(t), args)
			})
		}
	}
}

func testClocksOfARestart(t *testing.T, data string, args []string) {
	const limit = 5 * time.Second
	server := run(t, data, args...)
	p := server.join(t)
	var games []*gamev1.Game
	for range 20 {
		games = append(games, p.createTimed(t, limit))
	}
	games = append(games, p.move(t, games[0].GetId()))[1:]
	server.kill()
	<-time.After(time.Until(games[len(games)-1].GetTurn().GetDeadline().AsTime().Add(time.Second)))

	server = run(t, data, args...)
	p.via = overGRPC{dial(t, server.addrs["game"])}
	for _, g := range games {
		if args == nil {
			after := p.get(t, g.GetId())
			if after.GetState() != gamev1.GameState_GAME_STATE_ACTIVE {
				t.Errorf("game %s is %v after the restart", g.GetId(), after.GetState())
			}
			moved := after.GetTurn().GetDeadline().AsTime().Sub(g.GetTurn().GetDeadline().AsTime())
			if moved < limit-time.Second {
				t.Errorf("the deadline moved by %v", moved)
			}
			if after.GetEtag() == g.GetEtag() {
				t.Errorf("the deadline moved, but the etag is still %s", g.GetEtag())
			}
		}
	}
	for _, g := range games {
		p.checkLostOnTime(t, g)
	}
	server.checkStop(t, waitTimeout)
	verify(t, data)
}

// slowClock shows the clock of the database sixty seconds late to processes with the schema in their
// search path, so that their own clocks are ahead.
const slowClock = `CREATE SCHEMA slow;
	CREATE FUNCTION slow.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
		$$ SELECT pg_catalog.clock_timestamp() - interval '60 seconds' $$`

// A process whose clock is wrong leaves robots and clocks to others.
func TestAProcessWithAWrongClock(t *testing.T) {
	t.Parallel()
	data := pgtest.Database(t)
	execute(t, data, slowClock)
	wrong := run(t, data+separator(data)+"search_path=public,slow,pg_catalog")
	if offset := metric(t, wrong.addrs["metrics"], "flipside_clock_offset_seconds"); offset < 59 || offset > 61 {
		t.Errorf("the offset is %v s", offset)
	}
	if lines := wrong.log.containing("the clock differs"); len(lines) != 1 || !strings.Contains(lines[0], `"ERROR"`) {
		t.Errorf("the log has %s", lines)
	}
	ann := wrong.join(t)
	timed := ann.createTimed(t, time.Second)
	robot := ann.create(t, hexagon(3), robotSeat(""), callerSeat())
	<-time.After(4 * time.Second) // More than the time limit with its grace, and several polls.
	for name, g := range map[string]*gamev1.Game{"timed": timed, "robot's": robot} {
		if got := ann.get(t, g.GetId()); got.GetVersion() != g.GetVersion() {
			t.Errorf("the %s game is at version %d, want %d", name, got.GetVersion(), g.GetVersion())
		}
	}
	right := run(t, data)
	ann.via = overGRPC{dial(t, right.addrs["game"])}
	ann.checkLostOnTime(t, timed)
	if m := ann.awaitEvent(t, robot.GetId(), robot.GetVersion()).GetMovePlayed(); m == nil || m.GetAutomatic() {
		t.Errorf("the robot played %v", m)
	}
}

// separator returns the text between an address and a further parameter.
func separator(address string) string {
	if strings.Contains(address, "?") {
		return "&"
	}
	return "?"
}

// execute executes a statement on a database of PostgreSQL.
func execute(t *testing.T, address, statement string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

func TestGamesEndOnceOnTime(t *testing.T) {
	inEach(t, testGamesEndOnceOnTime)
}

func testGamesEndOnceOnTime(t *testing.T, start starter) {
	p := start(t).join(t)
	var games []*gamev1.Game
	for range 30 {
		games = append(games, p.createTimed(t, time.Second))
	}
	for _, g := range games {
		p.checkLostOnTime(t, g)
	}
}

// checkLostOnTime waits until the side to move has lost on time, and checks that nothing else has
// happened.
func (p *player) checkLostOnTime(t *testing.T, g *gamev1.Game) {
	t.Helper()
	outcome := p.awaitEvent(t, g.GetId(), g.GetVersion()).GetFinished().GetOutcome()
	if outcome.GetEnding() != gamev1.Ending_ENDING_TIME || outcome.GetWinner() != opponentOf(g.GetTurn().GetSide()) {
		t.Errorf("the outcome is %v, want a loss of %v on time", outcome, g.GetTurn().GetSide())
	}
	if log := p.log(t, g.GetId()); len(log) != int(g.GetVersion())+1 {
		t.Errorf("the log has %d events, want %d", len(log), g.GetVersion()+1)
	}
}

// createTimed creates a game of the player against themselves with a time limit per move.
func (p *player) createTimed(t *testing.T, limit time.Duration) *gamev1.Game {
	t.Helper()
	var out gamev1.CreateGameResponse
	in := &gamev1.CreateGameRequest{
		Setup: square(8), Seats: []*gamev1.Seat{callerSeat(), callerSeat()},
		TimeControl: &gamev1.TimeControl{Limit: &gamev1.TimeControl_PerMove{PerMove: durationpb.New(limit)}},
	}
	if err := p.via.call(t.Context(), p.key, "CreateGame", in, &out); err != nil {
		t.Fatal(err)
	}
	return out.GetGame()
}

func opponentOf(side rulesv1.Side) rulesv1.Side {
	return rulesv1.Side_SIDE_FIRST + rulesv1.Side_SIDE_SECOND - side
}
