package apitest

// used is a request id that the callers of the cases have used for another request.
const used = "5b0f2d5e-7c3a-4f6e-9c1d-0123456789ab"

// usedBy lets a caller use the request id for another request before the game.
func (g fixture) usedBy(caller string) fixture {
	return func(s *scene) string {
		s.Helper()
		s.must(caller, "CreateGame", `{"setup":`+square8+`,"requestId":"`+used+`"}`)
		s.game = g(s)
		return s.game
	}
}

// orderOfChecks are moves with several errors. The call fails with the error that the server checks
// first.
var orderOfChecks = []apiCase{
	{"the key before the fields", badKey, "PlayMove", privateGame.after("d3").then(ann, "Resign", `{}`),
		`{"move":{"passTurn":{}},"notation":"z9","expectedVersion":99,"requestId":"` + used + `"}`, invalidKey},
	{"the fields before the game", "ida", "PlayMove", privateGame.then(ann, "Resign", `{}`).usedBy("ida"),
		`{"move":{"passTurn":{}},"notation":"z9","expectedVersion":99,"requestId":"` + used + `"}`, invalidField.at("notation")},
	{"a missing move before the game", "ivo", "PlayMove", privateGame.usedBy("ivo"),
		`{"expectedVersion":99,"requestId":"` + used + `"}`, invalidField.at("move")},
	{"a malformed id before the game", eve, "PlayMove", privateGame, `{"notation":"z9","requestId":"once"}`, invalidField.at("requestId")},
	{"the game before the request id", "eva", "PlayMove", privateGame.then(ann, "Resign", `{}`).usedBy("eva"),
		`{"notation":"z9","expectedVersion":99,"requestId":"` + used + `"}`, gameNotFound},
	{"the request id before the kind of move", "evi", "PlayMove", two.then(ann, "Resign", `{}`).usedBy("evi"),
		`{"move":{"playCard":{"card":"nix","cell":{"square":{"row":99}}}},"expectedVersion":99,"requestId":"` + used + `"}`,
		requestIDReused},
	{"the kind of move before the seat", eve, "PlayMove", two.then(ann, "Resign", `{}`),
		`{"move":{"playCard":{"card":"nix","cell":{"square":{"row":99}}}},"expectedVersion":99}`, invalidField.at("move")},
	{"the request id before the seat", "evo", "PlayMove", two.then(ann, "Resign", `{}`).usedBy("evo"),
		`{"notation":"z9","expectedVersion":99,"requestId":"` + used + `"}`, requestIDReused},
	{"the request id before the version", "una", "PlayMove", game(square8, "una", bob).usedBy("una"),
		`{"notation":"z9","expectedVersion":99,"requestId":"` + used + `"}`, requestIDReused},
	{"the request id before a legal move", "uma", "PlayMove", game(square8, "uma", bob).usedBy("uma"),
		`{"notation":"d3","requestId":"` + used + `"}`, requestIDReused},
	{"the seat before the version", eve, "PlayMove", two.then(ann, "Resign", `{}`), `{"notation":"z9","expectedVersion":99}`, notYourSeat},
	{"the version before the start", ann, "PlayMove", game(square8, open, ann), `{"notation":"z9","expectedVersion":99}`, versionMismatch},
	{"the version before the end", ann, "PlayMove", two.then(ann, "Resign", `{}`), `{"notation":"z9","expectedVersion":99}`,
		versionMismatch.with("currentVersion", "3")},
	{"the start before the turn", ann, "PlayMove", game(square8, open, ann), `{"notation":"z9"}`, gameNotStarted},
	{"the end before the turn", bob, "PlayMove", two.then(ann, "Resign", `{}`), `{"notation":"z9"}`, gameOver},
	{"the turn before the board", bob, "PlayMove", game(holed, ann, bob), `{"notation":"nix@9,9"}`, notYourTurn},
	{"the turn before the pass", bob, "PlayMove", two, `{"notation":"pass"}`, notYourTurn},
	{"the board before the hand", ann, "PlayMove", game(holed, ann, bob), `{"notation":"nix@9,9"}`, offBoard.at("notation")},
	{"the hand before the hole", ann, "PlayMove", game(holed, ann, bob), `{"notation":"nix@1,1"}`, cardNotInHand},
	{"the hand before the cell", bob, "PlayMove", game(holed, ann, bob).after("anchor@0,0"), `{"notation":"nix@0,0"}`, cardNotInHand},
	{"a hole is not an occupied cell", bob, "PlayMove", game(holed, ann, bob).after("anchor@0,0"), `{"notation":"bell@1,1"}`, hole},
	{"the cell before the flips", ann, "PlayMove", two, `{"notation":"d5"}`, cellTaken},
	{"a placement without flips last", ann, "PlayMove", two, `{"notation":"a1"}`, flipsNothing},
}
