package apitest

import (
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"

	"github.com/flipside-games/flipside/services/app"
)

// startFewCalls starts a server that takes one call of a caller, and then none for a long time.
func startFewCalls(t *testing.T, change changeSettings) *server {
	return startServer(t, change.and(func(s *app.Settings) { s.CallRate = 0.001 }))
}

// startFewStreams starts a server that lets a caller have one stream.
func startFewStreams(t *testing.T, change changeSettings) *server {
	return startServer(t, change.and(func(s *app.Settings) { s.MaxStreams = 1 }))
}

var fewCalls = []apiCase{
	{"a call too many", ann, "GetMe", afterCall(ann), `{}`, rateLimited},
	{"a stream too many calls in", bob, "WatchTurns", afterCall(bob), `{}`, rateLimited},
	{"a call too many of a service for one of its users", serviceForZoe, "GetMe", afterCall(serviceForZoe), `{}`, rateLimited},
	{"the first call of somebody else", cat, "GetMe", nil, `{}`, ok},
}

var fewStreams = []apiCase{
	{"a game too many, watched", ann, "WatchGame", game(square8, ann, bob).watchedBy(ann), `{}`, tooManyStreams.with("limit", "1")},
	{"turns too many, watched", bob, "WatchTurns", game(square8, ann, bob).watchedBy(bob), `{}`, tooManyStreams.with("limit", "1")},
	{"a game that is asked for what comes next, too many", "ivy", "ListEvents", game(square8, ann, bob).watchedBy("ivy"),
		`{"afterVersion":2,"wait":"5s"}`, tooManyStreams.with("limit", "1")},
	{"and for what came before", "ian", "ListEvents", game(square8, ann, bob).watchedBy("ian"), `{}`, ok},
	{"the first stream of somebody else", cat, "WatchTurns", game(square8, ann, bob).watchedBy(eve), `{}`, ok},
}

// startFewPlayers starts a server that creates one player for an address, and then none for a long time.
func startFewPlayers(t *testing.T, change changeSettings) *server {
	return startServer(t, change.and(func(s *app.Settings) { s.PlayerRate = 0.001 }))
}

var fewPlayers = []apiCase{
	{"a player too many from one address", nobody, "CreatePlayer", afterPlayer, `{}`, rateLimited.with("limit", "0.001")},
}

// afterPlayer is no game: it has somebody from this address create a player, over gRPC.
func afterPlayer(s *scene) string {
	s.must(nobody, "CreatePlayer", `{}`)
	return ""
}

// TestSearchTimeIsUsedUp ends a search over REST that takes longer than its caller has, and refuses the next.
func TestSearchTimeIsUsedUp(t *testing.T) {
	t.Parallel()
	server := startServer(t, func(s *app.Settings) { s.SearchTime = 50 * time.Millisecond })
	s := &scene{T: t, server: server, via: overREST{}}
	const endless = `{"position":` + startOnEight + `,"strategy":{"engine":{"maxTime":"60s"}}}`
	verb, target, body := restForm(t, rpcNamed(t, "AnalyzePosition"), s.request("AnalyzePosition", endless))
	resp := server.do(t, verb, target, s.headers(ann), body)
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	if err != nil || !strings.Contains(string(said), budgetExceeded.reason) {
		t.Errorf("%v, after %s", err, said)
	}
	got := s.call(ann, "ChooseMove", chosen(`{"greedy":{}}`))
	budgetExceeded.with("limit", "50ms").check(t, got)
	if seconds, _ := strconv.Atoi(got.header.Get("Retry-After")); seconds < 2 {
		t.Errorf("to be tried again after %d s", seconds)
	}
	ok.check(t, s.call(ann, "ListPositionMoves", plain["ListPositionMoves"]))
	ok.check(t, s.call(bob, "ChooseMove", chosen(`{"greedy":{}}`)))
}

// afterCall is no game: it has a caller make the one call that is his.
func afterCall(who string) table {
	return func(s *scene) string {
		s.must(who, "GetMe", `{}`)
		return ""
	}
}

// watchedBy is a game that a caller watches until the end of the case.
func (g table) watchedBy(who string) table {
	return func(s *scene) string {
		s.Helper()
		s.game = g(s)
		ctx := outgoing(s.Context(), s.headers(who))
		stream, err := s.server.game.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, rpcNamed(s, "WatchGame").fullMethod())
		if err != nil {
			s.Fatal(err)
		}
		if err := stream.SendMsg(s.request("WatchGame", `{}`)); err != nil {
			s.Fatal(err)
		}
		if err := stream.RecvMsg(rpcNamed(s, "WatchGame").response()); err != nil {
			s.Fatal(err)
		}
		return s.game
	}
}

// startWithoutStore starts a server whose database loses its players behind its back, once it knows ann.
func startWithoutStore(t *testing.T, change changeSettings) *server {
	s := startServer(t, change)
	s.player(t, ann)
	s.execute(t, "ALTER TABLE players RENAME TO lost")
	return s
}

// startContended starts a server whose database gives up every change of a game that has begun, as it may when another one
// is in its way. SQLite has one writer and never does.
func startContended(t *testing.T, change changeSettings) *server {
	s := startServer(t, change)
	if s.settings.DatabaseURL == "" {
		t.Skip("SQLite gives no change up")
	}
	s.execute(t, `CREATE FUNCTION give_up() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN RAISE EXCEPTION 'given up' USING ERRCODE = 'serialization_failure'; END $$`)
	s.execute(t, `CREATE TRIGGER give_up BEFORE UPDATE ON games FOR EACH ROW EXECUTE FUNCTION give_up()`)
	return s
}

var contended = []apiCase{
	{"a move that others come in the way of", ann, "PlayMove", game(square8, ann, bob), `{"notation":"d3"}`, storeContended},
	{"a game that starts", ann, "CreateGame", nil, `{"setup":` + square8 + `,"seats":[` + seat(ann) + `,` + seat(bob) + `]}`, ok},
}

var withoutStore = []apiCase{
	{"who am I, without a store", ann, "GetMe", nil, `{}`, storeUnavailable},
	{"a new player, without a store", nobody, "CreatePlayer", nil, `{}`, storeUnavailable},
	{"a stream, without a store", ann, "WatchTurns", nil, `{}`, storeUnavailable},
	{"a strategy needs no store", nobody, "ListStrategies", nil, `{}`, ok},
}

// gatewayAlone is what REST says when the services behind it are away.
var gatewayAlone = []apiCase{
	{"a game, without Game", badKey, "GetGame", nil, `{"gameId":"01arz3ndektsv4rrffq69g5fav"}`, storeUnavailable},
	{"a stream, without Game", badKey, "WatchTurns", nil, `{}`, storeUnavailable},
	{"a move, without Game to know the key", badKey, "ChooseMove", nil, `{"position":` + startOnEight + `,"strategy":{"greedy":{}}}`,
		storeUnavailable},
	{"the strategies, without Strategy", nobody, "ListStrategies", nil, `{}`, strategyUnavailable},
}

func TestGatewayAlone(t *testing.T) {
	t.Parallel()
	start := func(t *testing.T, change changeSettings) *server {
		return startRole(t, app.Gateway, change.and(func(s *app.Settings) { s.DrainTimeout = time.Second }))
	}
	s := suite{"gateway alone", start, gatewayAlone, false, false}
	t.Run("REST", func(t *testing.T) {
		t.Parallel()
		s.run(t, overREST{}, nil, &texts{})
	})
}
