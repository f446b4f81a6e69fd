package records

import (
	"fmt"
	"strings"
)

// UnfitError is the error of a game that a format cannot express.
type UnfitError struct {
	Format Format
	Takes  string // the games that the format can express
}

func (e *UnfitError) Error() string {
	return fmt.Sprintf("the format %s takes only %s: use the format json", e.Format, e.Takes)
}

func errUnfit(format Format, takes string) error { return &UnfitError{Format: format, Takes: takes} }

// Write returns a game in a format. It returns an *[UnfitError] if the format cannot express the
// game. [OBF] is the position at the start, without the moves.
func Write(r *Record, format Format) (string, error) {
	switch format {
	case Transcript:
		return writeTranscript(r)
	case OBF:
		return writeProblem(r)
	case GGF:
		return writeGGF(r)
	case JSON:
		return writeJSON(r)
	case WTHOR:
	}
	return "", fmt.Errorf("cannot write the format %q: use transcript, obf, ggf or json", format)
}

// oneLine joins the lines of a text.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
