package apitest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// bound is a field with bounds, and values on both sides of them.
type bound struct {
	field string // Message.field in the protos
	call  string
	on    fixture
	with  string // the request as JSON, with %s for the value
	at    string // the path of the field in the request
	// inside are valid JSON values, outside invalid ones.
	inside, outside []string
}

// text returns a JSON string of n characters: repetitions of one, and an end.
func text(n int, of rune, end string) string {
	return `"` + strings.Repeat(jsonEscape(of), n-len([]rune(end))) + end + `"`
}

func jsonEscape(of rune) string {
	if of == '\n' {
		return `\n`
	}
	return string(of)
}

func values(v ...string) []string { return v }

// robotRequest returns a request for a game with a robot of the silent provider.
func robotRequest(strategy string) string {
	return `{"setup":` + square8 + `,"seats":[{"robot":{"strategy":` + strategy + `,"provider":"` + silent + `"}}]}`
}

// chooseRequest returns a request for a position that a search without limits solves at once.
func chooseRequest(strategy string) string {
	return `{"position":{"notation":"reversi/square:4 ____/_OX_/_XO_/____ X 0"},"strategy":` + strategy + `}`
}

const (
	smallReversi = "reversi/hex:1 __/___/__ X 0"
	smallTrios   = "threetrios/_ R - default grid red a:1234 blue b:1234"
	aSetup       = `{"setup":` + square8 + `,`
	undefined    = "99"
	negative     = "-1"
	largest      = "2147483647"
)

var over = game(oneRing, ann, bob)

// bounds are all bounds in the protos, without those of commonBounds.
var bounds = []bound{
	{"SetWebhookRequest.url", "SetWebhook", nil, `{"url":%s}`, "url",
		values(`"https://a.example/` + strings.Repeat("a", 2030) + `"`),
		values(`""`, `"https://a.example/`+strings.Repeat("a", 2031)+`"`)},
	{"CreatePlayerRequest.display_name", "CreatePlayer", nil, `{"displayName":%s}`, "displayName",
		values(`""`, text(64, 'ä', "")), values(text(65, 'a', ""))},

	{"HexagonBoard.rings", "CreateGame", nil, createRequest(`{"reversi":{"hexagon":{"rings":%s}}}`), "setup.reversi.hexagon.rings",
		values("0", "1", "12"), values(negative, "13")},
	{"SquareBoard.side", "CreateGame", nil, createRequest(`{"reversi":{"square":{"side":%s}}}`), "setup.reversi.square.side",
		values("0", "4", "16"), values(negative, "2", "17", "18")},
	{"SquareBoard.start", "CreateGame", nil, createRequest(`{"reversi":{"square":{"start":%s}}}`), "setup.reversi.square.start",
		values("0", "2"), values("3")},
	{"ReversiSetup.pass_rule", "CreateGame", nil, createRequest(`{"reversi":{"passRule":%s}}`), "setup.reversi.passRule",
		values("0", "2"), values("3")},
	{"ReversiSetup.min_flips", "CreateGame", nil, createRequest(`{"reversi":{"minFlips":%s}}`), "setup.reversi.minFlips",
		values("0", "1", "64"), values(negative, "65")},
	{"ReversiSetup.start_from", "CreateGame", nil, createRequest(`{"reversi":{"startFrom":%s}}`), "setup.reversi.startFrom",
		values(text(1024, ' ', smallReversi)), values(text(1025, ' ', smallReversi))},
	{"ThreeTriosSetup.grid", "CreateGame", nil, createRequest(`{"threeTrios":{"grid":%s}}`), "setup.threeTrios.grid",
		values(`"1 1\nC` + strings.Repeat(`\n`, 507) + `"`), values(`"1 1\nC` + strings.Repeat(`\n`, 508) + `"`)},
	{"ThreeTriosSetup.deck", "CreateGame", nil, createRequest(`{"threeTrios":{"grid":"1 1\nC","deck":%s}}`), "setup.threeTrios.deck",
		values(`"a 1 1 1 1\nb 1 1 1 1` + strings.Repeat(`\n`, 65536-19) + `"`), values(`"a 1 1 1 1\nb 1 1 1 1` + strings.Repeat(`\n`, 65537-19) + `"`)},
	{"ThreeTriosSetup.rules", "CreateGame", nil, createRequest(`{"threeTrios":{"rules":%s}}`), "setup.threeTrios.rules",
		values(`[]`, many(16, "5")), values(many(17, "5"))},
	{"ThreeTriosSetup.start_from", "CreateGame", nil, createRequest(`{"threeTrios":{"startFrom":%s}}`), "setup.threeTrios.startFrom",
		values(text(65536, ' ', smallTrios)), values(text(65537, ' ', smallTrios))},

	{"CreateGameRequest.seats", "CreateGame", nil, aSetup + `"seats":%s}`, "seats", values(`[]`, many(2, `{}`)), values(many(3, `{}`))},
	{"CreateGameRequest.visibility", "CreateGame", nil, aSetup + `"seats":[{"caller":{}},{"caller":{}}],"visibility":%s}`, "visibility",
		values("0", "3"), values("4")},
	{"TimeControl.per_move", "CreateGame", nil, aSetup + `"timeControl":{"perMove":%s}}`, "timeControl.perMove",
		values(`"1s"`, `"43200s"`), values(`"-1s"`, `"0s"`, `"0.999999999s"`, `"43200.000000001s"`)},
	{"TimeControl.days", "CreateGame", nil, aSetup + `"timeControl":{"days":%s}}`, "timeControl.days",
		values("1", "30"), values(negative, "0", "31")},
	{"TimeControl.claim_after", "CreateGame", nil, aSetup + `"timeControl":{"days":1,"claimAfter":%s}}`, "timeControl.claimAfter",
		values(`"1s"`, `"2592000s"`), values(`"0s"`, `"0.999999999s"`, `"2592000.000000001s"`)},
	{"Fischer.initial", "CreateGame", nil, aSetup + `"timeControl":{"fischer":{"initial":%s}}}`, "timeControl.fischer.initial",
		values(`"1s"`, `"86400s"`), values(`"0s"`, `"0.999999999s"`, `"86400.000000001s"`)},
	{"Fischer.increment", "CreateGame", nil, aSetup + `"timeControl":{"fischer":{"initial":"1s","increment":%s}}}`,
		"timeControl.fischer.increment", values(`"0s"`, `"3600s"`), values(`"-0.000000001s"`, `"3600.000000001s"`)},
	{"Seat.side", "CreateGame", nil, aSetup + `"seats":[{"side":%s,"caller":{}}]}`, "seats[0].side",
		values(`"SIDE_UNSPECIFIED"`, `"SIDE_FIRST"`), values(`"SIDE_SECOND"`)},
	{"SeatedPlayer.player_id", "CreateGame", nil, aSetup + `"seats":[{"player":{"playerId":%s}}]}`, "seats[0].player.playerId",
		nil, values(`""`, text(65, 'a', ""), `"a b"`)},
	{"Robot.provider", "CreateGame", nil, aSetup + `"seats":[{"robot":{"strategy":{"greedy":{}},"provider":%s}}]}`, "seats[0].robot.provider",
		values(`""`, `"`+silent+`"`), values(text(65, 'a', ""))},
	{"Strategy.level", "CreateGame", nil, robotRequest(`{"level":%s}`), "seats[0].robot.strategy.level", values("1", "4"), values("0", "5")},
	{"Strategy.skill", "CreateGame", nil, robotRequest(`{"skill":%s}`), "seats[0].robot.strategy.skill", values("1", "20"), values("0", negative, "21")},
	{"AlphaBeta.max_depth", "CreateGame", nil, robotRequest(`{"alphaBeta":{"maxDepth":%s}}`), "seats[0].robot.strategy.alphaBeta.maxDepth",
		values("0", "1", "64"), values(negative, "65")},
	{"AlphaBeta.max_time", "CreateGame", nil, robotRequest(`{"alphaBeta":{"maxTime":%s}}`), "seats[0].robot.strategy.alphaBeta.maxTime",
		values(`"0s"`, `"60s"`), values(`"-0.000000001s"`, `"60.000000001s"`)},
	{"AlphaBeta.evaluation", "CreateGame", nil, robotRequest(`{"alphaBeta":{"evaluation":%s}}`), "seats[0].robot.strategy.alphaBeta.evaluation",
		values("0", "1"), values("2")},
	{"Engine.max_time", "CreateGame", nil, robotRequest(`{"engine":{"maxTime":%s}}`), "seats[0].robot.strategy.engine.maxTime",
		values(`"0s"`, `"600s"`), values(`"-1s"`, `"600.000000001s"`)},
	{"Engine.max_depth", "CreateGame", nil, robotRequest(`{"engine":{"maxDepth":%s}}`), "seats[0].robot.strategy.engine.maxDepth",
		values("0", "512"), values(negative, "513")},
	{"Engine.max_nodes", "CreateGame", nil, robotRequest(`{"engine":{"maxNodes":%s}}`), "seats[0].robot.strategy.engine.maxNodes",
		values(`"0"`, `"9223372036854775807"`), values(`"-1"`)},
	{"Engine.threads", "CreateGame", nil, robotRequest(`{"engine":{"threads":%s}}`), "seats[0].robot.strategy.engine.threads",
		values("0", "256"), values(negative, "257")},
	{"Minimax.assumed", "ChooseMove", nil, chooseRequest(`%s`), "strategy.minimax.assumed.minimax.assumed.minimax.assumed.minimax.assumed." +
		"minimax.assumed.minimax.assumed.minimax.assumed.minimax.assumed",
		nil, values(nested(9))},

	{"ListGamesRequest.state", "ListGames", nil, `{"state":%s}`, "state", values("0", "4"), values("5")},
	{"ListGamesRequest.kind", "ListGames", nil, `{"kind":%s}`, "kind", values("0", "2"), values("3")},
	{"ListGamesRequest.player_id", "ListGames", nil, `{"playerId":%s}`, "playerId",
		values(text(64, 'a', ""), `"AZaz09-._~"`), values(text(65, 'a', ""), `"a b"`, `"ä"`)},
	{"ListGamesRequest.page_size", "ListGames", nil, `{"pageSize":%s}`, "pageSize", values("0", "1", "1000", largest), values(negative)},
	{"ListGamesRequest.page_token", "ListGames", nil, `{"pageToken":%s}`, "pageToken",
		values(`""`, `"01arz3ndektsv4rrffq69g5fav~834c168d"`),
		values(`"01arz3ndektsv4rrffq69g5fav"`, text(34, '0', "~834c168d"), text(36, '0', "~834c168d"), text(257, '0', ""))},

	{"JoinGameRequest.side", "JoinGame", over, `{"side":%s}`, "side", values("0", "2"), values("3", negative)},
	{"PlayMoveRequest.notation", "PlayMove", two, `{"notation":%s}`, "notation", values(text(256, ' ', "d3")), values(text(257, ' ', "d3"))},
	{"PlayCard.card", "PlayMove", game(trios, ann, bob), `{"move":{"playCard":{"card":%s,"cell":{"square":{}}}}}`, "move.playCard.card",
		values(text(256, 'a', "")), values(text(257, 'a', ""))},
	{"PlayMoveRequest.expected_version", "PlayMove", two, `{"notation":"d3","expectedVersion":%s}`, "expectedVersion",
		values("0", largest), values(negative)},

	{"ListEventsRequest.after_version", "ListEvents", two, `{"afterVersion":%s}`, "afterVersion", values("0", largest), values(negative)},
	{"ListEventsRequest.page_size", "ListEvents", two, `{"pageSize":%s}`, "pageSize", values("0", largest), values(negative)},
	{"ListEventsRequest.page_token", "ListEvents", two, `{"pageToken":%s}`, "pageToken",
		values(`""`), values(text(257, '0', "1"), `"2147483648"`)},
	{"ListEventsRequest.wait", "ListEvents", over, `{"afterVersion":3,"wait":%s}`, "wait",
		values(`"0s"`, `"50s"`), values(`"-0.000000001s"`, `"50.000000001s"`)},

	{"ListLegalMovesRequest.side", "ListLegalMoves", two, `{"side":%s}`, "side", values("2"), values("3")},
	{"ListLegalMovesRequest.card", "ListLegalMoves", game(trios, ann, bob), `{"card":%s}`, "card",
		values(text(256, 'a', "")), values(text(257, 'a', ""))},
	{"ListLegalMovesRequest.page_size", "ListLegalMoves", two, `{"pageSize":%s}`, "pageSize", values("0", largest), values(negative)},
	{"ListLegalMovesRequest.page_token", "ListLegalMoves", two, `{"pageToken":%s}`, "pageToken",
		values(`""`), values(text(257, '0', "1"))},

	{"ResignRequest.side", "Resign", over, `{"side":%s}`, "side", values("2"), values("3")},
	{"OfferRequest.kind", "Offer", two, `{"kind":%s}`, "kind", values("2"), values("0", "4")},
	{"OfferRequest.side", "Offer", two, `{"kind":"OFFER_KIND_DRAW","side":%s}`, "side", values("0", "1"), values("3")},
	{"DeclineOfferRequest.kind", "DeclineOffer", offered, `{"kind":%s}`, "kind", values("2"), values("0", "4")},
	{"DeclineOfferRequest.side", "DeclineOffer", offered, `{"kind":"OFFER_KIND_DRAW","side":%s}`, "side", values("0", "1"), values("3")},
	{"ForkGameRequest.version", "ForkGame", two, `{"version":%s}`, "version", values("1", "2"), values("0", negative)},
	{"ForkGameRequest.seats", "ForkGame", two, `{"seats":%s}`, "seats", values(many(2, `{}`)), values(many(3, `{}`))},
	{"ForkGameRequest.visibility", "ForkGame", two, `{"seats":[{"caller":{}},{"caller":{}}],"visibility":%s}`, "visibility",
		values("0", "3"), values("4")},
	{"SetRobotRequest.side", "SetRobot", game(square8, ann, robot), `{"strategy":{"greedy":{}},"provider":"` + silent + `","side":%s}`, "side",
		values("0", "2"), values("3")},
	{"SetRobotRequest.provider", "SetRobot", game(square8, ann, robot), `{"strategy":{"greedy":{}},"provider":%s}`, "provider",
		values(`"` + silent + `"`), values(text(65, 'a', ""))},

	{"RenderGameRequest.format", "RenderGame", two, `{"format":%s}`, "format", values("0", "3"), values("4")},
	{"RenderGameRequest.version", "RenderGame", two, `{"version":%s}`, "version", values("0", "1", "2"), values(negative)},
	{"RenderGameRequest.selected", "RenderGame", two, `{"selected":%s}`, "selected", values(text(16, ' ', "a1")), values(text(17, ' ', "a1"))},
	{"RenderGameRequest.card", "RenderGame", game(trios, ann, bob), `{"card":%s}`, "card",
		values(text(256, 'a', "")), values(text(257, 'a', ""))},
	{"RenderGameRequest.theme", "RenderGame", two, `{"theme":%s}`, "theme", values("0", "2"), values("3")},
	{"WatchGameRequest.after_version", "WatchGame", two, `{"afterVersion":%s}`, "afterVersion", values("0", "2"), values(negative)},
	{"WatchTurnsRequest.after_cursor", "WatchTurns", nil, `{"afterCursor":%s}`, "afterCursor",
		values(`"0"`, text(256, '0', "")), values(text(257, '0', ""), `"-1"`, `"9223372036854775808"`, `"0.x"`)},

	{"Position.notation", "ListPositionMoves", nil, `{"position":{"notation":%s}}`, "position.notation",
		values(`"` + smallTrios + strings.Repeat(" ", 65536-len(smallTrios)) + `"`), values(text(65537, 'x', ""))},
	{"ListPositionMovesRequest.side", "ListPositionMoves", nil, `{"position":` + startOnEight + `,"side":%s}`, "side", values("2"), values("3")},
	{"ListPositionMovesRequest.card", "ListPositionMoves", nil, `{"position":{"notation":"` + smallTrios + `"},"card":%s}`, "card",
		values(text(256, 'a', "")), values(text(257, 'a', ""))},
	{"ListPositionMovesRequest.page_size", "ListPositionMoves", nil, `{"position":` + startOnEight + `,"pageSize":%s}`, "pageSize",
		values("0", largest), values(negative)},
	{"ListPositionMovesRequest.page_token", "ListPositionMoves", nil, `{"position":` + startOnEight + `,"pageToken":%s}`, "pageToken",
		values(`""`), values(text(257, '0', "1"))},
	{"ListPositionMovesRequest.after_move", "ListPositionMoves", nil, `{"position":` + startOnEight + `,"afterMove":%s}`, "afterMove",
		values(text(256, ' ', "d3")), values(text(257, ' ', "d3"))},
	{"ChooseMoveRequest.game_id", "ChooseMove", nil, moveRequest("gameId"), "gameId",
		values(text(64, 'a', ""), `"AZaz09-._~"`), values(text(65, 'a', ""), `"a b"`, `"ä"`)},
	{"ChooseMoveRequest.side", "ChooseMove", nil, moveRequest("side"), "side", values("2"), values("3")},
	{"SearchMoveRequest.game_id", "SearchMove", nil, moveRequest("gameId"), "gameId",
		values(text(64, 'a', ""), `"AZaz09-._~"`), values(text(65, 'a', ""), `"a b"`, `"ä"`)},
	{"SearchMoveRequest.side", "SearchMove", nil, moveRequest("side"), "side", values("2"), values("3")},
	{"AnalyzePositionRequest.multi_pv", "AnalyzePosition", nil,
		`{"position":` + startOnEight + `,"strategy":{"alphaBeta":{"maxDepth":1}},"multiPv":%s}`, "multiPv",
		values("0", "32"), values(negative, "33")},
	{"PlayMatchRequest.games", "PlayMatch", nil, matchRequest(`"games":%s`), "games", values("0", "1", "100000"), values(negative, "100001")},
	{"PlayMatchRequest.opening_plies", "PlayMatch", nil, matchRequest(`"games":1,"openingPlies":%s`), "openingPlies",
		values("0", "60"), values(negative, "61")},
	{"PlayMatchRequest.parallel", "PlayMatch", nil, matchRequest(`"games":1,"parallel":%s`), "parallel", values("0", "256"), values(negative, "257")},
	{"PlayMatchRequest.first_provider", "PlayMatch", nil, matchRequest(`"games":1,"firstProvider":%s`), "firstProvider",
		values(`"` + silent + `"`), values(text(65, 'a', ""))},
	{"PlayMatchRequest.second_provider", "PlayMatch", nil, matchRequest(`"games":1,"secondProvider":%s`), "secondProvider",
		values(`"` + silent + `"`), values(text(65, 'a', ""))},
	{"Sprt.elo0", "PlayMatch", nil, matchRequest(`"games":1,"sprt":{"elo0":%s,"elo1":1000}`), "sprt.elo0",
		values("-1000", "0"), values("-1000.5", "1000.5")},
	{"Sprt.elo1", "PlayMatch", nil, matchRequest(`"games":1,"sprt":{"elo0":-1000,"elo1":%s}`), "sprt.elo1",
		values("0", "1000"), values("-1000.5", "1000.5")},
	{"Sprt.alpha", "PlayMatch", nil, matchRequest(`"games":1,"sprt":{"elo1":5,"alpha":%s}`), "sprt.alpha",
		values("0", "0.49"), values("-0.01", "0.5")},
	{"Sprt.beta", "PlayMatch", nil, matchRequest(`"games":1,"sprt":{"elo1":5,"beta":%s}`), "sprt.beta",
		values("0", "0.49"), values("-0.01", "0.5")},
}

// moveRequest returns a request for a move with another field.
func moveRequest(field string) string {
	return `{"position":` + startOnEight + `,"strategy":{"greedy":{}},"` + field + `":%s}`
}

// many returns a JSON array of n equal values.
func many(n int, value string) string {
	return "[" + strings.TrimSuffix(strings.Repeat(value+",", n), ",") + "]"
}

// nested returns a strategy with a nesting depth.
func nested(depth int) string {
	return strings.Repeat(`{"minimax":{"assumed":`, depth-1) + `{"greedy":{}}` + strings.Repeat(`}}`, depth-1)
}

// commonBounds returns the bounds of fields that many methods have.
func commonBounds() []bound {
	// required are the other fields that a request needs.
	required := map[string]string{
		"Offer":        `"kind":"OFFER_KIND_DRAW",`,
		"DeclineOffer": `"kind":"OFFER_KIND_DRAW",`,
		"CreateGame":   `"setup":` + square8 + `,`, "PlayMove": `"notation":"d3",`,
		"SetRobot": `"strategy":{"greedy":{}},"provider":"` + silent + `",`,
	}
	var all []bound
	for _, r := range rpcs() {
		call, message := string(r.Name()), string(r.Input().Name())
		if r.Input().Fields().ByName("game_id") != nil && r.Input().Fields().ByName("position") == nil {
			all = append(all, bound{message + ".game_id", call, nil, `{` + required[call] + `"gameId":%s}`, "gameId",
				values(text(64, 'a', ""), `"AZaz09-._~"`), values(text(65, 'a', ""), `"a b"`, `"ä"`)})
		}
		if r.Input().Fields().ByName("request_id") != nil {
			all = append(all, bound{message + ".request_id", call, over, `{` + required[call] + `"requestId":%s}`, "requestId",
				values(`""`, `"0fb8c2f2-6f3b-4b8e-8c0c-5a1f0d9e7a61"`),
				values(text(35, '0', ""), text(36, '0', ""), `"{0fb8c2f2-6f3b-4b8e-8c0c-5a1f0d9e7a61}"`)})
		}
	}
	return all
}

func TestBounds(t *testing.T) {
	t.Parallel()
	for _, via := range transports {
		t.Run(via.name(), func(t *testing.T) {
			t.Parallel()
			server := startServer(t, nil)
			for _, b := range slices.Concat(bounds, commonBounds()) {
				t.Run(b.field, func(t *testing.T) {
					t.Parallel()
					for _, value := range b.inside {
						b.accept(&scene{T: t, server: server, via: via}, value)
					}
					for _, value := range b.outside {
						b.reject(&scene{T: t, server: server, via: via}, value)
					}
				})
			}
		})
	}
}

func (b bound) send(s *scene, value string) *answer {
	s.Helper()
	if b.on != nil {
		s.game = b.on(s)
	}
	return s.call(ann, b.call, fmt.Sprintf(b.with, value))
}

// accept checks that the server accepts a value inside the bound. The call may fail for other
// reasons.
func (b bound) accept(s *scene, value string) {
	s.Helper()
	got := b.send(s, value)
	for _, detail := range got.status.Details() {
		if request, ok := detail.(*errdetails.BadRequest); ok && strings.HasPrefix(request.GetFieldViolations()[0].GetField(), b.at) {
			s.Errorf("%.40s is rejected: %s", value, got.status.Message())
		}
	}
	if code := got.status.Code(); code == codes.Internal || code == codes.Unknown {
		s.Errorf("%.40s: %v", value, got.status)
	}
}

func (b bound) reject(s *scene, value string) {
	s.Helper()
	got := b.send(s, value)
	if got.status.Code() == codes.OK {
		s.Errorf("%.40s is accepted", value)
		return
	}
	// Over REST, the parser of query parameters rejects unknown enum values before the validation.
	invalidField.at(b.at).check(s.T, got)
}

func TestEveryBoundIsTested(t *testing.T) {
	t.Parallel()
	tested := map[string]bool{}
	for _, b := range slices.Concat(bounds, commonBounds()) {
		tested[b.field] = true
	}
	seen := map[protoreflect.FullName]bool{}
	for _, r := range rpcs() {
		for _, field := range boundedFields(r.Input(), seen) {
			if !tested[field] {
				t.Errorf("the bound of %s is not tested", field)
			}
		}
	}
}

// boundedFields returns the fields with bounds in a message and its nested messages.
func boundedFields(d protoreflect.MessageDescriptor, seen map[protoreflect.FullName]bool) []string {
	if seen[d.FullName()] || !strings.HasPrefix(string(d.FullName()), "flipside.") {
		return nil
	}
	seen[d.FullName()] = true
	var found []string
	for i := range d.Fields().Len() {
		field := d.Fields().Get(i)
		rules := proto.GetExtension(field.Options(), validate.E_Field).(*validate.FieldRules)
		if rules.GetType() != nil {
			found = append(found, string(d.Name())+"."+string(field.Name()))
		}
		if field.Message() != nil {
			found = append(found, boundedFields(field.Message(), seen)...)
		}
	}
	return found
}

// offered is a game in which ann has offered a draw, which she can withdraw.
var offered = two.then(ann, "Offer", `{"kind":"OFFER_KIND_DRAW"}`)
