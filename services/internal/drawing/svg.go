package drawing

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// SVG returns the drawing as one self-contained SVG document without scripts, styles and fonts. It
// scales to any size.
func (d *Drawing) SVG() []byte {
	var c canvas
	c.put(`<svg xmlns="http://www.w3.org/2000/svg" `+
		`viewBox="0 0 %v %v" width="%v" height="%v" role="img" `+
		`font-family="system-ui,sans-serif" font-weight="600" text-anchor="middle">`,
		d.width, d.height, d.width, d.height)
	c.put("\n<title>%v</title>\n<desc>%v</desc>\n", d.Title(), d.description())
	c.node(node{
		at: point{d.width / 2, d.height / 2}, shape: box{d.width, d.height, 14},
		style: style{fill: d.palette.page},
	})
	for _, n := range d.nodes {
		c.node(n)
	}
	c.put("</svg>\n")
	return c
}

// node appends a node and its children.
func (c *canvas) node(n node) {
	tag, geometry := n.element()
	c.put("<%v%v", tag, markup(geometry))
	for _, a := range [][2]string{{"class", n.class}, {"fill", n.fill}, {"stroke", n.stroke}} {
		if a[1] != "" {
			c.put(` %v="%v"`, a[0], a[1])
		}
	}
	if n.width != 0 {
		c.put(` stroke-width="%v"`, n.width)
	}
	if n.text == "" && n.title == "" && n.children == nil {
		c.put("/>\n")
		return
	}
	c.put(">")
	if n.title != "" {
		c.put("<title>%v</title>", n.title)
	}
	if n.children != nil {
		c.put("\n")
	}
	for _, child := range n.children {
		c.node(child)
	}
	c.put("%v</%v>\n", n.text, tag)
}

// element returns the SVG tag of a node and the attributes that place it.
func (n node) element() (tag, attributes string) {
	switch {
	case n.shape != nil:
		return n.shape.element(n.at)
	case n.text != "":
		return "text", format(` x="%v" y="%v" font-size="%v"`, n.at.x, n.at.y, n.size)
	case n.scale != 0:
		return "g", format(` transform="translate(%v %v) scale(%v)"`, n.at.x, n.at.y, n.scale)
	case n.at != point{}:
		return "g", format(` transform="translate(%v %v)"`, n.at.x, n.at.y)
	}
	return "g", ""
}

// canvas is a part of an SVG document, to append to.
type canvas []byte

// markup is text that is already SVG.
type markup string

// put appends a format. Numbers are shortened, and every string except markup is escaped, so that
// no text can become markup. The only verb is %v.
func (c *canvas) put(format string, args ...any) {
	for i, arg := range args {
		switch arg := arg.(type) {
		case float64:
			args[i] = short(arg)
		case string:
			args[i] = escape(arg)
		}
	}
	*c = fmt.Appendf(*c, format, args...)
}

// format returns a formatted part of a document.
func format(text string, args ...any) string {
	var c canvas
	c.put(text, args...)
	return string(c)
}

// short formats a number with at most two decimals and without the zero before the point.
func short(n float64) string {
	// Adding 0 turns -0 into 0.
	text := strconv.FormatFloat(math.Round(n*100)/100+0, 'f', -1, 64)
	switch {
	case strings.HasPrefix(text, "0."):
		return text[1:]
	case strings.HasPrefix(text, "-0."):
		return "-" + text[2:]
	}
	return text
}

// escape escapes a text for XML, also inside quotes. It replaces characters that XML does not
// allow.
func escape(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // A bytes.Buffer returns no errors.
	return b.String()
}
