package board

import (
	"fmt"
	"time"

	"github.com/flipside-games/flipside/clients/cli/render"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// colour names the colour of a side.
func (g *game) colour(side int) string { return render.DescriberOf(g.latest).Colour(side) }

// name names a side by its colour.
func (g *game) name(side int) string {
	if side < 0 {
		return "neither side"
	}
	return g.colour(side)
}

// holder names the player in a seat.
func (a *app) holder(seat *gamev1.Seat) string {
	if player := seat.GetPlayer(); player != nil && player.GetPlayerId() == a.server.Player.GetId() {
		return "you"
	}
	return render.Holder(seat)
}

// playerName names the player of a side: by the name on the command line, if there is one.
func (g *game) playerName(side int) string {
	if name := g.options.Names[side]; name != "" && g.mine(side) {
		return name
	}
	return g.holder(g.seat(side))
}

// timeLeft returns the time that a side has left, and false without a clock.
func (g *game) timeLeft(side int) (time.Duration, bool) {
	clocks := g.latest.GetClocks()
	if clocks == nil || side < 0 {
		return 0, false
	}
	if deadline := g.latest.GetTurn().GetDeadline(); deadline != nil && side == g.mover() {
		return max(deadline.AsTime().Sub(g.serverNow()), 0), true
	}
	if side == 0 {
		return clocks.GetFirst().AsDuration(), true
	}
	return clocks.GetSecond().AsDuration(), true
}

// serverNow returns the time by the clock of the server.
func (g *game) serverNow() time.Time { return g.now().Add(-g.skew) }

// clockText writes a time that is left.
func clockText(d time.Duration) string {
	switch {
	case d >= 2*render.Day:
		return fmt.Sprintf("%d days", d/render.Day)
	case d >= time.Hour:
		return fmt.Sprintf("%d:%02d:%02d", d/time.Hour, d/time.Minute%60, d/time.Second%60)
	case d < 10*time.Second:
		return fmt.Sprintf("0:%04.1f", d.Seconds())
	}
	return fmt.Sprintf("%d:%02d", d/time.Minute, d/time.Second%60)
}

// turnSeconds returns how long the side to move has thought.
func (g *game) turnSeconds() int {
	if g.history.Last() < 0 {
		return 0
	}
	since := g.history.Entries[g.history.Last()].Time
	return int(max(g.serverNow().Sub(since), 0).Seconds())
}

// turnText describes whose turn it is, or how the game ended.
func (g *game) turnText() string {
	side := g.mover()
	switch {
	case g.isOver() && g.latest.GetOutcome() == nil:
		return "The game was aborted."
	case g.isOver():
		return "Game over: " + g.verdict() + "."
	case side < 0:
		return "Waiting for an opponent."
	case g.playing:
		return "Sending the move" + g.theme.Ellipsis
	case g.seat(side).GetRobot() != nil:
		return fmt.Sprintf("%s is thinking%s %d s", g.name(side), g.theme.Ellipsis, g.turnSeconds())
	case !g.mine(side):
		return fmt.Sprintf("%s is to move%s %d s", g.name(side), g.theme.Ellipsis, g.turnSeconds())
	case g.mine(0) && g.mine(1):
		return g.name(side) + " is to move."
	}
	return "Your turn: you play " + g.name(side) + "."
}

// extraText adds what a player must know about the turn: passes, a late robot, how to join.
func (g *game) extraText() string {
	passes := g.history.Passes()
	switch {
	case g.invited():
		return "You are invited: Enter accepts, r declines."
	case g.waitsForFriend():
		if g.showsJoinCommand() {
			return "Your friend joins with the command in the last line."
		}
		return "Your friend joins with: " + g.joinCommand()
	case g.isOver():
		return ""
	case g.delayed != nil:
		return fmt.Sprintf("The robot is late; attempt %d failed.", g.delayed.GetAttempt())
	case g.latest.GetTurn().GetMustPass() && g.mine(g.mover()):
		return "There is no placement: press p to pass."
	case g.isTrios() && g.mine(g.mover()) && g.cards[g.mover()] == "":
		return "Select a card: a number, up and down, or a click. Then select a cell."
	case passes > 0 && g.passesEndGame():
		return "One pass so far: one more pass ends the game."
	}
	return ""
}

// invited reports whether the user is invited to the game and has not accepted yet.
func (g *game) invited() bool {
	own := g.seat(g.ownSide()).GetPlayer()
	return own.GetInvited() && g.latest.GetState() == gamev1.GameState_GAME_STATE_WAITING
}

// waitsForFriend reports whether the user's game has an open seat.
func (g *game) waitsForFriend() bool {
	return g.latest.GetState() == gamev1.GameState_GAME_STATE_WAITING && g.ownSide() >= 0 &&
		(g.seat(0).GetOpen() != nil || g.seat(1).GetOpen() != nil)
}

// joinCommand returns the command that takes the open seat.
func (g *game) joinCommand() string { return "flipside play --join " + g.id }

// showsJoinCommand reports whether the last line shows the command that takes the open seat, which
// has to fit into one line so that the user can copy it.
func (g *game) showsJoinCommand() bool {
	return g.waitsForFriend() && len(g.joinCommand())+2 <= g.width
}

// passesEndGame reports whether the setup ends the game on two passes in a row.
func (g *game) passesEndGame() bool {
	rule := g.latest.GetSetup().GetReversi().GetPassRule()
	return rule == rulesv1.PassRule_PASS_RULE_VOLUNTARY
}

// searchText describes the search of the robot that is thinking or else the one for the latest move
// of a robot, "" if there was none.
func (g *game) searchText() string {
	if g.thinking != nil {
		end := ""
		if g.thinking.GetAnalysis().GetExact() {
			end = exactSearch
		}
		return g.describeSearch(sideIndex(g.thinking.GetSide()), g.thinking.GetAnalysis(), end)
	}
	for i := g.history.Last(); i > 0 && i > g.history.Last()-2; i-- {
		move := g.history.Entries[i].Move
		a := move.GetAnalysis()
		if a.GetDepth() == 0 {
			continue
		}
		side := sideIndex(move.GetSide())
		return g.describeSearch(side, a, g.searchEnd(side, a.GetDepth(), a.GetExact()))
	}
	return ""
}

// describeSearch describes a search of a side and its end.
func (g *game) describeSearch(side int, a *strategyv1.Analysis, end string) string {
	return fmt.Sprintf("%s: depth %d%s, score %+d, %s nodes, %s", g.name(side), a.GetDepth(), end,
		a.GetScore(), thousands(a.GetNodes()), render.Duration(a.GetTime().AsDuration()))
}

// exactSearch describes the end of a search with a proved score.
const exactSearch = " exact"

// searchEnd describes why a search ended.
func (g *game) searchEnd(side int, depth int32, exact bool) string {
	most, limit := render.SearchLimits(g.seat(side).GetRobot().GetStrategy())
	switch {
	case exact:
		return exactSearch
	case limit > 0 && (most == 0 || depth < most):
		return " (cut off by time)"
	}
	return ""
}

// thousands writes a number with commas.
func thousands(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

// linkText describes a lost connection, "" if it works.
func (g *game) linkText() string {
	if !g.link.lost {
		return ""
	}
	left := max(g.link.retryAt.Sub(g.now()), 0)
	problem := "The server is not reachable"
	if g.link.reason != "" {
		problem = g.link.reason
	}
	return fmt.Sprintf("%s. Next attempt in %.0f s.", problem, left.Seconds())
}

// cursorText names the selected cell and what a placement there flips.
func (g *game) cursorText() string {
	if g.selected == nil {
		return ""
	}
	text := g.shape.Name(*g.selected)
	if g.isTrios() {
		text = fmt.Sprintf("row %d, column %d", g.selected.Row, g.selected.Index)
	}
	for side := range 2 {
		if flips, ok := g.hintsOf(side)[*g.selected]; ok {
			text += fmt.Sprintf(", %s flips %d", g.colour(side), flips)
		}
	}
	return text
}
