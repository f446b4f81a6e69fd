package drawing_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/flipside-games/flipside/services/internal/drawing"
	"github.com/flipside-games/flipside/services/internal/golden"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/rulestest"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

func TestGolden(t *testing.T) {
	const hostile = `threetrios/R_.B/__.. R 0,3 default,same grid <b>&amp;:739A "quoted'name":A15A red x]]>:5155 ` +
		`a-name-that-is-much-too-long-for-its-place:1234 blue k2:2222 k4:6181`
	for _, c := range []struct {
		name, notation, moves string
		hints                 bool
		options               drawing.Options
	}{
		{name: "hexagon", notation: "reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0", moves: "1,1", hints: true},
		{name: "square", notation: "reversi/square:4 ____/_OX_/_XO_/____ X 0", moves: "b1", hints: true,
			options: drawing.Options{TextOptions: rules.TextOptions{Labels: true}}},
		{name: "trios", notation: hostile, hints: true,
			options: drawing.Options{TextOptions: rules.TextOptions{Labels: true}, Theme: drawing.Dark}},
		{name: "legal", notation: "reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0",
			options: drawing.Options{TextOptions: rules.TextOptions{Labels: true}, Legal: true, Theme: drawing.Dark}},
		{name: "ended", notation: "reversi/hex:1 XO/O_X/XO - 2"},
		{name: "resigned", notation: "reversi/square:4 ____/_OX_/_XO_/____ X 0",
			options: drawing.Options{Status: "Black resigned, White wins"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, o := played(t, parse(t, c.notation), c.moves)
			o.Labels, o.Theme, o.Status, o.Legal = c.options.Labels, c.options.Theme, c.options.Status, c.options.Legal
			if c.hints {
				o = withHints(t, p, o)
			}
			golden.Check(t, c.name+".svg", drawSVG(p, o))
		})
	}
}

// TestDrawingsInTheREADME compares the drawings in docs with the output of this package.
func TestDrawingsInTheREADME(t *testing.T) {
	for _, c := range []struct {
		name  string
		setup games.Setup
		moves string
		hints bool
	}{
		{
			"hexagon", hexagon(5),
			"-2,1 1,1 2,1 -1,2 -1,3 1,2 2,-1 3,0 3,1 3,2 1,3 -3,1 4,-1 3,-1 -4,1 0,3 -1,4 -5,1 -3,2 -3,3 4,1 5,0 3,-2 1,-2 " +
				"-1,-1 1,4 2,3 5,-2 1,-3 -2,-1 0,5 -2,3 -4,3 -3,4", false,
		},
		{"square", square(8), "e6 d6 c5 f6 e7 f4 g6 c7 e3 h6 g7 c4 c3 f5 g5 b3 d7 h7 g4 c2", true},
		{
			"trios", games.Setup{ThreeTrios: &threetrios.Setup{Rules: []threetrios.Rule{threetrios.Same, threetrios.Plus}}},
			"anchor@2,1 bell@1,2 ember@1,1 harp@0,1 candle@0,0 falcon@2,0", false,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, o := played(t, start(t, c.setup), c.moves)
			if c.hints {
				o = withHints(t, p, o)
				o.Selected = nil
			}
			o.Labels, o.Legal = true, true
			golden.Check(t, "../../../../docs/"+c.name+".svg", drawSVG(p, o))
		})
	}
}

// TestRandomPositions checks drawings with all marks, from random games on every kind of board.
func TestRandomPositions(t *testing.T) {
	t.Parallel()
	for name, setup := range setups() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			positions, moves := rulestest.RandomGame(t, start(t, setup), 1)
			step := max(1, len(moves)/6)
			for i := 0; i < len(positions); i += step {
				p, o := positions[i], drawing.Options{}
				if i > 0 {
					p, o = after(t, positions[i-1], moves[i-1])
				}
				o = withHints(t, p, o)
				o.Labels, o.Legal = i%2 == 1, true
				check(t, p, o)
				o.Hints = nil
				check(t, p, o)
			}
			check(t, positions[len(moves)], drawing.Options{})
		})
	}
}

// check checks everything that holds for every drawing.
func check(t *testing.T, p rules.Position, o drawing.Options) {
	t.Helper()
	document := drawSVG(p, o)
	if again := drawSVG(p, o); !bytes.Equal(document, again) {
		t.Errorf("two drawings of %s differ", p.Notation())
	}
	root := read(t, document)
	if root.attr("role") != "img" || root.Children[0].XMLName.Local != "title" || root.Children[1].XMLName.Local != "desc" {
		t.Error("the document is not an image with a title and a description")
	}
	checkSelfContained(t, root)
	cells, each := cellsOf(p), 150
	if p.Kind() == rules.ThreeTrios {
		each = 800 // A card has four values and a name, and there are as many in the hands.
	}
	if most := 5_000 + each*len(cells); len(document) > most {
		t.Errorf("%d cells need %d bytes, more than %d", len(cells), len(document), most)
	}
	var titles []string
	for _, title := range root.texts("title") {
		titles = append(titles, strings.SplitN(title, " ", 2)[0])
	}
	for _, c := range cells {
		if n := count(titles, p.CellNotation(c)); n != 1 {
			t.Errorf("%d elements have the title %s", n, p.CellNotation(c))
		}
	}
	checkMarks(t, root, p, o)
	checkPieces(t, root, p)
}

func checkSelfContained(t *testing.T, e *element) {
	t.Helper()
	switch e.XMLName.Local {
	case "script", "style", "foreignObject", "image", "a":
		t.Errorf("the document has an element %s", e.XMLName.Local)
	}
	for _, a := range e.Attrs {
		reference := a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#")
		if reference || strings.HasPrefix(a.Name.Local, "on") || a.Value == "NaN" || strings.Contains(a.Value, "%!") {
			t.Errorf("the element %s has the attribute %s=%q", e.XMLName.Local, a.Name.Local, a.Value)
		}
	}
	for i := range e.Children {
		checkSelfContained(t, &e.Children[i])
	}
}

func checkMarks(t *testing.T, root *element, p rules.Position, o drawing.Options) {
	t.Helper()
	legal := 0
	if o.Legal && o.Hints == nil && p.Kind() == rules.Reversi && !rules.MustPass(p) {
		legal = len(p.Legal()) - count(p.Legal(), rules.Pass)
	}
	for class, want := range map[string]int{
		"fs-last": one(o.Last), "fs-selected": one(o.Selected), "fs-flip": len(o.Flips), "fs-hint": len(o.Hints),
		"fs-legal": legal,
	} {
		if got := len(root.all("class", class)); got != want {
			t.Errorf("%d elements have the class %s, want %d", got, class, want)
		}
	}
}

func one(c *rules.Cell) int {
	if c == nil {
		return 0
	}
	return 1
}

// checkPieces counts the pieces of each side. A disc is also beside the score.
func checkPieces(t *testing.T, root *element, p rules.Position) {
	t.Helper()
	score := p.Score()
	for side, class := range map[rules.Side]string{rules.First: "fs-black", rules.Second: "fs-white"} {
		got, want := 0, map[rules.Side]int{rules.First: score.First, rules.Second: score.Second}[side]
		if p.Kind() == rules.Reversi {
			want++
			for _, group := range root.all("class", class) {
				got += len(group.Children)
			}
		} else {
			class = map[rules.Side]string{rules.First: "fs-red", rules.Second: "fs-blue"}[side]
			got = len(root.all("class", class))
		}
		if got != want {
			t.Errorf("the drawing has %d pieces of class %s, want %d", got, class, want)
		}
	}
}

func cellsOf(p rules.Position) []rules.Cell {
	if p, ok := p.(*reversi.Position); ok {
		return p.Board().Cells()
	}
	grid := p.(*threetrios.Position)
	var cells []rules.Cell
	for row := range grid.Rows() {
		for column := range grid.Columns() {
			cells = append(cells, rules.SquareCell(row, column))
		}
	}
	return cells
}

func count[T comparable](list []T, item T) (n int) {
	for _, each := range list {
		if each == item {
			n++
		}
	}
	return n
}

func TestCellsHaveDifferentPlaces(t *testing.T) {
	for name, setup := range setups() {
		if setup.Reversi == nil {
			continue
		}
		p := start(t, setup)
		seen := map[string]bool{}
		for _, cell := range read(t, drawSVG(p, drawing.Options{})).named(p) {
			at := cell.attr("d") + cell.attr("x") + " " + cell.attr("y")
			if seen[at] {
				t.Errorf("%s: two cells have the place %s", name, at)
			}
			seen[at] = true
		}
	}
}

// named returns the elements whose title is a cell.
func (e *element) named(p rules.Position) (cells []*element) {
	if titles := e.texts("title"); len(e.Children) == 1 && len(titles) == 1 {
		if c, err := p.ParseCell(titles[0]); err == nil && p.Contains(c) {
			return []*element{e}
		}
	}
	for i := range e.Children {
		cells = append(cells, e.Children[i].named(p)...)
	}
	return cells
}

func TestCellsOffTheBoardAreIgnored(t *testing.T) {
	for name, p := range map[string]rules.Position{
		"hexagon": start(t, hexagon(2)), "square": start(t, square(4)), "grid": start(t, trios(3, 3)),
	} {
		plain := drawSVG(p, drawing.Options{})
		for _, off := range []rules.Cell{rules.HexCell(99, -99), rules.SquareCell(-1, 1<<40)} {
			options := drawing.Options{Last: &off, Flips: []rules.Flip{{Cell: off, Wave: -1, Cause: 99}}}
			options.Selected, options.Hints = &off, map[rules.Cell]string{off: "1"}
			if got := drawSVG(p, options); !bytes.Equal(got, plain) {
				t.Errorf("%s: the drawing shows %v, which is off the board", name, off)
			}
		}
	}
}

func TestOnlyEmptyCellsHaveHints(t *testing.T) {
	for name, c := range map[string]struct {
		position rules.Position
		full     rules.Cell
	}{
		"disc": {start(t, square(4)), rules.SquareCell(1, 1)},
		"hole": {start(t, trios(2, 2)), rules.SquareCell(0, 0)},
		"card": {parse(t, "threetrios/R - 0,0 default grid a:1111 red blue b:2222"), rules.SquareCell(0, 0)},
	} {
		var options drawing.Options
		plain := drawSVG(c.position, options)
		options.Hints = map[rules.Cell]string{c.full: "7"}
		if !bytes.Equal(drawSVG(c.position, options), plain) {
			t.Errorf("the drawing shows a hint on a %s", name)
		}
	}
}

func TestStatus(t *testing.T) {
	for _, c := range []struct{ notation, status, want string }{
		{"reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0", "", "Black to move"},
		{"reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ O 1", "", "White to move"},
		{"reversi/hex:1 XO/O_X/XO X 0", "", "Black must pass"},
		{"reversi/hex:1 XO/O_X/XO - 2", "", "Draw, 3–3"},
		{"reversi/square:4 XXXX/XXXX/XXXX/XXXO - 0", "", "Black wins, 15–1"},
		{"reversi/square:4 _OOO/OOOO/OOOO/OOOO - 0 empties_to_winner=true", "", "White wins, 16–0"},
		{"threetrios/_ R - default grid red a:1111 blue b:2222", "", "Red to move"},
		{"threetrios/R - 0,0 default grid a:1111 red blue b:2222", "", "Draw, 1–1"},
		{"reversi/hex:1 XO/O_X/XO X 0", "White resigned", "White resigned"},
		{"reversi/hex:1 XO/O_X/XO X 0", "White <resigned> after a long and tiring game", "White <resigned> after a lo…"},
	} {
		root := read(t, drawSVG(parse(t, c.notation), drawing.Options{Status: c.status}))
		if texts := root.texts("text"); count(texts, c.want) != 1 {
			t.Errorf("%s with status %q has the texts %q, without %q", c.notation, c.status, texts, c.want)
		}
		if title := root.texts("title")[0]; !strings.Contains(title, c.status) {
			t.Errorf("the title is %q, without %q", title, c.status)
		}
	}
}

func TestTitleAndDescription(t *testing.T) {
	hexagon, o := played(t, parse(t, "reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0"), "1,1")
	o = withHints(t, hexagon, o)
	grid, g := played(t, parse(t, "threetrios/R_._ B 0,0 default,same grid k1:739A red k4:6181 blue k3:595A k2:2222"), "k3@0,1")
	for _, c := range []struct {
		position rules.Position
		options  drawing.Options
		want     []string
	}{
		{hexagon, o, []string{
			"Reversi: White to move. Black 5, White 2.",
			"Hexagonal board, rings round the centre: 2. Passes in a row: 0. Marked: 1,-2 selected; 1,-2 hint 1; -1,-1 hint 1; " +
				"0,1 flipped; 1,1 last move; -1,2 hint 1. Black: 0,-1; 1,0; -1,1; 0,1; 1,1. White: 1,-1; -1,0.",
		}},
		{grid, g, []string{
			"Three Trios: Red to move. Red 1, Blue 3.",
			"Rows: 1. Columns: 4. Values of cards: north, south, east, west. Holes: 0,2. " +
				"Marked: 0,0 flipped by greater in wave 0; 0,1 last move. Cards: 0,0 k1 7 3 9 A, Blue; 0,1 k3 5 9 5 A, Blue. " +
				"Hand of Red: 0 k4 6 1 8 1. Hand of Blue: 0 k2 2 2 2 2.",
		}},
	} {
		root := read(t, drawSVG(c.position, c.options))
		if diff := cmp.Diff(c.want, []string{root.Children[0].Text, root.Children[1].Text}); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestTextIsEscaped draws card names, hints and a status that look like markup.
func TestTextIsEscaped(t *testing.T) {
	name := rapid.OneOf(
		rapid.SampledFrom([]string{"<script>alert(1)</script>", `"onload="x`, "]]>", "&lt;", "<!--", "'/>", "<?x?>"}),
		rapid.StringOfN(rapid.Rune(), 1, 16, threetrios.MaxNameBytes),
	).Filter(func(s string) bool {
		return !strings.ContainsFunc(s, func(r rune) bool {
			return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
		})
	})
	rapid.Check(t, func(rt *rapid.T) {
		names := rapid.SliceOfNDistinct(name, 4, 4, rapid.ID[string]).Draw(rt, "names")
		text := rapid.OneOf(name, rapid.StringN(1, 40, -1)).Draw(rt, "text")
		deck := ""
		for _, name := range names {
			deck += name + " 1 2 3 4\n"
		}
		p := start(t, games.Setup{ThreeTrios: &threetrios.Setup{Grid: "1 3\nCCC\n", Deck: deck}})
		p, o := after(t, p, p.Legal()[0])
		hinted := rules.SquareCell(0, 1)
		o.Status, o.Hints = text, map[rules.Cell]string{hinted: text}
		got := read(t, drawSVG(p, o))
		o.Status, o.Hints = "harmless", map[rules.Cell]string{hinted: "1"}
		if want := read(t, drawSVG(p, o)); structure(got) != structure(want) {
			rt.Fatalf("a text became markup:\n%s\n%s", structure(got), structure(want))
		}
		checkSelfContained(t, got)
		for _, name := range names {
			if all := strings.Join(got.texts("title"), "\n"); !strings.Contains(all, printable(name)+" 1 2 3 4") {
				rt.Fatalf("no title has the full name %q:\n%s", name, all)
			}
		}
	})
}

// TestTextsHaveOnePlace keeps every value of a card in an element of its own: some programs ignore
// lists of places and draw the values on top of each other.
func TestTextsHaveOnePlace(t *testing.T) {
	p := parse(t, "threetrios/R__ B 0,0 default grid k1:739A red k4:6181 blue k3:595A k5:1111")
	var walk func(e *element)
	walk = func(e *element) {
		if e.XMLName.Local == "text" && (strings.Contains(e.attr("x")+e.attr("y"), " ") || e.attr("dx") != "") {
			t.Errorf("the text %q has the places %q and %q", e.Text, e.attr("x"), e.attr("y"))
		}
		for i := range e.Children {
			walk(&e.Children[i])
		}
	}
	root := read(t, drawSVG(p, drawing.Options{}))
	walk(root)
	for _, name := range []string{"k1", "k4", "k3"} {
		texts := root.texts("text")
		i := slices.Index(texts, name)
		want := map[string]string{"k1": "7 3 9 A", "k4": "6 1 8 1", "k3": "5 9 5 A"}[name]
		if i < 4 || strings.Join(texts[i-4:i], " ") != want {
			t.Errorf("the texts %q do not have the values %s before the name %s", texts, want, name)
		}
	}
}

func TestHandsAreComplete(t *testing.T) {
	for _, size := range [][2]int{{3, 3}, {5, 5}, {3, 9}, {16, 16}, {1, 16}, {16, 1}} {
		p := start(t, trios(size[0], size[1])).(*threetrios.Position)
		titles := read(t, drawSVG(p, drawing.Options{})).texts("title")
		for _, side := range []rules.Side{rules.First, rules.Second} {
			for _, card := range p.Hand(side) {
				if count(titles, card.String()) != 1 {
					t.Errorf("%v: the card %s is missing", size, card)
				}
			}
		}
	}
}

func TestSelectedCard(t *testing.T) {
	p := parse(t, "threetrios/R__ B 0,0 default grid k1:739A red k4:6181 blue k3:595A k5:1111")
	for card, want := range map[string]int{"k3": 1, "k4": 1, "k1": 0, "none": 0, "": 0} {
		root := read(t, drawSVG(p, drawing.Options{Card: card}))
		if got := len(root.all("class", "fs-selected")); got != want {
			t.Errorf("card %q: %d marks, want %d", card, got, want)
		}
	}
}

func TestLongNamesAreShortened(t *testing.T) {
	p := parse(t, "threetrios/_ R - default grid red a-name-much-too-long:1111 blue b:2222")
	root := read(t, drawSVG(p, drawing.Options{}))
	if texts := root.texts("text"); count(texts, "a-name-m…") != 1 {
		t.Errorf("the texts are %q", texts)
	}
	if titles := root.texts("title"); count(titles, "a-name-much-too-long 1 1 1 1") != 1 {
		t.Errorf("the titles are %q", titles)
	}
}
