package faulttest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// deep returns a strategy that searches for its whole time limit.
func deep(d time.Duration) *strategyv1.Strategy {
	return &strategyv1.Strategy{Kind: &strategyv1.Strategy_AlphaBeta{AlphaBeta: &strategyv1.AlphaBeta{
		MaxDepth: 30, MaxTime: durationpb.New(d),
	}}}
}

const openBoard = "reversi/square:8 ________/________/________/___OX___/___XO___/________/________/________ X 0"

// Health streams and idle connections have no end of their own.
func TestShutdownEndsHealthStreams(t *testing.T) {
	t.Parallel()
	server := run(t, filepath.Join(t.TempDir(), "games.db"))
	for _, at := range []string{"game", "strategy"} {
		watch, err := healthv1.NewHealthClient(dial(t, server.addrs[at])).Watch(t.Context(), &healthv1.HealthCheckRequest{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := watch.Recv(); err != nil {
			t.Fatal(err)
		}
	}
	for _, at := range []string{"game", "strategy", "http", "metrics"} {
		idle, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.addrs[at])
		if err != nil {
			t.Fatal(err)
		}
		defer idle.Close()
	}
	server.checkStop(t, 3*time.Second)
}

// In the test, streams of all kinds, long polls, calls in flight and a thinking robot delay the
// shutdown.
func TestShutdownTakesLimitedTime(t *testing.T) {
	t.Parallel()
	server := run(t, filepath.Join(t.TempDir(), "games.db"))
	ann := server.join(t)
	thinker := &gamev1.Seat{Holder: &gamev1.Seat_Robot{Robot: &gamev1.Robot{Strategy: deep(time.Minute)}}}
	thinking := ann.create(t, hexagon(6), thinker, callerSeat())
	g := ann.create(t, hexagon(3), callerSeat(), callerSeat())
	endings := map[string]<-chan string{}
	for name, w := range watchers(t, server.addrs["game"], server.addrs["http"]) {
		endings[name+" WatchGame"] = endOfStream(w.game(t.Context(), ann, g.GetId(), ""))
		endings[name+" WatchTurns"] = endOfStream(w.turns(t.Context(), ann, ""))
	}
	endings["gRPC AnalyzePosition"] = ending(func() error { return server.analyze(t.Context(), t) })
	endings["gRPC PlayMatch"] = ending(func() error { return server.match(t.Context(), t) })
	rest := &player{key: ann.key, via: newREST(t, server.addrs["http"])}
	for name, p := range map[string]*player{"gRPC": ann, "REST": rest} {
		endings[name+" ListEvents"] = ending(func() error {
			in := &gamev1.ListEventsRequest{GameId: g.GetId(), AfterVersion: g.GetVersion(), Wait: durationpb.New(50 * time.Second)}
			return p.via.call(t.Context(), p.key, "ListEvents", in, &gamev1.ListEventsResponse{})
		})
	}
	server.awaitMetric(t, `flipside_open_streams{method="/flipside.game.v1.GameService/WatchTurns",service="game"} 3`)
	server.awaitMetric(t, `flipside_open_streams{method="/flipside.strategy.v1.StrategyService/AnalyzePosition",service="strategy"} 1`)
	const search = 2 * time.Second
	endings["gRPC ChooseMove"] = ending(func() error { return server.choose(t.Context(), t, search) })
	endings["gRPC SearchMove"] = ending(func() error { return server.search(t.Context(), t, search) })
	server.awaitMetric(t, `flipside_calls_in_flight{service="strategy"} 1`)
	// The other one is of the robot.
	server.awaitMetric(t, `flipside_open_streams{method="/flipside.strategy.v1.StrategyService/SearchMove",service="strategy"} 2`)
	if e := ann.log(t, thinking.GetId()); len(e) != 2 {
		t.Errorf("the robot has already moved: %v", e)
	}

	server.checkStop(t, 7*time.Second)
	for name, ended := range endings {
		want := "OK"
		if strings.Contains(name, "Watch") {
			want = "END_REASON_SHUTTING_DOWN"
		}
		if strings.Contains(name, "Match") { // PlayMatch has no message for an early end.
			want = "Unavailable"
		}
		if got := <-ended; got != want {
			t.Errorf("%s ended with %s, want %s", name, got, want)
		}
	}
	if errs := server.log.containing(`"level":"ERROR"`); len(errs) > 0 {
		t.Errorf("the log has errors: %s", strings.Join(errs, "\n"))
	}
	if left, _ := filepath.Glob(server.data + "-*"); len(left) > 0 {
		t.Errorf("the database is not closed: %s exists", left)
	}
	verify(t, server.data)
}

func TestRotateKeyEndsStreamsOfTheOldKey(t *testing.T) {
	inEach(t, testRotateKeyEndsStreamsOfTheOldKey)
}

func testRotateKeyEndsStreamsOfTheOldKey(t *testing.T, start starter) {
	server := start(t)
	ann, bob := server.join(t), server.join(t)
	g := ann.create(t, hexagon(3), callerSeat(), callerSeat())
	endings := map[string]<-chan string{}
	for name, w := range watchers(t, server.addrs["game"], server.addrs["http"]) {
		endings[name+" WatchGame"] = endOfStream(w.game(t.Context(), ann, g.GetId(), ""))
		endings[name+" WatchTurns"] = endOfStream(w.turns(t.Context(), ann, ""))
	}
	bobs, err := bob.games().WatchGame(bob.ctx(t.Context()), &gamev1.WatchGameRequest{GameId: g.GetId()})
	if err != nil {
		t.Fatal(err)
	}
	server.awaitMetric(t, `flipside_open_streams{method="/flipside.game.v1.GameService/WatchGame",service="game"} 4`)
	server.awaitMetric(t, `flipside_open_streams{method="/flipside.game.v1.GameService/WatchTurns",service="game"} 3`)
	old := ann.key
	var out gamev1.RotateKeyResponse
	if err := ann.via.call(t.Context(), old, "RotateKey", &gamev1.RotateKeyRequest{}, &out); err != nil {
		t.Fatal(err)
	}
	for name, ended := range endings {
		if got := <-ended; got != "END_REASON_KEY_REVOKED" {
			t.Errorf("%s ended with %s, want END_REASON_KEY_REVOKED", name, got)
		}
	}
	err = ann.via.call(t.Context(), old, "GetGame", &gamev1.GetGameRequest{GameId: g.GetId()}, &gamev1.GetGameResponse{})
	checkError(t, err, codes.Unauthenticated, "INVALID_KEY")
	ann.key = out.GetKey()
	ann.move(t, g.GetId())
	for version := range int32(2) {
		if m, err := bobs.Recv(); err != nil || m.GetVersion() != g.GetVersion()+version {
			t.Fatalf("the stream of the other player: %v, %v", m, err)
		}
	}
}

// ending makes a call in the background and returns the code with which it ends.
func ending(call func() error) <-chan string {
	ended := make(chan string, 1)
	go func() { ended <- status.Code(call()).String() }()
	return ended
}

// endOfStream reads a stream in the background and returns the reason or the code with which it
// ends.
func endOfStream[M endMessage](stream interface{ Recv() (M, error) }, err error) <-chan string {
	ended := make(chan string, 1)
	go func() {
		var end *gamev1.End
		if err == nil {
			end, err = lastOf(stream)
		}
		if err != nil {
			ended <- status.Code(err).String()
			return
		}
		ended <- end.GetReason().String()
	}()
	return ended
}

// endMessage is a message of a stream that can be its end.
type endMessage interface{ GetEnd() *gamev1.End }

// lastOf reads a stream to its end and returns its final message.
func lastOf[M endMessage](stream interface{ Recv() (M, error) }) (*gamev1.End, error) {
	for {
		m, err := stream.Recv()
		if err != nil || m.GetEnd() != nil {
			return m.GetEnd(), err
		}
	}
}

// analyze searches a position for a minute and returns the error of the stream.
func (d *daemon) analyze(ctx context.Context, t *testing.T) error {
	client := strategyv1.NewStrategyServiceClient(dial(t, d.addrs["strategy"]))
	stream, err := client.AnalyzePosition(ctx, &strategyv1.AnalyzePositionRequest{
		Position: &rulesv1.Position{Notation: openBoard}, Strategy: deep(time.Minute),
	})
	final := false
	for err == nil {
		var m *strategyv1.AnalyzePositionResponse
		if m, err = stream.Recv(); err == nil {
			final = m.GetAnalysis().GetFinal()
		}
	}
	if errors.Is(err, io.EOF) && final {
		return nil
	}
	return err
}

// match plays an endless match and returns the error of the stream.
func (d *daemon) match(ctx context.Context, t *testing.T) error {
	client := strategyv1.NewStrategyServiceClient(dial(t, d.addrs["strategy"]))
	stream, err := client.PlayMatch(ctx, &strategyv1.PlayMatchRequest{
		Setup: hexagon(6), First: deep(time.Minute), Second: deep(time.Minute), Games: 2, Parallel: 1,
	})
	for err == nil {
		_, err = stream.Recv()
	}
	return err
}

// search searches for a move. It returns an error unless the search takes all its time.
func (d *daemon) search(ctx context.Context, t *testing.T, thinking time.Duration) error {
	client := strategyv1.NewStrategyServiceClient(dial(t, d.addrs["strategy"]))
	stream, err := client.SearchMove(ctx, &strategyv1.SearchMoveRequest{
		Position: &rulesv1.Position{Notation: openBoard}, Strategy: deep(thinking),
	})
	var m *strategyv1.SearchMoveResponse
	for err == nil && m.GetChoice() == nil {
		m, err = stream.Recv()
	}
	took := m.GetChoice().GetAnalysis().GetTime().AsDuration()
	if err == nil && took < thinking {
		return fmt.Errorf("the search took %v", took)
	}
	return err
}

func (d *daemon) choose(ctx context.Context, t *testing.T, thinking time.Duration) error {
	client := strategyv1.NewStrategyServiceClient(dial(t, d.addrs["strategy"]))
	_, err := client.ChooseMove(ctx, &strategyv1.ChooseMoveRequest{
		Position: &rulesv1.Position{Notation: openBoard}, Strategy: deep(thinking),
	})
	return err
}
