package mcptools

import "github.com/flipside-games/flipside/clients/cli/render"

const playLegalMove = "call list_legal_moves and play one of its moves"

// nextSteps name the tool that helps after an error with a reason.
var nextSteps = map[string]string{
	"NOT_YOUR_TURN":    "call wait_for_turn",
	"GAME_NOT_STARTED": "the game starts when both seats are taken; call wait_for_turn",
	"GAME_OVER":        "call get_game for the result",
	"VERSION_MISMATCH": "call get_game and choose again",
	"GAME_NOT_FOUND":   "call list_games for the ids of games",
	"NOT_YOUR_SEAT":    "call join_game to take an open seat, or list_games for your games",
	"SEAT_TAKEN":       "call list_games with state waiting for games with an open seat",
	"INVALID_NOTATION": playLegalMove,
	"OFF_BOARD":        playLegalMove,
	"HOLE":             playLegalMove,
	"CELL_TAKEN":       playLegalMove,
	"FLIPS_NOTHING":    playLegalMove,
	"CARD_NOT_IN_HAND": playLegalMove,
	"MUST_PLACE":       playLegalMove,
}

// advise adds the next step to the explanation of an error.
func advise(err error, explanation string) string {
	s, ok := render.Status(err)
	if !ok {
		return explanation
	}
	if step := nextSteps[render.Reason(s)]; step != "" {
		return explanation + "; " + step
	}
	return explanation
}
