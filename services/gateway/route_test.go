package gateway

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

const (
	gameService     = "/flipside.game.v1.GameService/"
	playerService   = "/flipside.game.v1.PlayerService/"
	strategyService = "/flipside.strategy.v1.StrategyService/"
)

// Every RPC has a path. Path, query and body set the fields of its request.
func TestEveryRPC(t *testing.T) {
	t.Parallel()
	level := &strategyv1.Strategy{Kind: &strategyv1.Strategy_Level{Level: strategyv1.Level_LEVEL_EASY}}
	position := &rulesv1.Position{Notation: "n"}
	tests := []struct {
		request
		method string
		in     proto.Message
	}{
		{post("/v1/players", `{"displayName":"Ada"}`), playerService + "CreatePlayer", &gamev1.CreatePlayerRequest{DisplayName: "Ada"}},
		{get("/v1/players/me"), playerService + "GetMe", &gamev1.GetMeRequest{}},
		{post("/v1/players/me:rotateKey", `{}`), playerService + "RotateKey", &gamev1.RotateKeyRequest{}},
		{
			post("/v1/webhook", `{"url":"https://a.example","newSecret":true}`), playerService + "SetWebhook",
			&gamev1.SetWebhookRequest{Url: "https://a.example", NewSecret: true},
		},
		{get("/v1/webhook"), playerService + "GetWebhook", &gamev1.GetWebhookRequest{}},
		{post("/v1/webhook:delete", `{}`), playerService + "DeleteWebhook", &gamev1.DeleteWebhookRequest{}},
		{
			post("/v1/games", `{"setup":{"reversi":{"hexagon":{"rings":3}}},"seats":[{"caller":{}},{"open":{}}]}`),
			gameService + "CreateGame", read(t, &gamev1.CreateGameRequest{},
				`{"setup":{"reversi":{"hexagon":{"rings":3}}},"seats":[{"caller":{}},{"open":{}}]}`),
		},
		{get("/v1/games/g1"), gameService + "GetGame", &gamev1.GetGameRequest{GameId: "g1"}},
		{
			get("/v1/games?state=GAME_STATE_ACTIVE&kind=GAME_KIND_REVERSI&playerId=me&pageSize=7&pageToken=t"),
			gameService + "ListGames", &gamev1.ListGamesRequest{
				State: gamev1.GameState_GAME_STATE_ACTIVE, Kind: rulesv1.GameKind_GAME_KIND_REVERSI,
				PlayerId: "me", PageSize: 7, PageToken: "t",
			},
		},
		{
			post("/v1/games/g1:join", `{"side":"SIDE_SECOND"}`),
			gameService + "JoinGame", &gamev1.JoinGameRequest{GameId: "g1", Side: rulesv1.Side_SIDE_SECOND},
		},
		{
			post("/v1/games/g1/moves", `{"notation":"d3","expectedVersion":4,"requestId":"r"}`),
			gameService + "PlayMove", &gamev1.PlayMoveRequest{GameId: "g1", Notation: "d3", ExpectedVersion: 4, RequestId: "r"},
		},
		{
			get("/v1/games/g1/events?afterVersion=3&pageSize=2&wait=50s"),
			gameService + "ListEvents", read(t, &gamev1.ListEventsRequest{}, `{"gameId":"g1","afterVersion":3,"pageSize":2,"wait":"50s"}`),
		},
		{
			get("/v1/games/g1/legalMoves?side=SIDE_FIRST&card=k3"),
			gameService + "ListLegalMoves", &gamev1.ListLegalMovesRequest{GameId: "g1", Side: rulesv1.Side_SIDE_FIRST, Card: "k3"},
		},
		{post("/v1/games/g1:resign", `{}`), gameService + "Resign", &gamev1.ResignRequest{GameId: "g1"}},
		{post("/v1/games/g1:abort", ``), gameService + "AbortGame", &gamev1.AbortGameRequest{GameId: "g1"}},
		{post("/v1/games/g1:claim", `{}`), gameService + "ClaimAbandonment", &gamev1.ClaimAbandonmentRequest{GameId: "g1"}},
		{
			post("/v1/games/g1:offer", `{"kind":"OFFER_KIND_DRAW","side":"SIDE_FIRST"}`), gameService + "Offer",
			&gamev1.OfferRequest{GameId: "g1", Kind: gamev1.OfferKind_OFFER_KIND_DRAW, Side: rulesv1.Side_SIDE_FIRST},
		},
		{
			post("/v1/games/g1:declineOffer", `{"kind":"OFFER_KIND_REMATCH"}`), gameService + "DeclineOffer",
			&gamev1.DeclineOfferRequest{GameId: "g1", Kind: gamev1.OfferKind_OFFER_KIND_REMATCH},
		},
		{post("/v1/games/g1:fork", `{"version":2}`), gameService + "ForkGame", &gamev1.ForkGameRequest{GameId: "g1", Version: proto.Int32(2)}},
		{
			post("/v1/games/g1:setRobot", `{"strategy":{"level":"LEVEL_EASY"},"seed":"9"}`),
			gameService + "SetRobot", &gamev1.SetRobotRequest{GameId: "g1", Strategy: level, Seed: 9},
		},
		{
			get("/v1/games/g1/board?format=FORMAT_SVG&version=3&selected=0,1&labels=true&hints=1&theme=THEME_DARK"),
			gameService + "RenderGame", &gamev1.RenderGameRequest{
				GameId: "g1", Format: gamev1.Format_FORMAT_SVG, Version: 3, Selected: "0,1", Labels: true, Hints: true,
				Theme: gamev1.Theme_THEME_DARK,
			},
		},
		{
			get("/v1/games/g1:preview?picture=true"),
			gameService + "PreviewGame", &gamev1.PreviewGameRequest{GameId: "g1", Picture: true},
		},
		{get("/v1/games/g1:watch"), gameService + "WatchGame", &gamev1.WatchGameRequest{GameId: "g1"}},
		{
			get("/v1/games/g1:watch?afterVersion=0"),
			gameService + "WatchGame", &gamev1.WatchGameRequest{GameId: "g1", AfterVersion: proto.Int32(0)},
		},
		{get("/v1/turns:watch?afterCursor=c"), gameService + "WatchTurns", &gamev1.WatchTurnsRequest{AfterCursor: "c"}},
		{get("/v1/strategies"), strategyService + "ListStrategies", &strategyv1.ListStrategiesRequest{}},
		{
			post("/v1/positions:legalMoves", `{"position":{"notation":"n"}}`),
			strategyService + "ListPositionMoves", &strategyv1.ListPositionMovesRequest{Position: position},
		},
		{
			post("/v1/positions:chooseMove", `{"position":{"notation":"n"},"strategy":{"level":"LEVEL_EASY"}}`),
			strategyService + "ChooseMove", &strategyv1.ChooseMoveRequest{Position: position, Strategy: level},
		},
		{
			post("/v1/positions:searchMove", `{"position":{"notation":"n"},"strategy":{"level":"LEVEL_EASY"},"seed":"3"}`),
			strategyService + "SearchMove", &strategyv1.SearchMoveRequest{Position: position, Strategy: level, Seed: 3},
		},
		{
			post("/v1/positions:analyze", `{"position":{"notation":"n"},"strategy":{"level":"LEVEL_EASY"},"multiPv":2}`),
			strategyService + "AnalyzePosition", &strategyv1.AnalyzePositionRequest{Position: position, Strategy: level, MultiPv: 2},
		},
		{
			post("/v1/matches:play", `{"first":{"level":"LEVEL_EASY"},"games":2,"sprt":{"elo1":10}}`),
			strategyService + "PlayMatch",
			&strategyv1.PlayMatchRequest{First: level, Games: 2, Sprt: &strategyv1.PlayMatchRequest_Sprt{Elo1: 10}},
		},
	}
	reached := map[string]bool{}
	for _, test := range tests {
		s := &services{stream: sendEmpty}
		if a := do(t, start(t, s), test.request); a.StatusCode != http.StatusOK {
			t.Errorf("%s %s: %d %s", test.verb, test.path, a.StatusCode, a.body)
			continue
		}
		got := s.last(t)
		reached[got.method] = true
		if got.method != test.method {
			t.Errorf("%s %s reached %s, want %s", test.verb, test.path, got.method, test.method)
		}
		if diff := cmp.Diff(test.in, got.in, protocmp.Transform()); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", test.verb, test.path, diff)
		}
	}
	for _, rt := range newGateway(t, &services{}).routes {
		if !reached[rt.fullMethod()] {
			t.Errorf("no case reaches %s", rt.fullMethod())
		}
	}
}
