package faulttest

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/game/shards"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
)

// TestLostDatabaseStopsOnlyItsGames plays in two Game processes on two databases. One database stops
// and starts again.
func TestLostDatabaseStopsOnlyItsGames(t *testing.T) {
	t.Parallel()
	second, address := pgtest.Start(t)
	c := newClusterOnAll(t, []string{pgtest.Database(t), address})
	c.start(t)
	ann := c.join(t)
	for shards.Number(ann.id, 2) != 0 {
		ann = c.join(t)
	}
	ann.via = overGRPC{dial(t, c.firstGame)}
	watcher := &player{id: ann.id, key: ann.key, via: overGRPC{dial(t, c.secondGame)}}
	games := [2]*gamev1.Game{} // by database
	for games[0] == nil || games[1] == nil {
		g := ann.create(t, hexagon(3), callerSeat(), robotSeat(""))
		games[shards.Number(g.GetId(), 2)] = g
	}
	there, away := games[0].GetId(), games[1].GetId()
	list := func() (*gamev1.ListGamesResponse, error) {
		var out gamev1.ListGamesResponse
		in := &gamev1.ListGamesRequest{PlayerId: ann.id}
		return &out, ann.via.call(t.Context(), ann.key, "ListGames", in, &out)
	}

	stream := &turnStream{watcher: watcher}
	stream.awaitTurns(t, there, away)
	ann.move(t, there)
	ann.move(t, away)
	stream.awaitTurns(t, there, away) // The robots have moved in both games.
	if found, err := list(); err != nil || len(found.GetGames()) < 2 {
		t.Errorf("the list has %d games, %v; want those of both databases", len(found.GetGames()), err)
	}

	if err := second.Stop(); err != nil {
		t.Fatal(err)
	}
	checkError(t, ann.tryMove(t, away), codes.Unavailable, "STORE_UNAVAILABLE")
	g := ann.move(t, there)
	for version := g.GetVersion(); version <= g.GetVersion(); { // until the robot has moved
		version = ann.awaitEvent(t, there, version).GetVersion()
	}
	_, err := list()
	checkError(t, err, codes.Unavailable, "STORE_UNAVAILABLE")
	c.awaitReady(t, http.StatusOK)

	if err := second.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(waitTimeout); ann.tryMove(t, away) != nil; {
		if time.Now().After(end) {
			t.Fatal("the database is back, but its game is not")
		}
		<-time.After(10 * time.Millisecond)
	}
	stream.awaitTurns(t, there, away)
}

// tryMove plays the first legal move of a game, and returns the error of the first call that fails.
func (p *player) tryMove(t *testing.T, id string) error {
	t.Helper()
	notations, err := p.legal(t.Context(), id)
	if err != nil {
		return err
	}
	in := &gamev1.PlayMoveRequest{GameId: id, Notation: notations[0], RequestId: uuid.NewString()}
	return p.via.call(t.Context(), p.key, "PlayMove", in, &gamev1.PlayMoveResponse{})
}

// turnStream is the stream of a player's turns, which resumes after the last cursor whenever it ends.
type turnStream struct {
	watcher *player
	after   string
	stream  gamev1.GameService_WatchTurnsClient
}

// awaitTurns reads the stream until it has a turn in each game.
func (s *turnStream) awaitTurns(t *testing.T, games ...string) {
	t.Helper()
	missing := map[string]bool{}
	for _, id := range games {
		missing[id] = true
	}
	for end := time.Now().Add(waitTimeout); len(missing) > 0; {
		m, err := s.next(t)
		switch {
		case err == nil:
			s.after = m.GetCursor()
			delete(missing, m.GetTurn().GetGameId())
		case time.Now().After(end):
			t.Fatalf("no turn in %v: %v", missing, err)
		default:
			s.stream = nil
			<-time.After(10 * time.Millisecond)
		}
	}
}

func (s *turnStream) next(t *testing.T) (m *gamev1.WatchTurnsResponse, err error) {
	t.Helper()
	if s.stream == nil {
		in := &gamev1.WatchTurnsRequest{AfterCursor: s.after}
		if s.stream, err = s.watcher.games().WatchTurns(s.watcher.ctx(t.Context()), in); err != nil {
			return nil, err
		}
	}
	return s.stream.Recv()
}
