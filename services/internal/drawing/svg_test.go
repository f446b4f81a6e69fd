package drawing

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestShortNumbers(t *testing.T) {
	for n, want := range map[float64]string{
		0: "0", -0.001: "0", 0.5: ".5", -0.25: "-.25", 10: "10", 17.320508: "17.32", -11.999: "-12", 100.1: "100.1",
	} {
		if got := short(n); got != want {
			t.Errorf("short(%v) = %q, want %q", n, got, want)
		}
	}
}

func TestPutEscapesAllButMarkup(t *testing.T) {
	var c canvas
	c.put(`<a b="%v">%v%v</a>`, `"'><x/>`, "&\x00\xff\uffff", markup("<b/>"))
	want := `<a b="&#34;&#39;&gt;&lt;x/&gt;">&amp;` + "\uFFFD\uFFFD\uFFFD" + `<b/></a>`
	if string(c) != want {
		t.Errorf("got  %s\nwant %s", c, want)
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		text  string
		width float64
		want  string
	}{
		{"anchor", 4, "anchor"},
		{"anchorage", 4, "anch…"},
		{"龍の王様", 4.4, "龍の王様"},
		{"龍の王様", 4.3, "龍の王…"},
		{"a\u0301\u0301\u0301\u0301b", 1.5, "a\u0301\u0301\u0301\u0301b"},
		{"W", 0.5, "…"},
		{"", 0, ""},
	} {
		if got := fit(c.text, c.width); got != c.want {
			t.Errorf("fit(%q, %v) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestFitKeepsCharactersWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, width := rapid.String().Draw(t, "text"), rapid.Float64Range(1, 20).Draw(t, "width")
		got := fit(text, width)
		used := 0.0
		for _, r := range got {
			used += runeWidth(r)
		}
		if !utf8.ValidString(got) || used > width+1e-9 {
			t.Fatalf("fit(%q) = %q, %v wide", text, got, used)
		}
	})
}
