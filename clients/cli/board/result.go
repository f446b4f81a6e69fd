package board

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/flipside-games/flipside/clients/cli/render"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// showResult opens the dialog with the result of the game.
func (g *game) showResult() {
	d := &chooser{app: g.app, title: g.verdict(), dialog: true}
	if g.latest.GetOutcome() != nil {
		d.text = []string{g.scoreText()}
	}
	run := func(name string) func() tea.Cmd {
		return func() tea.Cmd {
			g.pop(d)
			return g.press(name, "")
		}
	}
	d.options = []option{
		{"n", "Rematch", "with the sides swapped", run("n")},
		{"f", "Fork", "play on from a position", run("f")},
		{"a", "Analyse", "walk through the moves", run("a")},
		{"c", "New game", "with the same settings", run("c")},
		{"m", "Menu", "", func() tea.Cmd { g.popAll(); return nil }},
		{"esc", "Look at the board", "", d.back},
	}
	if g.latest.GetOutcome() == nil {
		d.options = d.options[3:]
	}
	g.result = d
	g.push(d)
}

// verdict describes the result from the side of the user.
func (g *game) verdict() string {
	outcome := g.latest.GetOutcome()
	own, both := g.ownSide(), g.mine(0) && g.mine(1)
	switch {
	case outcome == nil:
		return "The game was aborted"
	case outcome.GetDraw():
		return "A draw " + render.Endings.Name(outcome.GetEnding())
	case own < 0 || both:
		return fmt.Sprintf("%s wins %s", g.name(sideIndex(outcome.GetWinner())),
			render.Endings.Name(outcome.GetEnding()))
	case sideIndex(outcome.GetWinner()) == own:
		return "You won " + render.Endings.Name(outcome.GetEnding())
	}
	return "You lost " + render.Endings.Name(outcome.GetEnding())
}

// scoreText writes the score of the latest state.
func (g *game) scoreText() string {
	return fmt.Sprintf("%s %d, %s %d", g.colour(0), g.latest.GetScore().GetFirst(),
		g.colour(1), g.latest.GetScore().GetSecond())
}

// forkHere opens the form of a new game that starts from the shown position.
func (g *game) forkHere() tea.Cmd {
	version := g.entry().Version
	if version == 0 || g.latest.GetState() == gamev1.GameState_GAME_STATE_WAITING {
		g.notice = notice{"There is no position to fork yet.", true}
		return nil
	}
	g.push(newForkForm(g.app, g.latest, version))
	return nil
}
