package botcheck

import (
	"context"
	"fmt"
	"testing"

	"google.golang.org/protobuf/types/known/durationpb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/app"
)

// answers are the candidates that a provider chooses on the start of each kind of board.
var answers = map[Board][]string{
	Square: {
		`{"notation":"d3"}`, `{"notation":" D3 "}`, `{"notation":"a1"}`, `{"notation":"d4"}`, `{"notation":"z99"}`,
		`{"notation":"d03"}`, `{"notation":"e-four"}`, `{"notation":"pass"}`, `{"notation":"--"}`, `{}`,
		`{"move":{"place":{"cell":{"square":{"row":2,"column":3}}}}}`,
		`{"move":{"place":{"cell":{"square":{"row":2,"column":3}}}},"notation":"a1"}`,
		`{"move":{"place":{"cell":{"square":{"row":-1,"column":3}}}}}`,
		`{"move":{"place":{"cell":{"hex":{"q":2,"r":3}}}}}`, `{"move":{"place":{}}}`, `{"move":{}}`,
		`{"move":{"passTurn":{}}}`, `{"move":{"playCard":{"card":"a","cell":{"square":{}}}}}`,
	},
	Hexagon: {
		`{"notation":"1,-2"}`, `{"notation":"1, -2"}`, `{"notation":"+1,-2"}`, `{"notation":"0,0"}`,
		`{"notation":"9,9"}`, `{"notation":"PASS"}`, `{"notation":"--"}`, `{"notation":"d3"}`,
		`{"move":{"passTurn":{}}}`, `{"move":{"place":{"cell":{"hex":{"q":1,"r":-2}}}}}`,
		`{"move":{"place":{"cell":{"hex":{"q":1,"r":-2,"s":1}}}}}`,
		`{"move":{"place":{"cell":{"hex":{"q":1,"r":-2,"s":2}}}}}`,
		`{"move":{"place":{"cell":{"square":{"row":1,"column":2}}}}}`,
	},
	Cards: {
		`{"notation":"anchor@0,2"}`, `{"notation":" anchor@0,2 "}`, `{"notation":"Anchor@0,2"}`,
		`{"notation":"anchor@0"}`, `{"notation":"@0,0"}`, `{"notation":"anchor@-1,0"}`,
		`{"notation":"anchor@00,0"}`, `{"notation":"anchor@7,7"}`, `{"notation":"pass"}`, `{"notation":"bell@0,0"}`,
		`{"move":{"playCard":{"card":"anchor","cell":{"square":{"row":0,"column":2}}}}}`,
		`{"move":{"playCard":{"card":"none","cell":{"square":{}}}}}`,
		`{"move":{"playCard":{"card":"anchor"}}}`, `{"move":{"passTurn":{}}}`,
		`{"move":{"place":{"cell":{"square":{}}}}}`,
	},
}

// The judgement on each answer is that of Game on a robot with this answer.
func TestJudgesAsGame(t *testing.T) {
	t.Parallel()
	positions, err := readPositions()
	if err != nil {
		t.Fatal(err)
	}
	var all []*strategyv1.Candidate // by the number of nodes of the strategy, from 1
	address := provider{choose: func(
		_ context.Context, request *strategyv1.ChooseMoveRequest,
	) (*strategyv1.ChooseMoveResponse, error) {
		return &strategyv1.ChooseMoveResponse{Chosen: all[request.GetStrategy().GetEngine().GetMaxNodes()-1]}, nil
	}}.serve(t)
	var places []*Position
	var names []string // of the providers: each fails only once, so that none is suspended
	for i := range positions {
		p := &positions[i]
		for _, answer := range answers[p.Board] {
			all = append(all, fromJSON(t, &strategyv1.Candidate{}, answer))
			places = append(places, p)
			names = append(names, fmt.Sprintf("p%d=%s", len(all)-1, address))
		}
		delete(answers, p.Board) // only the first position of each kind
	}
	s := startServer(t, func(s *app.Settings) { s.RobotAttempts, s.Providers = 1, names })
	for i, p := range places {
		played := s.robotMove(t, p, i)
		move, v, problem := p.judge(all[i])
		want := gamev1.SubstituteReason_SUBSTITUTE_REASON_UNSPECIFIED
		switch v {
		case isIllegal:
			want = gamev1.SubstituteReason_SUBSTITUTE_REASON_ILLEGAL_MOVE
		case isUnreadable:
			want = gamev1.SubstituteReason_SUBSTITUTE_REASON_INVALID_ANSWER
		case isLegal:
			if move.Notation != played.GetNotation() {
				t.Errorf("%s: %v means %s, but Game plays %s", p.Name, all[i], move.Notation, played.GetNotation())
			}
		}
		if got := played.GetSubstitute().GetReason(); got != want {
			t.Errorf("%s: %v is judged %q, but Game has %v", p.Name, all[i], problem, got)
		}
	}
}

// robotMove returns the move of a robot with the answer i in a new game from a position.
func (s *server) robotMove(t *testing.T, p *Position, i int) *gamev1.MovePlayed {
	t.Helper()
	engine := &strategyv1.Engine{MaxNodes: int64(i + 1), MaxTime: durationpb.New(1e9)}
	setup := &rulesv1.Setup{Game: &rulesv1.Setup_Reversi{Reversi: &rulesv1.ReversiSetup{StartFrom: p.Notation}}}
	if p.Board == Cards {
		setup.Game = &rulesv1.Setup_ThreeTrios{ThreeTrios: &rulesv1.ThreeTriosSetup{StartFrom: p.Notation}}
	}
	created, err := s.games.CreateGame(s.ctx, &gamev1.CreateGameRequest{
		Setup: setup,
		Seats: []*gamev1.Seat{
			{Holder: &gamev1.Seat_Robot{Robot: &gamev1.Robot{
				Provider: fmt.Sprintf("p%d", i),
				Strategy: &strategyv1.Strategy{Kind: &strategyv1.Strategy_Engine{Engine: engine}},
			}}},
			{Holder: &gamev1.Seat_Caller_{Caller: &gamev1.Seat_Caller{}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	const started = 2
	for {
		list, err := s.games.ListEvents(s.ctx, &gamev1.ListEventsRequest{
			GameId: created.GetGame().GetId(), AfterVersion: started, Wait: durationpb.New(30e9),
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(list.GetEvents()) > 0 {
			return list.GetEvents()[0].GetMovePlayed()
		}
	}
}
