package records

import (
	"bytes"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Limits on files. A file beyond one of them is rejected.
const (
	MaxFileBytes = 64 << 20
	maxMoves     = 1024     // of a game
	maxLine      = 64 << 10 // bytes of a line of a text, or of a property
)

// Error is an error in a file.
type Error struct {
	File    string
	Place   string // such as "line 3, column 7" or "game 2, move 5"
	Problem string // what is wrong, and what is allowed
}

func (e *Error) Error() string { return e.File + ": " + e.Place + ": " + e.Problem }

// source is the content of a file.
type source struct {
	name     string
	content  []byte
	database bool // WTHOR, not text
}

// errorf returns an error at an offset.
func (s *source) errorf(offset int, format string, args ...any) *Error {
	return &Error{File: s.name, Place: s.place(offset), Problem: fmt.Sprintf(format, args...)}
}

// place describes an offset: line and column of a text, game and move of a database, from 1.
func (s *source) place(offset int) string {
	switch {
	case s.database && offset < wthorHeader:
		return fmt.Sprintf("byte %d", offset+1)
	case s.database:
		game, at := (offset-wthorHeader)/wthorGame+1, (offset-wthorHeader)%wthorGame
		if at < wthorMoves {
			return fmt.Sprintf("game %d", game)
		}
		return fmt.Sprintf("game %d, move %d", game, at-wthorMoves+1)
	}
	before := s.content[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return fmt.Sprintf("line %d, column %d",
		bytes.Count(before, []byte{'\n'})+1, utf8.RuneCount(before[start:])+1)
}

// Format is a format of game files.
type Format string

// The formats.
const (
	Transcript Format = "transcript"
	OBF        Format = "obf"
	GGF        Format = "ggf"
	JSON       Format = "json"
	WTHOR      Format = "wthor" // only to read
)

// FormatOf returns the format of a file by the end of its name, else by its content.
func FormatOf(name string, content []byte) Format {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".obf":
		return OBF
	case ".ggf":
		return GGF
	case ".json", ".jsonl":
		return JSON
	case ".wtb":
		return WTHOR
	}
	switch text := bytes.TrimLeft(content, " \t\r\n0123456789"); {
	case bytes.HasPrefix(text, []byte("(;")):
		return GGF
	case bytes.HasPrefix(text, []byte("{")):
		return JSON
	case boardWord(content):
		return OBF
	}
	return Transcript
}

// boardWord reports whether a text starts with a board of OBF.
func boardWord(content []byte) bool {
	words := bytes.Fields(content[:min(len(content), maxLine)])
	if len(words) == 0 || len(words[0]) < minSide*minSide || len(words[0]) > maxSide*maxSide {
		return false
	}
	for _, letter := range words[0] {
		if _, ok := letterOf(letter); !ok {
			return false
		}
	}
	return true
}

// Read returns the games of a file in order. An error is an *[Error] and ends the sequence. names
// are the names for a database, which may be nil.
func Read(name string, content []byte, names *Names) iter.Seq2[*Record, error] {
	s := &source{name: name, content: content}
	if len(content) > MaxFileBytes {
		return s.failed(s.errorf(0, "the file has more than %d MiB", MaxFileBytes>>20))
	}
	switch FormatOf(name, content) {
	case WTHOR:
		s.database = true
		return s.readWTHOR(names)
	case GGF:
		return s.readGGF()
	case JSON:
		return s.readJSON()
	case OBF:
		return s.readLines("%#", s.readProblem)
	case Transcript:
	}
	return s.readLines("%#", s.readTranscript)
}

// failed returns a sequence of one error.
func (*source) failed(err error) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) { yield(nil, err) }
}

// span is a part of a text.
type span struct {
	text   string
	offset int
}

// trim removes blanks at both ends.
func (p span) trim() span {
	text := strings.TrimLeft(p.text, " \t\r\n")
	return span{strings.TrimRight(text, " \t\r\n"), p.offset + len(p.text) - len(text)}
}

// cut splits the part at the first separator, as [strings.Cut] does.
func (p span) cut(separator string) (before, after span, found bool) {
	head, tail, found := strings.Cut(p.text, separator)
	return span{head, p.offset}, span{tail, p.offset + len(p.text) - len(tail)}, found
}

// word cuts off the first word.
func (p span) word() (word, rest span) {
	p = p.trim()
	end := strings.IndexAny(p.text, " \t\r\n")
	if end < 0 {
		end = len(p.text)
	}
	return span{p.text[:end], p.offset}, span{p.text[end:], p.offset + end}.trim()
}

// readLines reads a format with one record on each line. It skips empty lines and lines that start
// with one of the letters of comments.
func (s *source) readLines(
	comments string, read func(line span) (*Record, error),
) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		offset := 0
		for line := range bytes.Lines(s.content) {
			at := offset
			offset += len(line)
			if len(line) > maxLine {
				yield(nil, s.errorf(at, "the line has more than %d bytes", maxLine))
				return
			}
			text := span{string(line), at}.trim()
			if text.text == "" || strings.ContainsRune(comments, rune(text.text[0])) {
				continue
			}
			if r, err := read(text); !yield(r, err) || err != nil {
				return
			}
		}
	}
}
