package drawing

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// requireRenderers is the environment variable that turns a missing renderer into a failure.
const requireRenderers = "FLIPSIDE_REQUIRE_BROWSER"

// renderers are programs that draw an SVG as a PNG of this size.
var renderers = map[string]func(svg, page, out string, size image.Point) []string{
	"rsvg-convert": func(svg, _, out string, size image.Point) []string {
		return []string{"--width", fmt.Sprint(size.X), "--height", fmt.Sprint(size.Y), "--output", out, svg}
	},
	"chromium": func(_, page, out string, size image.Point) []string {
		return []string{
			"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
			"--disable-background-networking", "--disable-component-update", "--disable-sync",
			"--user-data-dir=" + filepath.Dir(out), fmt.Sprintf("--window-size=%d,%d", size.X, size.Y),
			"--screenshot=" + out, "file://" + page,
		}
	},
}

// TestRenderersAgree compares our PNG with the drawings of the SVG by other programs. Each block of
// pixels has about the same mean colour in all of them; fonts make small differences.
func TestRenderersAgree(t *testing.T) {
	drawings := map[string]*Drawing{}
	for name, notation := range map[string]string{
		"hexagon": "reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0",
		"square":  "reversi/square:4 ____/_OX_/_XO_/____ X 0",
		"trios":   "threetrios/R__ B 0,0 default grid k1:739A red k4:6181 blue k3:595A k5:1111",
	} {
		last := rules.SquareCell(0, 0)
		drawings[name] = New(position(t, notation), Options{
			TextOptions: rules.TextOptions{Labels: true}, Legal: true, Last: &last, Card: "k3",
		})
	}
	for program, arguments := range renderers {
		t.Run(program, func(t *testing.T) {
			if _, err := exec.LookPath(program); err != nil {
				if os.Getenv(requireRenderers) != "" {
					t.Fatalf("%s is not installed", program)
				}
				t.Skipf("%s is not installed", program)
			}
			for name, d := range drawings {
				compare(t, name, d, func(svg, page, out string, size image.Point) *exec.Cmd {
					return exec.CommandContext(t.Context(), program, arguments(svg, page, out, size)...)
				})
			}
		})
	}
}

// compare fails the test unless a program draws the SVG of a drawing like our PNG.
func compare(t *testing.T, name string, d *Drawing, command func(svg, page, out string, size image.Point) *exec.Cmd) {
	t.Helper()
	content, err := d.PNG()
	ours := decode(t, content, err)
	size := ours.Bounds().Size()
	folder := t.TempDir()
	svg, page, out := filepath.Join(folder, "d.svg"), filepath.Join(folder, "d.html"), filepath.Join(folder, "d.png")
	html := fmt.Sprintf(`<body style="margin:0"><img src="d.svg" width="%d" height="%d" style="display:block">`, size.X, size.Y)
	for file, text := range map[string]string{svg: string(d.SVG()), page: html} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if output, err := command(svg, page, out, size).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	file, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	theirs, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	const block, most = 40, 45 // pixels; difference of the means, of 255
	for x := block; x+block <= size.X-block; x += block / 2 {
		for y := block; y+block <= size.Y-block; y += block / 2 {
			area := image.Rect(x, y, x+block, y+block)
			a, b := mean(ours, area), mean(theirs, area)
			for i := range a {
				if abs(a[i]-b[i]) > most {
					t.Errorf("%s: at %v the mean colour is %v, in our PNG %v", name, area, b, a)
				}
			}
		}
	}
}

// mean returns the mean colour of an area.
func mean(picture image.Image, area image.Rectangle) (sum [3]int) {
	for x := area.Min.X; x < area.Max.X; x++ {
		for y := area.Min.Y; y < area.Max.Y; y++ {
			r, g, b, _ := picture.At(x, y).RGBA()
			for i, value := range []uint32{r, g, b} {
				sum[i] += int(value >> 8)
			}
		}
	}
	for i := range sum {
		sum[i] /= area.Dx() * area.Dy()
	}
	return sum
}
