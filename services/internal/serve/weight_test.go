package serve

import (
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/api/httpbody"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

func TestWeights(t *testing.T) {
	const kib = 1 << 10
	gameOf := func(bytes int) *gamev1.Game {
		return &gamev1.Game{Position: &rulesv1.Position{Notation: strings.Repeat("n", bytes)}}
	}
	const get, list, render = gamev1.GameService_GetGame_FullMethodName,
		gamev1.GameService_ListGames_FullMethodName, gamev1.GameService_RenderGame_FullMethodName
	picture := func(format gamev1.Format) any { return &gamev1.RenderGameRequest{Format: format} }
	for name, test := range map[string]struct {
		method          string
		request, answer any
		before, total   int
	}{
		"a small game": {get, &gamev1.GetGameRequest{}, &gamev1.GetGameResponse{Game: gameOf(100)}, 1, 1},
		"a large game": {get, &gamev1.GetGameRequest{}, &gamev1.GetGameResponse{Game: gameOf(20 * kib)}, 1, 21},
		"an error":     {get, &gamev1.GetGameRequest{}, nil, 1, 1},
		"a new game": {
			gamev1.GameService_CreateGame_FullMethodName, &gamev1.CreateGameRequest{},
			&gamev1.CreateGameResponse{Game: gameOf(3 * kib)}, 10, 13,
		},
		"a page of the default size": {list, &gamev1.ListGamesRequest{}, &gamev1.ListGamesResponse{}, 501, 1},
		"a page": {
			list, &gamev1.ListGamesRequest{PageSize: 10},
			&gamev1.ListGamesResponse{Games: []*gamev1.Game{gameOf(30 * kib), gameOf(30 * kib)}}, 51, 61,
		},
		"a text": {render, picture(gamev1.Format_FORMAT_TEXT), &httpbody.HttpBody{Data: make([]byte, kib)}, 1, 2},
		"an SVG": {render, picture(gamev1.Format_FORMAT_SVG), &httpbody.HttpBody{Data: make([]byte, 7*kib)}, 310, 17},
		"a PNG":  {render, picture(gamev1.Format_FORMAT_PNG), &httpbody.HttpBody{Data: make([]byte, 90*kib)}, 500, 500},
	} {
		w := WeightOf(test.method, test.request)
		if before, total := w.Before(test.request), w.Total(test.answer); before != test.before || total != test.total {
			t.Errorf("%s: %d before the call and %d in total, want %d and %d",
				name, before, total, test.before, test.total)
		}
	}
}
