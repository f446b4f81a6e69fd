package apitest

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
)

// createRequest returns a request to create a game.
func createRequest(setup string) string { return `{"setup":` + setup + `}` }

// tooManyCells is the error for a strategy that would search too much on the grid.
var tooManyCells = invalidField.with("limit", "25").with("cardCells", "27")

// failures are failing calls, at least one for every reason and for every validation beyond the
// bounds.
var failures = []apiCase{
	// Validation.
	{"no setup", cat, "CreateGame", nil, `{}`, invalidField.at("setup")},
	{"an empty setup", cat, "CreateGame", nil, createRequest(`{}`), invalidField.at("setup")},
	{"a side that is too large", cat, "CreateGame", nil, createRequest(`{"reversi":{"square":{"side":17}}}`),
		invalidField.at("setup.reversi.square.side").with("min", "4").with("max", "16")},
	{"an odd side", cat, "CreateGame", nil, createRequest(`{"reversi":{"square":{"side":5}}}`),
		invalidField.at("setup.reversi.square.side").with("value", "5")},
	{"an unknown start", cat, "CreateGame", nil, createRequest(`{"reversi":{"square":{"start":9}}}`),
		invalidField.at("setup.reversi.square.start")},
	{"an unspecified rule", cat, "CreateGame", nil, createRequest(`{"threeTrios":{"rules":["RULE_SAME","RULE_UNSPECIFIED"]}}`),
		invalidField.at("setup.threeTrios.rules[1]")},
	{"rules that exclude each other", cat, "CreateGame", nil, createRequest(`{"threeTrios":{"rules":["RULE_REVERSE","RULE_DEFAULT"]}}`),
		conflictingRules.at("setup.threeTrios.rules")},
	{"a grid with an invalid letter", cat, "CreateGame", nil, createRequest(`{"threeTrios":{"grid":"3 3\nCCC\nCCC\nCCQ"}}`),
		invalidGrid.at("setup.threeTrios.grid").with("line", "4").with("column", "3")},
	{"a grid with an even number of cells", cat, "CreateGame", nil, createRequest(`{"threeTrios":{"grid":"2 2\nCC\nCC"}}`),
		invalidGrid.at("setup.threeTrios.grid").with("line", "3")},
	{"a deck with an invalid value", cat, "CreateGame", nil, createRequest(`{"threeTrios":{"deck":"one 1 2 3 4\ntwo 1 2 3 11"}}`),
		invalidDeck.at("setup.threeTrios.deck").with("line", "2").with("column", "11")},
	{"a deck that is too short", cat, "CreateGame", nil, createRequest(`{"threeTrios":{"deck":"one 1 2 3 4"}}`),
		invalidDeck.at("setup.threeTrios.deck").with("needed", "10")},
	{"a seat of a player without an id", cat, "CreateGame", nil, `{"setup":` + square8 + `,"seats":[{},{"player":{}}]}`,
		invalidField.at("seats[1].player.playerId")},
	{"a seat for an unknown player", cat, "CreateGame", nil,
		`{"setup":` + square8 + `,"seats":[{"caller":{}},{"player":{"playerId":"01arz3ndektsv4rrffq69g5fav"}}]}`,
		playerNotFound.at("seats[1].player.playerId").with("playerId", "01arz3ndektsv4rrffq69g5fav")},
	{"a robot without a strategy", cat, "CreateGame", nil, `{"setup":` + square8 + `,"seats":[{"robot":{}}]}`,
		invalidField.at("seats[0].robot.strategy")},
	{"an empty strategy", cat, "CreateGame", nil, `{"setup":` + square8 + `,"seats":[{"robot":{"strategy":{}}}]}`,
		invalidField.at("seats[0].robot.strategy")},
	{"a strategy of another game", cat, "CreateGame", nil, `{"setup":` + square8 + `,"seats":[{"robot":{"strategy":{"corners":{}}}}]}`,
		invalidField.at("seats[0].robot.strategy.corners")},
	{"an unspecified level", cat, "CreateGame", nil,
		`{"setup":` + square8 + `,"seats":[{"robot":{"strategy":{"level":"LEVEL_UNSPECIFIED"}}}]}`,
		invalidField.at("seats[0].robot.strategy.level")},
	{"an unknown provider", cat, "CreateGame", nil,
		`{"setup":` + square8 + `,"seats":[{"robot":{"strategy":{"greedy":{}},"provider":"none"}}]}`,
		invalidField.at("seats[0].robot.provider").with("provider", "none")},
	{"options that nest too deep", cat, "CreateGame", nil,
		`{"setup":` + square8 + `,"seats":[{"robot":{"strategy":{"greedy":{}},"options":{"x":[[[[[[[[]]]]]]]]}}}]}`,
		invalidField.at("seats[0].robot.options").with("limit", "8")},
	{"options with NUL in a text", cat, "CreateGame", nil,
		`{"setup":` + square8 + `,"seats":[{"robot":{"strategy":{"greedy":{}},"options":{"x":"a\u0000b"}}}]}`,
		invalidField.at("seats[0].robot.options")},
	{"options with NUL in a key", ann, "SetRobot", game(square8, ann, robot),
		`{"strategy":{"greedy":{}},"options":{"a\u0000b":1}}`, invalidField.at("options")},
	{"new options that nest too deep", ann, "SetRobot", game(square8, ann, robot),
		`{"strategy":{"greedy":{}},"options":{"x":[[[[[[[[]]]]]]]]}}`, invalidField.at("options").with("limit", "8")},
	{"options for a move that nest too deep", ann, "ChooseMove", nil,
		`{"position":` + startOnEight + `,"strategy":{"greedy":{}},"options":{"x":[[[[[[[[]]]]]]]]}}`,
		invalidField.at("options").with("limit", "8")},
	{"a private game with an open seat", cat, "CreateGame", nil,
		`{"setup":` + square8 + `,"seats":[{"caller":{}}],"visibility":"VISIBILITY_PRIVATE"}`, invalidField.at("seats")},
	{"an unknown visibility", cat, "CreateGame", nil, `{"setup":` + square8 + `,"visibility":9}`, invalidField.at("visibility")},
	{"a request id that is not a UUID", cat, "CreateGame", nil, `{"setup":` + square8 + `,"requestId":"once"}`, invalidField.at("requestId")},
	{"a name with a line break", noKey, "CreatePlayer", nil, `{"displayName":"Ann\nBob"}`, invalidField.at("displayName")},
	{"a name with a character that reverses the text after it", noKey, "CreatePlayer", nil, `{"displayName":"Ann\u202e"}`,
		invalidField.at("displayName")},
	{"a name with an invisible character", noKey, "CreatePlayer", nil, `{"displayName":"A\u200dnn"}`, invalidField.at("displayName")},
	{"a name with a line separator", noKey, "CreatePlayer", nil, `{"displayName":"Ann\u2028Bob"}`, invalidField.at("displayName")},
	{"a name with a terminal escape sequence", noKey, "CreatePlayer", nil, `{"displayName":"\u001b[31mAnn"}`, invalidField.at("displayName")},

	{"no move", ann, "PlayMove", two, `{}`, invalidField.at("move")},
	{"a move and its notation", ann, "PlayMove", two, `{"move":{"passTurn":{}},"notation":"pass"}`, invalidField.at("notation")},
	{"an empty move", ann, "PlayMove", two, `{"move":{}}`, invalidField.at("move")},
	{"a placement without a cell", ann, "PlayMove", two, `{"move":{"place":{}}}`, invalidField.at("move.place.cell")},
	{"a cell without coordinates", ann, "PlayMove", two, `{"move":{"place":{"cell":{}}}}`, invalidField.at("move.place.cell")},
	{"cube coordinates that do not add up", ann, "PlayMove", game(hexagon2, ann, bob),
		`{"move":{"place":{"cell":{"hex":{"q":1,"r":-2,"s":2}}}}}`, invalidField.at("move.place.cell.hex.s")},
	{"a hexagonal cell on a square", ann, "PlayMove", two, `{"move":{"place":{"cell":{"hex":{"q":1,"r":-2}}}}}`,
		invalidField.at("move.place.cell")},
	{"a square cell on a hexagon", ann, "PlayMove", game(hexagon2, ann, bob), `{"move":{"place":{"cell":{"square":{"row":1}}}}}`,
		invalidField.at("move.place.cell")},
	{"a hexagonal cell on a grid", ann, "PlayMove", game(trios, ann, bob),
		`{"move":{"playCard":{"card":"anchor","cell":{"hex":{}}}}}`, invalidField.at("move.playCard.cell")},
	{"a card in Reversi", ann, "PlayMove", two,
		`{"move":{"playCard":{"card":"anchor","cell":{"square":{"row":2,"column":3}}}}}`, invalidField.at("move")},
	{"a disc in Three Trios", ann, "PlayMove", game(trios, ann, bob), `{"move":{"place":{"cell":{"square":{}}}}}`,
		invalidField.at("move")},
	{"a pass in Three Trios", ann, "PlayMove", game(trios, ann, bob), `{"move":{"passTurn":{}}}`, invalidField.at("move")},
	{"a card play without a card", ann, "PlayMove", game(trios, ann, bob), `{"move":{"playCard":{"cell":{"square":{}}}}}`,
		invalidField.at("move.playCard.card")},
	{"a card without a cell", ann, "PlayMove", game(trios, ann, bob), `{"move":{"playCard":{"card":"anchor"}}}`,
		invalidField.at("move.playCard.cell")},
	{"a notation that is not a move", ann, "PlayMove", two, `{"notation":"d"}`, invalidNotation.at("notation").with("problem", "move")},
	{"a notation of another board", ann, "PlayMove", game(hexagon2, ann, bob), `{"notation":"d3"}`, invalidNotation.at("notation")},
	{"a notation of another game", ann, "PlayMove", game(trios, ann, bob), `{"notation":"pass"}`, invalidNotation.at("notation")},
	{"a cell off the board", ann, "PlayMove", two, `{"notation":"i1"}`, offBoard.at("notation").with("cell", "i1")},
	{"a cell far off the board", ann, "PlayMove", two, `{"move":{"place":{"cell":{"square":{"row":2147483647,"column":-1}}}}}`,
		offBoard.at("move").with("cell", "row 2147483647, column -1")},
	{"a cell below the board", ann, "PlayMove", two, `{"move":{"place":{"cell":{"square":{"row":2000000000,"column":3}}}}}`,
		offBoard.at("move").with("cell", "d2000000001")},
	{"a cell far off the hexagon", ann, "PlayMove", game(hexagon2, ann, bob), `{"move":{"place":{"cell":{"hex":{"q":-2147483648,"r":2147483647}}}}}`,
		offBoard.at("move").with("cell", "-2147483648,2147483647")},
	{"a cell far off the grid", ann, "PlayMove", game(trios, ann, bob), `{"notation":"anchor@2000000000,-3"}`,
		offBoard.at("notation").with("cell", "2000000000,-3")},
	{"a coordinate of more than 32 bits", ann, "PlayMove", two, `{"notation":"d2147483648"}`, invalidNotation.at("notation").with("problem", "move")},
	{"a coordinate of a grid of more than 32 bits", ann, "PlayMove", game(trios, ann, bob), `{"notation":"anchor@0,-2147483649"}`,
		invalidNotation.at("notation")},
	{"a cell off the hexagon", ann, "PlayMove", game(hexagon2, ann, bob), `{"notation":"2,1"}`, offBoard.at("notation").with("cell", "2,1")},
	{"a cell off the grid", ann, "PlayMove", game(trios, ann, bob), `{"notation":"anchor@0,3"}`,
		offBoard.at("notation").with("cell", "0,3")},

	{"an invalid page token", ann, "ListGames", nil, `{"pageToken":"next"}`, invalidField.at("pageToken")},
	{"an invalid page token of events", ann, "ListEvents", two, `{"pageToken":"-1"}`, invalidField.at("pageToken")},
	{"an invalid page token of moves", ann, "ListLegalMoves", two, `{"pageToken":"x"}`, invalidField.at("pageToken")},
	{"an invalid page token of a position's moves", eve, "ListPositionMoves", nil, `{"position":` + startOnEight + `,"pageToken":"x"}`,
		invalidField.at("pageToken")},
	{"a list of own games without a user", service, "ListGames", nil, `{"playerId":"me"}`, invalidField.at("flipside-on-behalf-of")},
	{"an invalid cursor", ann, "WatchTurns", nil, `{"afterCursor":"x"}`, invalidField.at("afterCursor")},
	{"a future cursor", ann, "WatchTurns", nil, `{"afterCursor":"9000000000000000000"}`, invalidField.at("afterCursor")},
	{"a future version to watch", ann, "WatchGame", two, `{"afterVersion":3}`,
		invalidField.at("afterVersion").with("currentVersion", "2")},
	{"a future version to fork", ann, "ForkGame", two, `{"version":3}`, invalidField.at("version").with("currentVersion", "2")},
	{"a future version to render", ann, "RenderGame", two, `{"version":3}`, invalidField.at("version").with("currentVersion", "2")},
	{"a selection that is not a cell", ann, "RenderGame", two, `{"selected":"?"}`, invalidNotation.at("selected").with("problem", "cell")},
	{"a selection off the board", ann, "RenderGame", two, `{"selected":"i1"}`, offBoard.at("selected").with("cell", "i1")},
	{"a selection off the grid", ann, "RenderGame", game(trios, ann, bob), `{"selected":"3,0"}`,
		offBoard.at("selected").with("cell", "3,0")},
	{"hints for a card that was played", ann, "RenderGame", game(trios, ann, bob).after("anchor@0,0"), `{"card":"anchor"}`,
		cardNotInHand.with("card", "anchor")},
	{"hints for a card without cards", ann, "RenderGame", two, `{"card":"anchor"}`, invalidField.at("card")},
	{"moves of a card that the game does not have", ann, "ListLegalMoves", game(trios, ann, bob), `{"card":"nobody"}`,
		cardNotInHand.with("card", "nobody")},
	{"moves of a card without cards", ann, "ListLegalMoves", two, `{"card":"anchor"}`, invalidField.at("card")},
	{"a fork of a private game with an open seat", ann, "ForkGame", gameOf("VISIBILITY_PRIVATE", square8, ann, bob),
		`{"seats":[{"caller":{}}]}`, invalidField.at("seats")},

	// The key.
	{"no key", noKey, "GetMe", nil, `{}`, invalidKey},
	{"an unknown key", badKey, "ListGames", nil, `{}`, invalidKey},
	{"a replaced key", rotated, "GetMe", nil, `{}`, invalidKey},
	{"a service key without a user", service, "CreateGame", nil, createRequest(square8), invalidField.at("flipside-on-behalf-of")},
	{"a new key for a user of a service", serviceForZoe, "RotateKey", nil, `{}`, notYourSeat},

	// The URL of a webhook.
	{"a webhook without a host", ann, "SetWebhook", nil, `{"url":"hooks.example"}`, invalidField.at("url")},
	{"a webhook without TLS", ann, "SetWebhook", nil, `{"url":"http://hooks.example/"}`, invalidField.at("url")},
	{"a webhook with a password", ann, "SetWebhook", nil, `{"url":"https://me:pw@hooks.example/"}`, invalidField.at("url")},
	{"a webhook in a private network", ann, "SetWebhook", nil, `{"url":"https://[::ffff:10.0.0.1]/"}`, invalidField.at("url")},

	// Unknown games and players.
	{"an unknown game", ann, "GetGame", nil, `{"gameId":"01arz3ndektsv4rrffq69g5fav"}`,
		gameNotFound.with("gameId", "01arz3ndektsv4rrffq69g5fav")},
	{"an id that no game has", ann, "GetGame", nil, `{"gameId":"first-game"}`, gameNotFound.with("gameId", "first-game")},
	{"an invalid id", ann, "GetGame", nil, `{"gameId":"first game?"}`, invalidField.at("gameId").with("pattern", "^[0-9A-Za-z._~-]*$")},

	// The seat.
	{"a move of a stranger", eve, "PlayMove", two, `{"notation":"d3"}`, notYourSeat},
	{"a move of the creator without a seat", cat, "PlayMove", two, `{"notation":"d3"}`, notYourSeat},
	{"a stranger resigns", eve, "Resign", two, `{}`, notYourSeat},
	{"resigning for the other side", ann, "Resign", two, `{"side":"SIDE_SECOND"}`, notYourSeat},
	{"resigning on both seats without a side", ann, "Resign", game(square8, ann, ann), `{}`, invalidField.at("side")},
	{"a stranger aborts", eve, "AbortGame", two, `{}`, notYourSeat},
	{"a stranger sets a robot", eve, "SetRobot", game(square8, ann, robot), `{"strategy":{"greedy":{}}}`, notYourSeat},

	// The rules.
	{"a move out of turn", bob, "PlayMove", two, `{"notation":"d3"}`, notYourTurn.with("turn", "SIDE_FIRST")},
	{"an occupied cell", ann, "PlayMove", two, `{"notation":"d4"}`, cellTaken.with("cell", "d4")},
	{"a cell with a card", bob, "PlayMove", game(trios, ann, bob).after("anchor@0,0"), `{"notation":"bell@0,0"}`,
		cellTaken.with("cell", "0,0")},
	{"a hole", ann, "PlayMove", game(holed, ann, bob), `{"notation":"anchor@1,1"}`, hole.with("cell", "1,1")},
	{"a placement that flips nothing", ann, "PlayMove", two, `{"notation":"a1"}`,
		flipsNothing.with("cell", "a1").with("flips", "0").with("minFlips", "1")},
	{"a placement that flips too few", ann, "PlayMove", game(`{"reversi":{"square":{},"passRule":"PASS_RULE_VOLUNTARY","minFlips":2}}`, ann, bob),
		`{"notation":"d3"}`,
		flipsNothing.with("cell", "d3").with("flips", "1").with("minFlips", "2")},
	{"a pass although a placement is legal", ann, "PlayMove", two, `{"notation":"pass"}`, mustPlace},
	{"a card of the other hand", ann, "PlayMove", game(trios, ann, bob), `{"notation":"bell@0,0"}`, cardNotInHand.with("card", "bell")},
	{"a played card", ann, "PlayMove", game(trios, ann, bob).after("anchor@0,0 bell@0,1"), `{"notation":"anchor@2,2"}`,
		cardNotInHand.with("card", "anchor")},

	// The state of the game.
	{"a move before the start", ann, "PlayMove", game(square8, ann, open), `{"notation":"d3"}`, gameNotStarted},
	{"resigning before the start", ann, "Resign", game(square8, ann, open), `{}`, gameNotStarted},
	{"a robot on a too large grid", cat, "CreateGame", nil,
		`{"setup":` + largeSetup() + `,"seats":[{"caller":{}},{"robot":{"strategy":{"smallestReply":{}}}}]}`,
		tooManyCells.at("seats[1].robot.strategy.smallestReply")},
	{"a standby robot on a too large grid", cat, "CreateGame", nil,
		`{"setup":` + largeSetup() + `,"timeControl":{"days":1,"onAbsence":{"robot":{"strategy":{"smallestReply":{}}}}}}`,
		tooManyCells.at("timeControl.onAbsence.robot.strategy.smallestReply")},
	{"setting a robot on a too large grid", ann, "SetRobot", game(largeSetup(), ann, robot),
		`{"strategy":{"smallestReply":{}}}`, tooManyCells.at("strategy.smallestReply")},
	{"a fork with a robot on a too large grid", ann, "ForkGame", game(largeSetup(), ann, open),
		`{"seats":[{"robot":{"strategy":{"smallestReply":{}}}}]}`, tooManyCells.at("seats[0].robot.strategy.smallestReply")},
	{"a move of an invited player", bob, "PlayMove", invites(cat, ann, bob), `{"notation":"d3"}`, gameNotStarted},
	{"joining on a reserved seat", eve, "JoinGame", invites(cat, ann, bob), `{"side":"SIDE_SECOND"}`, seatTaken.with("side", "SIDE_SECOND")},
	{"an offer before the start", ann, "Offer", game(square8, ann, open), `{"kind":"OFFER_KIND_DRAW"}`, gameNotStarted},
	{"an offer after the end", ann, "Offer", two.then(bob, "Resign", `{}`), `{"kind":"OFFER_KIND_TAKEBACK"}`, gameOver},
	{"an offer of both seats without a side", ann, "Offer", game(square8, ann, ann), `{"kind":"OFFER_KIND_DRAW"}`, invalidField.at("side")},
	{"a rematch before the end", ann, "Offer", two, `{"kind":"OFFER_KIND_REMATCH"}`, gameNotOver},
	{"a takeback without a move", bob, "Offer", two.after("d3"), `{"kind":"OFFER_KIND_TAKEBACK"}`, nothingToTake},
	{"a declined offer, repeated", ann, "Offer",
		two.then(ann, "Offer", `{"kind":"OFFER_KIND_DRAW"}`).then(bob, "DeclineOffer", `{"kind":"OFFER_KIND_DRAW"}`),
		`{"kind":"OFFER_KIND_DRAW"}`, offerDeclined},
	{"declining a draw when a takeback was offered", bob, "DeclineOffer", two.after("d3").then(ann, "Offer", `{"kind":"OFFER_KIND_TAKEBACK"}`),
		`{"kind":"OFFER_KIND_DRAW"}`, noSuchOffer},
	{"declining an offer that a move has ended", bob, "DeclineOffer",
		two.then(ann, "Offer", `{"kind":"OFFER_KIND_DRAW"}`).then(ann, "PlayMove", `{"notation":"d3"}`), `{"kind":"OFFER_KIND_DRAW"}`, noSuchOffer},
	{"too many robot changes", ann, "SetRobot", adjusted(500), `{"strategy":{"greedy":{}},"provider":"silent"}`, tooManyChanges.with("limit", "500")},
	{"an offer after too many robot changes", ann, "Offer", adjusted(500), `{"kind":"OFFER_KIND_DRAW"}`, tooManyChanges},
	{"a move after too many robot changes", ann, "PlayMove", adjusted(500), `{"notation":"d3"}`, ok},
	{"the last robot change", ann, "SetRobot", adjusted(499), `{"strategy":{"greedy":{}},"provider":"silent"}`, ok},
	{"a robot of 512 bytes", ann, "CreateGame", nil, robotRequest(strategyOf(512)), ok},
	{"a robot of 513 bytes", ann, "CreateGame", nil, robotRequest(strategyOf(513)),
		invalidField.at("seats[0].robot.strategy").with("limit", "512").with("bytes", "513")},
	{"setting a robot of 513 bytes", ann, "SetRobot", game(square8, ann, robot), `{"strategy":` + strategyOf(513) + `}`,
		invalidField.at("strategy").with("limit", "512")},
	{"a choice by a strategy of 513 bytes", ann, "ChooseMove", nil, chooseRequest(strategyOf(513)),
		invalidField.at("strategy").with("limit", "512")},
	{"aborting after both sides have moved", ann, "AbortGame", two.after("d3 c3"), `{}`, gameStarted},
	{"a move after the end", ann, "PlayMove", two.then(bob, "Resign", `{}`), `{"notation":"d3"}`, gameOver},
	{"resigning after the end", ann, "Resign", game(oneRing, ann, bob), `{}`, gameOver},
	{"aborting after the end", ann, "AbortGame", game(oneRing, ann, bob), `{}`, gameOver},
	{"aborting twice", ann, "AbortGame", two.then(ann, "AbortGame", `{}`), `{}`, gameOver},
	{"joining after the end", eve, "JoinGame", game(oneRing, ann, bob), `{}`, gameOver},
	{"joining an aborted game", eve, "JoinGame", game(square8, ann, open).then(cat, "AbortGame", `{}`), `{}`, gameOver},
	{"setting a robot after the end", cat, "SetRobot", game(oneRing, ann, robot), `{"strategy":{"greedy":{}}}`, gameOver},
	{"joining a full game", eve, "JoinGame", two, `{}`, seatTaken},
	{"joining on a taken seat", eve, "JoinGame", game(square8, ann, open), `{"side":"SIDE_FIRST"}`,
		seatTaken.with("side", "SIDE_FIRST")},
	{"an outdated version", ann, "PlayMove", two.after("d3 c3"), `{"notation":"c4","expectedVersion":3}`,
		versionMismatch.with("currentVersion", "4")},

	// Robots.
	{"setting a robot in a game without robots", ann, "SetRobot", two, `{"strategy":{"greedy":{}}}`, invalidField.at("side")},
	{"setting a robot on a side without one", ann, "SetRobot", game(square8, ann, robot), `{"side":"SIDE_FIRST","strategy":{"greedy":{}}}`,
		invalidField.at("side")},
	{"setting one of two robots without a side", cat, "SetRobot", game(square8, robot, robot), `{"strategy":{"greedy":{}}}`, invalidField.at("side")},
	{"setting a robot to a strategy of another game", ann, "SetRobot", game(square8, ann, robot), `{"strategy":{"corners":{}}}`,
		invalidField.at("strategy.corners")},

	// Strategy.
	{"no position", eve, "ListPositionMoves", nil, `{}`, invalidField.at("position")},
	{"a position without a notation", eve, "ListPositionMoves", nil, `{"position":{}}`, invalidField.at("position.notation")},
	{"a position of an unknown game", eve, "ListPositionMoves", nil, `{"position":{"notation":"chess/8"}}`,
		invalidNotation.at("position.notation").with("problem", "game")},
	{"a malformed move to play first", eve, "ListPositionMoves", nil, `{"position":` + startOnEight + `,"afterMove":"x"}`,
		invalidNotation.at("afterMove").with("problem", "move")},
	{"a move off the board to play first", eve, "ListPositionMoves", nil, `{"position":` + startOnEight + `,"afterMove":"i1"}`,
		offBoard.at("afterMove").with("cell", "i1")},
	{"an illegal move to play first", eve, "ListPositionMoves", nil, `{"position":` + startOnEight + `,"afterMove":"a1"}`,
		flipsNothing.at("afterMove").with("cell", "a1").with("flips", "0").with("minFlips", "1")},
	{"a position with a missing row", eve, "ChooseMove", nil,
		`{"position":{"notation":"reversi/hex:2 ___/_XO_/_O_X_/_XO_ X 0"},"strategy":{"greedy":{}}}`,
		invalidNotation.at("position.notation").with("problem", "rows")},
	{"no strategy", eve, "ChooseMove", nil, `{"position":` + startOnEight + `}`, invalidField.at("strategy")},
	{"a strategy of another game for a position", eve, "ChooseMove", nil, `{"position":` + startOnEight + `,"strategy":{"mostFlips":{}}}`,
		invalidField.at("strategy.mostFlips")},
	{"a strategy with a missing part", eve, "ChooseMove", nil, `{"position":` + startOnEight + `,"strategy":{"tryTwo":{"first":{"greedy":{}}}}}`,
		invalidField.at("strategy.tryTwo.second")},
	{"a choice after the end", eve, "ChooseMove", nil,
		`{"position":{"notation":"reversi/square:4 XXXX/XXXX/XXXX/XXXX - 0"},"strategy":{"greedy":{}}}`, gameOver},
	{"a search for a move after the end", eve, "SearchMove", nil,
		`{"position":{"notation":"reversi/square:4 XXXX/XXXX/XXXX/XXXX - 0"},"strategy":{"alphaBeta":{}}}`, gameOver},
	{"an analysis after the end", eve, "AnalyzePosition", nil,
		`{"position":{"notation":"reversi/square:4 XXXX/XXXX/XXXX/XXXX - 0"},"strategy":{"alphaBeta":{}}}`, gameOver},
	{"an analysis by a strategy without search", eve, "AnalyzePosition", nil, `{"position":` + startOnEight + `,"strategy":{"greedy":{}}}`,
		invalidField.at("strategy")},
	{"a choice on a too large grid", eve, "ChooseMove", nil,
		`{"position":{"notation":"` + largeGrid() + `"},"strategy":{"smallestReply":{}}}`, budgetExceeded},

	{"a match of strategies of other games", eve, "PlayMatch", nil,
		`{"setup":` + trios + `,"first":{"corners":{}},"second":{"greedy":{}}}`, invalidField.at("second.greedy")},
	{"a match with an invalid setup", eve, "PlayMatch", nil,
		`{"setup":{"reversi":{"square":{"side":5}}},"first":{"greedy":{}},"second":{"greedy":{}}}`, invalidField.at("setup.reversi.square.side")},

	// Size.
	{"a request of more than 1 MiB", cat, "CreateGame", nil, createRequest(`{"threeTrios":{"deck":"` + strings.Repeat("a", 1<<20) + `"}}`),
		bodyTooLarge.with("limit", "1048576")},

	// Other players cannot see private games.
	{"getting a private game", eve, "GetGame", privateGame, `{}`, gameNotFound},
	{"joining a private game", eve, "JoinGame", privateGame, `{}`, gameNotFound},
	{"a private game, listVisibility moves", eve, "ListLegalMoves", privateGame, `{}`, gameNotFound},
}

// largeGrid returns a position on 27 card cells.
func largeGrid() string {
	hands := [2]string{}
	for i := range 28 {
		hands[i%2] += fmt.Sprintf(" card%d:1234", i)
	}
	row := strings.Repeat("_", 9)
	return "threetrios/" + row + "/" + row + "/" + row + " R - default grid red" + hands[0] + " blue" + hands[1]
}

// largeSetup returns a setup of largeGrid.
func largeSetup() string { return `{"threeTrios":{"startFrom":"` + largeGrid() + `"}}` }

// grpcCases are calls that REST cannot express.
var grpcCases = []apiCase{
	{"no game id to get", ann, "GetGame", nil, `{}`, invalidField.at("gameId")},
	{"no game id to play", ann, "PlayMove", nil, `{"notation":"d3"}`, invalidField.at("gameId")},
	{"no game id to watch", ann, "WatchGame", nil, `{}`, invalidField.at("gameId")},
}

func TestOnlyGRPC(t *testing.T) {
	t.Parallel()
	s := suite{"only gRPC", startServer, grpcCases, false, false}
	t.Run("gRPC", func(t *testing.T) {
		t.Parallel()
		s.run(t, overGRPC{}, nil, &errorTexts{})
	})
}

func TestInvalidBytes(t *testing.T) {
	t.Parallel()
	s := &scene{T: t, server: startServer(t, nil), via: overGRPC{}}
	headers := s.headers(ann)
	for _, sent := range []struct {
		name  string
		bytes []byte
	}{
		{"an incomplete field", []byte{0x0a}},
		{"text that is not UTF-8", []byte{0x0a, 0x01, 0xff}},
	} {
		t.Run(sent.name, func(t *testing.T) {
			t.Parallel()
			ctx, codec := outgoing(t.Context(), headers), grpc.ForceCodec(bytesCodec{})
			err := s.server.game.Invoke(ctx, rpcNamed(t, "GetGame").fullMethod(), sent.bytes, nil, codec)
			invalidField.check(t, &answer{status: status.Convert(err)})
			stream, err := s.server.game.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, rpcNamed(t, "WatchGame").fullMethod(), codec)
			if err != nil {
				t.Fatal(err)
			}
			if err := stream.SendMsg(sent.bytes); err != nil {
				t.Fatal(err)
			}
			invalidField.check(t, &answer{status: status.Convert(stream.RecvMsg(nil))})
		})
	}
}

var privateGame = gameOf("VISIBILITY_PRIVATE", square8, ann, bob)

// adjusted returns a game of ann against a robot after n robot changes.
func adjusted(n int) fixture {
	return func(s *scene) string {
		s.Helper()
		s.game = game(square8, ann, robot)(s)
		for range n {
			s.must(ann, "SetRobot", `{"strategy":{"greedy":{}},"provider":"`+silent+`"}`)
		}
		return s.game
	}
}

// strategyOf returns a strategy of 512 or 513 bytes in the protobuf encoding.
func strategyOf(bytes int) string {
	const leaf = `{"level":"LEVEL_EASY"}`
	pair := strings.ReplaceAll(`{"tryTwo":{"first":S,"second":S}}`, "S", leaf)
	all := pair
	for range 5 {
		all = strings.ReplaceAll(`{"tryTwo":{"first":S,"second":S}}`, "S", all)
	}
	// The number takes four bytes, or five.
	engine := map[int]string{512: `{"engine":{"maxNodes":"2097152"}}`, 513: `{"engine":{"maxNodes":"268435456"}}`}[bytes]
	return strings.Replace(all, pair, `{"minimax":{"assumed":`+engine+`}}`, 1)
}
