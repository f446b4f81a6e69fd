package adapters

import (
	"strconv"
	"strings"

	"github.com/flipside-games/flipside/clients/records"
)

// nboardCommand is a command of the NBoard protocol. Its name has two words if the first is "set".
type nboardCommand struct{ name, value string }

// parseNBoardCommand reads a line.
func parseNBoardCommand(line string) nboardCommand {
	name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
	if name == "set" {
		var what string
		what, value, _ = strings.Cut(strings.TrimSpace(value), " ")
		name += " " + what
	}
	return nboardCommand{name, strings.TrimSpace(value)}
}

// parseNBoardMove reads the move in a text such as "F5/1.50/0.25" or "F5 1.50 0.25" and returns its
// notation, "" without one.
func parseNBoardMove(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == ' ' || r == '\t' })
	if len(words) == 0 {
		return ""
	}
	if records.IsPass(words[0]) {
		return passNotation
	}
	return strings.ToLower(words[0])
}

// nboardMoves returns moves in the protocol, without separators.
func nboardMoves(notations ...string) string {
	var text strings.Builder
	for _, notation := range notations {
		if notation == passNotation {
			notation = "PA"
		}
		text.WriteString(strings.ToUpper(notation))
	}
	return text.String()
}

// nboardEvaluation returns a score in the protocol.
func nboardEvaluation(score int32) string { return strconv.FormatFloat(float64(score), 'f', 2, 64) }
