package drawing

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

func decode(t *testing.T, content []byte, err error) image.Image {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func position(t *testing.T, notation string) rules.Position {
	t.Helper()
	p, err := games.Parse(notation)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPNGShowsEveryCell looks at the colour of each cell beside the marks in its middle.
func TestPNGShowsEveryCell(t *testing.T) {
	for _, notation := range []string{
		"reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0", "reversi/square:4 ____/_OX_/_XO_/____ X 0", "reversi/hex:1 XO/O_X/XO - 2",
	} {
		for _, theme := range []Theme{Light, Dark} {
			p := position(t, notation).(*reversi.Position)
			d := New(p, Options{Theme: theme, Legal: true})
			content, err := d.PNG()
			picture := decode(t, content, err)
			l := d.square(p.Board())
			if p.Board().Shape() == reversi.Hexagon {
				l = d.hexagon(p.Board())
			}
			board := d.nodes[len(d.nodes)-1]
			for _, c := range p.Board().Cells() {
				want := map[rules.Side]string{
					rules.NoSide: d.palette.cell, rules.First: d.palette.black, rules.Second: d.palette.white,
				}[p.At(c)]
				if d.legal[c] {
					want = d.palette.legal
				}
				at := board.at.plus(l.centre(c).plus(point{5.5, 0}).times(board.scale)).times(pngScale)
				if got := hexColour(picture.At(int(at.x), int(at.y))); got != want {
					t.Errorf("%s: the cell %s has the colour %s, want %s", notation, p.CellNotation(c), got, want)
				}
			}
		}
	}
}

func hexColour(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

func TestSizesOfPNGs(t *testing.T) {
	_, largest, err := games.Setup{ThreeTrios: &threetrios.Setup{Grid: "1 1\nC\n", Deck: "a 1 1 1 1\nb 1 1 1 1\n"}}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []rules.Position{position(t, "reversi/hex:1 XO/O_X/XO - 2"), largest} {
		d := New(p, Options{})
		content, err := d.PNG()
		size := decode(t, content, err).Bounds().Size()
		if size.X != 960 || size.Y > maxPixels {
			t.Errorf("the size of a PNG is %v", size)
		}
		content, err = d.Preview()
		if size := decode(t, content, err).Bounds().Size(); size != image.Pt(1200, 630) {
			t.Errorf("the size of a preview is %v", size)
		}
	}
}

// TestFewColoursAreEnough compares pictures before and after the reduction of their colours.
func TestFewColoursAreEnough(t *testing.T) {
	for _, notation := range []string{
		"reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0", "reversi/square:4 ____/_OX_/_XO_/____ X 0",
		"threetrios/R__ B 0,0 default grid k1:739A red long-name-ABC:6181 blue k3:595A k5:1111",
	} {
		for _, theme := range []Theme{Light, Dark} {
			d := New(position(t, notation), Options{
				Theme: theme, Legal: true, TextOptions: rules.TextOptions{Labels: true}, Card: "k3",
			})
			before, err := d.render(PreviewWidth, PreviewHeight)
			if err != nil {
				t.Fatal(err)
			}
			colours := d.palette.colours()
			after := reduce(before, colours)
			far := 0
			for i := range after.Pix {
				a, b := before.Pix[4*i:], after.Palette[after.Pix[i]].(color.RGBA)
				far = max(far, abs(int(a[0])-int(b.R)), abs(int(a[1])-int(b.G)), abs(int(a[2])-int(b.B)))
			}
			if far > 32 || len(after.Palette) > 256 {
				t.Errorf("%s: a colour is off by %d of 255, and there are %d colours", notation, far, len(after.Palette))
			}
		}
	}
}
