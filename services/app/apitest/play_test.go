package apitest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// TestPositionsGoBack sends the position of every answer that has one to Strategy, as it came.
func TestPositionsGoBack(t *testing.T) {
	t.Parallel()
	server := startServer(t, nil)
	for _, via := range transports {
		for _, g := range []struct {
			name string
			on   table
		}{
			{"square", two.after("d3 c3")},
			{"hexagon", game(hexagon2, ann, bob).after("1,-2 pass pass")},
			{"cards", game(holed, ann, bob).after("anchor@0,0 bell@0,1")},
		} {
			t.Run(via.name()+" "+g.name, func(t *testing.T) {
				t.Parallel()
				s := &scene{T: t, server: server, via: via}
				s.game = g.on(s)
				for _, call := range []string{"GetGame", "ListEvents", "WatchGame"} {
					got := s.call(ann, call, `{}`)
					ok.check(t, got)
					found := positionsIn(got.message)
					if len(found) == 0 {
						t.Errorf("%s has no position", call)
					}
					for _, p := range found {
						s.sendBack(p)
					}
				}
			})
		}
	}
}

func positionsIn(m proto.Message) []*rulesv1.Position {
	switch m := m.(type) {
	case *gamev1.GetGameResponse:
		return []*rulesv1.Position{m.GetGame().GetPosition()}
	case *gamev1.WatchGameResponse:
		return []*rulesv1.Position{m.GetSnapshot().GetPosition()}
	case *gamev1.ListEventsResponse:
		var found []*rulesv1.Position
		for _, e := range m.GetEvents() {
			for _, p := range []*rulesv1.Position{e.GetCreated().GetPosition(), e.GetMovePlayed().GetPosition()} {
				if p != nil {
					found = append(found, p)
				}
			}
		}
		return found
	}
	return nil
}

func (s *scene) sendBack(p *rulesv1.Position) {
	s.Helper()
	text, err := protojson.Marshal(p)
	if err != nil {
		s.Fatal(err)
	}
	got := s.call(eve, "ListPositionMoves", `{"position":`+string(text)+`}`)
	ok.check(s.T, got)
	if back := got.message.(*strategyv1.ListPositionMovesResponse).GetPosition(); !proto.Equal(p, back) {
		s.Errorf("it comes back as\n%v\nnot\n%v", back, p)
	}
}

// TestRobotSetInMidGame gives the turn of a robot that does not answer to one that does.
func TestRobotSetInMidGame(t *testing.T) {
	t.Parallel()
	server := startServer(t, nil)
	for _, via := range transports {
		t.Run(via.name(), func(t *testing.T) {
			t.Parallel()
			s := &scene{T: t, server: server, via: via}
			s.game = game(square8, ann, robot).after("d3")(s)
			ok.holding(`{"game":{"version":4,"seats":[{},{"robot":{"strategy":{"level":"LEVEL_HARD"},"provider":""}}]}}`).
				check(t, s.call(ann, "SetRobot", `{"strategy":{"level":"LEVEL_HARD"}}`))
			ok.holding(`{"events":[{"version":5,"movePlayed":{"side":"SIDE_SECOND","automatic":false,"analysis":{"final":true}}}]}`).
				check(t, s.call(ann, "ListEvents", `{"afterVersion":4,"wait":"30s"}`))
		})
	}
}

// TestPages reads lists a page at a time and gets everything once, in order.
func TestPages(t *testing.T) {
	t.Parallel()
	server := startServer(t, nil)
	for _, via := range transports {
		t.Run(via.name(), func(t *testing.T) {
			t.Parallel()
			s := &scene{T: t, server: server, via: via}
			who := "pat" + via.name()
			for range 5 {
				s.game = game(square8, who, open)(s)
			}
			s.pages(who, "ListGames", `"playerId":"me","state":"GAME_STATE_WAITING","kind":"GAME_KIND_REVERSI",`, 5)
			s.game = two.after("d3 c3 c4")(s)
			s.pages(ann, "ListEvents", ``, 5)
			s.pages(ann, "ListLegalMoves", ``, -1)
			s.pages(eve, "ListPositionMoves", `"position":`+startOnEight+`,`, 4)
		})
	}
}

// pages compares a list that is read two at a time with the list at once. n is how many things are in it, -1 for any number.
func (s *scene) pages(who, call, with string, n int) {
	s.Helper()
	whole := listOf(s.call(who, call, `{`+with+`"pageSize":1000}`).message)
	var read []string
	for token := ""; ; {
		page := s.call(who, call, `{`+with+`"pageSize":2,"pageToken":"`+token+`"}`).message
		read = append(read, listOf(page)...)
		token = page.(interface{ GetNextPageToken() string }).GetNextPageToken()
		if token == "" {
			break
		}
		if got := len(listOf(page)); got != 2 {
			s.Fatalf("%s: a page in the middle has %d", call, got)
		}
	}
	if diff := cmp.Diff(whole, read); diff != "" || n >= 0 && len(whole) != n {
		s.Errorf("%s: %d in all, page by page: %s", call, len(whole), diff)
	}
}

// listOf returns what is in a list, each written as text.
func listOf(m proto.Message) []string {
	list := m.ProtoReflect().Get(m.ProtoReflect().Descriptor().Fields().Get(0)).List()
	texts := make([]string, list.Len())
	for i := range texts {
		text, _ := protojson.MarshalOptions{}.Marshal(list.Get(i).Message().Interface())
		texts[i] = strings.Join(strings.Fields(string(text)), "")
	}
	return texts
}
