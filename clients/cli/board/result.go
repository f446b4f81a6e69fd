package board

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/flipside-games/flipside/clients/cli/render"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// showResult opens the dialog with the result of the game.
func (g *game) showResult() {
	d := &chooser{app: g.app, title: g.verdict(), dialog: true, options: []option{
		{"m", "Menu", "", func() tea.Cmd { g.popAll(); return nil }},
	}}
	d.options = append(d.options, option{"esc", "Look at the board", "", d.back})
	d.optional = func() []option { return g.afterwards(d) }
	if g.latest.GetOutcome() != nil {
		d.text = []string{g.scoreText()}
		d.live = func() []string { return []string{g.notice.text} }
	}
	g.result = d
	g.push(d)
}

// afterwards returns what the user can do after the end of the game. Their keys are those of the
// board.
func (g *game) afterwards(d *chooser) []option {
	press := func(key string) func() tea.Cmd {
		return func() tea.Cmd {
			g.pop(d)
			return g.press(key, "")
		}
	}
	options := []option{{"c", "New game", "with the same settings", press("c")}}
	if g.latest.GetOutcome() == nil {
		return options
	}
	options = append([]option{
		{"f", "Fork", "play on from a position", press("f")},
		{"a", "Analyse", "walk through the moves", func() tea.Cmd {
			g.stopAnalysis()
			return press("a")()
		}},
	}, options...)
	again := option{"n", "Rematch", "with the sides swapped", press("n")}
	if offer := g.openOffer(); offer != nil && !g.mine(sideIndex(offer.GetSide())) {
		again.label, again.help = "Accept", g.name(sideIndex(offer.GetSide()))+" offers a rematch"
		options = append([]option{{"x", "Decline", "", g.decline}}, options...)
	}
	if g.ownSide() < 0 {
		return options
	}
	return append([]option{again}, options...)
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
	return g.openForm(&newForkForm(g.app, g.latest, version).form)
}
