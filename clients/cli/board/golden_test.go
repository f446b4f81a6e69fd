//go:build !race

package board

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/google/go-cmp/cmp"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares a screen with testdata/name.txt. The flag -update writes the file; then its diff
// needs a review.
func golden(t *testing.T, name, got string) {
	t.Helper()
	got += "\n"
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("no golden file (-update writes it): %v", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", file, diff)
	}
}

// screens checks a screen at three sizes without colours, once in ASCII and once in colours.
func screens(t *testing.T, d *driver, name string) {
	t.Helper()
	for _, size := range []struct {
		name          string
		width, height int
	}{{"80x24", 80, 24}, {"120x40", 120, 40}, {"40x24", 40, 24}, {"40x12", 40, 12}} {
		d.resize(size.width, size.height)
		for y, line := range strings.Split(d.text(), "\n") {
			if y >= size.height {
				t.Errorf("%s %s has more than %d lines", name, size.name, size.height)
			}
			if width := len([]rune(line)); width > size.width {
				t.Errorf("%s %s: line %d has %d columns", name, size.name, y, width)
			}
		}
		golden(t, name+"-"+size.name, d.text())
	}
	d.resize(80, 24)
	d.options.ASCII = true
	d.setColors(colorprofile.Ascii)
	for _, char := range d.text() {
		if char > 126 {
			t.Errorf("%s: %q is not ASCII", name, char)
			break
		}
	}
	golden(t, name+"-ascii", d.text())
	d.options.ASCII = false
	d.setColors(colorprofile.TrueColor)
	golden(t, name+"-colours", strings.ReplaceAll(d.View().Content, "\x1b", "^"))
	d.setColors(colorprofile.Ascii)
}

// Positions in mid-game: a selection, legal cells, hints, the last move and its flips.
func TestScreensOfReversiOnAHexagon(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), hexagonSetup(5), caller(), caller())
	g := d.current()
	for _, cell := range [][2]int{{1, -2}, {2, -1}, {1, 1}, {-1, 2}} {
		d.place(g, hexCell(cell[0], cell[1]))
	}
	d.keys("h", "up", "up", "left")
	d.see("q -2, r 1, s 1", "Black flips 3")
	screens(t, d, "hexagon")
}

func TestScreensOfReversiOnASquare(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), squareSetup(8), caller(), caller())
	g := d.current()
	for _, cell := range [][2]int{{2, 3}, {2, 2}, {3, 2}, {2, 4}} {
		d.place(g, squareCell(cell[0], cell[1]))
	}
	d.keys("up", "left", "down")
	d.see("d4")
	d.wait("the legal moves", func() bool { return len(g.legalCells()) > 0 })
	screens(t, d, "square")
}

func TestScreensOfCards(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), triosSetup(rulesv1.Rule_RULE_SAME), caller(), caller())
	g := d.current()
	for _, move := range []struct {
		card string
		cell [2]int
	}{{"3", [2]int{1, 1}}, {"3", [2]int{0, 1}}, {"1", [2]int{1, 0}}} {
		d.keys(move.card)
		d.place(g, squareCell(move.cell[0], move.cell[1]))
	}
	d.keys("q", "w", "2")
	d.wait("hints", func() bool { return len(g.hintsOf(1)) > 0 })
	d.wait("the end of the animation", func() bool { return g.animation.entry == 0 })
	screens(t, d, "cards")
}

func TestScreensOfMenuAndForm(t *testing.T) {
	t.Parallel()
	s := StartServer(t)
	d := drive(t, s.options(t, s.Key(t, "Ada")))
	screens(t, d, "menu")
	d.keys("n")
	screens(t, d, "form")
	d.keys("right", "right")
	d.see("Deck file")
	screens(t, d, "form-of-cards")
}

func TestScreenOfHelp(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), hexagonSetup(2), caller(), caller())
	d.current()
	d.keys("?")
	screens(t, d, "help")
}

// In a small window the help wraps its texts and shows that there is more.
func TestHelpInASmallWindow(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), hexagonSetup(2), caller(), caller())
	d.current()
	d.resize(40, 12)
	d.keys("?")
	d.see("left, right: along q; up,", "down: along r", "move flips", "up, down: more")
	for range 40 {
		d.keys("down")
	}
	d.see("Ctrl+C   quit", "flipped")
}

func TestScreenOfTheResult(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), hexagonSetup(2), caller(), caller())
	g := d.current()
	d.pass(g)
	d.see("one more pass ends")
	d.pass(g)
	d.see("Look at the board")
	screens(t, d, "result")
}
