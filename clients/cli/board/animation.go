package board

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/flipside-games/flipside/clients/cli/layout"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// waveTime is the time that each wave of flips is shown.
const waveTime = 350 * time.Millisecond

// animation shows the flips of the latest move wave by wave.
type animation struct {
	entry int // the index of the position, 0 for no animation
	wave  int32
	last  int32
}

// startAnimation starts the animation of the latest move of a card game.
func (g *game) startAnimation() tea.Cmd {
	g.animation = animation{}
	entry := g.history.Entries[g.history.Last()]
	if !g.isTrios() || len(entry.Move.GetFlips()) == 0 {
		return nil
	}
	g.animation = animation{entry: g.history.Last(), wave: -1}
	for _, flip := range entry.Move.GetFlips() {
		g.animation.last = max(g.animation.last, flip.GetWave())
	}
	return g.nextWave()
}

func (g *game) nextWave() tea.Cmd {
	current := g.animation
	return tea.Tick(waveTime, func(time.Time) tea.Msg {
		return reply(func() tea.Cmd {
			if g.animation != current {
				return nil
			}
			if g.animation.wave++; g.animation.wave >= g.animation.last {
				g.animation = animation{}
				return nil
			}
			return g.nextWave()
		})
	})
}

// isFlipped reports whether a flip of the shown move is visible yet.
func (g *game) isFlipped(flip *rulesv1.Flip) bool {
	return g.animation.entry == 0 || flip.GetWave() <= g.animation.wave
}

// flipsByCell returns the flips of the shown move that are visible, by their cells.
func (g *game) flipsByCell() map[layout.Cell]*rulesv1.Flip {
	flips := map[layout.Cell]*rulesv1.Flip{}
	for _, flip := range g.entry().Move.GetFlips() {
		flips[g.shape.FromProto(flip.GetCell())] = flip
	}
	return flips
}
