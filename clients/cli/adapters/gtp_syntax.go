package adapters

import (
	"strconv"
	"strings"
)

// gtpCommand is a command of the Go Text Protocol.
type gtpCommand struct {
	id   string // a number, "" without one
	name string
	args []string
}

// parseGTPCommand reads a line: an optional number, a command and its arguments. It returns false
// for a line without a command. Comments start with "#"; control characters count as nothing.
func parseGTPCommand(line string) (gtpCommand, bool) {
	line, _, _ = strings.Cut(line, "#")
	words := strings.Fields(strings.Map(printable, line))
	var c gtpCommand
	if len(words) > 0 && isNumber(words[0]) {
		c.id, words = words[0], words[1:]
	}
	if len(words) == 0 {
		return c, false
	}
	c.name, c.args = words[0], words[1:]
	return c, true
}

// printable removes control characters except tabs.
func printable(letter rune) rune {
	if letter != '\t' && (letter < ' ' || letter == 0x7f) {
		return -1
	}
	return letter
}

func isNumber(word string) bool {
	_, err := strconv.ParseUint(word, 10, 31)
	return err == nil
}

// gtpReply returns the text of a response. It ends with the empty line that ends a response, and
// has no other one. A text that starts with a line break starts below the sign.
func gtpReply(id string, text string, failed bool) string {
	sign := "="
	if failed {
		sign = "?"
	}
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	separator := " "
	if strings.HasPrefix(text, "\n") && len(lines) > 0 {
		separator = "\n"
	}
	return sign + id + separator + strings.Join(lines, "\n") + "\n\n"
}

// parseColour reads a colour and returns the letter of its cells.
func parseColour(word string) (byte, bool) {
	switch strings.ToLower(word) {
	case "b", "black":
		return black, true
	case "w", "white":
		return white, true
	}
	return 0, false
}

// colourOf returns the colour of a side for a command, and colourName its name.
func colourOf(letter byte) string { return colourName(letter)[:1] }

func colourName(letter byte) string {
	if letter == black {
		return "black"
	}
	return "white"
}

// vertexOf returns the vertex of a move. The columns have the letters of the Go Text Protocol,
// which leaves out I. As in other programs for Othello, row 1 is the top row.
func vertexOf(notation string) string {
	if notation == passNotation || notation == "" {
		return notation
	}
	column := notation[0]
	if column >= 'i' {
		column++
	}
	return strings.ToUpper(string(rune(column)) + notation[1:])
}

// parseVertex reads a vertex and returns the notation of the move. It does not check the size of
// the board.
func parseVertex(vertex string) (string, bool) {
	vertex = strings.ToLower(vertex)
	if vertex == passNotation {
		return passNotation, true
	}
	if len(vertex) < 2 || vertex[0] < 'a' || vertex[0] > 'z' || vertex[0] == 'i' ||
		!isNumber(vertex[1:]) || vertex[1] == '0' {
		return "", false
	}
	column := vertex[0]
	if column > 'i' {
		column--
	}
	return string(rune(column)) + vertex[1:], true
}
