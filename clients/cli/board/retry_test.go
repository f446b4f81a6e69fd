//go:build !race

package board

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// The board shows why it cannot connect and counts down to the next attempt.
func TestUnreachableServerIsRetriedAfterACountdown(t *testing.T) {
	t.Parallel()
	s := StartServer(t)
	o := s.options(t, s.Key(t, "Ada"))
	var reachable atomic.Bool
	connect := o.Connect
	o.Connect = func(ctx context.Context) (*Server, error) {
		if !reachable.Load() {
			return nil, status.Error(codes.Unavailable, "nothing listens there")
		}
		return connect(ctx)
	}
	d := launch(t, o)
	start := time.Now()
	d.now = func() time.Time { return start }
	d.see("Cannot connect", "nothing listens there", "Next attempt in 5 s", "Retry now", "Exit")
	d.now = func() time.Time { return start.Add(2 * time.Second) }
	d.see("Next attempt in 3 s")
	reachable.Store(true)
	d.keys("r")
	d.see("New game", "My games")
	d.unsee("Cannot connect")
}

// An error that a retry cannot mend ends the board.
func TestInvalidKeyEndsTheBoard(t *testing.T) {
	t.Parallel()
	s := StartServer(t)
	d := launch(t, s.options(t, "no-such-key"))
	d.wait("the end", func() bool { return d.err != nil })
	if code := status.Code(d.err); code != codes.Unauthenticated {
		t.Errorf("the board ends with %v", d.err)
	}
}

// A game that does not exist, or that is full, leads back to the menu.
func TestGamesThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	s := StartServer(t)
	o := s.options(t, s.Key(t, "Ada"))
	o.GameID = "01kb0x7e9t3m2s6d4v8w5y1z0q"
	d := drive(t, o)
	d.see("Cannot open the game", "GAME_NOT_FOUND")
	d.keys("esc")
	d.unsee("Cannot open")
	full := playGame(t, s, squareSetup(4), caller(), caller()).current().id
	o = s.options(t, s.Key(t, "Ben"))
	o.Join = full
	d = drive(t, o)
	d.see("Cannot join the game", "Watch it")
	d.keys("w")
	d.see("Black is to move", "Black Ada")
}

// pagedGames lists games on two pages.
type pagedGames struct {
	gamev1.GameServiceClient
}

func (pagedGames) ListGames(
	_ context.Context, request *gamev1.ListGamesRequest, _ ...grpc.CallOption,
) (*gamev1.ListGamesResponse, error) {
	page := &gamev1.ListGamesResponse{Games: []*gamev1.Game{{}, {}}}
	if request.GetPageToken() == "" {
		page.NextPageToken = "2"
	}
	return page, nil
}

// Keys at the end of a list do not ask for the next page again while it is on its way.
func TestPageOfGamesIsReadOnce(t *testing.T) {
	t.Parallel()
	d := drive(t, Options{Connect: func(context.Context) (*Server, error) {
		return &Server{Games: pagedGames{}}, nil
	}})
	d.keys("g")
	l := d.top().(*gameList)
	d.wait("the first page", func() bool { return l.more })
	first, second := l.press("end", ""), l.press("end", "")
	if first == nil || second != nil {
		t.Errorf("the first key asks for a page: %t, the second one: %t", first != nil, second != nil)
	}
	d.run(first)
	d.wait("the second page", func() bool { return !l.more })
	if len(l.games) != 4 {
		t.Errorf("the list has %d games, want 4", len(l.games))
	}
}

// Time without a server, from 2.5 s on, does not count: the deadline moves, without an event.
func TestClocksAfterARestartOfTheServer(t *testing.T) {
	t.Parallel()
	s := StartServer(t)
	o := s.options(t, s.Key(t, "Ada"))
	o.Create = &gamev1.CreateGameRequest{
		Setup: squareSetup(4), Seats: []*gamev1.Seat{caller(), caller()},
		TimeControl: perGame(5 * time.Minute),
	}
	d := drive(t, o)
	g := d.current()
	deadline := func() time.Time { return g.latest.GetTurn().GetDeadline().AsTime() }
	before := deadline()
	s.Stop()
	d.see("The server is not reachable")
	stopped := time.Now()
	d.wait("time without a server", func() bool { return time.Since(stopped) > 3*time.Second })
	s.Start(t)
	d.wait("a later deadline", func() bool { return deadline().After(before) })
}
