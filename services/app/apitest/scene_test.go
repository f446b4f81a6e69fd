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

// The callers. Every other name is that of a player, created on first use.
const (
	noKey         = ""
	badKey        = "bad key"
	anotherBadKey = "another bad key"
	rotated       = "rita"    // with a replaced key
	service       = "service" // the service key without a user
	serviceForJoe = "joe"     // the service key on behalf of joe, a player of some games
	serviceForZoe = "zoe"     // the service key on behalf of zoe, a stranger
	ann           = "ann"     // the first player
	bob           = "bob"     // the second player
	tokenOfTom    = "tom"     // a token of tom, a player of some games
	tokenOfTia    = "tia"     // a token of tia, a stranger
	cat           = "cat"     // the creator of games
	eve           = "eve"     // a stranger
	open          = "open"    // not a caller, but an open seat
	robot         = "robot"   // a seat with a robot that never moves
	easyRobot     = "a robot" // a seat with a robot that moves
	optionsRobot  = "options" // a seat with a robot that never moves and has options
)

// scene is the environment of one case.
type scene struct {
	*testing.T
	server *server
	via    transport
	game   string // the id of the case's game, "" for none
}

// overTransports runs a test over gRPC and over REST, in parallel.
func overTransports(t *testing.T, server *server, test func(t *testing.T, s *scene)) {
	for _, via := range transports {
		(&scene{T: t, server: server, via: via}).parallel(via.name(), test)
	}
}

// parallel runs a subtest in a scene of its own, in parallel.
func (s *scene) parallel(name string, test func(t *testing.T, s *scene)) {
	s.Run(name, func(t *testing.T) {
		t.Parallel()
		test(t, &scene{T: t, server: s.server, via: s.via})
	})
}

// headers returns the headers that authenticate a caller.
func (s *scene) headers(caller string) map[string]string {
	s.Helper()
	bearer := func(key string) map[string]string { return map[string]string{"authorization": "Bearer " + key} }
	switch caller {
	case noKey:
		return map[string]string{}
	case badKey:
		return bearer("flk_01arz3ndektsv4rrffq69g5fav_c2VjcmV0")
	case anotherBadKey:
		return bearer("flk_01arz3ndektsv4rrffq69g5fav_b3RoZXI")
	case rotated:
		return bearer(s.server.oldKey(s, rotated))
	case service:
		return bearer(serviceKey)
	case serviceForJoe, serviceForZoe:
		return map[string]string{"authorization": "Bearer " + serviceKey, "flipside-on-behalf-of": atShop(caller)}
	}
	if token := s.token(caller); token != "" {
		return bearer(token)
	}
	return bearer(s.server.player(s, caller).key)
}

// id returns the id of a player.
func (s *scene) id(caller string) string {
	s.Helper()
	if caller == serviceForJoe || caller == serviceForZoe || caller == tokenOfTom || caller == tokenOfTia {
		me := s.must(caller, "GetMe", `{}`).(*gamev1.GetMeResponse)
		return me.GetPlayer().GetId()
	}
	return s.server.player(s, caller).id
}

// oldKey returns a replaced key of a player.
func (s *server) oldKey(sc *scene, caller string) string {
	sc.Helper()
	p := s.player(sc, caller)
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.old == "" {
		in := &gamev1.RotateKeyRequest{}
		got := overGRPC{}.call(sc, s, rpcNamed(sc, "RotateKey"), map[string]string{"authorization": "Bearer " + p.key}, in)
		p.old, p.key = p.key, got.message.(*gamev1.RotateKeyResponse).GetKey()
	}
	return p.old
}

// request parses a request. "{ann}" stands for the id of ann and "{game}" for that of the scene's
// game, which is also the default of the field game_id.
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

// named replaces "{ann}" and "{game}" with ids.
func (s *scene) named(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(quoted string) string {
		if name := strings.Trim(quoted, `"{}`); name != "game" {
			return `"` + s.id(name) + `"`
		}
		return `"` + s.game + `"`
	})
}

// call makes a call over the transport of the scene.
func (s *scene) call(caller, call, text string) *answer {
	s.Helper()
	return s.via.call(s, s.server, rpcNamed(s, call), s.headers(caller), s.request(call, text))
}

// must makes a call over gRPC that must succeed, and returns the answer.
func (s *scene) must(caller, call, text string) proto.Message {
	s.Helper()
	got := overGRPC{}.call(s, s.server, rpcNamed(s, call), s.headers(caller), s.request(call, text))
	if got.status.Code() != codes.OK {
		s.Fatalf("%s %s by %s: %v", call, text, caller, got.status)
	}
	return got.message
}

// current returns the current state of the scene's game.
func (s *scene) current() *gamev1.Game {
	s.Helper()
	return s.must(cat, "GetGame", `{}`).(*gamev1.GetGameResponse).GetGame()
}

// fixture creates the game of a case and returns its id.
type fixture func(*scene) string

// withOptions is the JSON of a seat with a robot that has options.
const withOptions = `{"robot":{"strategy":{"greedy":{}},"provider":"` + silent +
	`","options":{"style":"bold","weights":[1,0.5,null],"book":{"deep":true}}}}`

// seat returns the JSON of a seat.
func seat(caller string) string {
	switch caller {
	case open:
		return `{"open":{}}`
	case robot:
		return `{"robot":{"strategy":{"level":"LEVEL_EASY"},"provider":"` + silent + `"}}`
	case optionsRobot:
		return withOptions
	case easyRobot:
		return `{"robot":{"strategy":{"level":"LEVEL_EASY"}}}`
	}
	return `{"player":{"playerId":"{` + caller + `}"}}`
}

// createGame creates a game of cat through the shop, which seats all players without an invitation. It returns the id.
func (s *scene) createGame(request string) string {
	s.Helper()
	s.id(cat)
	headers := map[string]string{"authorization": "Bearer " + serviceKey, "flipside-on-behalf-of": atShop(cat)}
	got := overGRPC{}.call(s, s.server, rpcNamed(s, "CreateGame"), headers, s.request("CreateGame", request))
	if got.status.Code() != codes.OK {
		s.Fatalf("CreateGame %s: %v", request, got.status)
	}
	s.game = got.message.(*gamev1.CreateGameResponse).GetGame().GetId()
	if strings.Contains(request, seat(tokenOfTom)) {
		s.must(tokenOfTom, "JoinGame", `{}`) // Tom is not a user of the shop.
	}
	return s.game
}

// invites returns a public game of a player who invites two others.
func invites(creator, first, second string) fixture {
	return func(s *scene) string {
		s.Helper()
		created := s.must(creator, "CreateGame", `{"setup":`+square8+`,"seats":[`+seat(first)+`,`+seat(second)+`]}`)
		return created.(*gamev1.CreateGameResponse).GetGame().GetId()
	}
}

// game returns a public game of cat.
func game(setup, first, second string) fixture {
	return gameOf("VISIBILITY_PUBLIC", setup, first, second)
}

func gameOf(visibility, setup, first, second string) fixture {
	return func(s *scene) string {
		s.Helper()
		return s.createGame(`{"setup":` + setup + `,"seats":[` + seat(first) + `,` + seat(second) + `],"visibility":"` + visibility + `"}`)
	}
}

// after plays moves in the game, separated by blanks, each by the player on turn.
func (g fixture) after(moves string) fixture {
	return func(s *scene) string {
		s.Helper()
		s.game = g(s)
		for move := range strings.FieldsSeq(moves) {
			now := s.current()
			holder := now.GetSeats()[now.GetTurn().GetSide()-1].GetPlayer()
			caller := holder.GetDisplayName()
			if strings.HasPrefix(caller, "player-") {
				caller = serviceForJoe
			}
			s.must(caller, "PlayMove", `{"notation":"`+move+`"}`)
		}
		return s.game
	}
}

// then makes a call about the game.
func (g fixture) then(caller, call, text string) fixture {
	return func(s *scene) string {
		s.Helper()
		s.game = g(s)
		s.must(caller, call, text)
		return s.game
	}
}

func jsonUnmarshal(text string, into any) error { return json.Unmarshal([]byte(text), into) }
