package records

import (
	"bytes"
	"encoding/binary"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// readAll returns the games of a file and the error that ended them.
func readAll(name, content string, names *Names) (all []*Record, err error) {
	for r, err := range Read(name, []byte(content), names) {
		if err != nil {
			return all, err
		}
		all = append(all, r)
	}
	return all, nil
}

// writeAll writes games in a format.
func writeAll(t *testing.T, all []*Record, format Format) string {
	t.Helper()
	var text strings.Builder
	for _, r := range all {
		one, err := Write(r, format)
		if err != nil {
			t.Fatal(err)
		}
		text.WriteString(one)
	}
	return text.String()
}

// A file in the form in which this package writes it comes out equal.
func TestFilesComeOutEqual(t *testing.T) {
	t.Parallel()
	for name, format := range map[string]Format{
		"games.txt": Transcript, "ffo.obf": OBF, "games.ggf": GGF, "games.jsonl": JSON,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			content, err := os.ReadFile(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			all, err := readAll(name, string(content), nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(content), writeAll(t, all, format)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The JSON record keeps everything that the other formats contain.
func TestFormatsAsJSON(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"games.txt", "ffo.obf", "games.ggf"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			content, err := os.ReadFile(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			all, err := readAll(name, string(content), nil)
			if err != nil {
				t.Fatal(err)
			}
			text := writeAll(t, all, JSON)
			checkGolden(t, name+".jsonl", text)
			again, err := readAll("again.jsonl", text, nil)
			if err != nil {
				t.Fatal(err)
			}
			format := FormatOf(name, content)
			if diff := cmp.Diff(string(content), writeAll(t, again, format)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// The spellings of the same game.
func TestTranscriptSpellings(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"f5d6c3--d3", "F5D6C3PAD3", "f5 d6 c3 ps d3", "f5d6c3@@d3", "f5 d6 c3 pass d3", "F5 d6 C3PASSd3",
		"1. f5 d6 2. c3 -- 3. d3", "1.f5 2.d6 3.c3 4.pa 5.d3", "# a comment\n\n  f5d6c3--d3  \r\n",
	} {
		all, err := readAll("game.txt", text, nil)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := writeAll(t, all, Transcript); got != "f5d6c3--d3\n" {
			t.Errorf("%q is read as %q", text, got)
		}
	}
}

// The content decides if the name does not.
func TestFormatOf(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]Format{
		"f5d6":                     Transcript,
		"1. f5 d6":                 Transcript,
		"(;GM[Othello]":            GGF,
		"\n2 (;GM[Othello]":        GGF,
		` {"flipsideRecord":1}`:    JSON,
		strings.Repeat("-", 64):    OBF,
		strings.Repeat("-XO*", 64): OBF,
		"":                         Transcript,
	} {
		if got := FormatOf("-", []byte(content)); got != want {
			t.Errorf("%.20q is %s, want %s", content, got, want)
		}
	}
	for name, want := range map[string]Format{
		"a.ggf": GGF, "A.GGF": GGF, "a.obf": OBF, "a.json": JSON, "a.jsonl": JSON, "WTH_2001.wtb": WTHOR,
	} {
		if got := FormatOf(name, nil); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// database returns a WTHOR database of the year 2001 with games.
func database(games ...[]byte) string {
	content := make([]byte, wthorHeader)
	binary.LittleEndian.PutUint32(content[4:], uint32(len(games)))
	binary.LittleEndian.PutUint16(content[10:], 2001)
	return string(content) + string(bytes.Join(games, nil))
}

// databaseGame returns a game of tournament 1 between the players 2 and 0, with 40 discs for Black.
func databaseGame(moves ...byte) []byte {
	return append([]byte{1, 0, 2, 0, 0, 0, 40, 33}, append(moves, make([]byte, 60-len(moves))...)...)
}

// nameFile returns a file of names.
func nameFile(size int, names ...string) string {
	content := make([]byte, wthorHeader, wthorHeader+size*len(names))
	binary.LittleEndian.PutUint16(content[8:], uint16(len(names)))
	for _, name := range names {
		content = append(content, append([]byte(name), make([]byte, size-len(name))...)...)
	}
	return string(content)
}

func TestWTHOR(t *testing.T) {
	t.Parallel()
	names := &Names{}
	for name, content := range map[string]string{
		"WTHOR.JOU": nameFile(wthorPlayer, "Ann A.", "Bob B.", "Andr\xe9 C."),
		"WTHOR.TRN": nameFile(wthorTournament, "Nowhere", "World Championship"),
	} {
		if !IsNames(name) {
			t.Errorf("%s is no file of names", name)
		}
		if err := names.Add(name, []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	content := database(databaseGame(56, 64, 33), databaseGame(43))
	for name, names := range map[string]*Names{"games.wtb.jsonl": names, "nameless.wtb.jsonl": nil} {
		all, err := readAll("games.wtb", content, names)
		if err != nil {
			t.Fatal(err)
		}
		checkGolden(t, name, writeAll(t, all, JSON))
	}
}

// The message of each error has the place and what is allowed.
func TestMalformedFiles(t *testing.T) {
	t.Parallel()
	board := strings.Repeat("-", 64)
	for _, test := range []struct{ name, content, want string }{
		{"a.txt", "f5d6\nf5 x9", `line 2, column 4: "x9" is not a move: use a cell from a1 to h8, or a pass: pass, pa, ps, -- or @@`},
		{"a.txt", "ä", `line 1, column 1: "ä" is not a move: use a cell from a1 to h8, or a pass: pass, pa, ps, -- or @@`},
		{"a.txt", "f5d", `line 1, column 3: "d" is not a move: use a cell from a1 to h8, or a pass: pass, pa, ps, -- or @@`},
		{"a.txt", "f5d9", `line 1, column 3: "d9" is not a move: use a cell from a1 to h8, or a pass: pass, pa, ps, -- or @@`},
		{"a.txt", strings.Repeat("f5", maxMoves+1), "line 1, column 2049: the game has more than 1024 moves"},
		{"a.txt", "\n" + strings.Repeat(" ", maxLine+1), "line 2, column 1: the line has more than 65536 bytes"},

		{"a.obf", board[1:] + " X;", "line 1, column 1: the board has 63 cells: write the cells of a square with 4 to 16 cells on each side, such as 64"},
		{"a.obf", "\n  " + board[1:] + "q X;", "line 2, column 66: 'q' is not a cell: use X or * for black, O for white, - for an empty cell"},
		{"a.obf", board, `line 1, column 65: "" is not the side to move: use X or O`},
		{"a.obf", board + " -;", `line 1, column 66: "-" is not the side to move: use X or O`},
		{"a.obf", board + " X; g9:+18", `line 1, column 69: "g9" is not a move: use a cell from a1 to h8, or a pass: pass, pa, ps, -- or @@`},
		{"a.obf", board + " X; g8", `line 1, column 71: "" is not a value: use a number of discs such as +18`},
		{"a.obf", board + " X; g8:+1000", `line 1, column 72: "+1000" is not a value: use a number of discs such as +18`},

		{"a.ggf", "x", `line 1, column 1: a game starts with "(;" (see https://skatgame.net/mburo/ggsa/ggf)`},
		{"a.ggf", "(;GM[Othello]\nx", `line 2, column 1: expected a property such as PB[name], or ";)" at the end of the game`},
		{"a.ggf", "(;GM[Othello]", `line 1, column 14: expected a property such as PB[name], or ";)" at the end of the game`},
		{"a.ggf", "(;GM[Othello", `line 1, column 3: the property GM has no closing "]"`},
		{"a.ggf", "(;GM[Chess];)", `line 1, column 6: the game is "Chess": use Othello`},
		{"a.ggf", "(;PB[Ann];)", "line 1, column 1: the game has no property GM[Othello]"},
		{"a.ggf", "(;GM[Othello];)", "line 1, column 1: the game has no board: add the property BO"},
		{"a.ggf", "(;GM[Othello]B[f5];)", "line 1, column 16: the board BO must come before the moves"},
		{"a.ggf", "(;GM[Othello]BO[9 *];)", `line 1, column 17: "9" is not the length of a side: use an even number from 4 to 16`},
		{"a.ggf", "(;GM[Othello]BO[4 ---- *];)", "line 1, column 17: the board has 5 cells: it must have 16 and then the side to move"},
		{"a.ggf", "(;GM[Othello]BO[4 ---- -*O- -O*- ---- ----- *];)", `line 1, column 39: "----- *" is not the side to move: use X or O`},
		{"a.ggf", "(;GM[Othello]BO[4 ---- -*O- -O*- ----- *];)", "line 1, column 17: the board has 17 cells: it must have 16"},
		{"a.ggf", "(;GM[Othello]BO[4 ---- -*O- -O*- ----];)", `line 1, column 38: "" is not the side to move: use X or O`},
		{"a.ggf", "(;GM[Othello]BO[4 ---- -*O- -O*- ---- *]B[e5];)", `line 1, column 43: "e5" is not a move: use a cell from a1 to d4, or a pass: pass, pa, ps, -- or @@`},
		{"a.ggf", "(;GM[Othello]BO[4 ---- -*O- -O*- ---- *]B[a2//fast];)", `line 1, column 47: "fast" is not a number such as 12.5`},
		{"a.ggf", "(;GM[Othello]RE[+2:x];)", `line 1, column 20: "x" is not an ending: use r (resigned), t (time) or s (agreement)`},
		{"a.ggf", "(;GM[Othello]RB[NaN];)", `line 1, column 17: "NaN" is not a number such as 12.5`},
		{"a.ggf", "(;GM[Othello]TY[8a];)", `line 1, column 17: the type "8a" is a game in which fewer discs win: it is not supported`},

		{"a.json", "{\n]", "line 2, column 1: invalid character ']' looking for beginning of object key string"},
		{"a.json", "{", "line 1, column 2: the record is incomplete"},
		{"a.json", "{}", "line 1, column 1: flipsideRecord is 0: this program reads version 1"},
		{"a.json", `{"flipsideRecord":2}`, "line 1, column 1: flipsideRecord is 2: this program reads version 1"},
		{"a.json", `{"flipsideRecord":1,"moved":[]}`, `line 1, column 1: unknown field "moved"`},
		{"a.json", `{"flipsideRecord":1}`, "line 1, column 1: start is missing: it must be the notation of a position"},
		{"a.json", `{"flipsideRecord":1,"start":"x"}`, "line 1, column 1: setup is missing: it must be the setup of a game"},
		{"a.json", jsonWith(`"moves":[{"notation":"f5"},{"side":"BLACK"}]`), `line 1, column 1: moves[1].side is "BLACK": use SIDE_FIRST or SIDE_SECOND`},
		{"a.json", jsonWith(`"moves":[{}]`), "line 1, column 1: moves[0].notation is missing"},
		{"a.json", jsonWith(`"result":{"winner":"X"}`), `line 1, column 1: result.winner is "X": use SIDE_FIRST, SIDE_SECOND, or "" for a draw`},
		{"a.json", jsonWith(`"result":{"ending":"X"}`), `line 1, column 1: result.ending is "X": use ENDING_SCORE, ENDING_RESIGNATION, ENDING_TIME, ENDING_ABANDONMENT or ENDING_AGREEMENT`},

		{"a.wtb", "", "byte 1: the header has 0 bytes: it must have 16"},
		{"a.wtb", database(databaseGame(56)) + "x", "byte 5: the file has 85 bytes: with 1 games it must have 84"},
		{"a.wtb", database(databaseGame(56), databaseGame(56, 19)), "game 2, move 2: 19 is not a move: use 10 times the row plus the column, 11 to 88"},
		{"a.wtb", database(databaseGame(56, 0, 33)), "game 1, move 3: a move follows the end of the game"},
		{"a.wtb", withByte(database(), 12, 10), "byte 13: the board has 10 cells on each side: only 8 is supported"},
		{"a.wtb", withByte(database(), 13, 1), "byte 14: the file holds endgame problems: only games are supported"},
		{"a.wtb", withByte(database(databaseGame(56)), wthorHeader+6, 65), "game 1: Black has 65 discs: there are only 64 cells"},
	} {
		_, err := readAll(test.name, test.content, nil)
		if err == nil || !strings.HasPrefix(err.Error(), test.name+": "+test.want) {
			t.Errorf("%.60q:\n got %v\nwant %s", test.content, err, test.want)
		}
	}
}

// withByte changes a byte of a file.
func withByte(content string, at int, value byte) string {
	changed := []byte(content)
	changed[at] = value
	return string(changed)
}

func TestMalformedNames(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"":                               "a.jou: byte 1: the header has 0 bytes: it must have 16",
		nameFile(wthorPlayer, "A") + "x": "a.jou: byte 9: the file has 37 bytes: with 1 names it must have 36",
	} {
		if err := (&Names{}).Add("a.jou", []byte(content)); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	_, err := readAll("a.wtb", database(databaseGame(56)), &Names{Players: []string{"Ann"}})
	want := "a.wtb: game 1: player 2 has no name: the file of names has 1"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// jsonWith returns a JSON record with further fields.
func jsonWith(fields string) string {
	return `{"flipsideRecord":1,"start":"x","setup":{},` + fields + `}`
}
