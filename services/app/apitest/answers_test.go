package apitest

// The setups that cases use most.
const (
	square8  = `{"reversi":{"square":{}}}`
	square4  = `{"reversi":{"square":{"side":4}}}`
	hexagon2 = `{"reversi":{"hexagon":{"rings":2}}}`
	// oneRing ends at once: no side can ever place a disc.
	oneRing = `{"reversi":{"hexagon":{"rings":1},"passRule":"PASS_RULE_FORCED"}}`
	trios   = `{"threeTrios":{}}`
	// holed has a hole in the middle and one at the end.
	holed = `{"threeTrios":{"grid":"3 3\nCCC\nCXC\nCCX"}}`
)

// Positions by notation.
const (
	startOnEight = `{"notation":"reversi/square:8 ________/________/________/___OX___/___XO___/________/________/________ X 0"}`
	// beforePass leaves White without a placement after c1.
	beforePass = `reversi/square:4 XO__/____/____/XO__ X 0`
)

// two is the usual game of the cases: 8x8 between ann and bob.
var two = game(square8, ann, bob)

// matchRequest is a request for a match of two greedy strategies on a small board, with other
// fields beside it.
func matchRequest(others string) string {
	return `{"setup":` + square4 + `,"first":{"greedy":{}},"second":{"maxCapture":{}},` + others + `}`
}

// setWebhook sets the webhook of a player. The case has no game.
func setWebhook(caller string) fixture {
	return func(s *scene) string {
		s.Helper()
		s.must(caller, "SetWebhook", `{"url":"https://hooks.example/flipside"}`)
		return ""
	}
}

// answers are successful calls, at least one of every method. Their answers are in
// testdata/answers.
var answers = []apiCase{
	{"CreatePlayer", noKey, "CreatePlayer", nil, `{"displayName":"Ada"}`, ok},
	{"CreatePlayer without a name", noKey, "CreatePlayer", nil, `{}`, ok},
	{"GetMe", ann, "GetMe", nil, `{}`, ok},
	{"GetMe on behalf of a user", serviceForZoe, "GetMe", nil, `{}`, ok},
	{"RotateKey", "rob", "RotateKey", nil, `{}`, ok},
	{"SetWebhook", "wim", "SetWebhook", nil, `{"url":"https://hooks.example/flipside","newSecret":true}`, ok},
	{"GetWebhook", "wes", "GetWebhook", setWebhook("wes"), `{}`, ok},
	{"GetWebhook without one", "wyn", "GetWebhook", nil, `{}`, ok},
	{"DeleteWebhook", "won", "DeleteWebhook", setWebhook("won"), `{}`, ok},

	{"CreateGame", cat, "CreateGame", nil,
		`{"setup":` + square8 + `,"seats":[{"caller":{}},{"robot":{"strategy":{"alphaBeta":{"maxDepth":4,"maxTime":"1s"}},"seed":"9"}}]}`, ok},
	{"CreateGame of Three Trios", cat, "CreateGame", nil, `{"setup":` + trios + `,"seats":[{"caller":{}}]}`, ok},
	{"CreateGame with clocks", cat, "CreateGame", nil,
		`{"setup":` + hexagon2 + `,"seats":[{"caller":{}},{"player":{"playerId":"{bob}"}}],"timeControl":{"fischer":{"initial":"300s","increment":"3.5s"},
			"claimAfter":"3600s","onAbsence":{"robot":{"strategy":{"greedy":{}},"provider":"` + silent + `"}}}}`, ok},
	{"GetGame", eve, "GetGame", two.after("d3 c3"), `{}`, ok},
	{"GetGame of Three Trios", eve, "GetGame", game(holed, ann, bob).after("anchor@0,0 bell@0,1"), `{}`, ok},
	{"GetGame after a resignation", eve, "GetGame", two.then(ann, "Resign", `{}`), `{}`, ok},
	{"GetGame after a draw", eve, "GetGame", game(oneRing, ann, bob), `{}`, ok},
	{"GetGame by correspondence", eve, "GetGame", timed(`{"days":3}`, ann, bob), `{}`, ok},
	{"ListGames", "lil", "ListGames", game(hexagon2, "lil", open), `{"playerId":"me"}`, ok},
	{"JoinGame", bob, "JoinGame", game(hexagon2, ann, open), `{}`, ok},
	{"PlayMove", ann, "PlayMove", two, `{"move":{"place":{"cell":{"square":{"row":2,"column":3}}}},"expectedVersion":2}`, ok},
	{"PlayMove by notation", ann, "PlayMove", game(hexagon2, ann, bob), `{"notation":"1,-2"}`, ok},
	{"PlayMove with a card", bob, "PlayMove", game(trios, ann, bob).after("anchor@0,0"), `{"notation":"bell@0,1"}`, ok},
	{"PlayMove with a pass", ann, "PlayMove", game(hexagon2, ann, bob), `{"move":{"passTurn":{}}}`, ok},
	{"ListEvents", eve, "ListEvents", game(hexagon2, ann, robot).
		then(ann, "PlayMove", `{"notation":"1,-2"}`).
		then(ann, "SetRobot", `{"strategy":{"greedy":{}},"provider":"`+silent+`"}`).
		then(ann, "Resign", `{}`), `{}`, ok},
	{"ListEvents of an aborted game", eve, "ListEvents",
		game(hexagon2, ann, open).then(bob, "JoinGame", `{}`).then(ann, "AbortGame", `{}`), `{}`, ok},
	{"ListEvents with a robot takeover", eve, "ListEvents",
		timed(`{"claimAfter":"1s","onAbsence":{"robot":{"strategy":{"greedy":{}},"provider":"`+silent+`"}}}`, ann, bob).
			away().then(bob, "ClaimAbandonment", `{}`), `{}`, ok},
	{"ListLegalMoves", eve, "ListLegalMoves", game(hexagon2, ann, bob), `{}`, ok},
	{"ListLegalMoves of a card", eve, "ListLegalMoves", game(holed, ann, bob).after("anchor@0,0"), `{"card":"bell","pageSize":2}`, ok},
	{"ListLegalMoves for the other side", eve, "ListLegalMoves", game(square4, ann, bob), `{"side":"SIDE_SECOND"}`, ok},
	{"Resign", bob, "Resign", game(hexagon2, ann, bob), `{}`, ok},
	{"AbortGame", ann, "AbortGame", game(hexagon2, ann, bob), `{}`, ok},
	{"Offer", ann, "Offer", game(hexagon2, ann, bob).after("1,-2"), `{"kind":"OFFER_KIND_TAKEBACK"}`, ok},
	{"DeclineOffer", bob, "DeclineOffer", game(hexagon2, ann, bob).then(ann, "Offer", `{"kind":"OFFER_KIND_DRAW"}`), `{"kind":"OFFER_KIND_DRAW"}`, ok},
	{"ListEvents with offers", eve, "ListEvents", game(hexagon2, ann, bob).after("1,-2").
		then(ann, "Offer", `{"kind":"OFFER_KIND_TAKEBACK"}`).then(bob, "Offer", `{"kind":"OFFER_KIND_TAKEBACK"}`).
		then(bob, "Offer", `{"kind":"OFFER_KIND_DRAW"}`).then(ann, "DeclineOffer", `{"kind":"OFFER_KIND_DRAW"}`), `{}`, ok},
	{"CreateGame with an invitation", cat, "CreateGame", nil, `{"setup":` + hexagon2 + `,"seats":[{"caller":{}},` + seat(bob) + `]}`, ok},
	{"ClaimAbandonment", bob, "ClaimAbandonment", timed(soonAway, ann, bob).away(), `{}`, ok},
	{"ForkGame", eve, "ForkGame", game(hexagon2, ann, bob).after("1,-2 pass"), `{"version":3,"seats":[{"caller":{}},{"caller":{}}]}`, ok},
	{"ForkGame of Three Trios", eve, "ForkGame", game(trios, ann, bob).after("anchor@0,0"), `{}`, ok},
	{"SetRobot", ann, "SetRobot", game(hexagon2, ann, robot),
		`{"strategy":{"tryTwo":{"first":{"takeCorners":{}},"second":{"minimax":{"assumed":{"maxCapture":{}}}}}},"seed":"-3"}`, ok},
	{"RenderGame", eve, "RenderGame", two.after("d3"), `{"labels":true,"selected":"d3","hints":true}`, ok},
	{"RenderGame as SVG", eve, "RenderGame", game(hexagon2, ann, bob).after("1,-2"), `{"format":"FORMAT_SVG","version":2}`, ok},
	{"RenderGame for a card of the other side", eve, "RenderGame", game(holed, ann, bob).after("anchor@0,0"),
		`{"card":"candle","labels":true}`, ok},
	{"PreviewGame", noKey, "PreviewGame", two.after("d3"), `{}`, ok},
	{"PreviewGame of a waiting game", noKey, "PreviewGame", game(trios, ann, open), `{}`, ok},
	{"WatchGame", eve, "WatchGame", game(hexagon2, ann, bob), `{}`, ok},
	{"WatchGame after a version", eve, "WatchGame", game(hexagon2, ann, bob), `{"afterVersion":0}`, ok},
	{"WatchGame to the end", eve, "WatchGame", game(oneRing, ann, bob), `{"afterVersion":3}`, ok},
	{"WatchTurns", "tom", "WatchTurns", game(hexagon2, "tom", bob), `{}`, ok},
	{"WatchTurns with a clock", "tam", "WatchTurns", timed(`{"perMove":"300s"}`, "tam", bob), `{}`, ok},
	{"WatchTurns without turns", "tim", "WatchTurns", nil, `{}`, ok},

	{"ListStrategies", noKey, "ListStrategies", nil, `{}`, ok},
	{"ListPositionMoves", eve, "ListPositionMoves", nil, `{"position":` + startOnEight + `,"pageSize":2}`, ok},
	{"ListPositionMoves after a move", eve, "ListPositionMoves", nil,
		`{"position":` + startOnEight + `,"afterMove":"d3","pageSize":1}`, ok},
	{"ChooseMove", eve, "ChooseMove", nil, `{"position":` + startOnEight + `,"strategy":{"level":"LEVEL_EASY"}}`, ok},
	{"ChooseMove by search", eve, "ChooseMove", nil, `{"position":` + startOnEight + `,"strategy":{"alphaBeta":{"maxDepth":2}}}`, ok},
	{"SearchMove", eve, "SearchMove", nil, `{"position":` + startOnEight + `,"strategy":{"alphaBeta":{"maxDepth":2}}}`, ok},
	{"AnalyzePosition", eve, "AnalyzePosition", nil,
		`{"position":` + startOnEight + `,"strategy":{"alphaBeta":{"maxDepth":2}},"multiPv":2}`, ok},
	{"PlayMatch", eve, "PlayMatch", nil, matchRequest(`"games":2,"openingPlies":1,"seed":"1","parallel":1`), ok},
}
