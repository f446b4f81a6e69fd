package apitest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/app"
)

// The callers of the table, in the order of its columns: nobody; a key of nobody; a key that was replaced; who has nothing to do with the
// game; who holds the seat that is not on turn; who holds the one that is; who created the game and holds none; a service
// key for nobody in particular, for a user who holds the seat on turn, and for one who has nothing to do with the game.
var columns = []string{nobody, badKey, rotated, eve, bob, ann, cat, service, serviceForJoe, serviceForZoe}

// like are callers with tokens, each with the one of the table to whom the same happens: a token that is good says who its
// subject is as a service does of its user, and one that is not is no better than a bad key.
var like = map[string]string{
	tokenOfTom: serviceForJoe, tokenOfTia: serviceForZoe,
	forAnother: badKey, expired: badKey, ofAnother: badKey, unsigned: badKey, withPublicKey: badKey, forged: badKey,
}

// whoMayWhat says what comes of every call by every caller on every kind of game. Where a service's user sits, the game is one in
// which he holds the seat on turn.
//
//	ok    it works
//	key   INVALID_KEY, 401: who are you?
//	none  GAME_NOT_FOUND, 404: there is no such game
//	seat  NOT_YOUR_SEAT, 403
//	turn  NOT_YOUR_TURN
//	here  NOT_AWAY: nobody is in this game
//	taken SEAT_TAKEN
//	whom  INVALID_FIELD at flipside-on-behalf-of: for whom?
//	open  INVALID_FIELD at seats: a private game has no open seats
//	net   over gRPC, where Strategy trusts its network, as ok; over REST as key
const whoMayWhat = `
call            game         nobody bad  rotated stranger other own   creator service s.own s.stranger

GetGame         public,link  key    key  key     ok       ok    ok    ok      ok      ok    ok
GetGame         private      key    key  key     none     ok    ok    ok      none    ok    none
ListEvents      public,link  key    key  key     ok       ok    ok    ok      ok      ok    ok
ListEvents      private      key    key  key     none     ok    ok    ok      none    ok    none
ListLegalMoves  public,link  key    key  key     ok       ok    ok    ok      ok      ok    ok
ListLegalMoves  private      key    key  key     none     ok    ok    ok      none    ok    none
RenderGame      public,link  key    key  key     ok       ok    ok    ok      ok      ok    ok
RenderGame      private      key    key  key     none     ok    ok    ok      none    ok    none
WatchGame       public,link  key    key  key     ok       ok    ok    ok      ok      ok    ok
WatchGame       private      key    key  key     none     ok    ok    ok      none    ok    none

PlayMove        public,link  key    key  key     seat     turn  ok    seat    whom    ok    seat
PlayMove        private      key    key  key     none     turn  ok    seat    whom    ok    none
Resign          public,link  key    key  key     seat     ok    ok    seat    whom    ok    seat
Resign          private      key    key  key     none     ok    ok    seat    whom    ok    none
AbortGame       public,link  key    key  key     seat     ok    ok    ok      whom    ok    seat
AbortGame       private      key    key  key     none     ok    ok    ok      whom    ok    none
SetRobot        public,link  key    key  key     seat     -     ok    ok      whom    ok    seat
SetRobot        private      key    key  key     none     -     ok    ok      whom    ok    none
ClaimAbandonment public,link key    key  key     seat     here  here  seat    whom    here  seat
ClaimAbandonment private     key    key  key     none     here  here  seat    whom    here  none
JoinGame        public,link  key    key  key     taken    taken taken taken   whom    taken taken
JoinGame        private      key    key  key     none     taken taken taken   whom    taken none
JoinGame        open         key    key  key     ok       -     ok    ok      whom    ok    ok
ForkGame        public,link  key    key  key     ok       ok    ok    ok      whom    ok    ok
ForkGame        private      key    key  key     none     open  open  open    whom    open  none

CreateGame      -            key    key  key     ok       ok    ok    ok      whom    ok    ok
ListGames       -            key    key  key     ok       ok    ok    ok      ok      ok    ok
WatchTurns      -            key    key  key     ok       ok    ok    ok      whom    ok    ok
GetMe           -            key    key  key     ok       ok    ok    ok      whom    ok    ok
RotateKey       -            key    key  key     ok       ok    ok    ok      whom    seat  seat
CreatePlayer    -            ok     ok   ok      ok       ok    ok    ok      ok      ok    ok

ListStrategies    -          ok     ok   ok      ok       ok    ok    ok      ok      ok    ok
ListPositionMoves -          net    net  net     ok       ok    ok    ok      ok      ok    ok
ChooseMove        -          net    net  net     ok       ok    ok    ok      ok      ok    ok
AnalyzePosition   -          net    net  net     ok       ok    ok    ok      ok      ok    ok
PlayMatch         -          net    net  net     ok       ok    ok    ok      ok      ok    ok
`

var outcomes = map[string]want{
	"ok": ok, "key": invalidKey, "none": gameNotFound, "seat": notYourSeat, "turn": notYourTurn, "here": notAway, "taken": seatTaken,
	"whom": invalidField.at("flipside-on-behalf-of"), "open": invalidField.at("seats"),
}

// plain are the requests of the table: the least that a call needs.
var plain = map[string]string{
	"CreateGame":        create(square8),
	"PlayMove":          `{"notation":"d3"}`,
	"SetRobot":          `{"strategy":{"greedy":{}},"provider":"` + silent + `"}`,
	"ListPositionMoves": `{"position":` + startOnEight + `}`,
	"ChooseMove":        chosen(`{"greedy":{}}`),
	"AnalyzePosition":   chosen(`{"alphaBeta":{"maxDepth":1}}`),
	"PlayMatch":         match(`"games":1`),
}

// tableFor is a game for one cell of the table, nil for none: own sits first and other second.
func tableFor(kind, call, own, other string) table {
	if call == "SetRobot" {
		other = robot
	}
	switch kind {
	case "-":
		return nil
	case "open":
		return game(square8, own, open)
	}
	return gameOf("VISIBILITY_"+strings.ToUpper(kind), square8, own, other)
}

func TestWhoMayWhat(t *testing.T) {
	t.Parallel()
	for _, via := range transports {
		t.Run(via.name(), func(t *testing.T) {
			t.Parallel()
			server := startWithTokens(t)
			for _, line := range strings.Split(strings.TrimSpace(whoMayWhat), "\n")[1:] {
				words := strings.Fields(line)
				if len(words) == 0 {
					continue
				}
				if len(words) != 2+len(columns) {
					t.Fatalf("a line of the table has %d words: %s", len(words), line)
				}
				for kind := range strings.SplitSeq(words[1], ",") {
					t.Run(words[0]+" "+kind, func(t *testing.T) {
						t.Parallel()
						checkCallers(&scene{T: t, server: server, via: via}, words[0], kind, words[2:])
					})
				}
			}
		})
	}
}

// checkCallers makes one call as every caller.
func checkCallers(s *scene, call, kind string, expected []string) {
	for _, who := range append(slices.Clone(columns), slices.Sorted(maps.Keys(like))...) {
		i := slices.Index(columns, who)
		if i < 0 {
			i = slices.Index(columns, like[who])
		}
		if expected[i] == "-" {
			continue
		}
		s.Run(fmt.Sprintf("%d %s", i, who), func(t *testing.T) {
			cell := &scene{T: t, server: s.server, via: s.via}
			own := ann
			if who == serviceForJoe || who == rotated || who == tokenOfTom {
				own = who
			}
			if made := tableFor(kind, call, own, bob); made != nil {
				cell.game = made(cell)
			}
			text := plain[call]
			if text == "" {
				text = `{}`
			}
			caller := who
			if call == "RotateKey" && slices.Contains([]string{eve, bob, ann, cat}, who) {
				caller = who + "'s double" // The others go on using their keys meanwhile.
			}
			outcome := expected[i]
			if outcome == "net" {
				outcome = map[bool]string{true: "key", false: "ok"}[s.via == overREST{}]
			}
			outcomes[outcome].check(t, cell.call(caller, call, text))
		})
	}
}

// TestEveryCallIsInTheTable fails for a call of which the table does not say who may make it.
func TestEveryCallIsInTheTable(t *testing.T) {
	t.Parallel()
	for _, r := range rpcs() {
		if !strings.Contains(whoMayWhat, "\n"+string(r.Name())+" ") {
			t.Errorf("who may call %s is not said", r.Name())
		}
	}
}

// listed are who finds a game in which ann and bob play and that cat created, by its visibility.
const listed = `
        stranger other own creator service s.stranger
public  yes      yes   yes yes     yes     yes
link    no       yes   yes yes     no      no
private no       yes   yes yes     no      no
`

func TestWhoFindsWhat(t *testing.T) {
	t.Parallel()
	server := startServer(t, nil)
	lines := strings.Split(strings.Trim(listed, "\n"), "\n")
	for _, via := range transports {
		for _, line := range lines[1:] {
			words := strings.Fields(line)
			t.Run(via.name()+" "+words[0], func(t *testing.T) {
				t.Parallel()
				s := &scene{T: t, server: server, via: via}
				id := tableFor(words[0], "", ann, bob)(s)
				for i, who := range []string{eve, bob, ann, cat, service, serviceForZoe} {
					if found := s.finds(who, id); found != (words[1+i] == "yes") {
						t.Errorf("%s finds it: %t", who, found)
					}
				}
			})
		}
	}
}

// finds reports whether a game is among those that ann plays.
func (s *scene) finds(who, id string) bool {
	s.Helper()
	got := s.call(who, "ListGames", `{"playerId":"{ann}","pageSize":1000}`)
	ok.check(s.T, got)
	return strings.Contains(fmt.Sprint(got.message), id)
}

// TestServiceKeys tells the users of a service apart, from each other and from those of other services.
func TestServiceKeys(t *testing.T) {
	t.Parallel()
	const other = "another-service-key-of-a-product-0123456789"
	server := startServer(t, func(s *app.Settings) { s.ServiceKeys = append(s.ServiceKeys, "club="+other) })
	for _, via := range transports {
		t.Run(via.name(), func(t *testing.T) {
			t.Parallel()
			s := &scene{T: t, server: server, via: via}
			me := func(key, user string) string {
				headers := map[string]string{"authorization": "Bearer " + key, "flipside-on-behalf-of": user}
				got := via.call(t, server, rpcNamed(t, "GetMe"), headers, s.request("GetMe", `{}`))
				ok.check(t, got)
				return got.message.(*gamev1.GetMeResponse).GetPlayer().GetId()
			}
			sam := me(serviceKey, "sam")
			if sam != me(serviceKey, "sam") {
				t.Error("a user is not himself when he comes back")
			}
			if sam == me(serviceKey, "Sam") || sam == me(other, "sam") {
				t.Error("two users are one")
			}
			for _, refused := range []struct{ key, user string }{
				{serviceKey, strings.Repeat("x", 257)},
				{server.player(t, ann).key, "sam"},
			} {
				headers := map[string]string{"authorization": "Bearer " + refused.key, "flipside-on-behalf-of": refused.user}
				got := via.call(t, server, rpcNamed(t, "GetMe"), headers, s.request("GetMe", `{}`))
				invalidField.at("flipside-on-behalf-of").check(t, got)
			}
			me(serviceKey, strings.Repeat("x", 256))
		})
	}
}
