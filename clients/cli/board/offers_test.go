//go:build !race

package board

import (
	"context"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

func TestTakebackFromARobot(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), squareSetup(8), caller(), robotSeat(easy()))
	g := d.current()
	d.keys("u")
	d.see("NOTHING_TO_TAKE_BACK")
	d.place(g, squareCell(2, 3))
	d.wait("the robot's move", func() bool { return g.history.Last() == 2 && g.mover() == 0 })
	d.keys("u")
	d.see("Black takes back the last turn")
	d.wait("the start", func() bool { return g.history.Last() == 0 && len(g.legalCells()) == 4 })
	d.place(g, squareCell(2, 3))
}

func TestTakebackAtOneScreen(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), squareSetup(8), caller(), caller())
	g := d.current()
	d.place(g, squareCell(2, 3))
	d.keys("u")
	d.wait("the start", func() bool { return g.history.Last() == 0 && g.mover() == 0 })
}

// Two players agree on a draw, then on a rematch with swapped sides.
func TestDrawAndRematchBetweenTwoPlayers(t *testing.T) {
	t.Parallel()
	s := StartServer(t)
	o := s.options(t, s.Key(t, "Ada"))
	o.Create = &gamev1.CreateGameRequest{Setup: squareSetup(8), Seats: []*gamev1.Seat{caller(), open()}}
	ada := drive(t, o)
	first := ada.current().id
	o = s.options(t, s.Key(t, "Ben"))
	o.Join = first
	ben := drive(t, o)
	ben.see("White you")
	ada.see("Your turn")
	ada.keys("d")
	ada.see("You offer a draw")
	ben.see("Black offers a draw: d accepts")
	ben.keys("x")
	ada.see("White declines a draw")
	ben.unsee("offers a draw")
	ben.keys("d")
	ada.see("White offers a draw")
	ada.keys("d")
	ada.see("A draw by agreement")
	ben.see("A draw by agreement")
	ada.see("with the sides swapped") // The dialog is open.
	ben.see("with the sides swapped")
	ada.keys("n")
	ada.see("You offer a rematch")
	ben.wait("the offer", func() bool { return ben.current().offerText() != "" })
	ben.keys("n")
	for _, d := range []*driver{ada, ben} {
		d.wait("the rematch", func() bool { g, ok := d.game(); return ok && g.id != first })
	}
	ada.see("White you")
	ben.see("Your turn: you play Black")
}

// offerRematch returns the boards of two players. Ada has resigned the game and offers a rematch.
// prepare changes her board before Ben joins.
func offerRematch(t *testing.T, prepare func(ada *driver)) (ada, ben *driver) {
	t.Helper()
	s := StartServer(t)
	o := s.options(t, s.Key(t, "Ada"))
	o.Create = &gamev1.CreateGameRequest{Setup: squareSetup(8), Seats: []*gamev1.Seat{caller(), open()}}
	ada = drive(t, o)
	prepare(ada)
	o = s.options(t, s.Key(t, "Ben"))
	o.Join = ada.current().id
	ben = drive(t, o)
	ben.see("White you")
	ada.see("Your turn")
	ada.keys("r", "y")
	ada.see("You lost by resignation", "with the sides swapped")
	ada.keys("n")
	ada.see("You offer a rematch")
	return ada, ben
}

// An offer that the opponent makes before the result appears is in the result.
func TestOfferOfARematchIsInTheResult(t *testing.T) {
	t.Parallel()
	ada, ben := offerRematch(t, func(*driver) {})
	ben.see("You won by resignation", "Black offers a rematch", "Decline")
	ben.keys("x")
	ada.see("White declines a rematch")
	ben.see("with the sides swapped")
	ben.keys("n")
	ada.see("White offers a rematch: n accepts")
}

func TestRematchAgainstARobotSwapsTheSides(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), squareSetup(8), caller(), robotSeat(easy()))
	first := d.current().id
	d.keys("r", "y")
	d.see("You lost by resignation")
	d.keys("n")
	d.wait("the rematch", func() bool { g, ok := d.game(); return ok && g.id != first })
	d.see("White you", "Black robot easy")
}

// The opponent may decline before the board follows offers of a rematch.
func TestEarlyDeclineOfARematch(t *testing.T) {
	t.Parallel()
	opened := make(chan struct{})
	ada, ben := offerRematch(t, func(ada *driver) {
		ada.server.Games = lateTurns{ada.server.Games, opened}
	})
	ben.see("Black offers a rematch")
	ben.keys("x")
	ben.unsee("offers a rematch")
	close(opened)
	ada.see("White declines a rematch")
}

// lateTurns opens streams of turns late.
type lateTurns struct {
	gamev1.GameServiceClient
	opened chan struct{}
}

func (l lateTurns) WatchTurns(
	ctx context.Context, in *gamev1.WatchTurnsRequest, opts ...grpc.CallOption,
) (grpc.ServerStreamingClient[gamev1.WatchTurnsResponse], error) {
	<-l.opened
	return l.GameServiceClient.WatchTurns(ctx, in, opts...)
}

// An error that ends the stream of turns does not hide the offers that follow.
func TestOffersAreFollowedAgainAfterAnError(t *testing.T) {
	t.Parallel()
	turns := &failingTurns{}
	ada, ben := offerRematch(t, func(ada *driver) {
		turns.GameServiceClient = ada.server.Games
		ada.server.Games = turns
	})
	ada.see("too many streams", "Next attempt in")
	turns.works.Store(true)
	ben.see("Black offers a rematch")
	ben.keys("x")
	ada.see("White declines a rematch")
	ada.unsee("too many streams")
}

// failingTurns rejects streams of turns until it works.
type failingTurns struct {
	gamev1.GameServiceClient
	works atomic.Bool
}

func (f *failingTurns) WatchTurns(
	ctx context.Context, in *gamev1.WatchTurnsRequest, opts ...grpc.CallOption,
) (grpc.ServerStreamingClient[gamev1.WatchTurnsResponse], error) {
	if !f.works.Load() {
		return nil, status.Error(codes.PermissionDenied, "too many streams")
	}
	return f.GameServiceClient.WatchTurns(ctx, in, opts...)
}
