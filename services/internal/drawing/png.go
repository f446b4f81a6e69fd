package drawing

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// A PNG has pngScale times the size of the SVG, but is at most maxPixels wide and high.
const (
	pngScale  = 2
	maxPixels = 1600
)

// PNG returns the drawing as a PNG, 960 pixels wide unless the game has more cards than fit. The
// font has Latin, Greek and Cyrillic letters; other characters are drawn as boxes.
func (d *Drawing) PNG() ([]byte, error) {
	scale := min(pngScale, maxPixels/d.width, maxPixels/d.height)
	return d.encode(int(math.Round(d.width*scale)), int(math.Round(d.height*scale)))
}

// Preview returns the drawing as a PNG of 1200 by 630 pixels, the format of previews of links.
func (d *Drawing) Preview() ([]byte, error) { return d.encode(PreviewWidth, PreviewHeight) }

// The size of a preview.
const (
	PreviewWidth  = 1200
	PreviewHeight = 630
)

func (d *Drawing) encode(width, height int) ([]byte, error) {
	picture, err := d.render(width, height)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	err = encoder.Encode(&out, reduce(picture, d.palette.colours()))
	return out.Bytes(), err
}

// render draws the page in the middle of an image, as large as possible.
func (d *Drawing) render(width, height int) (*image.RGBA, error) {
	text, err := parseFont()
	if err != nil {
		return nil, err
	}
	pixels := image.NewRGBA(image.Rect(0, 0, width, height))
	page := image.NewUniform(parseColour(d.palette.page))
	draw.Draw(pixels, pixels.Rect, page, image.Point{}, draw.Src)
	r := &raster{image: pixels, font: text, faces: map[float64]font.Face{}}
	scale := min(float64(width)/d.width, float64(height)/d.height)
	corner := point{(float64(width) - scale*d.width) / 2, (float64(height) - scale*d.height) / 2}
	return r.image, r.draw(node{children: d.nodes}, corner, scale, style{fill: "#000000"})
}

// reduce converts an image to at most 256 colours, which makes its PNG small and fast to encode. It
// keeps the given colours and the first of each group of similar ones, which occur at edges.
func reduce(from *image.RGBA, palette color.Palette) *image.Paletted {
	const similar = 0xf0f0f0 // Colours are similar if these bits agree.
	key := func(c color.RGBA) uint32 { return uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B) }
	exact, edges := map[uint32]uint8{}, map[uint32]uint8{}
	for i, c := range palette {
		exact[key(c.(color.RGBA))] = uint8(i)
	}
	indexOf := func(c color.RGBA) uint8 {
		k := key(c)
		if index, ok := exact[k]; ok {
			return index
		}
		index, ok := edges[k&similar]
		if !ok {
			if len(palette) < 256 {
				palette = append(palette, c)
			}
			index = uint8(palette.Index(c))
			edges[k&similar] = index
		}
		return index
	}
	to := image.NewPaletted(from.Rect, nil)
	var last color.RGBA // Its alpha differs from that of all pixels.
	var index uint8
	for i := range to.Pix {
		p := from.Pix[4*i : 4*i+3]
		if c := (color.RGBA{p[0], p[1], p[2], 0xff}); c != last {
			last, index = c, indexOf(c)
		}
		to.Pix[i] = index
	}
	to.Palette = palette
	return to
}

// raster draws nodes on an image.
type raster struct {
	image *image.RGBA
	font  *opentype.Font
	faces map[float64]font.Face // by size in pixels
	path  vector.Rasterizer
}

// parseFont parses the font of all texts.
var parseFont = sync.OnceValues(func() (*opentype.Font, error) {
	return opentype.Parse(gobold.TTF)
})

// draw draws a node in a parent with this origin, scale and style.
func (r *raster) draw(n node, origin point, scale float64, inherited style) error {
	s := n.or(inherited)
	at := origin.plus(n.at.times(scale))
	switch {
	case n.shape != nil:
		r.drawShape(n.shape, at, scale, s)
	case n.text != "":
		return r.drawText(n.text, at, n.size*scale, s.fill)
	}
	if n.scale != 0 {
		scale *= n.scale
	}
	for _, child := range n.children {
		if err := r.draw(child, at, scale, s); err != nil {
			return err
		}
	}
	return nil
}

// or returns the style with its empty fields filled in.
func (s style) or(inherited style) style {
	return style{
		cmp.Or(s.fill, inherited.fill),
		cmp.Or(s.stroke, inherited.stroke),
		cmp.Or(s.width, inherited.width),
	}
}

func (r *raster) drawShape(s shape, at point, scale float64, look style) {
	place := func(path []point) []point {
		for i := range path {
			path[i] = at.plus(path[i].times(scale))
		}
		return path
	}
	if look.fill != "none" {
		r.fill(look.fill, place(s.outline(0)))
	}
	if look.stroke != "" && look.stroke != "none" {
		inside := place(s.outline(-look.width / 2))
		slices.Reverse(inside) // The other direction makes it a hole.
		r.fill(look.stroke, place(s.outline(look.width/2)), inside)
	}
}

// fill fills the area inside paths. The first contains the others.
func (r *raster) fill(colour string, paths ...[]point) {
	bounds := boundsOf(paths[0]).Intersect(r.image.Rect)
	if bounds.Empty() {
		return
	}
	r.path.Reset(bounds.Dx(), bounds.Dy())
	for _, path := range paths {
		for i := range path {
			path[i] = path[i].minus(point{float64(bounds.Min.X), float64(bounds.Min.Y)})
		}
		r.path.MoveTo(path[0].pixel())
		for i := 1; i+2 < len(path); i += 3 {
			ax, ay := path[i].pixel()
			bx, by := path[i+1].pixel()
			cx, cy := path[i+2].pixel()
			r.path.CubeTo(ax, ay, bx, by, cx, cy)
		}
		r.path.ClosePath()
	}
	r.path.Draw(r.image, bounds, image.NewUniform(parseColour(colour)), image.Point{})
}

func (p point) pixel() (x, y float32) { return float32(p.x), float32(p.y) }

// boundsOf returns a rectangle that contains a path.
func boundsOf(path []point) image.Rectangle {
	low, high := path[0], path[0]
	for _, p := range path {
		low = point{min(low.x, p.x), min(low.y, p.y)}
		high = point{max(high.x, p.x), max(high.y, p.y)}
	}
	return image.Rect(int(math.Floor(low.x)), int(math.Floor(low.y)),
		int(math.Ceil(high.x)), int(math.Ceil(high.y)))
}

// drawText draws a text whose baseline has its middle at a point.
func (r *raster) drawText(text string, at point, size float64, colour string) error {
	face := r.faces[size]
	if face == nil {
		var err error
		face, err = opentype.NewFace(r.font, &opentype.FaceOptions{
			Size: size, DPI: 72, Hinting: font.HintingNone,
		})
		if err != nil {
			return err
		}
		r.faces[size] = face
	}
	pen := font.Drawer{Dst: r.image, Src: image.NewUniform(parseColour(colour)), Face: face}
	pen.Dot = fixed.Point26_6{
		X: fixed.Int26_6(at.x*64) - pen.MeasureString(text)/2,
		Y: fixed.Int26_6(at.y * 64),
	}
	pen.DrawString(text)
	return nil
}

// parseColour parses a colour such as #1c1f23.
func parseColour(text string) color.RGBA {
	n, err := strconv.ParseUint(text[1:], 16, 32)
	if err != nil {
		panic(err) // All colours are constants of this package.
	}
	return color.RGBA{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: 0xff}
}
