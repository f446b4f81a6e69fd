package board

import tea "charm.land/bubbletea/v2"

// offerKey handles the keys of offers: takeback, draw, rematch, and declining the opponent's offer.
func (g *game) offerKey(name string) tea.Cmd {
	switch {
	case name == "n" && g.isOver():
		g.push(newCopyForm(g.app, g.latest))
	case name == "n":
		g.notice = notice{"A rematch is for games that are over.", true}
	default:
		g.notice = notice{"This server does not offer that.", true}
	}
	return nil
}
