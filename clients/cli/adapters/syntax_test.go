package adapters

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/clients/records"
)

func TestGTPCommands(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		line string
		want gtpCommand
		ok   bool
	}{
		{"genmove b", gtpCommand{name: "genmove", args: []string{"b"}}, true},
		{"12 play\tw D3 # comment", gtpCommand{"12", "play", []string{"w", "D3"}}, true},
		{"q\x01uit\r", gtpCommand{name: "quit", args: []string{}}, true},
		{"# comment", gtpCommand{}, false},
		{"", gtpCommand{}, false},
		{"7", gtpCommand{id: "7"}, false},
	} {
		got, ok := parseGTPCommand(test.line)
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(gtpCommand{})); diff != "" || ok != test.ok {
			t.Errorf("%q: %t (-want +got):\n%s", test.line, ok, diff)
		}
	}
}

// The Go Text Protocol has no column I.
func TestVertices(t *testing.T) {
	t.Parallel()
	for notation, vertex := range map[string]string{
		"a1": "A1", "h8": "H8", "i9": "J9", "p16": "Q16", "pass": "pass",
	} {
		if got := vertexOf(notation); got != vertex {
			t.Errorf("the vertex of %s is %s: want %s", notation, got, vertex)
		}
		if got, ok := parseVertex(vertex); got != notation || !ok {
			t.Errorf("the vertex %s is %s, %t: want %s", vertex, got, ok, notation)
		}
	}
	for _, vertex := range []string{"", "I1", "A0", "A01", "A-1", "A+1", "4d", "resign", "Ä1"} {
		if got, ok := parseVertex(vertex); ok {
			t.Errorf("%q is the vertex of %s: want an error", vertex, got)
		}
	}
}

func TestNBoardCommandsAndMoves(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]nboardCommand{
		"nboard 2":                 {"nboard", "2"},
		" set game (;GM[Othello] ": {"set game", "(;GM[Othello]"},
		"set depth  8":             {"set depth", "8"},
		"go":                       {"go", ""},
		"set":                      {"set ", ""},
	} {
		if got := parseNBoardCommand(line); got != want {
			t.Errorf("%q is %q: want %q", line, got, want)
		}
	}
	for text, want := range map[string]string{
		"F5/1.5/0.25": "f5", "d6 -1.00 0.0": "d6", "PA//": "pass", "--": "pass", "": "", "/": "",
	} {
		if got := parseNBoardMove(text); got != want {
			t.Errorf("the move of %q is %q: want %q", text, got, want)
		}
	}
	if got := nboardMoves("f5", "pass", "d6"); got != "F5PAD6" {
		t.Errorf("the moves are %s", got)
	}
}

func TestSGF(t *testing.T) {
	t.Parallel()
	start := records.StandardSquare(othelloSide)
	start.Turn = white
	if got, want := sgf(start), "(;GM[2]FF[4]SZ[8]AB[ed][de]AW[dd][ee]PL[W])\n"; got != want {
		t.Errorf("the start is %s: want %s", got, want)
	}
}

// A command has no control characters, and a response is one block of lines.
func FuzzGTP(f *testing.F) {
	for _, line := range []string{"1 play b D3", "genmove w # text", "\x00", "=1 D3", "J10", "pass"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if c, ok := parseGTPCommand(line); ok && (c.name == "" || strings.ContainsAny(c.name, " \n\x00")) {
			t.Errorf("%q has the command %q", line, c.name)
		}
		reply := gtpReply("1", line, false)
		if body, ok := strings.CutSuffix(reply, "\n\n"); !ok || strings.Contains(body, "\n\n") {
			t.Errorf("the response to %q is %q", line, reply)
		}
		if notation, ok := parseVertex(line); ok && !strings.EqualFold(vertexOf(notation), line) {
			t.Errorf("the vertex %q becomes %q", line, vertexOf(notation))
		}
	})
}

func FuzzNBoard(f *testing.F) {
	for _, line := range []string{"set game (;GM[Othello];)", "move F5/1/2", "=== PA//", "set"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		c := parseNBoardCommand(line)
		if c.value != strings.TrimSpace(c.value) {
			t.Errorf("%q has the value %q", line, c.value)
		}
		if move := parseNBoardMove(line); strings.ContainsAny(move, "/ \t") {
			t.Errorf("%q has the move %q", line, move)
		}
	})
}
