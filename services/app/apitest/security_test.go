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

// columns are the callers of the authorization table: no key; an unknown key; a replaced key; a
// stranger; the player not on turn; the player on turn; the creator; a service key without a user,
// for the user on turn, and for a stranger.
var columns = []string{noKey, badKey, rotated, eve, bob, ann, cat, service, serviceForJoe, serviceForZoe}

// sameAs maps callers with tokens to the callers of the table with the same results: a valid token
// identifies a user like a service, and an invalid one is like an unknown key.
var sameAs = map[string]string{
	tokenOfTom: serviceForJoe, tokenOfTia: serviceForZoe,
	forAnother: badKey, expired: badKey, ofAnother: badKey, unsigned: badKey, withPublicKey: badKey, forged: badKey,
	ofRefresh: badKey, ofLogout: badKey,
}

// authorization lists the result of every call by every caller on every kind of game. s.own is the
// user of a service on turn.
//
//	ok    success
//	key   INVALID_KEY, 401
//	none  GAME_NOT_FOUND, 404
//	seat  NOT_YOUR_SEAT, 403
//	turn  NOT_YOUR_TURN
//	here  NOT_AWAY: no player is away
//	taken SEAT_TAKEN
//	user  INVALID_FIELD at flipside-on-behalf-of: the user is missing
//	offer NO_SUCH_OFFER
//	net   ok over gRPC, where Strategy does not authenticate callers; key over REST
const authorization = `
call            game         no-key bad  rotated stranger other own   creator service s.own s.stranger

GetGame         public,link  key    key  key     ok       ok    ok    ok      ok      ok    ok
GetGame         private      key    key  key     none     ok    ok    ok      none    ok    none
ListEvents      public,link  key    key  key     ok       ok    ok    ok      ok      ok    ok
ListEvents      private      key    key  key     none     ok    ok    ok      none    ok    none
ListLegalMoves  public,link  key    key  key     ok       ok    ok    ok      ok      ok    ok
ListLegalMoves  private      key    key  key     none     ok    ok    ok      none    ok    none
RenderGame      public,link  key    key  key     ok       ok    ok    ok      ok      ok    ok
RenderGame      private      key    key  key     none     ok    ok    ok      none    ok    none
PreviewGame     public,link  ok     ok   ok      ok       ok    ok    ok      ok      ok    ok
PreviewGame     private      none   none none    none     none  none  none    none    none  none
WatchGame       public,link  key    key  key     ok       ok    ok    ok      ok      ok    ok
WatchGame       private      key    key  key     none     ok    ok    ok      none    ok    none

PlayMove        public,link  key    key  key     seat     turn  ok    seat    user    ok    seat
PlayMove        private      key    key  key     none     turn  ok    seat    user    ok    none
Resign          public,link  key    key  key     seat     ok    ok    seat    user    ok    seat
Resign          private      key    key  key     none     ok    ok    seat    user    ok    none
AbortGame       public,link  key    key  key     seat     ok    ok    ok      user    ok    seat
AbortGame       private      key    key  key     none     ok    ok    ok      user    ok    none
SetRobot        public,link  key    key  key     seat     -     ok    ok      user    ok    seat
SetRobot        private      key    key  key     none     -     ok    ok      user    ok    none
ClaimAbandonment public,link key    key  key     seat     here  here  seat    user    here  seat
ClaimAbandonment private     key    key  key     none     here  here  seat    user    here  none
JoinGame        public,link  key    key  key     taken    ok    ok    taken   user    ok    taken
JoinGame        private      key    key  key     none     ok    ok    taken   user    ok    none
JoinGame        invited      key    key  key     taken    -     ok    taken   user    ok    taken
Offer           public,link  key    key  key     seat     ok    ok    seat    user    ok    seat
Offer           private      key    key  key     none     ok    ok    seat    user    ok    none
DeclineOffer    public,link  key    key  key     seat     offer offer seat    user    offer seat
DeclineOffer    private      key    key  key     none     offer offer seat    user    offer none
JoinGame        open         key    key  key     ok       -     ok    ok      user    ok    ok
ForkGame        public,link  key    key  key     ok       ok    ok    ok      user    ok    ok
ForkGame        private      key    key  key     none     ok    ok    ok      user    ok    none

CreateGame      -            key    key  key     ok       ok    ok    ok      user    ok    ok
ListGames       -            key    key  key     ok       ok    ok    ok      ok      ok    ok
WatchTurns      -            key    key  key     ok       ok    ok    ok      user    ok    ok
GetMe           -            key    key  key     ok       ok    ok    ok      user    ok    ok
RotateKey       -            key    key  key     ok       ok    ok    ok      user    seat  seat
SetWebhook      -            key    key  key     ok       ok    ok    ok      ok      ok    ok
GetWebhook      -            key    key  key     ok       ok    ok    ok      ok      ok    ok
DeleteWebhook   -            key    key  key     ok       ok    ok    ok      ok      ok    ok
CreatePlayer    -            ok     ok   ok      ok       ok    ok    ok      ok      ok    ok

ListStrategies    -          ok     ok   ok      ok       ok    ok    ok      ok      ok    ok
ListPositionMoves -          net    net  net     ok       ok    ok    ok      ok      ok    ok
ChooseMove        -          net    net  net     ok       ok    ok    ok      ok      ok    ok
SearchMove        -          net    net  net     ok       ok    ok    ok      ok      ok    ok
AnalyzePosition   -          net    net  net     ok       ok    ok    ok      ok      ok    ok
PlayMatch         -          net    net  net     ok       ok    ok    ok      ok      ok    ok
`

var outcomes = map[string]want{
	"ok": ok, "key": invalidKey, "none": gameNotFound, "seat": notYourSeat, "turn": notYourTurn, "here": notAway, "taken": seatTaken,
	"user": invalidField.at("flipside-on-behalf-of"), "offer": noSuchOffer,
}

// minimalRequests are the requests of the table.
var minimalRequests = map[string]string{
	"CreateGame":        createRequest(square8),
	"SetWebhook":        `{"url":"https://hooks.example/flipside"}`,
	"PlayMove":          `{"notation":"d3"}`,
	"Offer":             `{"kind":"OFFER_KIND_DRAW"}`,
	"DeclineOffer":      `{"kind":"OFFER_KIND_DRAW"}`,
	"SetRobot":          `{"strategy":{"greedy":{}},"provider":"` + silent + `"}`,
	"ListPositionMoves": `{"position":` + startOnEight + `}`,
	"ChooseMove":        chooseRequest(`{"greedy":{}}`),
	"SearchMove":        chooseRequest(`{"greedy":{}}`),
	"AnalyzePosition":   chooseRequest(`{"alphaBeta":{"maxDepth":1}}`),
	"PlayMatch":         matchRequest(`"games":1`),
}

// fixtureFor returns the game of a cell of the table, with own on the first seat and other on the
// second; nil for none.
func fixtureFor(kind, call, own, other string) fixture {
	if call == "SetRobot" {
		other = robot
	}
	switch kind {
	case "-":
		return nil
	case "open":
		return game(square8, own, open)
	case "invited":
		return invites(cat, own, other)
	}
	return gameOf("VISIBILITY_"+strings.ToUpper(kind), square8, own, other)
}

func TestAuthorization(t *testing.T) {
	t.Parallel()
	for _, via := range transports {
		t.Run(via.name(), func(t *testing.T) {
			t.Parallel()
			server := startWithTokens(t)
			for _, line := range strings.Split(strings.TrimSpace(authorization), "\n")[1:] {
				words := strings.Fields(line)
				if len(words) == 0 {
					continue
				}
				if len(words) != 2+len(columns) {
					t.Fatalf("a line of the table has %d words, want %d: %s", len(words), 2+len(columns), line)
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
	for _, caller := range append(slices.Clone(columns), slices.Sorted(maps.Keys(sameAs))...) {
		i := slices.Index(columns, caller)
		if i < 0 {
			i = slices.Index(columns, sameAs[caller])
		}
		if expected[i] == "-" {
			continue
		}
		s.Run(fmt.Sprintf("%d %s", i, caller), func(t *testing.T) {
			cell := &scene{T: t, server: s.server, via: s.via}
			own := ann
			if caller == serviceForJoe || caller == rotated || caller == tokenOfTom {
				own = caller
			}
			if fixture := fixtureFor(kind, call, own, bob); fixture != nil {
				cell.game = fixture(cell)
			}
			text := minimalRequests[call]
			if text == "" {
				text = `{}`
			}
			as := caller
			if call == "RotateKey" && slices.Contains([]string{eve, bob, ann, cat}, caller) {
				as = caller + "'s double" // Parallel cases still use the keys of the callers.
			}
			outcome := expected[i]
			if outcome == "net" {
				outcome = map[bool]string{true: "key", false: "ok"}[s.via == overREST{}]
			}
			outcomes[outcome].check(t, cell.call(as, call, text))
		})
	}
}

func TestEveryCallIsInTheAuthorizationTable(t *testing.T) {
	t.Parallel()
	for _, r := range rpcs() {
		if !strings.Contains(authorization, "\n"+string(r.Name())+" ") {
			t.Errorf("the table lacks %s", r.Name())
		}
	}
}

// listVisibility lists the callers that find a game of ann, bob and the creator cat in a list, by
// its visibility.
const listVisibility = `
        stranger other own creator service s.stranger
public  yes      yes   yes yes     yes     yes
link    no       yes   yes yes     no      no
private no       yes   yes yes     no      no
`

func TestVisibilityInLists(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.Trim(listVisibility, "\n"), "\n")
	overTransports(t, startServer(t, nil), func(_ *testing.T, s *scene) {
		for _, line := range lines[1:] {
			words := strings.Fields(line)
			s.parallel(words[0], func(t *testing.T, s *scene) {
				id := fixtureFor(words[0], "", ann, bob)(s)
				for i, caller := range []string{eve, bob, ann, cat, service, serviceForZoe} {
					if found := s.finds(caller, id); found != (words[1+i] == "yes") {
						t.Errorf("%s finds the game: %t", caller, found)
					}
				}
			})
		}
	})
}

// finds reports whether the caller finds a game in the list of ann's games.
func (s *scene) finds(caller, id string) bool {
	s.Helper()
	got := s.call(caller, "ListGames", `{"playerId":"{ann}","pageSize":1000}`)
	ok.check(s.T, got)
	return strings.Contains(fmt.Sprint(got.message), id)
}

// The server distinguishes the users of a service from each other and from those of other services.
func TestServiceKeys(t *testing.T) {
	t.Parallel()
	const other = "another-service-key-of-a-product-0123456789"
	server := startServer(t, func(s *app.Settings) { s.ServiceKeys = append(s.ServiceKeys, "club="+other) })
	overTransports(t, server, func(t *testing.T, s *scene) {
		me := func(key, user string) string {
			headers := map[string]string{"authorization": "Bearer " + key, "flipside-on-behalf-of": user}
			got := s.via.call(t, server, rpcNamed(t, "GetMe"), headers, s.request("GetMe", `{}`))
			ok.check(t, got)
			return got.message.(*gamev1.GetMeResponse).GetPlayer().GetId()
		}
		sam := me(serviceKey, "sam")
		if sam != me(serviceKey, "sam") {
			t.Error("a returning user is another player")
		}
		if sam == me(serviceKey, "Sam") || sam == me(other, "sam") {
			t.Error("two users are the same player")
		}
		for _, rejected := range []struct{ key, user string }{
			{serviceKey, strings.Repeat("x", 257)},
			{server.player(t, ann).key, "sam"},
		} {
			headers := map[string]string{"authorization": "Bearer " + rejected.key, "flipside-on-behalf-of": rejected.user}
			got := s.via.call(t, server, rpcNamed(t, "GetMe"), headers, s.request("GetMe", `{}`))
			invalidField.at("flipside-on-behalf-of").check(t, got)
		}
		me(serviceKey, strings.Repeat("x", 256))
	})
}
