package drawing_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/flipside-games/flipside/services/internal/drawing"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// element is an element of a parsed document.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []element  `xml:",any"`
}

func (e *element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// all returns e and the elements below it whose attribute has this value.
func (e *element) all(name, value string) []*element {
	var found []*element
	if e.attr(name) == value {
		found = append(found, e)
	}
	for i := range e.Children {
		found = append(found, e.Children[i].all(name, value)...)
	}
	return found
}

// texts returns the text of every element with a tag, in order.
func (e *element) texts(tag string) []string {
	var found []string
	if e.XMLName.Local == tag {
		found = append(found, e.Text)
	}
	for i := range e.Children {
		found = append(found, e.Children[i].texts(tag)...)
	}
	return found
}

// read parses a drawing. It fails the test unless the drawing is one well-formed document.
func read(t testing.TB, document []byte) *element {
	t.Helper()
	var root element
	decoder := xml.NewDecoder(bytes.NewReader(document))
	if err := decoder.Decode(&root); err != nil {
		t.Fatalf("the document is malformed: %v\n%s", err, document)
	}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return &root
		}
		if blank, ok := token.(xml.CharData); err != nil || !ok || strings.TrimSpace(string(blank)) != "" {
			t.Fatalf("%v (%v) follows the document", token, err)
		}
	}
}

func drawSVG(p rules.Position, o drawing.Options) []byte { return drawing.New(p, o).SVG() }

func parse(t testing.TB, notation string) rules.Position {
	t.Helper()
	p, err := games.Parse(notation)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func start(t testing.TB, setup games.Setup) rules.Position {
	t.Helper()
	_, p, err := setup.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func hexagon(rings int) games.Setup { return games.Setup{Reversi: &reversi.Setup{Size: rings}} }

func square(side int) games.Setup {
	return games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: side}}
}

// trios returns a game on a grid of this size. The first cell is a hole if the number of card cells
// would be even without it.
func trios(rows, columns int) games.Setup {
	grid, deck := strings.Repeat("C", rows*columns), ""
	if len(grid)%2 == 0 {
		grid = "X" + grid[1:]
	}
	text := fmt.Sprintf("%d %d\n", rows, columns)
	for i := range rows {
		text += grid[i*columns:(i+1)*columns] + "\n"
	}
	random := rand.New(rand.NewPCG(1, 1))
	for i := range rows*columns + 1 {
		deck += fmt.Sprintf("card%d %d %d %d %d\n", i, 1+random.IntN(10), 1+random.IntN(10), 1+random.IntN(10), 1+random.IntN(10))
	}
	all := []threetrios.Rule{threetrios.FallenAce, threetrios.Same, threetrios.Plus}
	return games.Setup{ThreeTrios: &threetrios.Setup{Grid: text, Deck: deck, Rules: all}}
}

func setups() map[string]games.Setup {
	all := map[string]games.Setup{}
	for _, n := range []int{1, 2, 5, 12} {
		all[fmt.Sprintf("hexagon of %d rings", n)] = hexagon(n)
	}
	for _, n := range []int{4, 6, 8, 16} {
		all[fmt.Sprintf("square of side %d", n)] = square(n)
	}
	for _, n := range [][2]int{{1, 1}, {3, 3}, {5, 5}, {5, 7}, {1, 16}, {16, 1}, {16, 16}} {
		all[fmt.Sprintf("grid of %d by %d", n[0], n[1])] = trios(n[0], n[1])
	}
	return all
}

// played plays moves in notation. It returns the position and the options that mark the last move.
func played(t testing.TB, p rules.Position, moves string) (rules.Position, drawing.Options) {
	t.Helper()
	var o drawing.Options
	for text := range strings.FieldsSeq(moves) {
		m, err := p.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		p, o = after(t, p, m)
	}
	return p, o
}

func after(t testing.TB, p rules.Position, m rules.Move) (rules.Position, drawing.Options) {
	t.Helper()
	next, flips, err := p.Play(m)
	if err != nil {
		t.Fatal(err)
	}
	o := drawing.Options{Flips: flips}
	if m != rules.Pass {
		o.Last = &m.Cell
	}
	return next, o
}

// withHints adds the largest number of flips on each cell as its hint, and selects the first legal
// cell.
func withHints(t testing.TB, p rules.Position, o drawing.Options) drawing.Options {
	t.Helper()
	o.Hints = map[rules.Cell]string{}
	most := map[rules.Cell]int{}
	for _, m := range p.Legal() {
		_, flips, err := p.Play(m)
		if err != nil {
			t.Fatal(err)
		}
		if m == rules.Pass {
			continue
		}
		if o.Selected == nil {
			o.Selected = &m.Cell
		}
		most[m.Cell] = max(most[m.Cell], len(flips))
		o.Hints[m.Cell] = fmt.Sprint(most[m.Cell])
	}
	return o
}

// structure returns the tags of a document without attributes and text.
func structure(e *element) string {
	tags := "<" + e.XMLName.Local
	for i := range e.Children {
		tags += structure(&e.Children[i])
	}
	return tags + ">"
}

// printable replaces the characters that XML does not allow.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == 0xFFFE || r == 0xFFFF {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
