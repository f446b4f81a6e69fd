package draw

import uv "github.com/charmbracelet/ultraviolet"

// Banner draws a title between discs on the colour of a board, in three lines.
func (c *Canvas) Banner(t Theme, r Rect, title string) {
	board := t.style(t.palette.text, t.palette.board, uv.AttrBold)
	c.Fill(r, t.style(nil, t.palette.board, 0))
	c.Centred(Rect{r.X, r.Y + 1, r.Width, 1}, title, board)
	for i := range r.Width/4 - 2 {
		for side, y := range []int{r.Y, r.Y + 2} {
			disc := (i + side) % 2
			c.Char(r.X+5+4*i, y, t.DiscOf(disc), t.DiscText(disc))
		}
	}
}
