package faulttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// dial opens a connection until the test ends. A broken connection reconnects fast.
func dial(t testing.TB, addr string) *grpc.ClientConn {
	t.Helper()
	fast := backoff.Config{BaseDelay: 5 * time.Millisecond, Multiplier: 1.5, MaxDelay: 50 * time.Millisecond}
	conn, err := grpc.NewClient("passthrough:///"+addr, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: fast, MinConnectTimeout: time.Second}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// player is a player with a way to make calls.
type player struct {
	id, key string
	via     caller
}

// caller makes unary calls, over gRPC or REST.
type caller interface {
	// call makes a call. Its error is a status, or an error of the connection.
	call(ctx context.Context, key, method string, in, out proto.Message) error
}

// overGRPC makes calls over gRPC.
type overGRPC struct{ conn *grpc.ClientConn }

func (o overGRPC) call(ctx context.Context, key, method string, in, out proto.Message) error {
	service := "/flipside.game.v1.GameService/"
	if method == "CreatePlayer" || method == "RotateKey" {
		service = "/flipside.game.v1.PlayerService/"
	}
	return o.conn.Invoke(withKey(ctx, key), service+method, in, out)
}

func withKey(ctx context.Context, key string) context.Context {
	if key == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+key)
}

// overREST makes calls over REST.
type overREST struct {
	base   string
	client *http.Client
}

func newREST(t testing.TB, addr string) overREST {
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	return overREST{base: "http://" + addr, client: &http.Client{Transport: transport}}
}

// routes maps methods to paths; %s stands for the game.
var routes = map[string]struct{ verb, path string }{
	"CreatePlayer":   {"POST", "/v1/players"},
	"RotateKey":      {"POST", "/v1/players/me:rotateKey"},
	"CreateGame":     {"POST", "/v1/games"},
	"GetGame":        {"GET", "/v1/games/%s"},
	"PlayMove":       {"POST", "/v1/games/%s/moves"},
	"ListEvents":     {"GET", "/v1/games/%s/events"},
	"ListLegalMoves": {"GET", "/v1/games/%s/legalMoves"},
	"Resign":         {"POST", "/v1/games/%s:resign"},
	"SetRobot":       {"POST", "/v1/games/%s:setRobot"},
}

func (o overREST) call(ctx context.Context, key, method string, in, out proto.Message) error {
	route := routes[method]
	path := route.path
	var body []byte
	message := proto.Clone(in).ProtoReflect()
	if field := message.Descriptor().Fields().ByName("game_id"); field != nil {
		path = fmt.Sprintf(path, message.Get(field).String())
		message.Clear(field)
	}
	headers := http.Header{}
	if key != "" {
		headers.Set("Authorization", "Bearer "+key)
	}
	switch events, list := in.(*gamev1.ListEventsRequest); {
	case list:
		path += fmt.Sprintf("?afterVersion=%d&pageSize=%d&wait=%vs", events.GetAfterVersion(), events.GetPageSize(),
			events.GetWait().AsDuration().Seconds())
	case route.verb == http.MethodPost:
		if field := message.Descriptor().Fields().ByName("request_id"); field != nil {
			headers.Set("Idempotency-Key", message.Get(field).String())
			message.Clear(field)
		}
		var err error
		if body, err = protojson.Marshal(message.Interface()); err != nil {
			return err
		}
	}
	return o.do(ctx, route.verb, path, headers, body, out)
}

// do makes a request and parses the response into a message.
func (o overREST) do(ctx context.Context, verb, path string, headers http.Header, body []byte, out proto.Message) error {
	req, err := http.NewRequestWithContext(ctx, verb, o.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header = headers
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := o.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	response, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return statusOf(response)
	}
	return protojson.Unmarshal(response, out)
}

// statusOf parses the body of an error.
func statusOf(body []byte) error {
	var s rpcstatus.Status
	if err := protojson.Unmarshal(body, &s); err != nil {
		return fmt.Errorf("not a google.rpc.Status: %w: %.200s", err, body)
	}
	return status.FromProto(&s).Err()
}

// newPlayer creates a player.
func newPlayer(ctx context.Context, via caller) (*player, error) {
	var out gamev1.CreatePlayerResponse
	err := via.call(ctx, "", "CreatePlayer", &gamev1.CreatePlayerRequest{DisplayName: "Ann"}, &out)
	return &player{id: out.GetPlayer().GetId(), key: out.GetKey(), via: via}, err
}

// join creates a player that makes calls over gRPC.
func (d *daemon) join(t testing.TB) *player {
	t.Helper()
	p, err := newPlayer(t.Context(), overGRPC{dial(t, d.addrs["game"])})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// games returns the player's client of GameService over gRPC.
func (p *player) games() gamev1.GameServiceClient {
	return gamev1.NewGameServiceClient(p.via.(overGRPC).conn)
}

// ctx returns the context for calls of the player over gRPC.
func (p *player) ctx(ctx context.Context) context.Context { return withKey(ctx, p.key) }

func callerSeat() *gamev1.Seat {
	return &gamev1.Seat{Holder: &gamev1.Seat_Caller_{Caller: &gamev1.Seat_Caller{}}}
}

// robotSeat returns a seat with a robot of a provider, "" for the server's own.
func robotSeat(provider string) *gamev1.Seat {
	return &gamev1.Seat{Holder: &gamev1.Seat_Robot{Robot: &gamev1.Robot{Provider: provider, Strategy: easy()}}}
}

func easy() *strategyv1.Strategy {
	return &strategyv1.Strategy{Kind: &strategyv1.Strategy_Level{Level: strategyv1.Level_LEVEL_EASY}}
}

func hexagon(rings int32) *rulesv1.Setup {
	return &rulesv1.Setup{Game: &rulesv1.Setup_Reversi{Reversi: &rulesv1.ReversiSetup{
		Board: &rulesv1.ReversiSetup_Hexagon{Hexagon: &rulesv1.HexagonBoard{Rings: rings}},
	}}}
}

func square(side int32) *rulesv1.Setup {
	return &rulesv1.Setup{Game: &rulesv1.Setup_Reversi{Reversi: &rulesv1.ReversiSetup{
		Board: &rulesv1.ReversiSetup_Square{Square: &rulesv1.SquareBoard{Side: side}},
	}}}
}

// create creates a game.
func (p *player) create(t testing.TB, setup *rulesv1.Setup, seats ...*gamev1.Seat) *gamev1.Game {
	t.Helper()
	in := &gamev1.CreateGameRequest{Setup: setup, Seats: seats, RequestId: uuid.NewString()}
	var out gamev1.CreateGameResponse
	if err := p.via.call(t.Context(), p.key, "CreateGame", in, &out); err != nil {
		t.Fatal(err)
	}
	return out.GetGame()
}

// get returns the current state of a game.
func (p *player) get(t testing.TB, id string) *gamev1.Game {
	t.Helper()
	var out gamev1.GetGameResponse
	if err := p.via.call(t.Context(), p.key, "GetGame", &gamev1.GetGameRequest{GameId: id}, &out); err != nil {
		t.Fatal(err)
	}
	return out.GetGame()
}

// legal returns the legal moves in notation.
func (p *player) legal(ctx context.Context, id string) ([]string, error) {
	var out gamev1.ListLegalMovesResponse
	if err := p.via.call(ctx, p.key, "ListLegalMoves", &gamev1.ListLegalMovesRequest{GameId: id}, &out); err != nil {
		return nil, err
	}
	var notations []string
	for _, m := range out.GetMoves() {
		notations = append(notations, m.GetNotation())
	}
	return notations, nil
}

// move plays the first legal move and returns the game after it.
func (p *player) move(t testing.TB, id string) *gamev1.Game {
	t.Helper()
	notations, err := p.legal(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var out gamev1.PlayMoveResponse
	in := &gamev1.PlayMoveRequest{GameId: id, Notation: notations[0]}
	if err := p.via.call(t.Context(), p.key, "PlayMove", in, &out); err != nil {
		t.Fatal(err)
	}
	return out.GetGame()
}

// log returns the whole log of a game and checks that it is dense.
func (p *player) log(t testing.TB, id string) []*gamev1.Event {
	t.Helper()
	var log []*gamev1.Event
	for {
		var out gamev1.ListEventsResponse
		in := &gamev1.ListEventsRequest{GameId: id, AfterVersion: int32(len(log))}
		if err := p.via.call(t.Context(), p.key, "ListEvents", in, &out); err != nil {
			t.Fatal(err)
		}
		for _, e := range out.GetEvents() {
			log = append(log, e)
			if int(e.GetVersion()) != len(log) || e.GetGameId() != id {
				t.Fatalf("game %s: the log has event %d of game %s at index %d", id, e.GetVersion(), e.GetGameId(), len(log)-1)
			}
		}
		if out.GetNextPageToken() == "" {
			return log
		}
	}
}

// reasonOf returns the code and the reason of an error.
func reasonOf(err error) (codes.Code, string) {
	s := status.Convert(err)
	return s.Code(), serve.Reason(s)
}

// checkError checks the code and the reason of an error.
func checkError(t testing.TB, err error, code codes.Code, reason string) {
	t.Helper()
	if gotCode, gotReason := reasonOf(err); gotCode != code || gotReason != reason {
		t.Errorf("got %v %s (%v), want %v %s", gotCode, gotReason, err, code, reason)
	}
}

// retryable reports whether it is unknown if the server executed the call with this error.
func retryable(err error) bool {
	if _, isURL := errors.AsType[*url.Error](err); isURL {
		return true
	}
	if s, ok := status.FromError(err); ok {
		return s.Code() == codes.Unavailable || s.Code() == codes.Canceled || s.Code() == codes.DeadlineExceeded
	}
	return true
}

// awaitMetric waits until a metric has a value, summed over all processes. line is "name value".
func (d *daemon) awaitMetric(t testing.TB, line string) {
	t.Helper()
	name, want, _ := strings.Cut(line, " ")
	total := 0.0
	for end := time.Now().Add(waitTimeout); time.Now().Before(end); {
		total = 0
		for _, at := range d.metrics {
			total += metric(t, at, name)
		}
		if fmt.Sprint(total) == want {
			return
		}
		<-time.After(10 * time.Millisecond)
	}
	t.Fatalf("%s is %v, want %s", name, total, want)
}

// metric returns the value of a metric at an address, 0 if it does not exist.
func metric(t testing.TB, at, name string) (value float64) {
	t.Helper()
	rest := newREST(t, at)
	resp, err := rest.client.Get(rest.base + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if figure, ok := strings.CutPrefix(line, name+" "); ok {
			if _, err := fmt.Sscan(figure, &value); err != nil {
				t.Fatal(err)
			}
		}
	}
	return value
}
