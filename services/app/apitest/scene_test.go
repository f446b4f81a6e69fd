package apitest

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// Who makes a call. Every other name is that of a player, who is created when he is first named.
const (
	nobody        = ""
	badKey        = "bad key"
	rotated       = "rita"    // with the key that she had before
	service       = "service" // the service key, for nobody in particular
	serviceForJoe = "joe"     // the service key on behalf of joe, who sits where he is named
	serviceForZoe = "zoe"     // the service key on behalf of zoe, who never sits anywhere
	ann           = "ann"     // who sits first,
	bob           = "bob"     // who sits second,
	tokenOfTom    = "tom"     // a token of tom, who sits where he is named
	tokenOfTia    = "tia"     // a token of tia, who never sits anywhere
	cat           = "cat"     // who creates games, and sits nowhere unless it is said,
	eve           = "eve"     // and who has nothing to do with them
	open          = "open"    // Not a caller but a seat: nobody's,
	robot         = "robot"   // that of a robot that never moves,
	easyRobot     = "a robot" // and that of one that does.
)

// scene is where one case takes place: a server, a way to call it, and names for what was made before.
type scene struct {
	*testing.T
	server *server
	via    transport
	// game is the game that the case is about, "" for none.
	game string
}

// headers returns what tells the server who calls.
func (s *scene) headers(who string) map[string]string {
	s.Helper()
	bearer := func(key string) map[string]string { return map[string]string{"authorization": "Bearer " + key} }
	switch who {
	case nobody:
		return map[string]string{}
	case badKey:
		return bearer("flk_01arz3ndektsv4rrffq69g5fav_c2VjcmV0")
	case rotated:
		return bearer(s.server.oldKey(s, rotated))
	case service:
		return bearer(serviceKey)
	case serviceForJoe, serviceForZoe:
		return map[string]string{"authorization": "Bearer " + serviceKey, "flipside-on-behalf-of": who + "@shop.example"}
	}
	if token := s.token(who); token != "" {
		return bearer(token)
	}
	return bearer(s.server.player(s, who).key)
}

// id returns the id of a player.
func (s *scene) id(who string) string {
	s.Helper()
	if who == serviceForJoe || who == serviceForZoe || who == tokenOfTom || who == tokenOfTia {
		me := s.must(who, "GetMe", `{}`).(*gamev1.GetMeResponse)
		return me.GetPlayer().GetId()
	}
	return s.server.player(s, who).id
}

// oldKey returns a key of a player that was replaced since.
func (s *server) oldKey(sc *scene, who string) string {
	sc.Helper()
	p := s.player(sc, who)
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.old == "" {
		in := &gamev1.RotateKeyRequest{}
		got := overGRPC{}.call(sc, s, rpcNamed(sc, "RotateKey"), map[string]string{"authorization": "Bearer " + p.key}, in)
		p.old, p.key = p.key, got.message.(*gamev1.RotateKeyResponse).GetKey()
	}
	return p.old
}

// request reads a request of the named call. {ann} stands for the id of ann and {game} for that of the game, which
// also goes into the field game_id where there is one.
func (s *scene) request(call, text string) proto.Message {
	s.Helper()
	text = s.named(text)
	in := rpcNamed(s, call).request()
	if err := protojson.Unmarshal([]byte(text), in); err != nil {
		s.Fatalf("%v: %s", err, text)
	}
	m := in.ProtoReflect()
	if field := m.Descriptor().Fields().ByName("game_id"); field != nil && !m.Has(field) && s.game != "" {
		m.Set(field, protoreflect.ValueOfString(s.game))
	}
	return in
}

var placeholder = regexp.MustCompile(`"\{(\w+)\}"`)

// named puts ids in the place of {ann} and {game}.
func (s *scene) named(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(quoted string) string {
		if name := strings.Trim(quoted, `"{}`); name != "game" {
			return `"` + s.id(name) + `"`
		}
		return `"` + s.game + `"`
	})
}

// call makes a call by the transport of the scene.
func (s *scene) call(who, call, text string) *answer {
	s.Helper()
	return s.via.call(s, s.server, rpcNamed(s, call), s.headers(who), s.request(call, text))
}

// must makes a call over gRPC that is to succeed, and returns the answer.
func (s *scene) must(who, call, text string) proto.Message {
	s.Helper()
	got := overGRPC{}.call(s, s.server, rpcNamed(s, call), s.headers(who), s.request(call, text))
	if got.status.Code() != codes.OK {
		s.Fatalf("%s %s by %s: %v", call, text, who, got.status)
	}
	return got.message
}

// current returns the game of the scene as cat sees it.
func (s *scene) current() *gamev1.Game {
	s.Helper()
	return s.must(cat, "GetGame", `{}`).(*gamev1.GetGameResponse).GetGame()
}

// table is how a game comes to be that a case is about. It returns its id.
type table func(*scene) string

// seat writes a seat of a request.
func seat(who string) string {
	switch who {
	case open:
		return `{"open":{}}`
	case robot:
		return `{"robot":{"strategy":{"level":"LEVEL_EASY"},"provider":"` + silent + `"}}`
	case easyRobot:
		return `{"robot":{"strategy":{"level":"LEVEL_EASY"}}}`
	}
	return `{"player":{"playerId":"{` + who + `}"}}`
}

// game is a public game created by cat.
func game(setup, first, second string) table {
	return gameOf("VISIBILITY_PUBLIC", setup, first, second)
}

func gameOf(visibility, setup, first, second string) table {
	return func(s *scene) string {
		s.Helper()
		text := `{"setup":` + setup + `,"seats":[` + seat(first) + `,` + seat(second) + `],"visibility":"` + visibility + `"}`
		return s.must(cat, "CreateGame", text).(*gamev1.CreateGameResponse).GetGame().GetId()
	}
}

// after is a game in which moves were played, each by whoever's turn it was. They are separated by blanks.
func (g table) after(moves string) table {
	return func(s *scene) string {
		s.Helper()
		s.game = g(s)
		for move := range strings.FieldsSeq(moves) {
			now := s.current()
			holder := now.GetSeats()[now.GetTurn().GetSide()-1].GetPlayer()
			who := holder.GetDisplayName()
			if strings.HasPrefix(who, "player-") {
				who = serviceForJoe
			}
			s.must(who, "PlayMove", `{"notation":"`+move+`"}`)
		}
		return s.game
	}
}

// then is a game in which a call was made.
func (g table) then(who, call, text string) table {
	return func(s *scene) string {
		s.Helper()
		s.game = g(s)
		s.must(who, call, text)
		return s.game
	}
}

func jsonUnmarshal(text string, into any) error { return json.Unmarshal([]byte(text), into) }
