package board

import (
	"fmt"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"github.com/flipside-games/flipside/clients/cli/draw"
	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/session"
)

// playerRow draws a side in one line: turn, colour, player, clock and score.
func (g *game) playerRow(c *draw.Canvas, x, y, width, side int) {
	if g.mover() == side && !g.isOver() {
		c.Text(x, y, 1, g.theme.Pointer, g.theme.Accent())
	}
	score := "-"
	if s := g.entry().Score; s != nil {
		score = fmt.Sprint([]int32{s.GetFirst(), s.GetSecond()}[side])
	}
	right := score
	if left, ok := g.timeLeft(side); ok {
		right = clockText(left) + "  " + fmt.Sprintf("%2s", score)
	}
	sign, style := " "+g.theme.DiscOf(side)+" ", g.theme.DiscText(side)
	if g.isTrios() {
		sign, style = " "+g.theme.Sides[side]+" ", g.theme.SideText(side)
	}
	room := width - len(right) - 3
	colour, name := g.sideNames(side, room-ansi.StringWidth(sign))
	c.Line(x+2, y, room, draw.Line{
		{Text: sign, Style: style},
		{Text: colour, Style: g.theme.Bold()},
		{Text: name, Style: g.theme.Plain()},
	})
	c.Text(x+width-len(right), y, len(right), right, g.theme.Bold())
}

// sideNames returns the colour and the player of a side, each after a space. In a narrow row, a
// robot loses the word robot and then its colour, which the sign shows too, before a part of its
// strength.
func (g *game) sideNames(side, width int) (colour, name string) {
	colour, name = " "+g.colour(side), " "+g.playerName(side)
	fits := func() bool { return ansi.StringWidth(colour+name) <= width }
	if g.seat(side).GetRobot() == nil || fits() {
		return colour, name
	}
	if name = " " + render.RobotName(g.seat(side)); !fits() {
		colour = ""
	}
	return colour, name
}

// drawHeader draws the players above the board: beside each other if there is room.
func (g *game) drawHeader(c *draw.Canvas) {
	if headerHeight(c.Width) == 2 {
		g.playerRow(c, 0, 0, c.Width-1, 0)
		g.playerRow(c, 0, 1, c.Width-1, 1)
		return
	}
	half := c.Width / 2
	g.playerRow(c, 0, 0, half-2, 0)
	g.playerRow(c, half+1, 0, half-2, 1)
}

// flow writes lines of text from top to bottom.
type flow struct {
	c *draw.Canvas
	draw.Rect
}

// add writes a text, wrapped and shortened to the room that is left.
func (f *flow) add(text string, style uv.Style) {
	if text == "" {
		return
	}
	lines := wrap(text, f.Width)
	for i, line := range lines {
		switch {
		case f.Height <= 0:
			return
		case f.Height == 1:
			line = strings.Join(lines[i:], " ") // the canvas marks the cut
		}
		f.c.Text(f.X, f.Y, f.Width, line, style)
		f.skip()
	}
}

func (f *flow) skip() {
	f.Y++
	f.Height--
}

// message is a text about the game with its style.
type message struct {
	text  string
	style uv.Style
}

// statuses returns the texts about the game, the most urgent first, for a width and a height.
func (g *game) statuses(width, height int) []message {
	turn := g.theme.Plain()
	if side := g.mover(); side >= 0 && g.mine(side) || g.isOver() {
		turn = g.theme.Accent()
	}
	notice := message{g.notice.text, g.theme.Good()}
	if g.notice.isErr {
		notice.style = g.theme.Error()
	}
	past := ""
	if g.isPast() {
		past = fmt.Sprintf("Position after move %d of %d.", g.shown, g.history.Last())
	}
	all := []message{
		{g.linkText(), g.theme.Error()},
		{g.turnText(), turn},
		notice,
		{g.offerText(), g.theme.Accent()},
		{past, g.theme.Accent()},
		{g.extraText(), g.theme.Accent()},
		{g.cursorText(), g.theme.Bold()},
		{g.searchText(), g.theme.Muted()},
	}
	if len(wrap(g.turnText(), width))+len(wrap(g.notice.text, width)) > height {
		all[1], all[2] = all[2], all[1]
	}
	found := all[:0]
	for _, each := range all {
		if each.text != "" {
			found = append(found, each)
		}
	}
	return found
}

// drawStatus draws the texts below the board. If there is room, the moves follow.
func (g *game) drawStatus(c *draw.Canvas, r draw.Rect) {
	f := flow{c, r}
	for _, each := range g.statuses(r.Width, r.Height) {
		f.add(each.text, each.style)
	}
	if g.analysis != nil {
		g.drawAnalysis(&f)
	}
	if f.Height > 1 {
		g.drawMoves(c, f.Rect)
	}
}

// drawPanel draws the panel beside the board.
func (g *game) drawPanel(c *draw.Canvas, r draw.Rect) {
	r = draw.Rect{X: r.X + 1, Y: r.Y, Width: r.Width - 2, Height: r.Height}
	f := flow{c, r}
	f.add(render.SetupTitle(g.latest.GetSetup()), g.theme.Accent())
	f.add(strings.Join(render.SetupRules(g.latest.GetSetup()), ", "), g.theme.Muted())
	f.skip()
	for side := range 2 {
		g.playerRow(c, f.X-1, f.Y, f.Width+1, side)
		f.skip()
	}
	f.skip()
	for _, each := range g.statuses(f.Width, f.Height) {
		f.add(each.text, each.style)
	}
	f.skip()
	if g.analysis != nil {
		g.drawAnalysis(&f)
	}
	if f.Height > 1 {
		g.drawMoves(c, f.Rect)
	}
}

// drawMoves draws the list of moves, or the part around the shown position.
func (g *game) drawMoves(c *draw.Canvas, r draw.Rect) {
	if g.history.Last() < 1 {
		return
	}
	width := 0
	texts := make([]string, len(g.history.Entries))
	for i, entry := range g.history.Entries {
		texts[i] = g.moveText(i, entry)
		width = max(width, ansi.StringWidth(texts[i])+1)
	}
	title := g.theme.Muted()
	if g.focus == onMoves {
		title = g.theme.Accent()
	}
	c.Text(r.X, r.Y, r.Width, "Moves", title)
	columns := min(max(r.Width/width, 1), 4)
	current := g.history.Last()
	if g.isPast() {
		current = g.shown
	}
	rows := r.Height - 1
	first := max(current/columns-rows+1, 0)
	for i := first * columns; i < min((first+rows)*columns, len(texts)); i++ {
		at := draw.Rect{
			X: r.X + i%columns*width, Y: r.Y + 1 + i/columns - first, Width: width - 1, Height: 1,
		}
		style := g.theme.Plain()
		if i == current {
			style = g.theme.Button(g.isPast() || g.focus == onMoves)
			if !g.theme.Color && i == current {
				texts[i] = strings.TrimRight(texts[i], " ")
			}
		}
		c.Text(at.X, at.Y, at.Width, texts[i], style)
		c.Zone(at, entryTarget(i))
	}
}

// moveText writes a move for the list: its number, its side, the move and the number of flips.
func (g *game) moveText(index int, entry session.Entry) string {
	if entry.Move == nil {
		return " 0 start"
	}
	sign := g.theme.Disc[sideIndex(entry.Move.GetSide())]
	if g.isTrios() {
		sign = g.theme.Sides[sideIndex(entry.Move.GetSide())]
	}
	text := fmt.Sprintf("%2d %s %s", index, sign, entry.Move.GetNotation())
	if flips := len(entry.Move.GetFlips()); flips > 0 {
		text += fmt.Sprintf(" +%d", flips)
	}
	return text
}

// drawAnalysis draws the analysis of the shown position: a bar and the best lines.
func (g *game) drawAnalysis(f *flow) {
	a := g.analysis.latest
	if a == nil {
		f.add("Analysing"+g.theme.Ellipsis, g.theme.Muted())
		return
	}
	state := ""
	if a.GetExact() {
		state = " exact"
	}
	f.add(fmt.Sprintf("Analysis: depth %d%s, %s nodes, %s", a.GetDepth(), state,
		thousands(a.GetNodes()), render.Duration(a.GetTime().AsDuration())), g.theme.Muted())
	for i, pv := range a.GetMultiPv() {
		if f.Height > 0 && i < analysisLines {
			score := fmt.Sprintf("%+4d  ", pv.GetScore())
			moves := g.fitMoves(pv.GetPrincipalVariation(), f.Width-len(score))
			f.c.Text(f.X, f.Y, f.Width, score+moves, g.theme.Plain())
			f.skip()
		}
	}
	f.skip()
}

// fitMoves writes the first moves that fit into a width, with an ellipsis if there are more.
func (g *game) fitMoves(moves []string, width int) string {
	text := strings.Join(moves, " ")
	for n := len(moves) - 1; n > 0 && ansi.StringWidth(text) > width; n-- {
		text = strings.Join(moves[:n], " ") + " " + g.theme.Ellipsis
	}
	return text
}
