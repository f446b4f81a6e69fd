package faulttest

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// deep is a search that takes as long as it may.
func deep(d time.Duration) *strategyv1.Strategy {
	return &strategyv1.Strategy{Kind: &strategyv1.Strategy_AlphaBeta{AlphaBeta: &strategyv1.AlphaBeta{
		MaxDepth: 30, MaxTime: durationpb.New(d),
	}}}
}

const openBoard = "reversi/square:8 ________/________/________/___OX___/___XO___/________/________/________ X 0"

// TestADaemonThatIsAskedToStopDoesSoInTime has streams of all kinds open, long polls, calls under way and a robot that thinks.
func TestADaemonThatIsAskedToStopDoesSoInTime(t *testing.T) {
	t.Parallel()
	server := run(t, filepath.Join(t.TempDir(), "games.db"))
	ann := server.join(t)
	thinker := &gamev1.Seat{Holder: &gamev1.Seat_Robot{Robot: &gamev1.Robot{Strategy: deep(time.Minute)}}}
	thinking := ann.create(t, hexagon(6), thinker, callers())
	g := ann.create(t, hexagon(3), callers(), callers())
	said := &words{all: map[string]string{}}
	for name, w := range watchers(t, server.addrs["game"], server.addrs["http"]) {
		games, err := w.game(t.Context(), ann, g.GetId(), "")
		said.opened(t, name+" WatchGame", err)
		said.hear(t, name+" WatchGame", func() (*gamev1.End, error) { return lastOf(games) })
		turns, err := w.turns(t.Context(), ann, "")
		said.opened(t, name+" WatchTurns", err)
		said.hear(t, name+" WatchTurns", func() (*gamev1.End, error) { return lastOf(turns) })
	}
	said.hear(t, "gRPC AnalyzePosition", func() (*gamev1.End, error) { return nil, server.analyze(t.Context(), t) })
	said.hear(t, "gRPC PlayMatch", func() (*gamev1.End, error) { return nil, server.match(t.Context(), t) })
	rest := &player{key: ann.key, via: newREST(t, server.addrs["http"])}
	for name, p := range map[string]*player{"gRPC": ann, "REST": rest} {
		said.hear(t, name+" ListEvents", func() (*gamev1.End, error) {
			in := &gamev1.ListEventsRequest{GameId: g.GetId(), AfterVersion: g.GetVersion(), Wait: durationpb.New(50 * time.Second)}
			return nil, p.via.call(t.Context(), p.key, "ListEvents", in, &gamev1.ListEventsResponse{})
		})
	}
	said.hear(t, "gRPC ChooseMove", func() (*gamev1.End, error) { return nil, server.choose(t.Context(), t, time.Second) })
	server.awaitMetric(t, `flipside_open_streams{method="/flipside.game.v1.GameService/WatchTurns",service="game"} 3`)
	server.awaitMetric(t, `flipside_open_streams{method="/flipside.strategy.v1.StrategyService/AnalyzePosition",service="strategy"} 1`)
	if e := ann.log(t, thinking.GetId()); len(e) != 2 {
		t.Errorf("the robot is not thinking: %v", e)
	}

	code, took := server.stop(t)
	if code != 0 || took > 7*time.Second {
		t.Errorf("exit code %d after %v: %s", code, took, server.errors)
	}
	const leaving = "END_REASON_SHUTTING_DOWN"
	for name, word := range said.wait() {
		want := "ok"
		if strings.Contains(name, "Watch") {
			want = leaving
		}
		if strings.Contains(name, "Match") { // It has no word for an end before its end.
			want = "Unavailable"
		}
		if word != want {
			t.Errorf("%s: %s, want %s", name, word, want)
		}
	}
	if errs := server.logged.having(`"level":"ERROR"`); len(errs) > 0 {
		t.Errorf("the log has errors: %s", strings.Join(errs, "\n"))
	}
	if left, _ := filepath.Glob(server.data + "-*"); len(left) > 0 {
		t.Errorf("the database was not closed: there is %s", left)
	}
	verify(t, server.data)
}

// TestANewKeyEndsTheStreamsOfTheOldOne replaces a key that streams of all kinds were opened with.
func TestANewKeyEndsTheStreamsOfTheOldOne(t *testing.T) {
	t.Parallel()
	inEach(t, aNewKeyEndsTheStreamsOfTheOldOne)
}

func aNewKeyEndsTheStreamsOfTheOldOne(t *testing.T, start starter) {
	server := start(t)
	ann, bob := server.join(t), server.join(t)
	g := ann.create(t, hexagon(3), callers(), callers())
	said := &words{all: map[string]string{}}
	for name, w := range watchers(t, server.addrs["game"], server.addrs["http"]) {
		games, err := w.game(t.Context(), ann, g.GetId(), "")
		said.opened(t, name, err)
		said.hear(t, name+" WatchGame", func() (*gamev1.End, error) { return lastOf(games) })
		turns, err := w.turns(t.Context(), ann, "")
		said.opened(t, name, err)
		said.hear(t, name+" WatchTurns", func() (*gamev1.End, error) { return lastOf(turns) })
	}
	bobs, err := bob.games().WatchGame(bob.ctx(t.Context()), &gamev1.WatchGameRequest{GameId: g.GetId()})
	said.opened(t, "bob", err)
	server.awaitMetric(t, `flipside_open_streams{method="/flipside.game.v1.GameService/WatchGame",service="game"} 4`)
	server.awaitMetric(t, `flipside_open_streams{method="/flipside.game.v1.GameService/WatchTurns",service="game"} 3`)
	old := ann.key
	var out gamev1.RotateKeyResponse
	if err := ann.via.call(t.Context(), old, "RotateKey", &gamev1.RotateKeyRequest{}, &out); err != nil {
		t.Fatal(err)
	}
	for name, word := range said.wait() {
		if want := "END_REASON_KEY_REVOKED"; word != want {
			t.Errorf("%s: %s, want %s", name, word, want)
		}
	}
	err = ann.via.call(t.Context(), old, "GetGame", &gamev1.GetGameRequest{GameId: g.GetId()}, &gamev1.GetGameResponse{})
	refuses(t, err, codes.Unauthenticated, "INVALID_KEY")
	ann.key = out.GetKey()
	ann.move(t, g.GetId())
	for version := range int32(2) {
		if m, err := bobs.Recv(); err != nil || m.GetVersion() != g.GetVersion()+version {
			t.Fatalf("the stream of somebody else: %v, %v", m, err)
		}
	}
}

// words is how calls that go on in the background ended, by name.
type words struct {
	mu    sync.Mutex
	all   map[string]string
	calls sync.WaitGroup
}

func (w *words) opened(t *testing.T, name string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func (w *words) hear(t *testing.T, name string, call func() (*gamev1.End, error)) {
	t.Helper()
	w.calls.Go(func() {
		end, err := call()
		w.mu.Lock()
		defer w.mu.Unlock()
		switch {
		case err != nil:
			w.all[name] = status.Code(err).String()
		case end != nil:
			w.all[name] = end.GetReason().String()
		default:
			w.all[name] = "ok"
		}
	})
}

func (w *words) wait() map[string]string {
	w.calls.Wait()
	return w.all
}

// lastOf reads a stream to its end.
func lastOf[M interface {
	GetEnd() *gamev1.End
}](stream interface{ Recv() (M, error) }) (*gamev1.End, error) {
	for {
		m, err := stream.Recv()
		if err != nil || m.GetEnd() != nil {
			return m.GetEnd(), err
		}
	}
}

// analyze searches a position for a minute, and returns how the stream ended.
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

// match plays a match that takes for ever, and returns how the stream ended.
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

func (d *daemon) choose(ctx context.Context, t *testing.T, thinking time.Duration) error {
	client := strategyv1.NewStrategyServiceClient(dial(t, d.addrs["strategy"]))
	_, err := client.ChooseMove(ctx, &strategyv1.ChooseMoveRequest{
		Position: &rulesv1.Position{Notation: openBoard}, Strategy: deep(thinking),
	})
	return err
}
