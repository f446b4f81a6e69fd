package commands

import (
	"fmt"
	"strconv"
	"time"

	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

func itoa(n int) string { return strconv.Itoa(n) }

// fromJSON parses a message.
func fromJSON[M proto.Message](m M, text string) M {
	if err := protojson.Unmarshal([]byte(text), m); err != nil {
		panic(fmt.Sprintf("%v in %s", err, text))
	}
	return m
}

func hexGame() *gamev1.Game {
	return fromJSON(&gamev1.Game{}, `{"id":"01hex","kind":"GAME_KIND_REVERSI","state":"GAME_STATE_ACTIVE","version":3,
		"setup":{"reversi":{"hexagon":{"rings":2},"passRule":"PASS_RULE_VOLUNTARY","minFlips":1}},
		"seats":[{"side":"SIDE_FIRST","player":{"playerId":"01ada","displayName":"Ada"}},
			{"side":"SIDE_SECOND","robot":{"strategy":{"alphaBeta":{"maxDepth":3,"maxTime":"1.5s"}}}}],
		"turn":{"side":"SIDE_SECOND"},"score":{"first":5,"second":2},
		"position":{"notation":"reversi/hex:2 __X/_XX_/_O_X_/_XO_/___ O 0"},
		"createTime":"2026-11-27T10:00:00Z","updateTime":"2026-11-27T10:01:02Z","etag":"01hex-3"}`)
}

func triosGame() *gamev1.Game {
	return fromJSON(&gamev1.Game{}, `{"id":"01trios","kind":"GAME_KIND_THREE_TRIOS","state":"GAME_STATE_WAITING","version":1,
		"setup":{"threeTrios":{"grid":"5 7\nCC","rules":["RULE_SAME"]}},
		"seats":[{"side":"SIDE_FIRST","player":{"playerId":"01ada"}},{"side":"SIDE_SECOND","open":{}}],
		"score":{"first":8,"second":8},"updateTime":"2026-11-26T09:00:00Z"}`)
}

func doneGame() *gamev1.Game {
	return fromJSON(&gamev1.Game{}, `{"id":"01done","kind":"GAME_KIND_REVERSI","state":"GAME_STATE_FINISHED","version":40,
		"setup":{"reversi":{"square":{"side":6}}},
		"seats":[{"side":"SIDE_FIRST","robot":{"strategy":{"level":"LEVEL_HARD"},"provider":"club"}},
			{"side":"SIDE_SECOND","robot":{"strategy":{"tryTwo":{}}}}],
		"score":{"first":20,"second":16},"outcome":{"winner":"SIDE_FIRST","ending":"ENDING_SCORE"},
		"updateTime":"2026-11-25T09:00:00Z"}`)
}

func timedGame() *gamev1.Game {
	return fromJSON(&gamev1.Game{}, `{"id":"01timed","kind":"GAME_KIND_REVERSI","state":"GAME_STATE_ACTIVE","version":7,
		"setup":{"reversi":{"square":{"side":8}}},
		"seats":[{"side":"SIDE_FIRST","player":{"displayName":"Ada"}},{"side":"SIDE_SECOND","player":{"displayName":"Ben"}}],
		"score":{"first":4,"second":5},"turn":{"side":"SIDE_FIRST","deadline":"2026-11-27T10:05:30.250Z","claimTime":"2026-11-27T10:02:00Z"},
		"timeControl":{"fischer":{"initial":"300s","increment":"3s"},"claimAfter":"60s",
			"onAbsence":{"robot":{"strategy":{"level":"LEVEL_EASY"}}}},
		"clocks":{"first":"270.250s","second":"300s"},"updateTime":"2026-11-27T10:01:00Z"}`)
}

func awayGame() *gamev1.Game {
	return fromJSON(&gamev1.Game{}, `{"id":"01away","kind":"GAME_KIND_REVERSI","state":"GAME_STATE_FINISHED","version":8,
		"setup":{"reversi":{"square":{"side":8}}},
		"seats":[{"side":"SIDE_FIRST","player":{"displayName":"Ada"}},{"side":"SIDE_SECOND","player":{"displayName":"Ben"}}],
		"score":{"first":4,"second":5},"outcome":{"winner":"SIDE_SECOND","ending":"ENDING_ABANDONMENT"},
		"timeControl":{"days":3,"claimAfter":"172800s","onAbsence":{"forfeit":{}}},"updateTime":"2026-11-29T10:01:00Z"}`)
}

// hexEvents returns the events of the game 01hex, one of each kind.
func hexEvents() []*gamev1.Event {
	var all []*gamev1.Event
	for i, text := range []string{
		`"created":{"seats":[{"side":"SIDE_FIRST","player":{"playerId":"01ada","displayName":"Ada"}},
			{"side":"SIDE_SECOND","robot":{"strategy":{"level":"LEVEL_EASY"}}}]}`,
		`"started":{"turn":"SIDE_FIRST"}`,
		`"movePlayed":{"side":"SIDE_FIRST","move":{"place":{"cell":{"hex":{"q":1,"r":-2}}}},"notation":"1,-2",
			"flips":[{"notation":"1,-1"},{"notation":"0,0"}],"score":{"first":5,"second":2}}`,
		`"robotChanged":{"side":"SIDE_SECOND","robot":{"strategy":{"level":"LEVEL_HARD"}}}`,
		`"movePlayed":{"side":"SIDE_SECOND","move":{"passTurn":{}},"notation":"pass","automatic":true,"score":{"first":5,"second":2}}`,
		`"finished":{"outcome":{"winner":"SIDE_SECOND","ending":"ENDING_RESIGNATION"},"score":{"first":5,"second":2}}`,
	} {
		text = fmt.Sprintf(`{"gameId":"01hex","version":%d,"time":"2026-11-27T10:00:0%dZ",%s}`, i+1, i, text)
		all = append(all, fromJSON(&gamev1.Event{}, text))
	}
	return all
}

// answerAll makes the fake answer every call.
func (f *fake) answerAll() {
	game := hexGame()
	reply(f, &gamev1.CreateGameRequest{}, &gamev1.CreateGameResponse{Game: game})
	on(f, func(q *gamev1.GetGameRequest) (*gamev1.GetGameResponse, error) {
		for _, game := range []*gamev1.Game{hexGame(), triosGame(), doneGame(), timedGame(), awayGame()} {
			if game.GetId() == q.GetGameId() {
				return &gamev1.GetGameResponse{Game: game}, nil
			}
		}
		return nil, serverError(5, "GAME_NOT_FOUND", fmt.Sprintf("there is no game %q", q.GetGameId()))
	})
	on(f, func(q *gamev1.ListGamesRequest) (*gamev1.ListGamesResponse, error) {
		if q.GetPageToken() == "more" {
			return &gamev1.ListGamesResponse{Games: []*gamev1.Game{doneGame()}}, nil
		}
		return &gamev1.ListGamesResponse{Games: []*gamev1.Game{hexGame(), triosGame()}, NextPageToken: "more"}, nil
	})
	reply(f, &gamev1.JoinGameRequest{}, &gamev1.JoinGameResponse{Game: game})
	reply(f, &gamev1.PlayMoveRequest{}, &gamev1.PlayMoveResponse{Event: hexEvents()[2], Game: game})
	reply(f, &gamev1.ListLegalMovesRequest{}, fromJSON(&gamev1.ListLegalMovesResponse{}, `{"version":3,"moves":[
		{"notation":"k1@0,2","flipCount":2,"move":{"playCard":{"card":"k1","cell":{"square":{"row":0,"column":2}}}},
			"flips":[{"notation":"0,1","cause":"CAUSE_FALLEN_ACE"},{"notation":"0,0","wave":1,"cause":"CAUSE_GREATER"}]},
		{"notation":"pass","move":{"passTurn":{}}}]}`))
	reply(f, &gamev1.ResignRequest{}, &gamev1.ResignResponse{Game: doneGame()})
	reply(f, &gamev1.OfferRequest{}, &gamev1.OfferResponse{Game: game})
	reply(f, &gamev1.DeclineOfferRequest{}, &gamev1.DeclineOfferResponse{Game: game})
	reply(f, &gamev1.ClaimAbandonmentRequest{}, &gamev1.ClaimAbandonmentResponse{Game: awayGame()})
	reply(f, &gamev1.AbortGameRequest{}, &gamev1.AbortGameResponse{Game: triosGame(), Replayed: true})
	reply(f, &gamev1.ForkGameRequest{}, &gamev1.ForkGameResponse{Game: game})
	reply(f, &gamev1.SetRobotRequest{}, &gamev1.SetRobotResponse{Game: game})
	on(f, func(q *gamev1.RenderGameRequest) (*httpbody.HttpBody, error) {
		return &httpbody.HttpBody{ContentType: "text/plain", Data: []byte(" X O\nO _ X")}, nil
	})
	f.watchGame = func(q *gamev1.WatchGameRequest, s grpc.ServerStreamingServer[gamev1.WatchGameResponse]) error {
		return sendAll(s, watched(q.AfterVersion))
	}
	f.watchTurns = func(_ *gamev1.WatchTurnsRequest, s grpc.ServerStreamingServer[gamev1.WatchTurnsResponse]) error {
		return sendAll(s, turns())
	}
	ada := &gamev1.Player{Id: "01ada", DisplayName: "Ada", CreateTime: timestamppb.New(time.Unix(1.8e9, 0))}
	reply(f, &gamev1.CreatePlayerRequest{}, &gamev1.CreatePlayerResponse{Player: ada, Key: "fresh-key"})
	reply(f, &gamev1.GetMeRequest{}, &gamev1.GetMeResponse{Player: ada})
	reply(f, &gamev1.RotateKeyRequest{}, &gamev1.RotateKeyResponse{Player: ada, Key: "next-key"})
	webhook := fromJSON(&gamev1.Webhook{}, `{"url":"https://hooks.example/flipside","createTime":"2027-01-15T08:00:00Z",
		"failures":3,"lastFailure":"HTTP 500","failingSince":"2027-01-16T08:00:00Z","retryTime":"2027-01-16T08:01:00Z"}`)
	reply(f, &gamev1.SetWebhookRequest{}, &gamev1.SetWebhookResponse{Webhook: webhook, Secret: "whsec_MfKQ9r8="})
	reply(f, &gamev1.GetWebhookRequest{}, &gamev1.GetWebhookResponse{Webhook: webhook})
	reply(f, &gamev1.DeleteWebhookRequest{}, &gamev1.DeleteWebhookResponse{})
	f.answerStrategies()
}

func (f *fake) answerStrategies() {
	reply(f, &strategyv1.ListStrategiesRequest{}, fromJSON(&strategyv1.ListStrategiesResponse{}, `{"strategies":[
		{"name":"level","summary":"A ready-made opponent.","games":["GAME_KIND_REVERSI","GAME_KIND_THREE_TRIOS"],
			"parameters":[{"name":"level","values":["LEVEL_EASY","LEVEL_HARD"]}]},
		{"name":"alphaBeta","summary":"The best line.","games":["GAME_KIND_REVERSI"],
			"parameters":[{"name":"maxDepth","minimum":"0","maximum":"64"},{"name":"evaluation"}]}]}`))
	reply(f, &strategyv1.ChooseMoveRequest{}, fromJSON(&strategyv1.ChooseMoveResponse{}, `{"chosen":{"notation":"1,-2","value":2,"measure":"MEASURE_FLIPS"},
		"candidates":[{"notation":"1,-2","value":2,"measure":"MEASURE_FLIPS"},{"notation":"-1,2"}],
		"analysis":{"depth":3,"score":-2,"exact":true,"nodes":"99","nodesPerSecond":"1000","time":"0.099s","principalVariation":["1,-2","2,-1"]}}`))
	deepest := func(final bool) *strategyv1.AnalyzePositionResponse {
		return fromJSON(&strategyv1.AnalyzePositionResponse{}, fmt.Sprintf(`{"analysis":{"depth":12,"score":-3,"exact":true,
			"nodes":"77777","nodesPerSecond":"700000","time":"0.111s","principalVariation":["d3","c3"],"final":%t,
			"multiPv":[{"score":-3,"exact":true,"principalVariation":["d3","c3"]},{"score":-4,"principalVariation":["c4","c3"]}]}}`, final))
	}
	f.analyze = []*strategyv1.AnalyzePositionResponse{
		fromJSON(&strategyv1.AnalyzePositionResponse{}, `{"analysis":{"depth":1,"score":2,"nodes":"7","nodesPerSecond":"700","time":"0.010s",
			"principalVariation":["d3"]}}`),
		deepest(false), deepest(true),
	}
}

// sendAll sends messages and closes the stream.
func sendAll[M any](s grpc.ServerStreamingServer[M], all []*M) error {
	for _, m := range all {
		if err := s.Send(m); err != nil {
			return err
		}
	}
	return nil
}

// watched returns the stream of the game 01hex: a snapshot and later events, or the events after a
// version.
func watched(after *int32) []*gamev1.WatchGameResponse {
	first := fromJSON(&gamev1.WatchGameResponse{}, `{"version":3,"heartbeatInterval":"10s","heartbeat":{}}`)
	if after == nil {
		first.Message = &gamev1.WatchGameResponse_Snapshot{Snapshot: hexGame()}
	} else {
		first.Version = *after
	}
	all := []*gamev1.WatchGameResponse{first}
	for _, event := range hexEvents()[first.Version:] {
		all = append(all, &gamev1.WatchGameResponse{Version: event.GetVersion(), Message: &gamev1.WatchGameResponse_Event{Event: event}})
		if event.GetVersion() == 4 {
			all = append(all, fromJSON(&gamev1.WatchGameResponse{}, `{"version":4,"robotDelayed":{"side":"SIDE_SECOND","attempt":2}}`))
		}
	}
	return append(all, fromJSON(&gamev1.WatchGameResponse{}, `{"version":6,"end":{"reason":"END_REASON_GAME_OVER"}}`))
}

// turns returns a stream of turns that ends because the key was revoked.
func turns() []*gamev1.WatchTurnsResponse {
	var all []*gamev1.WatchTurnsResponse
	for i, text := range []string{
		`"heartbeatInterval":"10s","turn":{"gameId":"01hex","playerId":"01ada","side":"SIDE_FIRST","version":4}`,
		`"turn":{"gameId":"01trios","playerId":"01ada","side":"SIDE_SECOND","version":8,"deadline":"2026-11-28T10:00:00Z"}`,
		`"heartbeat":{}`,
		`"gameOver":{"gameId":"01hex","outcome":{"winner":"SIDE_FIRST","ending":"ENDING_TIME"},"version":9}`,
		`"gameOver":{"gameId":"01done","outcome":{"draw":true,"ending":"ENDING_SCORE"},"version":9}`,
		`"gameOver":{"gameId":"01trios","version":9}`,
		`"end":{"reason":"END_REASON_KEY_REVOKED"}`,
	} {
		text = fmt.Sprintf(`{"cursor":"c%d","time":"2026-11-27T10:00:0%dZ",%s}`, i+1, i, text)
		all = append(all, fromJSON(&gamev1.WatchTurnsResponse{}, text))
	}
	return all
}
