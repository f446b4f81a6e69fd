package apitest

// seatsRequest returns a request for a game of 8x8 with seats.
func seatsRequest(list, visibility string) string {
	return `{"setup":` + square8 + `,"seats":` + list + `,"visibility":"VISIBILITY_` + visibility + `"}`
}

// fromPosition returns a request for Reversi from a position, with further fields.
func fromPosition(notation, others string) string {
	return createRequest(`{"reversi":{"startFrom":"` + notation + `"` + others + `}}`)
}

// fromCards returns a request for Three Trios from a position, with further fields.
func fromCards(notation, others string) string {
	return createRequest(`{"threeTrios":{"startFrom":"` + notation + `"` + others + `}}`)
}

const (
	midHexagon = "reversi/hex:2 _X_/_XX_/_O_X_/_XO_/___ O 0"
	midCards   = "threetrios/R__ B 0,0 same count_own_cards=true grid a:1234 red b:1111 blue c:2222 d:A999"
	aFull4     = "reversi/square:4 XXXX/XXXX/XXXX/XXXO - 0"
)

// setupCases are the ways to create a game, with their results.
var setupCases = []apiCase{
	// Boards.
	{"the defaults: a hexagon of five rings", cat, "CreateGame", nil, createRequest(`{"reversi":{}}`),
		ok.holding(`{"game":{"kind":"GAME_KIND_REVERSI","state":"GAME_STATE_WAITING","version":1,"turn":null,"outcome":null,
			"visibility":"VISIBILITY_PUBLIC","creatorId":"{cat}","seats":[{"side":"SIDE_FIRST","open":{}},{"side":"SIDE_SECOND","open":{}}],
			"setup":{"reversi":{"hexagon":{"rings":5},"passRule":"PASS_RULE_VOLUNTARY","minFlips":1,"autoPass":false,"emptiesToWinner":false}}}}`)},
	{"a square of eight with forced passes", cat, "CreateGame", nil, createRequest(square8),
		ok.holding(`{"game":{"setup":{"reversi":{"square":{"side":8,"start":"START_STANDARD"},"passRule":"PASS_RULE_FORCED"}},
			"position":{"reversi":{"rows":["________","________","________","___OX___","___XO___","________","________","________"]}}}}`)},
	{"a mirrored start", cat, "CreateGame", nil, createRequest(`{"reversi":{"square":{"side":4,"start":"START_MIRRORED"}}}`),
		ok.holding(`{"game":{"position":{"notation":"reversi/square:4 ____/_XO_/_OX_/____ X 0"}}}`)},
	{"the largest hexagon", cat, "CreateGame", nil, createRequest(`{"reversi":{"hexagon":{"rings":12}}}`),
		ok.holding(`{"game":{"setup":{"reversi":{"hexagon":{"rings":12}}},"score":{"first":3,"second":3}}}`)},
	{"the largest square", cat, "CreateGame", nil, createRequest(`{"reversi":{"square":{"side":16}}}`),
		ok.holding(`{"game":{"setup":{"reversi":{"square":{"side":16}}},"score":{"first":2,"second":2}}}`)},
	{"every rule of Reversi unlike its default", cat, "CreateGame", nil,
		createRequest(`{"reversi":{"hexagon":{"rings":2},"passRule":"PASS_RULE_FORCED","minFlips":1,"autoPass":true,"emptiesToWinner":true}}`),
		ok.holding(`{"game":{"setup":{"reversi":{"passRule":"PASS_RULE_FORCED","autoPass":true,"emptiesToWinner":true}},
			"position":{"notation":"reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0 pass_rule=forced empties_to_winner=true"}}}`)},

	// Games that end at once, and passes.
	{"a game that ends at once", cat, "CreateGame", nil, `{"setup":` + oneRing + `,"seats":[{"caller":{}},{"caller":{}}]}`,
		ok.holding(`{"game":{"state":"GAME_STATE_FINISHED","version":3,"turn":null,"score":{"first":3,"second":3},
			"outcome":{"winner":"SIDE_UNSPECIFIED","draw":true,"ending":"ENDING_SCORE"}}}`)},
	{"nothing but passes", cat, "CreateGame", nil, `{"setup":{"reversi":{"hexagon":{"rings":1}}},"seats":[{"caller":{}},{"caller":{}}]}`,
		ok.holding(`{"game":{"state":"GAME_STATE_ACTIVE","version":2,"turn":{"side":"SIDE_FIRST","mustPass":true}}}`)},
	{"nothing but automatic passes", cat, "CreateGame", nil,
		`{"setup":{"reversi":{"hexagon":{"rings":1},"autoPass":true}},"seats":[{"caller":{}},{"caller":{}}]}`,
		ok.holding(`{"game":{"state":"GAME_STATE_FINISHED","version":5,"outcome":{"draw":true,"ending":"ENDING_SCORE"}}}`)},
	{"a finished position without players", cat, "CreateGame", nil, createRequest(oneRing), ok.holding(`{"game":{"state":"GAME_STATE_WAITING","version":1}}`)},
	{"a finished position with its second player", bob, "JoinGame", game(oneRing, ann, open), `{}`,
		ok.holding(`{"game":{"state":"GAME_STATE_FINISHED","version":4}}`)},
	{"an automatic pass after a move", ann, "PlayMove",
		game(`{"reversi":{"autoPass":true,"startFrom":"`+beforePass+`"}}`, ann, bob), `{"notation":"c1"}`,
		ok.holding(`{"event":{"version":3,"movePlayed":{"notation":"c1","automatic":false}},
			"game":{"version":4,"turn":{"side":"SIDE_FIRST","mustPass":false}}}`)},
	{"a forced pass by the player", bob, "PlayMove",
		game(`{"reversi":{"startFrom":"`+beforePass+`"}}`, ann, bob).after("c1"), `{"notation":"pass"}`,
		ok.holding(`{"event":{"version":4,"movePlayed":{"notation":"pass","automatic":false,"flips":[]}},
			"game":{"version":4,"turn":{"side":"SIDE_FIRST"}}}`)},
	{"the score on the board at the end", eve, "GetGame",
		game(`{"reversi":{"hexagon":{"rings":2},"emptiesToWinner":true}}`, ann, bob).after("1,-2 pass pass"), `{}`,
		ok.holding(`{"game":{"state":"GAME_STATE_FINISHED","score":{"first":5,"second":2},"outcome":{"winner":"SIDE_FIRST","draw":false}}}`)},

	// Seats.
	{"no players", cat, "CreateGame", nil, seatsRequest(`[]`, "PUBLIC"), ok.holding(`{"game":{"seats":[{"open":{}},{"open":{}}],"version":1}}`)},
	{"the caller on the second seat", cat, "CreateGame", nil, seatsRequest(`[{"open":{}},{"caller":{}}]`, "PUBLIC"),
		ok.holding(`{"game":{"state":"GAME_STATE_WAITING","seats":[{"open":{}},{"side":"SIDE_SECOND","player":{"playerId":"{cat}","displayName":"cat"}}]}}`)},
	{"the caller on both seats", cat, "CreateGame", nil, seatsRequest(`[{"caller":{}},{"caller":{}}]`, "LINK"),
		ok.holding(`{"game":{"state":"GAME_STATE_ACTIVE","version":2,"visibility":"VISIBILITY_LINK","turn":{"side":"SIDE_FIRST"}}}`)},
	{"two players", cat, "CreateGame", nil, seatsRequest(`[{"player":{"playerId":"{ann}"}},{"player":{"playerId":"{bob}"}}]`, "PRIVATE"),
		ok.holding(`{"game":{"state":"GAME_STATE_ACTIVE","visibility":"VISIBILITY_PRIVATE","creatorId":"{cat}",
			"seats":[{"player":{"playerId":"{ann}","displayName":"ann"}},{"player":{"displayName":"bob"}}]}}`)},
	{"a player and a robot", ann, "CreateGame", nil,
		seatsRequest(`[{"caller":{}},{"robot":{"strategy":{"alphaBeta":{"maxDepth":2,"maxTime":"1.5s"}},"provider":"silent","seed":"-7"}}]`, "PUBLIC"),
		ok.holding(`{"game":{"seats":[{"player":{}},{"robot":{"strategy":{"alphaBeta":{"maxDepth":2,"maxTime":"1.500s","evaluation":"EVALUATION_UNSPECIFIED"}},
			"provider":"silent","seed":"-7"}}]}}`)},
	{"two robots", cat, "CreateGame", nil, seatsRequest(`[`+seat(robot)+`,`+seat(robot)+`]`, "PUBLIC"),
		ok.holding(`{"game":{"state":"GAME_STATE_ACTIVE","version":2,"seats":[{"robot":{"strategy":{"level":"LEVEL_EASY"}}},{"robot":{}}]}}`)},
	{"a user of a service", serviceForZoe, "CreateGame", nil, seatsRequest(`[{"caller":{}}]`, "PUBLIC"),
		ok.holding(`{"game":{"creatorId":"{zoe}","seats":[{"player":{"playerId":"{zoe}"}},{"open":{}}]}}`)},
	{"joining on the given side", bob, "JoinGame", game(square8, open, open), `{"side":"SIDE_SECOND"}`,
		ok.holding(`{"game":{"state":"GAME_STATE_WAITING","version":2,"seats":[{"open":{}},{"player":{"playerId":"{bob}"}}]}}`)},
	{"joining on the first open seat", bob, "JoinGame", game(square8, open, open), `{}`,
		ok.holding(`{"game":{"version":2,"seats":[{"player":{"playerId":"{bob}"}},{"open":{}}]}}`)},
	{"joining on the second seat too", ann, "JoinGame", game(square8, ann, open), `{}`,
		ok.holding(`{"game":{"state":"GAME_STATE_ACTIVE","version":3}}`)},

	// Reversi from a position.
	{"from the middle of a game", cat, "CreateGame", nil,
		`{"setup":{"reversi":{"startFrom":"` + midHexagon + `"}},"seats":[{"caller":{}},{"caller":{}}]}`,
		ok.holding(`{"game":{"turn":{"side":"SIDE_SECOND"},"score":{"first":5,"second":2},"setup":{"reversi":{"hexagon":{"rings":2},
			"startFrom":"` + midHexagon + `"}}}}`)},
	{"from a notation that is not canonical", cat, "CreateGame", nil, fromPosition("REVERSI/hex:2  ___/_xo_/_o_x_/_xo_/___ x 1 pass_rule=voluntary", ""),
		ok.holding(`{"game":{"position":{"notation":"reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 1"}}}`)},
	{"from a position, with fields that agree", cat, "CreateGame", nil,
		fromPosition(midHexagon, `,"hexagon":{"rings":2},"passRule":"PASS_RULE_VOLUNTARY","minFlips":1,"emptiesToWinner":false,"autoPass":true`),
		ok.holding(`{"game":{"setup":{"reversi":{"autoPass":true}}}}`)},
	{"from the standard start, with its name", cat, "CreateGame", nil,
		fromPosition("reversi/square:4 ____/_OX_/_XO_/____ X 0", `,"square":{"start":"START_STANDARD"}`), ok},
	{"from an ended position", cat, "CreateGame", nil, `{"setup":{"reversi":{"startFrom":"` + aFull4 + `"}},"seats":[{"caller":{}},{"caller":{}}]}`,
		ok.holding(`{"game":{"state":"GAME_STATE_FINISHED","version":3,"outcome":{"winner":"SIDE_FIRST"},"score":{"first":15,"second":1}}}`)},
	{"rings that disagree", cat, "CreateGame", nil, fromPosition(midHexagon, `,"hexagon":{"rings":3}`), invalidField.at("setup.reversi.hexagon.rings")},
	{"a shape that disagrees", cat, "CreateGame", nil, fromPosition(midHexagon, `,"square":{}`), invalidField.at("setup.reversi.square")},
	{"a side that disagrees", cat, "CreateGame", nil, fromPosition(aFull4, `,"square":{"side":6}`), invalidField.at("setup.reversi.square.side")},
	{"a start that disagrees", cat, "CreateGame", nil, fromPosition("reversi/square:4 ____/_OX_/_XO_/____ X 0", `,"square":{"start":"START_MIRRORED"}`),
		invalidField.at("setup.reversi.square.start")},
	{"a pass rule that disagrees", cat, "CreateGame", nil, fromPosition(midHexagon, `,"passRule":"PASS_RULE_FORCED"`),
		invalidField.at("setup.reversi.passRule")},
	{"flips that disagree", cat, "CreateGame", nil, fromPosition(midHexagon, `,"minFlips":2`), invalidField.at("setup.reversi.minFlips")},
	{"empty cells that disagree", cat, "CreateGame", nil, fromPosition(midHexagon, `,"emptiesToWinner":true`),
		invalidField.at("setup.reversi.emptiesToWinner")},
	{"from a position of the other game", cat, "CreateGame", nil, fromPosition(smallTrios, ""), invalidNotation.at("setup.reversi.startFrom")},
	{"from an unreachable pass", cat, "CreateGame", nil, fromPosition("reversi/square:4 ____/_OX_/_XO_/____ X 1", ""),
		invalidNotation.at("setup.reversi.startFrom").with("problem", "passes_unreachable")},

	// Three Trios.
	{"the defaults of Three Trios", cat, "CreateGame", nil, createRequest(trios),
		ok.holding(`{"game":{"kind":"GAME_KIND_THREE_TRIOS","score":{"first":5,"second":5},
			"setup":{"threeTrios":{"rules":["RULE_DEFAULT"],"countOwnCards":false,"startFrom":"","shuffleSeed":null,"grid":"3 3\nCCC\nCCC\nCCC\n"}},
			"position":{"threeTrios":{"rows":3,"columns":3,"hands":{"first":[{"name":"anchor","north":5,"south":10,"east":3,"west":3},{},{},{},{}]}}}}}`)},
	{"all compatible rules, one of them twice", cat, "CreateGame", nil,
		createRequest(`{"threeTrios":{"rules":["RULE_PLUS","RULE_SAME","RULE_REVERSE","RULE_FALLEN_ACE","RULE_PLUS"],"countOwnCards":true}}`),
		ok.holding(`{"game":{"setup":{"threeTrios":{"rules":["RULE_REVERSE","RULE_FALLEN_ACE","RULE_SAME","RULE_PLUS"],"countOwnCards":true}}}}`)},
	{"a grid with holes and CRLF, and spare cards", cat, "CreateGame", nil,
		createRequest(`{"threeTrios":{"grid":"1 3\r\nCXX\r\n","deck":"one A 10 1 2\r\ntwo 3 4 5 6\r\nthree 1 1 1 1\r\n"}}`),
		ok.holding(`{"game":{"position":{"notation":"threetrios/_.. R - default grid red one:AA12 blue two:3456",
			"threeTrios":{"rows":1,"columns":3,"cells":[{"empty":true,"owner":"SIDE_UNSPECIFIED"},{"hole":true},{"hole":true}]}}}}`)},
	{"the same shuffle for the same seed", cat, "CreateGame", nil, createRequest(`{"threeTrios":{"shuffleSeed":"7"}}`),
		ok.holding(`{"game":{"setup":{"threeTrios":{"shuffleSeed":"7"}},
			"position":{"notation":"threetrios/___/___/___ R - default grid red goblet:54A2 falcon:9354 harp:18A2 juniper:4854 iris:6195 blue ember:51A5 drum:3675 anchor:5A33 bell:4782 candle:6186"}}}`)},
	{"a shuffle by the seed zero", cat, "CreateGame", nil, createRequest(`{"threeTrios":{"shuffleSeed":"0"}}`),
		ok.holding(`{"game":{"setup":{"threeTrios":{"shuffleSeed":"0"}}}}`)},
	{"from the middle of a game of Three Trios", cat, "CreateGame", nil, fromCards(midCards, ""),
		ok.holding(`{"game":{"setup":{"threeTrios":{"rules":["RULE_DEFAULT","RULE_SAME"],"countOwnCards":true,"grid":"1 3\nCCC\n"}},"score":{"first":2,"second":2}}}`)},
	{"from a position of Three Trios, with fields that agree", cat, "CreateGame", nil,
		fromCards(midCards, `,"grid":"1 3\nCCC","deck":"c 2 2 2 2\na 1 2 3 4\nd A 9 9 9\nb 1 1 1 1","rules":["RULE_SAME"],"countOwnCards":true`), ok},
	{"a grid that disagrees", cat, "CreateGame", nil, fromCards(midCards, `,"grid":"3 1\nC\nC\nC"`), invalidField.at("setup.threeTrios.grid")},
	{"a deck that disagrees", cat, "CreateGame", nil, fromCards(midCards, `,"deck":"a 1 2 3 4\nb 1 1 1 1\nc 2 2 2 2\nd A 9 9 8"`),
		invalidField.at("setup.threeTrios.deck")},
	{"rules that disagree", cat, "CreateGame", nil, fromCards(midCards, `,"rules":["RULE_PLUS"]`), invalidField.at("setup.threeTrios.rules")},
	{"counting that disagrees", cat, "CreateGame", nil, fromCards(midCards, `,"countOwnCards":false`),
		invalidField.at("setup.threeTrios.countOwnCards")},
	{"a shuffle of dealt cards", cat, "CreateGame", nil, fromCards(midCards, `,"shuffleSeed":"7"`), invalidField.at("setup.threeTrios.shuffleSeed")},
	{"from a position of Reversi", cat, "CreateGame", nil, fromCards(midHexagon, ""),
		invalidNotation.at("setup.threeTrios.startFrom").with("problem", "game")},

	// Forks.
	{"a fork from before the first move", eve, "ForkGame", two.after("d3 c3"), `{"version":1}`,
		ok.holding(`{"game":{"creatorId":"{eve}","state":"GAME_STATE_WAITING","version":1,"visibility":"VISIBILITY_PUBLIC","lastCell":null,
			"position":` + startOnEight + `}}`)},
	{"a fork from the middle", eve, "ForkGame", two.after("d3 c3"), `{"version":3,"seats":[{"caller":{}},{"caller":{}}]}`,
		ok.holding(`{"game":{"state":"GAME_STATE_ACTIVE","version":2,"turn":{"side":"SIDE_SECOND"},
			"position":{"notation":"reversi/square:8 ________/________/___X____/___XX___/___XO___/________/________/________ O 0"}}}`)},
	{"a fork from the latest version", eve, "ForkGame", two.after("d3 c3"), `{}`,
		ok.holding(`{"game":{"score":{"first":3,"second":3}}}`)},
	{"a fork of a finished game", eve, "ForkGame", game(hexagon2, ann, bob).after("1,-2 pass pass"), `{"seats":[{"caller":{}},{"caller":{}}]}`,
		ok.holding(`{"game":{"state":"GAME_STATE_FINISHED","version":3,"outcome":{"winner":"SIDE_FIRST","ending":"ENDING_SCORE"}}}`)},
	{"a fork of a finished game, from before the end", eve, "ForkGame", game(hexagon2, ann, bob).after("1,-2 pass pass"),
		`{"version":4,"seats":[{"caller":{}},{"caller":{}}]}`,
		ok.holding(`{"game":{"state":"GAME_STATE_ACTIVE","position":{"notation":"reversi/hex:2 _X_/_XX_/_O_X_/_XO_/___ X 1"}}}`)},
	{"a fork of a resigned game", eve, "ForkGame", two.then(ann, "Resign", `{}`), `{"seats":[{"caller":{}},{"caller":{}}]}`,
		ok.holding(`{"game":{"state":"GAME_STATE_ACTIVE","outcome":null}}`)},
	{"a fork of Three Trios from the middle", eve, "ForkGame", game(`{"threeTrios":{"rules":["RULE_SAME"],"countOwnCards":true,"shuffleSeed":"7"}}`, ann, bob).
		after("juniper@0,0"), `{"version":3}`,
		ok.holding(`{"game":{"setup":{"threeTrios":{"rules":["RULE_DEFAULT","RULE_SAME"],"countOwnCards":true,"shuffleSeed":null}},
			"position":{"notation":"threetrios/R__/___/___ B 0,0 default,same count_own_cards=true grid juniper:4854 red goblet:54A2 falcon:9354 harp:18A2 iris:6195 blue ember:51A5 drum:3675 anchor:5A33 bell:4782 candle:6186"}}}`)},
	{"a fork keeps automatic passes", eve, "ForkGame", game(`{"reversi":{"autoPass":true}}`, ann, bob), `{}`,
		ok.holding(`{"game":{"setup":{"reversi":{"autoPass":true}}}}`)},
	{"a fork keeps the visibility", eve, "ForkGame", gameOf("VISIBILITY_LINK", square8, ann, bob), `{}`,
		ok.holding(`{"game":{"visibility":"VISIBILITY_LINK"}}`)},
	{"a fork of a private game is private", ann, "ForkGame", privateGame, `{"seats":[{"caller":{}},{"caller":{}}]}`,
		ok.holding(`{"game":{"visibility":"VISIBILITY_PRIVATE"}}`)},
	{"a fork with a visibility", ann, "ForkGame", privateGame, `{"visibility":"VISIBILITY_PUBLIC"}`,
		ok.holding(`{"game":{"visibility":"VISIBILITY_PUBLIC","state":"GAME_STATE_WAITING"}}`)},
	{"a fork of a waiting game", eve, "ForkGame", game(trios, ann, open), `{}`, ok.holding(`{"game":{"state":"GAME_STATE_WAITING"}}`)},

	// Ends outside the rules.
	{"the creator aborts", cat, "AbortGame", two, `{}`, ok.holding(`{"game":{"state":"GAME_STATE_ABORTED","version":3,"turn":null,"outcome":null}}`)},
	{"a player aborts a waiting game", ann, "AbortGame", game(square8, ann, open), `{}`, ok.holding(`{"game":{"state":"GAME_STATE_ABORTED","version":2}}`)},
	{"a player aborts before both sides have moved", bob, "AbortGame", two.after("d3"), `{}`, ok.holding(`{"game":{"state":"GAME_STATE_ABORTED"}}`)},
	{"resigning on both seats with a side", ann, "Resign", game(square8, ann, ann), `{"side":"SIDE_SECOND"}`,
		ok.holding(`{"game":{"state":"GAME_STATE_FINISHED","score":{"first":2,"second":2},
			"outcome":{"winner":"SIDE_FIRST","draw":false,"ending":"ENDING_RESIGNATION"}}}`)},
	{"resigning out of turn", bob, "Resign", two, `{}`, ok.holding(`{"game":{"outcome":{"winner":"SIDE_FIRST","ending":"ENDING_RESIGNATION"}}}`)},

	// Robots.
	{"the creator sets a robot", cat, "SetRobot", game(square8, ann, robot), `{"strategy":{"takeCorners":{}},"provider":"silent"}`,
		ok.holding(`{"game":{"version":3,"seats":[{},{"robot":{"strategy":{"takeCorners":{}},"provider":"silent","seed":"0"}}]}}`)},
	{"setting one of two robots with a side", cat, "SetRobot", game(trios, robot, robot), `{"side":"SIDE_SECOND","strategy":{"corners":{}},"provider":"silent"}`,
		ok.holding(`{"game":{"seats":[{"robot":{"strategy":{"level":"LEVEL_EASY"}}},{"robot":{"strategy":{"corners":{}}}}]}}`)},
	{"the deepest strategy", ann, "SetRobot", game(square8, ann, robot), `{"strategy":` + nested(8) + `,"provider":"silent"}`, ok},
	{"a too deep strategy", ann, "SetRobot", game(square8, ann, robot), `{"strategy":` + nested(9) + `,"provider":"silent"}`,
		invalidField.at("strategy.minimax.assumed.minimax.assumed.minimax.assumed.minimax.assumed."+
			"minimax.assumed.minimax.assumed.minimax.assumed.minimax.assumed").with("limit", "8")},

	// Moves in every form.
	{"a cell with its third coordinate", ann, "PlayMove", game(hexagon2, ann, bob),
		`{"move":{"place":{"cell":{"hex":{"q":1,"r":-2,"s":1}}}}}`,
		ok.holding(`{"event":{"movePlayed":{"move":{"place":{"cell":{"hex":{"q":1,"r":-2,"s":null}}}},"notation":"1,-2"}}}`)},
	{"a move of the second side by a player on both seats", ann, "PlayMove", game(square8, ann, ann).after("d3"), `{"notation":"C3"}`,
		ok.holding(`{"event":{"movePlayed":{"side":"SIDE_SECOND","notation":"c3"}}}`)},
	{"a move at the expected version", bob, "PlayMove", two.after("d3"), `{"notation":"c3","expectedVersion":3}`,
		ok.holding(`{"game":{"version":4}}`)},
	{"the moves of the other side", eve, "ListLegalMoves", two, `{"side":"SIDE_SECOND","pageSize":1}`,
		ok.holding(`{"version":2,"moves":[{"notation":"e3","flipCount":1}]}`)},
	{"the moves of a finished game", eve, "ListLegalMoves", game(oneRing, ann, bob), `{}`, ok.holding(`{"version":3,"moves":[],"nextPageToken":""}`)},
	{"a pass is the last move", eve, "ListLegalMoves", game(`{"reversi":{"hexagon":{"rings":1}}}`, ann, bob), `{}`,
		ok.holding(`{"moves":[{"notation":"pass","move":{"passTurn":{}},"flipCount":0,"flips":[]}]}`)},
}
