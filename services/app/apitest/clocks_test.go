package apitest

import (
	"fmt"
	"time"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// Time controls: one with a very short limit, and one that soon allows a claim.
const (
	noTime   = `{"perMove":"1s"}`
	soonAway = `{"claimAfter":"1s"}`
)

// timed returns a public game of cat with a time control.
func timed(control, first, second string) fixture {
	return func(s *scene) string {
		s.Helper()
		return s.createGame(`{"setup":` + square8 + `,"seats":[` + seat(first) + `,` + seat(second) + `],"timeControl":` + control + `}`)
	}
}

// away waits until the opponent can claim the game.
func (g fixture) away() fixture {
	return g.until(func(now *gamev1.Game) time.Duration { return time.Until(now.GetTurn().GetClaimTime().AsTime()) })
}

// overdue waits until the game has ended on time.
func (g fixture) overdue() fixture {
	return g.until(func(now *gamev1.Game) time.Duration {
		if now.GetState() == gamev1.GameState_GAME_STATE_FINISHED {
			return 0
		}
		return 20 * time.Second
	})
}

// until waits for events of the game while left returns a positive time.
func (g fixture) until(left func(*gamev1.Game) time.Duration) fixture {
	return func(s *scene) string {
		s.Helper()
		s.game = g(s)
		for now := s.current(); left(now) > 0; now = s.current() {
			s.must(cat, "ListEvents", fmt.Sprintf(`{"afterVersion":%d,"wait":"%.9fs"}`, now.GetVersion(), left(now).Seconds()))
		}
		return s.game
	}
}

// clockCases are calls about time. The answers suite has further ones.
var clockCases = []apiCase{
	{"a limit for each move", cat, "CreateGame", nil, `{"setup":` + square8 + `,"seats":[{"caller":{}}],"timeControl":{"perMove":"90s"}}`,
		ok.holding(`{"game":{"turn":null,"clocks":{"first":"90s","second":"90s"},
			"timeControl":{"perMove":"90s","claimAfter":null,"onAbsence":{"forfeit":{}}}}}`)},
	{"twelve hours", cat, "CreateGame", nil, `{"setup":` + square8 + `,"timeControl":{"perMove":"43200s"}}`,
		ok.holding(`{"game":{"timeControl":{"perMove":"43200s"}}}`)},
	{"a day", cat, "CreateGame", nil, `{"setup":` + square8 + `,"timeControl":{"days":1}}`,
		ok.holding(`{"game":{"timeControl":{"days":1},"clocks":{"first":"86400s"}}}`)},
	{"no increment", cat, "CreateGame", nil, `{"setup":` + square8 + `,"timeControl":{"fischer":{"initial":"300s"}}}`,
		ok.holding(`{"game":{"timeControl":{"fischer":{"initial":"300s","increment":"0s"}},"clocks":{"first":"300s","second":"300s"}}}`)},
	{"claims without a limit", cat, "CreateGame", nil, `{"setup":` + square8 + `,"timeControl":{"claimAfter":"300s"}}`,
		ok.holding(`{"game":{"timeControl":{"claimAfter":"300s","onAbsence":{"forfeit":{}}},"clocks":null}}`)},
	{"no time control", cat, "CreateGame", nil, createRequest(square8), ok.holding(`{"game":{"timeControl":null,"clocks":null}}`)},
	{"an empty time control", cat, "CreateGame", nil, `{"setup":` + square8 + `,"timeControl":{}}`, invalidField.at("timeControl")},
	{"a policy without a limit", cat, "CreateGame", nil, `{"setup":` + square8 + `,"timeControl":{"onAbsence":{"draw":{}}}}`,
		invalidField.at("timeControl")},
	{"a total without a time", cat, "CreateGame", nil, `{"setup":` + square8 + `,"timeControl":{"fischer":{"increment":"3s"}}}`,
		invalidField.at("timeControl.fischer.initial")},
	{"a standby robot for another game", cat, "CreateGame", nil,
		`{"setup":` + square8 + `,"timeControl":{"days":1,"onAbsence":{"robot":{"strategy":{"corners":{}}}}}}`,
		invalidField.at("timeControl.onAbsence.robot.strategy.corners")},
	{"a standby robot without a strategy", cat, "CreateGame", nil,
		`{"setup":` + square8 + `,"timeControl":{"days":1,"onAbsence":{"robot":{}}}}`,
		invalidField.at("timeControl.onAbsence.robot.strategy")},

	{"a fork with a time control", eve, "ForkGame", timed(noTime, ann, open), `{"timeControl":{"days":3}}`,
		ok.holding(`{"game":{"timeControl":{"days":3}}}`)},
	{"a fork without a time control", eve, "ForkGame", timed(noTime, ann, open), `{}`, ok.holding(`{"game":{"timeControl":null,"clocks":null}}`)},
	{"a fork with an empty time control", eve, "ForkGame", two, `{"timeControl":{}}`, invalidField.at("timeControl")},

	{"a loss on time", eve, "GetGame", timed(noTime, ann, bob).overdue(), `{}`,
		ok.holding(`{"game":{"state":"GAME_STATE_FINISHED","version":3,"turn":null,"score":{"first":2,"second":2},
			"outcome":{"winner":"SIDE_SECOND","draw":false,"ending":"ENDING_TIME"}}}`)},
	{"a draw on time", eve, "GetGame", timed(`{"perMove":"1s","onAbsence":{"draw":{}}}`, ann, bob).overdue(), `{}`,
		ok.holding(`{"game":{"state":"GAME_STATE_FINISHED","outcome":{"winner":"SIDE_UNSPECIFIED","draw":true,"ending":"ENDING_TIME"}}}`)},
	{"an automatic move before the deadline of a robot", eve, "ListEvents", timed(noTime, robot, ann).overdue(), `{"afterVersion":2}`,
		ok.holding(`{"events":[{"movePlayed":{"side":"SIDE_FIRST","automatic":true}},{"finished":{"outcome":{"ending":"ENDING_TIME"}}}]}`)},
	{"a move after the deadline", ann, "PlayMove", timed(noTime, ann, bob).overdue(), `{"notation":"d3"}`, gameOver},

	{"claiming a win", bob, "ClaimAbandonment", timed(soonAway, ann, bob).away(), `{}`,
		ok.holding(`{"game":{"outcome":{"winner":"SIDE_SECOND","ending":"ENDING_ABANDONMENT"}}}`)},
	{"claiming a draw", bob, "ClaimAbandonment", timed(`{"claimAfter":"1s","onAbsence":{"draw":{}}}`, ann, bob).away(), `{}`,
		ok.holding(`{"game":{"outcome":{"draw":true,"ending":"ENDING_ABANDONMENT"}}}`)},
	{"a claim for a user of a service", serviceForJoe, "ClaimAbandonment", timed(soonAway, ann, serviceForJoe).away(), `{}`,
		ok.holding(`{"game":{"state":"GAME_STATE_FINISHED"}}`)},
	{"a too early claim", bob, "ClaimAbandonment", timed(`{"claimAfter":"300s"}`, ann, bob), `{}`, notAway},
	{"a claim in the caller's own turn", ann, "ClaimAbandonment", timed(soonAway, ann, bob).away(), `{}`, notAway},
	{"a claim against a robot", ann, "ClaimAbandonment", timed(soonAway, robot, ann), `{}`, notAway},
	{"a claim in a game without claims", bob, "ClaimAbandonment", two, `{}`, notAway},
	{"a claim of a stranger", eve, "ClaimAbandonment", timed(soonAway, ann, bob).away(), `{}`, notYourSeat},
	{"a claim before the start", ann, "ClaimAbandonment", timed(soonAway, open, ann), `{}`, gameNotStarted},
	{"a claim after the end", bob, "ClaimAbandonment", timed(soonAway, ann, bob).then(ann, "Resign", `{}`), `{}`, gameOver},
	{"a move after a robot took over", ann, "PlayMove",
		timed(`{"claimAfter":"1s","onAbsence":{"robot":{"strategy":{"greedy":{}},"provider":"`+silent+`"}}}`, ann, bob).
			away().then(bob, "ClaimAbandonment", `{}`), `{"notation":"d3"}`, notYourSeat},
}
