package apitest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/app"
)

// startWithCallRate starts a server that accepts one call of each caller, and the next after a long
// time.
func startWithCallRate(t *testing.T, change changeSettings) *server {
	return startServer(t, change.and(func(s *app.Settings) { s.CallRate, s.AddressCallRate = 0.001, 1e6 }))
}

// startWithMaxStreams starts a server that allows one stream for each caller.
func startWithMaxStreams(t *testing.T, change changeSettings) *server {
	return startServer(t, change.and(func(s *app.Settings) { s.MaxStreams, s.MaxAddressStreams = 1, 1000 }))
}

// startWithAddressCallRate starts a server that accepts one call from each address, and the next after
// a long time.
func startWithAddressCallRate(t *testing.T, change changeSettings) *server {
	return startServer(t, change.and(func(s *app.Settings) { s.AddressCallRate = 0.001 }))
}

// startWithMaxAddressStreams starts a server that allows one stream for each address.
func startWithMaxAddressStreams(t *testing.T, change changeSettings) *server {
	return startServer(t, change.and(func(s *app.Settings) { s.MaxAddressStreams = 1 }))
}

var callRateLimited = []apiCase{
	{"a call above the rate", ann, "GetMe", afterCall(ann), `{}`, rateLimited},
	{"a stream above the rate", bob, "WatchTurns", afterCall(bob), `{}`, rateLimited},
	{"a call of a service above the rate of a user", serviceForZoe, "GetMe", afterCall(serviceForZoe), `{}`, rateLimited},
	{"a call of another player", cat, "GetMe", nil, `{}`, ok},
}

var streamLimited = []apiCase{
	{"a second stream of a game", ann, "WatchGame", game(square8, ann, bob).watchedBy(ann), `{}`, tooManyStreams.with("limit", "1")},
	{"a second stream of turns", bob, "WatchTurns", game(square8, ann, bob).watchedBy(bob), `{}`, tooManyStreams.with("limit", "1")},
	{"a long poll beside a stream", "ivy", "ListEvents", game(square8, ann, bob).watchedBy("ivy"),
		`{"afterVersion":2,"wait":"5s"}`, tooManyStreams.with("limit", "1")},
	{"a list of events beside a stream", "ian", "ListEvents", game(square8, ann, bob).watchedBy("ian"), `{}`, ok},
	{"a stream of another player", cat, "WatchTurns", game(square8, ann, bob).watchedBy(eve), `{}`, ok},
}

var addressCallRateLimited = []apiCase{
	{"a call with another key", ann, "GetMe", afterOtherKey, `{}`, rateLimited.with("limit", "0.001")},
	{"an expensive call", ann, "CreateGame", afterOtherKey, `{}`, rateLimited.with("limit", "0.001")},
	{"a stream", ann, "WatchTurns", afterOtherKey, `{}`, rateLimited},
	{"a call of a service", serviceForZoe, "GetMe", afterOtherKey, `{}`, ok},
	{"a call without a key", noKey, "CreatePlayer", afterOtherKey, `{}`, ok},
}

// afterOtherKey makes a call with another key from this address, and no game.
func afterOtherKey(s *scene) string {
	s.call(bob, "GetMe", `{}`) // It is rejected after the first case.
	return ""
}

var addressStreamLimited = []apiCase{
	{"a stream of another player", bob, "WatchTurns", game(square8, ann, bob).watchedBy(ann), `{}`, tooManyStreams.with("limit", "1")},
	{"a stream of a service", serviceForZoe, "WatchTurns", nil, `{}`, ok},
}

// startWithMaxInvitations starts a server that allows each player one game with open invitations.
func startWithMaxInvitations(t *testing.T, change changeSettings) *server {
	return startServer(t, change.and(func(s *app.Settings) { s.MaxInvitations = 1 }))
}

var invitationLimited = []apiCase{
	{"a further invitation", cat, "CreateGame", invites(cat, ann, bob), invitation, tooManyInvitations.with("limit", "1")},
	{"a fork that invites", "dan", "ForkGame", invites("dan", ann, bob), `{"seats":[{"caller":{}},` + seat(eve) + `]}`, tooManyInvitations},
	{"a game without invitations", "dot", "CreateGame", invites("dot", ann, bob), `{"setup":` + square8 + `}`, ok},
	{"an invitation by another player", eve, "CreateGame", invites("dig", ann, bob), invitation, ok},
	{"an invitation after one was declined", "don", "CreateGame", invites("don", ann, bob).then(ann, "AbortGame", `{}`), invitation, ok},
}

// invitation is a request for a game with one invitation.
var invitation = `{"setup":` + square8 + `,"seats":[{"caller":{}},` + seat(bob) + `]}`

// startWithPlayerRate starts a server that creates one player for each address, and the next after
// a long time.
func startWithPlayerRate(t *testing.T, change changeSettings) *server {
	return startServer(t, change.and(func(s *app.Settings) { s.PlayerRate = 0.001 }))
}

var playerRateLimited = []apiCase{
	{"a second player from one address", noKey, "CreatePlayer", afterPlayer, `{}`, rateLimited.with("limit", "0.001")},
}

// startWithWrongKeyRate starts a server that looks up one wrong key of each address, and the next
// after a long time.
func startWithWrongKeyRate(t *testing.T, change changeSettings) *server {
	s := startServer(t, change.and(func(s *app.Settings) { s.WrongKeyRate = 0.001 }))
	s.player(t, ann)
	s.player(t, bob)
	return s
}

var wrongKeyRateLimited = []apiCase{
	{"a second wrong key from one address", anotherBadKey, "GetMe", afterWrongKey, `{}`, rateLimited.with("limit", "0.001")},
	{"a stream with a second wrong key", anotherBadKey, "WatchTurns", afterWrongKey, `{}`, rateLimited},
	{"the first wrong key again", badKey, "GetMe", afterWrongKey, `{}`, invalidKey},
	{"a key that has been valid before", ann, "GetMe", afterWrongKey, `{}`, ok},
}

// afterWrongKey makes a call with a wrong key, after one of ann with her own.
func afterWrongKey(s *scene) string {
	s.must(ann, "GetMe", `{}`)
	invalidKey.check(s.T, s.call(badKey, "GetMe", `{}`))
	return ""
}

// afterPlayer creates a player from this address, and no game.
func afterPlayer(s *scene) string {
	s.must(noKey, "CreatePlayer", `{}`)
	return ""
}

// The server ends a search over REST when the caller's search time is used up, and rejects the next
// one.
func TestSearchTimeIsLimited(t *testing.T) {
	t.Parallel()
	server := startServer(t, func(s *app.Settings) { s.SearchTime = 50 * time.Millisecond })
	s := &scene{T: t, server: server, via: overREST{}}
	const endless = `{"position":` + startOnEight + `,"strategy":{"engine":{"maxTime":"60s"}}}`
	verb, target, body := restForm(t, rpcNamed(t, "AnalyzePosition"), s.request("AnalyzePosition", endless))
	resp := server.do(t, verb, target, s.headers(ann), body)
	defer resp.Body.Close()
	response, err := io.ReadAll(resp.Body)
	if err != nil || !strings.Contains(string(response), budgetExceeded.reason) {
		t.Errorf("%v, after %s", err, response)
	}
	got := s.call(ann, "ChooseMove", chooseRequest(`{"greedy":{}}`))
	budgetExceeded.with("limit", "50ms").check(t, got)
	if seconds, _ := strconv.Atoi(got.header.Get("Retry-After")); seconds < 2 {
		t.Errorf("Retry-After is %d s, want at least 2", seconds)
	}
	ok.check(t, s.call(ann, "ListPositionMoves", minimalRequests["ListPositionMoves"]))
	ok.check(t, s.call(bob, "ChooseMove", chooseRequest(`{"greedy":{}}`)))
}

// An analysis without a limit of its own ends in time, with its final message. On busy processors
// one of three does.
func TestAnAnalysisEndsBeforeTheDeadlineOfItsCall(t *testing.T) {
	t.Parallel()
	const deadline = 3 * time.Second // It leaves 300 ms for the answer.
	s := &scene{T: t, server: startServer(t, nil)}
	in := s.request("AnalyzePosition", `{"position":`+startOnEight+`,"strategy":{"engine":{}}}`)
	client := strategyv1.NewStrategyServiceClient(s.server.strategy)
	overGRPC := func() (final bool) {
		ctx, cancel := context.WithTimeout(t.Context(), deadline)
		defer cancel()
		stream, err := client.AnalyzePosition(ctx, in.(*strategyv1.AnalyzePositionRequest))
		for err == nil {
			var m *strategyv1.AnalyzePositionResponse
			if m, err = stream.Recv(); err == nil {
				final = m.GetAnalysis().GetFinal()
			}
		}
		return final && errors.Is(err, io.EOF)
	}
	headers := s.headers(ann)
	headers["Grpc-Timeout"] = "3S"
	verb, target, body := restForm(t, rpcNamed(t, "AnalyzePosition"), in)
	overREST := func() (final bool) {
		resp := s.server.do(t, verb, target, headers, body)
		defer resp.Body.Close()
		response, err := io.ReadAll(resp.Body)
		return err == nil && strings.Contains(string(response), `"final":true`)
	}
	for name, ends := range map[string]func() bool{"gRPC": overGRPC, "REST": overREST} {
		ended := false
		for attempt := 0; attempt < 3 && !ended; attempt++ {
			ended = ends()
		}
		if !ended {
			t.Errorf("over %s no analysis ends in time", name)
		}
	}
}

// afterCall makes the one allowed call of a caller, and no game.
func afterCall(caller string) fixture {
	return func(s *scene) string {
		s.must(caller, "GetMe", `{}`)
		return ""
	}
}

// watchedBy lets a caller watch the game until the end of the case.
func (g fixture) watchedBy(caller string) fixture {
	return func(s *scene) string {
		s.Helper()
		s.game = g(s)
		ctx := outgoing(s.Context(), s.headers(caller))
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

// startWithoutStore starts a server with ann as player, and then makes its table of players
// unavailable.
func startWithoutStore(t *testing.T, change changeSettings) *server {
	s := startServer(t, change)
	s.player(t, ann)
	s.execute(t, "ALTER TABLE players RENAME TO lost")
	return s
}

// startContended starts a server whose database fails every change of a started game with a
// serialization failure, as under concurrent writes. SQLite has one writer and never fails so.
func startContended(t *testing.T, change changeSettings) *server {
	s := startServer(t, change)
	if len(s.settings.DatabaseURLs) == 0 {
		t.Skip("SQLite has no serialization failures")
	}
	s.execute(t, `CREATE FUNCTION fail_update() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN RAISE EXCEPTION 'concurrent update' USING ERRCODE = 'serialization_failure'; END $$`)
	s.execute(t, `CREATE TRIGGER fail_update BEFORE UPDATE ON games FOR EACH ROW EXECUTE FUNCTION fail_update()`)
	return s
}

var contended = []apiCase{
	{"a move that loses to concurrent writes", ann, "PlayMove", game(square8, ann, bob), `{"notation":"d3"}`, storeContended},
	{"a new game", ann, "CreateGame", nil, `{"setup":` + square8 + `,"seats":[` + seat(ann) + `,` + seat(bob) + `]}`, ok},
}

var storeFailures = []apiCase{
	{"GetMe", ann, "GetMe", nil, `{}`, storeUnavailable},
	{"CreatePlayer", noKey, "CreatePlayer", nil, `{}`, storeUnavailable},
	{"WatchTurns", ann, "WatchTurns", nil, `{}`, storeUnavailable},
	{"ListStrategies needs no store", noKey, "ListStrategies", nil, `{}`, ok},
}

// gatewayCases are calls over REST while the services are down.
var gatewayCases = []apiCase{
	{"GetGame without Game", badKey, "GetGame", nil, `{"gameId":"01arz3ndektsv4rrffq69g5fav"}`, gameUnavailable},
	{"WatchTurns without Game", badKey, "WatchTurns", nil, `{}`, gameUnavailable},
	{"ChooseMove without Game to check the key", badKey, "ChooseMove", nil, `{"position":` + startOnEight + `,"strategy":{"greedy":{}}}`,
		gameUnavailable},
	{"ListStrategies without Strategy", noKey, "ListStrategies", nil, `{}`, strategyUnavailable},
}

func TestGatewayWithoutServices(t *testing.T) {
	t.Parallel()
	start := func(t *testing.T, change changeSettings) *server {
		return startRole(t, app.Gateway, change.and(func(s *app.Settings) { s.DrainTimeout = time.Second }))
	}
	s := suite{"gateway without services", start, gatewayCases, false, false}
	t.Run("REST", func(t *testing.T) {
		t.Parallel()
		s.run(t, overREST{}, nil, &errorTexts{})
	})
}

// An expensive call counts as several calls.
func TestCallsAreWeighed(t *testing.T) {
	t.Parallel()
	const picture = `{"format":"FORMAT_SVG"}`
	start := func(s *app.Settings) { s.CallRate = 5 } // A picture uses the burst of ten units.
	for _, via := range transports {
		t.Run(via.name(), func(t *testing.T) {
			t.Parallel()
			s := &scene{T: t, server: startServer(t, start), via: via}
			s.game = two(s)
			ok.check(t, s.call(ann, "RenderGame", picture))
			rateLimited.with("limit", "5").check(t, s.call(ann, "RenderGame", picture))
			ok.check(t, s.call(bob, "RenderGame", picture))
		})
	}
}

// A page of a list has at most 1 MiB, and the rest follows.
func TestPagesAreLimitedByBytes(t *testing.T) {
	t.Parallel()
	const limit, games = 1 << 20, 40
	overTransports(t, startServer(t, nil), func(t *testing.T, s *scene) {
		caller := "lea" + s.via.name()
		for range games {
			s.must(caller, "CreateGame", `{"setup":`+longNames()+`}`)
		}
		found, pages := 0, 0
		for token := ""; token != "" || pages == 0; pages++ {
			got := s.call(caller, "ListGames", `{"playerId":"me","pageSize":1000,"pageToken":"`+token+`"}`)
			page := got.message.(*gamev1.ListGamesResponse)
			token = page.GetNextPageToken()
			size, one := 0, 0
			for _, g := range page.GetGames() {
				one = proto.Size(g)
				size += one
			}
			if size > limit || token != "" && size+one <= limit {
				t.Errorf("page %d has %d games of %d bytes", pages, len(page.GetGames()), size)
			}
			found += len(page.GetGames())
		}
		if found != games || pages < 2 {
			t.Errorf("%d games on %d pages, want %d on several", found, pages, games)
		}
	})
}

// longNames returns the setup of a game that is as large as possible.
func longNames() string {
	var deck strings.Builder
	for i := range 256 {
		fmt.Fprintf(&deck, `%02x%s 1 2 3 4\n`, i, strings.Repeat("n", 62))
	}
	grid := `16 16\n` + strings.Repeat(strings.Repeat("C", 16)+`\n`, 15) + strings.Repeat("C", 15) + `X`
	return `{"threeTrios":{"grid":"` + grid + `","deck":"` + deck.String() + `"}}`
}
