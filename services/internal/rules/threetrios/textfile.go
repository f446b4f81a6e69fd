package threetrios

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// textFile is a grid file or a deck file as lines, with the reason for its errors. Lines and
// columns are counted from 1, columns in characters.
type textFile struct {
	reason fault.Reason
	lines  []string
}

// splitLines splits a file into lines, which end in LF or CRLF, and removes blank lines at the end.
func splitLines(text string) []string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// errorAt returns an error that names a line and a column.
func (f textFile) errorAt(line, column int, format string, args ...any) *fault.Error {
	problem := fmt.Sprintf(format, args...)
	return fault.New(f.reason, "line %d, column %d: %s", line, column, problem).
		With("line", line).With("column", column)
}

// errorAtWord returns an error that names the place of a word, with the word as metadata "value".
func (f textFile) errorAtWord(line int, w word, format string, args ...any) *fault.Error {
	return f.errorAt(line, w.column, format, args...).With("value", shorten(w.text))
}

// line returns a line without its end. Lines beyond the end of the file are empty.
func (f textFile) line(n int) string {
	if n > len(f.lines) {
		return ""
	}
	return f.lines[n-1]
}

// end returns the column after the last character of a line.
func (f textFile) end(line int) int { return utf8.RuneCountInString(f.line(line)) + 1 }

// word is a run of characters without blanks, and the column of its first character.
type word struct {
	text   string
	column int
}

// words splits a line at its blanks.
func (f textFile) words(line int) []word {
	var words []word
	rest, column := f.line(line), 1
	for text := range strings.FieldsSeq(f.line(line)) {
		blanks := strings.Index(rest, text)
		column += utf8.RuneCountInString(rest[:blanks])
		words = append(words, word{text, column})
		column += utf8.RuneCountInString(text)
		rest = rest[blanks+len(text):]
	}
	return words
}

// wholeNumber reads decimal digits without a sign and without leading zeros. Large numbers become
// 1,000,000, which is out of every range here.
func wholeNumber(text string) (n int, ok bool) {
	const large = 1_000_000
	if text == "" || len(text) > 1 && text[0] == '0' {
		return 0, false
	}
	for _, digit := range []byte(text) {
		if digit < '0' || digit > '9' {
			return 0, false
		}
		n = min(n*10+int(digit-'0'), large)
	}
	return n, true
}

// shorten returns the first 40 characters of a text as valid UTF-8, for messages and metadata.
func shorten(text string) string {
	const most = 40
	text = strings.ToValidUTF8(text, "\uFFFD")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}

func quote(text string) string { return fmt.Sprintf("%q", shorten(text)) }
