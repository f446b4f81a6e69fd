package board

import (
	"github.com/flipside-games/flipside/clients/cli/draw"
	"github.com/flipside-games/flipside/clients/cli/layout"
)

// Sizes of the parts of a game's screen.
const (
	minPanel  = 28 // the columns of the panel beside the board
	maxPanel  = 46
	wideCards = 112 // the columns from which a card game has a panel
)

// frame divides the screen of a game.
type frame struct {
	beside bool // the panel stands beside the board, otherwise its parts stand above and below
	board  draw.Rect
	panel  draw.Rect   // beside, or below the board
	grid   layout.Grid // of a Reversi board
}

// headerHeight returns the number of lines of the players above the board.
func headerHeight(width int) int {
	if width >= 70 {
		return 1
	}
	return 2
}

// frame returns the division with the largest board that fits into the window.
func (g *game) frame(width, height int) frame {
	if g.isTrios() {
		if width >= wideCards {
			return besideFrame(width, height, width-minPanel-8, layout.Grid{})
		}
		return g.belowFrame(width, height, g.cardsHeight(width, height), layout.Grid{})
	}
	header := headerHeight(width)
	var smallest layout.Grid
	for _, grid := range layout.Grids(g.shape, true) {
		for _, labels := range []bool{true, false} {
			if labels && g.noLabels {
				continue
			}
			grid.Labels = labels
			smallest = grid
			if grid.Height() <= height-1 && grid.Width()+minPanel <= width {
				return besideFrame(width, height, grid.Width(), grid)
			}
			if grid.Height() <= height-header-3 && grid.Width() <= width {
				return g.belowFrame(width, height, grid.Height(), grid)
			}
		}
	}
	if width >= 2*minPanel {
		return besideFrame(width, height, width-minPanel, smallest)
	}
	return g.belowFrame(width, height, height-header-3, smallest)
}

func besideFrame(width, height, boardWidth int, grid layout.Grid) frame {
	panel := min(max(width-boardWidth, minPanel), maxPanel)
	return frame{
		beside: true, grid: grid,
		board: draw.Rect{Width: width - panel, Height: height - 1},
		panel: draw.Rect{X: width - panel, Width: panel, Height: height - 1},
	}
}

func (g *game) belowFrame(width, height, boardHeight int, grid layout.Grid) frame {
	header := headerHeight(width)
	boardHeight = max(min(boardHeight, height-header-2), 1)
	below := header + boardHeight
	return frame{
		grid:  grid,
		board: draw.Rect{Y: header, Width: width, Height: boardHeight},
		panel: draw.Rect{X: 1, Y: below, Width: width - 2, Height: max(height-1-below, 0)},
	}
}

func (g *game) draw(c *draw.Canvas) {
	f := g.frame(c.Width, c.Height)
	if g.isTrios() {
		g.drawCards(c, f.board)
	} else {
		g.drawDiscs(c, f)
	}
	if f.beside {
		g.drawPanel(c, f.panel)
		g.drawLastLine(c)
		return
	}
	g.drawHeader(c)
	if g.notice.text != "" && len(wrap(g.notice.text, f.panel.Width)) > f.panel.Height {
		f.panel.Height++ // a whole message is more useful than the keys
	} else {
		g.drawLastLine(c)
	}
	g.drawStatus(c, f.panel)
}

// drawLastLine draws the keys, or the command that takes the open seat.
func (g *game) drawLastLine(c *draw.Canvas) {
	if !g.showsJoinCommand() {
		g.footer(c, g.keyHints())
		return
	}
	command := g.joinCommand()
	c.Text(1, c.Height-1, len(command), command, g.theme.Accent())
	g.footerFrom(c, len(command)+3, []hint{{"?", "Help", 1}, {"esc", "Back", 0}})
}

// keyHints returns the keys that are useful now.
func (g *game) keyHints() []hint {
	if g.isOver() {
		return []hint{
			{"n", "Rematch", 0}, {"f", "Fork", 3}, {"a", "Analyse", 2}, {"c", "New game", 4},
			{",", "Back", 5}, {".", "Forward", 5}, {"?", "Help", 1}, {"esc", "Menu", 0},
		}
	}
	if g.isPast() {
		return []hint{
			{",", "Back", 0}, {".", "Forward", 0}, {"f", "Fork", 2}, {"end", "Latest", 0},
			{"?", "Help", 1}, {"esc", "Return", 0},
		}
	}
	if g.ownSide() < 0 {
		return []hint{
			{"h", "Hints", 1}, {",", "Back", 2}, {".", "Forward", 2}, {"f", "Fork", 3}, {"?", "Help", 0},
			{"esc", "Leave", 0},
		}
	}
	hints := []hint{{"arrows", "Select", 4}, {"enter", "Place", 0}}
	if g.isTrios() {
		hints = append(hints, hint{"q", "Red hints", 2}, hint{"w", "Blue hints", 2})
	} else {
		hints = append(hints, hint{"p", "Pass", 1}, hint{"h", "Hints", 2})
	}
	hints = append(hints, hint{"u", "Takeback", 5}, hint{"r", "Resign", 3})
	if g.robotSide() >= 0 {
		hints = append(hints, hint{"s", "Robot", 6})
	}
	return append(hints, hint{"?", "Help", 1}, hint{"esc", "Back", 0})
}

// drawDiscs draws a Reversi board in the middle of its part of the screen.
func (g *game) drawDiscs(c *draw.Canvas, f frame) {
	board := draw.NewCanvas(g.theme, f.grid.Width(), f.grid.Height())
	board.Discs(g.theme, f.grid, g.discs())
	all := draw.Rect{Width: board.Width, Height: board.Height}
	board.ZoneFunc(all, func(x, y int) any {
		if cell, ok := f.grid.At(x, y); ok {
			return cellTarget{cell}
		}
		return nil
	})
	x, y := f.grid.Centre(g.cursor)
	show(c, f.board, board, x, y)
}

// show shows a canvas in a rectangle: in its middle, or the part around a point.
func show(c *draw.Canvas, r draw.Rect, part *draw.Canvas, x, y int) {
	fromX := min(max(x-r.Width/2, 0), max(part.Width-r.Width, 0))
	fromY := min(max(y-r.Height/2, 0), max(part.Height-r.Height, 0))
	width, height := min(r.Width, part.Width), min(r.Height, part.Height)
	c.View(draw.Rect{
		X: r.X + (r.Width-width)/2, Y: r.Y + (r.Height-height)/2, Width: width, Height: height,
	}, part, fromX, fromY)
}

// discs returns the shown board with its marks.
func (g *game) discs() *draw.Discs {
	entry := g.entry()
	d := &draw.Discs{
		Rows: entry.Position.GetReversi().GetRows(), Selected: g.selected, Legal: g.legalCells(),
		Last: g.lastCell(), Flipped: map[layout.Cell]bool{},
	}
	for cell := range g.flipsByCell() {
		d.Flipped[cell] = true
	}
	for _, side := range []int{1 - max(g.mover(), 0), max(g.mover(), 0)} {
		if hints := g.hintsOf(side); hints != nil {
			d.Hints = hints
		}
	}
	return d
}

// lastCell returns the cell of the last placement up to the shown position.
func (g *game) lastCell() *layout.Cell {
	last := g.history.Last()
	if g.isPast() {
		last = g.shown
	}
	for ; last > 0; last-- {
		move := g.history.Entries[last].Move.GetMove()
		cell := move.GetPlace().GetCell()
		if cell == nil {
			cell = move.GetPlayCard().GetCell()
		}
		if cell != nil {
			found := g.shape.FromProto(cell)
			return &found
		}
	}
	return nil
}
