package threetrios_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// filePlace is the place of an error in a file, or the zero value if the error has none.
type filePlace struct{ Line, Column string }

func at(line, column int) filePlace { return filePlace{fmt.Sprint(line), fmt.Sprint(column)} }

// wantFault checks the reason, a part of the message and the place of an error.
func wantFault(t *testing.T, err error, reason fault.Reason, message string, where filePlace) {
	t.Helper()
	got, ok := errors.AsType[*fault.Error](err)
	if !ok || got.Reason != reason {
		t.Fatalf("the error is %v (%s), want %s", err, fault.ReasonOf(err), reason)
	}
	if !strings.Contains(got.Message, message) {
		t.Errorf("the message is %q, want %q in it", got.Message, message)
	}
	if place := (filePlace{got.Meta["line"], got.Meta["column"]}); place != where {
		t.Errorf("%q is at %v, want %v", got.Message, place, where)
	}
}

// wide returns a grid of one row of card cells, tall a grid of one column.
func wide(n int) string { return fmt.Sprintf("1 %d\n%s", n, strings.Repeat("C", n)) }
func tall(n int) string { return fmt.Sprintf("%d 1\n%s", n, strings.Repeat("C\n", n)) }

// largest is the largest grid with an odd number of card cells, 255.
var largest = "16 16\nX" + strings.Repeat("C", 15) + strings.Repeat("\n"+strings.Repeat("C", 16), 15)

func TestParseGrid(t *testing.T) {
	for _, c := range []struct{ name, text, canonical string }{
		{"the smallest", "1 1\nC\n", "1 1\nC\n"},
		{"the largest", largest, largest + "\n"},
		{"no final newline", "1 3\nCXX", "1 3\nCXX\n"},
		{"lines that end in CRLF", "1 3\r\nCXX\r\n", "1 3\nCXX\n"},
		{"CR at the end of the file", "1 3\nCXX\r", "1 3\nCXX\n"},
		{"blank lines at the end", "1 3\nCXX\n\n \t\r\n\n", "1 3\nCXX\n"},
		{"blanks around the numbers", "  1\t 3  \nCXX", "1 3\nCXX\n"},
		{"cells that are not connected", "3 3\nCXC\nXXX\nXXC", "3 3\nCXC\nXXX\nXXC\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := threetrios.ParseGrid(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.canonical, g.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseGridErrors(t *testing.T) {
	for _, c := range []struct {
		name, text, message string
		at                  filePlace
	}{
		{"an empty file", "", "number of rows is missing", at(1, 1)},
		{"a blank file", "\n \n", "number of rows is missing", at(1, 1)},
		{"a blank first line", "\n1 1\nC", "number of rows is missing", at(1, 1)},
		{"one number", "3\nC", "number of columns is missing", at(1, 2)},
		{"a header on two lines", "1\n1\nC", "number of columns is missing", at(1, 2)},
		{"three numbers", "1 1 1\nC", "nothing may follow", at(1, 5)},
		{"a word for rows", "one 1\nC", `rows must be 1 to 16, not "one"`, at(1, 1)},
		{"a word for columns", "1 é1\nC", `columns must be 1 to 16, not "é1"`, at(1, 3)},
		{"a fraction", "1 1.0\nC", "must be 1 to 16", at(1, 3)},
		{"a sign", "+1 1\nC", "must be 1 to 16", at(1, 1)},
		{"a leading zero", "01 1\nC", "must be 1 to 16", at(1, 1)},
		{"no rows", "0 1\nC", `rows must be 1 to 16, not "0"`, at(1, 1)},
		{"no columns", "1 0\nC", `columns must be 1 to 16, not "0"`, at(1, 3)},
		{"too many rows", tall(17), `rows must be 1 to 16, not "17"`, at(1, 1)},
		{"too many columns", wide(17), `columns must be 1 to 16, not "17"`, at(1, 3)},
		{"more rows than any number", "99999999999999999999 1\nC", "rows must be 1 to 16", at(1, 1)},
		{"no row at all", "2 1\n", "row 0 of the grid is missing", at(2, 1)},
		{"too few rows", "2 1\nC\n\n", "row 1 of the grid is missing", at(3, 1)},
		{"too many rows", "1 1\nC\nC", "nothing may follow the 1 rows", at(3, 1)},
		{"a word after the rows", "1 1\nC\n\nend\n", "nothing may follow", at(3, 1)},
		{"a blank line between rows", "2 1\nC\n\nC", "a row must have 1 cells, not 0", at(3, 1)},
		{"a short row", "2 3\nCCC\nCC\n", "a row must have 3 cells, not 2", at(3, 3)},
		{"a long row", "2 3\nCCCC\nCCC\n", "a row must have 3 cells, not more", at(2, 4)},
		{"a blank after a row", "1 1\nC \n", "not more", at(2, 2)},
		{"a bad character", "1 3\nC-C", "a cell must be C (card cell) or X (hole), not '-'", at(2, 2)},
		{"a lower-case cell", "1 3\nCCc", "not 'c'", at(2, 3)},
		{"a character of two bytes", "1 3\néCC", "not 'é'", at(2, 1)},
		{"blanks between cells", "1 3\nC C C", "not ' '", at(2, 2)},
		{"an even number of card cells", "2 2\nCC\nCC", "must be odd, not 4", at(3, 2)},
		{"no card cell", "1 1\nX", "must be odd, not 0", at(2, 1)},
		{"too many bytes", "1 1\nC" + strings.Repeat("\n", 508), "at most 512 bytes", filePlace{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := threetrios.ParseGrid(c.text)
			wantFault(t, err, fault.InvalidGrid, c.message, c.at)
		})
	}
}

func TestParseGridAcceptsTheMostBytes(t *testing.T) {
	if _, err := threetrios.ParseGrid("1 1\nC" + strings.Repeat("\n", 507)); err != nil {
		t.Error(err)
	}
}

func TestParseDeck(t *testing.T) {
	k := threetrios.Card{Name: "k", North: 1, South: 9, East: 10, West: 2}
	odd := threetrios.Card{Name: "@1,2:/%=-käse🂡", North: 10, South: 10, East: 10, West: 10}
	long := threetrios.Card{Name: strings.Repeat("n", 64), North: 1, South: 1, East: 1, West: 1}
	for _, c := range []struct {
		name, text string
		cards      []threetrios.Card
	}{
		{"one card", "k 1 9 10 2\n", []threetrios.Card{k}},
		{"A for ten", "k 1 9 A 2", []threetrios.Card{k}},
		{"blanks between and around fields", "  k\t1  9 A 2 \t\n", []threetrios.Card{k}},
		{"lines that end in CRLF", "k 1 9 A 2\r\nK 1 9 A 2\r\n", []threetrios.Card{k, {"K", 1, 9, 10, 2}}},
		{"blank lines at the end", "k 1 9 A 2\n\n \n\r\n", []threetrios.Card{k}},
		{"a name of odd characters", odd.Name + " A A 10 10", []threetrios.Card{odd}},
		{"the longest name", long.Name + " 1 1 1 1", []threetrios.Card{long}},
		{"no card", "", []threetrios.Card{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cards, err := threetrios.ParseDeck(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.cards, cards); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, card := range cards {
				if back, err := threetrios.ParseDeck(card.String()); err != nil || !slices.Equal(back, []threetrios.Card{card}) {
					t.Errorf("ParseDeck(%q) = %v, %v", card, back, err)
				}
			}
		})
	}
}

func TestParseDeckErrors(t *testing.T) {
	const fine = "k 1 2 3 4\n"
	for _, c := range []struct {
		name, text, message string
		at                  filePlace
	}{
		{"four fields", fine + "a 1 2 3\n", "a card must have 5 fields, a name and four values, not 4", at(2, 8)},
		{"six fields", fine + "a 1 2 3 4 5\n", "four values, not 6", at(2, 11)},
		{"a blank line between cards", fine + "\na 1 2 3 4\n", "four values, not 0", at(2, 1)},
		{"a value of zero", "a 1 0 3 4", `a value must be 1 to 10 or A, not "0"`, at(1, 5)},
		{"a value of eleven", "a 1 2 11 4", `a value must be 1 to 10 or A, not "11"`, at(1, 7)},
		{"a value beyond any number", "a 1 2 3 99999999999999999999", "a value must be 1 to 10 or A", at(1, 9)},
		{"a negative value", "a -1 2 3 4", "a value must be 1 to 10 or A", at(1, 3)},
		{"a sign", "a +1 2 3 4", "a value must be 1 to 10 or A", at(1, 3)},
		{"a leading zero", "a 1 2 3 04", "a value must be 1 to 10 or A", at(1, 9)},
		{"a fraction", "a 1 2 3.5 4", "a value must be 1 to 10 or A", at(1, 7)},
		{"a lower-case ace", "ä a 2 3 4", `not "a"`, at(1, 3)},
		{"an ace with more", "a AA 2 3 4", `not "AA"`, at(1, 3)},
		{"digits of another script", "a ١ 2 3 4", "a value must be 1 to 10 or A", at(1, 3)},
		{"a name twice", fine + "  k 4 3 2 1\n", `line 1 has the name "k" already`, at(2, 3)},
		{"a name too long", strings.Repeat("n", 65) + " 1 1 1 1", "at most 64 bytes, not 65", at(1, 1)},
		{"a format character", "a\u202eb 1 1 1 1", "format characters", at(1, 1)},
		{"a control character", "a\x1b[2J 1 1 1 1", "control characters", at(1, 1)},
		{"invalid UTF-8", "\xff 1 1 1 1", "UTF-8", at(1, 1)},
		{"too many bytes", fine + strings.Repeat("\n", 65_536), "at most 65536 bytes", filePlace{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := threetrios.ParseDeck(c.text)
			wantFault(t, err, fault.InvalidDeck, c.message, c.at)
		})
	}
}

func TestParseDeckAcceptsTheMostBytes(t *testing.T) {
	if _, err := threetrios.ParseDeck("k 1 2 3 4" + strings.Repeat("\n", 65_536-9)); err != nil {
		t.Error(err)
	}
}

// Errors are sent in headers of limited size, so they must be short for every file.
func TestErrorsStayShort(t *testing.T) {
	_, err := threetrios.ParseDeck(strings.Repeat("é", 10_000) + " 1 2 3 4\n")
	long, _ := errors.AsType[*fault.Error](err)
	_, err = threetrios.ParseDeck("k 1 2 3 " + strings.Repeat("é", 10_000) + "\n")
	value, _ := errors.AsType[*fault.Error](err)
	for _, e := range []*fault.Error{long, value} {
		if len(e.Message)+len(e.Meta["value"]) > 300 {
			t.Errorf("the error is long: %v", e)
		}
	}
}
