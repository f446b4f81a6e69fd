package apitest

import (
	"fmt"
	"time"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// Time controls that cases use: one that gives a player no time to speak of, and one by which he is soon away.
const (
	noTime   = `{"perMove":"1s"}`
	soonAway = `{"claimAfter":"1s"}`
)

// timed is a public game created by cat, with a time control.
func timed(control, first, second string) table {
	return func(s *scene) string {
		s.Helper()
		text := `{"setup":` + square8 + `,"seats":[` + seat(first) + `,` + seat(second) + `],"timeControl":` + control + `}`
		return s.must(cat, "CreateGame", text).(*gamev1.CreateGameResponse).GetGame().GetId()
	}
}

// away is a game whose side to move counts as away.
func (g table) away() table {
	return g.until(func(now *gamev1.Game) time.Duration { return time.Until(now.GetTurn().GetClaimTime().AsTime()) })
}

// overdue is a game whose time was up.
func (g table) overdue() table {
	return g.until(func(now *gamev1.Game) time.Duration {
		if now.GetState() == gamev1.GameState_GAME_STATE_FINISHED {
			return 0
		}
		return 20 * time.Second
	})
}

// until is a game that was waited for, as long as left says, or until something happens in it.
func (g table) until(left func(*gamev1.Game) time.Duration) table {
	return func(s *scene) string {
		s.Helper()
		s.game = g(s)
		for now := s.current(); left(now) > 0; now = s.current() {
			s.must(cat, "ListEvents", fmt.Sprintf(`{"afterVersion":%d,"wait":"%.9fs"}`, now.GetVersion(), left(now).Seconds()))
		}
		return s.game
	}
}

// clocked are calls about time. What is left out is in the table of answers.
var clocked = []apiCase{
	{"a limit for each move", cat, "CreateGame", nil, `{"setup":` + square8 + `,"seats":[{"caller":{}}],"timeControl":{"perMove":"90s"}}`,
		ok.holding(`{"game":{"turn":null,"clocks":{"first":"90s","second":"90s"},
			"timeControl":{"perMove":"90s","claimAfter":null,"onAbsence":{"forfeit":{}}}}}`)},
	{"twelve hours", cat, "CreateGame", nil, `{"setup":` + square8 + `,"timeControl":{"perMove":"43200s"}}`,
		ok.holding(`{"game":{"timeControl":{"perMove":"43200s"}}}`)},
	{"a day", cat, "CreateGame", nil, `{"setup":` + square8 + `,"timeControl":{"days":1}}`,
		ok.holding(`{"game":{"timeControl":{"days":1},"clocks":{"first":"86400s"}}}`)},
	{"no increment", cat, "CreateGame", nil, `{"setup":` + square8 + `,"timeControl":{"fischer":{"initial":"300s"}}}`,
		ok.holding(`{"game":{"timeControl":{"fischer":{"initial":"300s","increment":"0s"}},"clocks":{"first":"300s","second":"300s"}}}`)},
	{"no limit but claims", cat, "CreateGame", nil, `{"setup":` + square8 + `,"timeControl":{"claimAfter":"300s"}}`,
		ok.holding(`{"game":{"timeControl":{"claimAfter":"300s","onAbsence":{"forfeit":{}}},"clocks":null}}`)},
	{"no time control", cat, "CreateGame", nil, create(square8), ok.holding(`{"game":{"timeControl":null,"clocks":null}}`)},
	{"a time control without anything", cat, "CreateGame", nil, `{"setup":` + square8 + `,"timeControl":{}}`, invalidField.at("timeControl")},
	{"a policy without a limit", cat, "CreateGame", nil, `{"setup":` + square8 + `,"timeControl":{"onAbsence":{"draw":{}}}}`,
		invalidField.at("timeControl")},
	{"a total without a time", cat, "CreateGame", nil, `{"setup":` + square8 + `,"timeControl":{"fischer":{"increment":"3s"}}}`,
		invalidField.at("timeControl.fischer.initial")},
	{"a robot that plays another game would take over", cat, "CreateGame", nil,
		`{"setup":` + square8 + `,"timeControl":{"days":1,"onAbsence":{"robot":{"strategy":{"corners":{}}}}}}`,
		invalidField.at("timeControl.onAbsence.robot.strategy.corners")},
	{"a robot without a strategy would take over", cat, "CreateGame", nil,
		`{"setup":` + square8 + `,"timeControl":{"days":1,"onAbsence":{"robot":{}}}}`,
		invalidField.at("timeControl.onAbsence.robot.strategy")},

	{"a fork has a time control of its own", eve, "ForkGame", timed(noTime, ann, open), `{"timeControl":{"days":3}}`,
		ok.holding(`{"game":{"timeControl":{"days":3}}}`)},
	{"or none", eve, "ForkGame", timed(noTime, ann, open), `{}`, ok.holding(`{"game":{"timeControl":null,"clocks":null}}`)},
	{"a fork with a time control without anything", eve, "ForkGame", two, `{"timeControl":{}}`, invalidField.at("timeControl")},

	{"the side that did not move in time loses", eve, "GetGame", timed(noTime, ann, bob).overdue(), `{}`,
		ok.holding(`{"game":{"state":"GAME_STATE_FINISHED","version":3,"turn":null,"score":{"first":2,"second":2},
			"outcome":{"winner":"SIDE_SECOND","draw":false,"ending":"ENDING_TIME"}}}`)},
	{"or nobody does", eve, "GetGame", timed(`{"perMove":"1s","onAbsence":{"draw":{}}}`, ann, bob).overdue(), `{}`,
		ok.holding(`{"game":{"state":"GAME_STATE_FINISHED","outcome":{"winner":"SIDE_UNSPECIFIED","draw":true,"ending":"ENDING_TIME"}}}`)},
	{"a robot whose service is away moves in time", eve, "ListEvents", timed(noTime, robot, ann).overdue(), `{"afterVersion":2}`,
		ok.holding(`{"events":[{"movePlayed":{"side":"SIDE_FIRST","automatic":true}},{"finished":{"outcome":{"ending":"ENDING_TIME"}}}]}`)},
	{"a move after the deadline", ann, "PlayMove", timed(noTime, ann, bob).overdue(), `{"notation":"d3"}`, gameOver},

	{"a win is claimed", bob, "ClaimAbandonment", timed(soonAway, ann, bob).away(), `{}`,
		ok.holding(`{"game":{"outcome":{"winner":"SIDE_SECOND","ending":"ENDING_ABANDONMENT"}}}`)},
	{"a draw is claimed", bob, "ClaimAbandonment", timed(`{"claimAfter":"1s","onAbsence":{"draw":{}}}`, ann, bob).away(), `{}`,
		ok.holding(`{"game":{"outcome":{"draw":true,"ending":"ENDING_ABANDONMENT"}}}`)},
	{"a claim for a user of a service", serviceForJoe, "ClaimAbandonment", timed(soonAway, ann, serviceForJoe).away(), `{}`,
		ok.holding(`{"game":{"state":"GAME_STATE_FINISHED"}}`)},
	{"a claim that comes too early", bob, "ClaimAbandonment", timed(`{"claimAfter":"300s"}`, ann, bob), `{}`, notAway},
	{"a claim in one's own turn", ann, "ClaimAbandonment", timed(soonAway, ann, bob).away(), `{}`, notAway},
	{"a claim against a robot", ann, "ClaimAbandonment", timed(soonAway, robot, ann), `{}`, notAway},
	{"a claim in a game without claims", bob, "ClaimAbandonment", two, `{}`, notAway},
	{"a claim of a stranger", eve, "ClaimAbandonment", timed(soonAway, ann, bob).away(), `{}`, notYourSeat},
	{"a claim before the start", ann, "ClaimAbandonment", timed(soonAway, open, ann), `{}`, gameNotStarted},
	{"a claim after the end", bob, "ClaimAbandonment", timed(soonAway, ann, bob).then(ann, "Resign", `{}`), `{}`, gameOver},
	{"a move of who was replaced", ann, "PlayMove",
		timed(`{"claimAfter":"1s","onAbsence":{"robot":{"strategy":{"greedy":{}},"provider":"`+silent+`"}}}`, ann, bob).
			away().then(bob, "ClaimAbandonment", `{}`), `{"notation":"d3"}`, notYourSeat},
}
