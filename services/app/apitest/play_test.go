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

// The test sends the positions in answers of Game back to Strategy.
func TestPositionsRoundTrip(t *testing.T) {
	t.Parallel()
	overTransports(t, startServer(t, nil), func(_ *testing.T, s *scene) {
		for _, g := range []struct {
			name string
			on   fixture
		}{
			{"square", two.after("d3 c3")},
			{"hexagon", game(hexagon2, ann, bob).after("1,-2 pass pass")},
			{"cards", game(holed, ann, bob).after("anchor@0,0 bell@0,1")},
		} {
			s.parallel(g.name, func(t *testing.T, s *scene) {
				s.game = g.on(s)
				for _, call := range []string{"GetGame", "ListEvents", "WatchGame"} {
					got := s.call(ann, call, `{}`)
					ok.check(t, got)
					found := positionsIn(got.message)
					if len(found) == 0 {
						t.Errorf("%s has no position", call)
					}
					for _, p := range found {
						s.checkRoundTrip(p)
					}
				}
			})
		}
	})
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

func (s *scene) checkRoundTrip(p *rulesv1.Position) {
	s.Helper()
	text, err := protojson.Marshal(p)
	if err != nil {
		s.Fatal(err)
	}
	got := s.call(eve, "ListPositionMoves", `{"position":`+string(text)+`}`)
	ok.check(s.T, got)
	if back := got.message.(*strategyv1.ListPositionMovesResponse).GetPosition(); !proto.Equal(p, back) {
		s.Errorf("the position returns as\n%v\nwant\n%v", back, p)
	}
}

// The test replaces a robot that does not answer during its turn.
func TestSetRobotDuringAGame(t *testing.T) {
	t.Parallel()
	overTransports(t, startServer(t, nil), func(t *testing.T, s *scene) {
		s.game = game(square8, ann, robot).after("d3")(s)
		ok.holding(`{"game":{"version":4,"seats":[{},{"robot":{"strategy":{"level":"LEVEL_HARD"},"provider":""}}]}}`).
			check(t, s.call(ann, "SetRobot", `{"strategy":{"level":"LEVEL_HARD"}}`))
		ok.holding(`{"events":[{"version":5,"movePlayed":{"side":"SIDE_SECOND","automatic":false,"analysis":{"final":true}}}]}`).
			check(t, s.call(ann, "ListEvents", `{"afterVersion":4,"wait":"30s"}`))
	})
}

// The test reads lists page by page and gets every element once, in order.
func TestPagination(t *testing.T) {
	t.Parallel()
	overTransports(t, startServer(t, nil), func(t *testing.T, s *scene) {
		caller := "pat" + s.via.name()
		for range 5 {
			s.game = game(square8, caller, open)(s)
		}
		s.checkPages(caller, "ListGames", `"playerId":"me","state":"GAME_STATE_WAITING","kind":"GAME_KIND_REVERSI",`, 5)
		s.game = two.after("d3 c3 c4")(s)
		s.checkPages(ann, "ListEvents", ``, 5)
		s.checkPages(ann, "ListLegalMoves", ``, -1)
		s.checkPages(eve, "ListPositionMoves", `"position":`+startOnEight+`,`, 4)
	})
}

// The test sends page tokens of another method, with the same fields, and of an earlier version.
func TestPageTokensOfOtherLists(t *testing.T) {
	t.Parallel()
	overTransports(t, startServer(t, nil), func(t *testing.T, s *scene) {
		s.game = two(s)
		token := func(call string) string {
			page := s.call(ann, call, `{"pageSize":1}`).message
			return page.(interface{ GetNextPageToken() string }).GetNextPageToken()
		}
		moves, events := token("ListLegalMoves"), token("ListEvents")
		invalidField.at("pageToken").check(t, s.call(ann, "ListEvents", `{"pageToken":"`+moves+`"}`))
		invalidField.at("pageToken").check(t, s.call(ann, "ListLegalMoves", `{"pageToken":"`+events+`"}`))
		ok.check(t, s.call(ann, "PlayMove", `{"notation":"d3"}`))
		invalidField.at("pageToken").check(t, s.call(ann, "ListLegalMoves", `{"pageToken":"`+moves+`"}`))
		ok.check(t, s.call(ann, "ListEvents", `{"pageToken":"`+events+`"}`))
	})
}

// otherFilters are fields of lists with other filters than those of TestPagination.
var otherFilters = map[string][]string{
	"ListGames":      {``, `"playerId":"me","state":"GAME_STATE_ACTIVE","kind":"GAME_KIND_REVERSI",`},
	"ListEvents":     {`"afterVersion":1,`},
	"ListLegalMoves": {`"side":"SIDE_SECOND",`, `"gameId":"another",`},
	"ListPositionMoves": {`"position":` + startOnEight + `,"side":"SIDE_SECOND",`,
		`"position":{"notation":"reversi/square:4 ____/_OX_/_XO_/____ X 0"},`},
}

// checkPages compares a list in pages of two with the list in one page. n is the length of the
// list, -1 for any.
func (s *scene) checkPages(caller, call, with string, n int) {
	s.Helper()
	whole := listOf(s.call(caller, call, `{`+with+`"pageSize":1000}`).message)
	var paged []string
	for token := ""; ; {
		page := s.call(caller, call, `{`+with+`"pageSize":2,"pageToken":"`+token+`"}`).message
		paged = append(paged, listOf(page)...)
		token = page.(interface{ GetNextPageToken() string }).GetNextPageToken()
		if token == "" {
			break
		}
		for _, other := range otherFilters[call] {
			invalidField.at("pageToken").check(s.T, s.call(caller, call, `{`+other+`"pageToken":"`+token+`"}`))
		}
		if got := len(listOf(page)); got != 2 {
			s.Fatalf("%s: a page before the last has %d elements", call, got)
		}
	}
	if diff := cmp.Diff(whole, paged); diff != "" || n >= 0 && len(whole) != n {
		s.Errorf("%s: %d elements, want %d; difference of the pages: %s", call, len(whole), n, diff)
	}
}

// listOf returns the elements of a list as text.
func listOf(m proto.Message) []string {
	list := m.ProtoReflect().Get(m.ProtoReflect().Descriptor().Fields().Get(0)).List()
	texts := make([]string, list.Len())
	for i := range texts {
		text, _ := protojson.MarshalOptions{}.Marshal(list.Get(i).Message().Interface())
		texts[i] = strings.Join(strings.Fields(string(text)), "")
	}
	return texts
}
