package drawing

import "math"

// node is an element of a drawing: a group, a shape or a text. Its children inherit its place, its
// scale and its style.
type node struct {
	at    point   // its origin, in units of its parent
	scale float64 // the size of its units in units of its parent; 0 for 1
	style
	shape    shape   // nil for groups and texts
	text     string  // "" for groups and shapes
	size     float64 // the font size of a text
	class    string  // the class attribute in SVG
	title    string  // the tooltip in SVG
	children []node
}

// style holds colours such as "#1c1f23". An empty field is inherited; the colour "none" draws
// nothing.
type style struct {
	fill, stroke string
	width        float64 // of the stroke; half of it lies outside the shape
}

// point is a point, with y downwards.
type point struct{ x, y float64 }

func (p point) plus(q point) point        { return point{p.x + q.x, p.y + q.y} }
func (p point) minus(q point) point       { return point{p.x - q.x, p.y - q.y} }
func (p point) times(f float64) point     { return point{p.x * f, p.y * f} }
func (p point) cross(q point) float64     { return p.x*q.y - p.y*q.x }
func between(p, q point, t float64) point { return p.plus(q.minus(p).times(t)) }

// shape is a convex shape around its origin.
type shape interface {
	// element returns the SVG tag of the shape and the attributes that place it at a point.
	element(at point) (tag, attributes string)
	// outline returns the outline of the shape, moved outwards by a distance: cubic curves that
	// share their ends, so 3k + 1 points, clockwise.
	outline(outwards float64) []point
}

// circle is a circle with this radius.
type circle float64

func (c circle) element(at point) (tag, attributes string) {
	return "circle", format(` cx="%v" cy="%v" r="%v"`, at.x, at.y, float64(c))
}

func (c circle) outline(outwards float64) []point {
	r := float64(c) + outwards
	return box{2 * r, 2 * r, r}.outline(0)
}

// box is a rectangle with rounded corners.
type box struct{ width, height, radius float64 }

func (b box) element(at point) (tag, attributes string) {
	attributes = format(` x="%v" y="%v" width="%v" height="%v"`,
		at.x-b.width/2, at.y-b.height/2, b.width, b.height)
	if b.radius > 0 {
		attributes += format(` rx="%v"`, b.radius)
	}
	return "rect", attributes
}

func (b box) outline(outwards float64) []point {
	// handle is the distance of the control points of a cubic curve from the corner that it rounds,
	// for the best approximation of a quarter of a circle, in units of the radius.
	const handle = 1 - 0.5523
	w, h, r := b.width/2+outwards, b.height/2+outwards, 0.0
	if b.radius > 0 {
		r = b.radius + outwards
	}
	path := []point{{-w + r, -h}}
	for _, corner := range []struct{ at, in, out point }{
		{point{w, -h}, point{-1, 0}, point{0, 1}},
		{point{w, h}, point{0, -1}, point{-1, 0}},
		{point{-w, h}, point{1, 0}, point{0, -1}},
		{point{-w, -h}, point{0, 1}, point{1, 0}},
	} {
		path = lineTo(path, corner.at.plus(corner.in.times(r)))
		path = append(path, corner.at.plus(corner.in.times(r*handle)),
			corner.at.plus(corner.out.times(r*handle)), corner.at.plus(corner.out.times(r)))
	}
	return path
}

// polygon is a convex polygon, clockwise.
type polygon []point

func (p polygon) element(at point) (tag, attributes string) {
	first := at.plus(p[0])
	attributes = format(` d="M%v %v`, first.x, first.y)
	for i := range p[1:] {
		by := p[i+1].minus(p[i])
		attributes += format("l%v %v", by.x, by.y)
	}
	return "path", attributes + `z"`
}

func (p polygon) outline(outwards float64) []point {
	corners := make([]point, len(p))
	for i := range p {
		before, after := p[(i+len(p)-1)%len(p)], p[(i+1)%len(p)]
		in, out := direction(before, p[i]), direction(p[i], after)
		// Both edges move outwards, to their left; their lines meet in the direction of in - out.
		corners[i] = p[i]
		if turn := in.cross(out); turn != 0 {
			corners[i] = p[i].plus(in.minus(out).times(outwards / turn))
		}
	}
	path := corners[:1:1]
	for _, corner := range append(corners[1:], corners[0]) {
		path = lineTo(path, corner)
	}
	return path
}

// direction returns the vector of length 1 from p to q.
func direction(p, q point) point {
	by := q.minus(p)
	return by.times(1 / math.Hypot(by.x, by.y))
}

// lineTo appends a straight line to a path.
func lineTo(path []point, to point) []point {
	from := path[len(path)-1]
	return append(path, between(from, to, 1.0/3), between(from, to, 2.0/3), to)
}

// bar returns a thin polygon from p to q.
func bar(p, q point, thickness float64) polygon {
	along := direction(p, q)
	aside := point{-along.y, along.x}.times(thickness / 2)
	return polygon{p.minus(aside), q.minus(aside), q.plus(aside), p.plus(aside)}
}
