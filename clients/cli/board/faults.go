package board

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/flipside-games/flipside/clients/cli/render"
)

// flagNames are the flags of the command line that fields set, by the names of the fields.
var flagNames = map[string]string{
	"alphabeta depth": "depth", "alphabeta time": "time",
	"engine depth": "depth", "engine time": "time",
	"clock": "clock", "visibility": "visibility", "grid": "grid", "deck": "deck",
	"hexPass": "pass-rule", "squarePass": "pass-rule",
	"minFlips": "min-flips", "autoPass": "auto-pass",
}

// setFlags sets the flags of the visible fields. It shows the error of a value at its field and
// reports whether there is none.
func (f *form) setFlags(flags *pflag.FlagSet) bool {
	for _, each := range f.fields {
		value := strings.TrimSpace(f.values[each.name])
		flag := flags.Lookup(flagNames[each.name])
		switch value {
		case "", "none", no, noLimit, asBefore:
			continue
		case yes:
			value = "true"
		}
		if flag == nil {
			continue
		}
		if err := flag.Value.Set(value); err != nil {
			f.fail(each.name, flagError(err))
			return false
		}
		flag.Changed = true
	}
	return true
}

// flagError describes the error of a value.
func flagError(err error) string {
	switch text := err.Error(); {
	case strings.HasPrefix(text, "strconv."):
		return "use a whole number"
	case strings.HasPrefix(text, "time:"):
		return "use a time such as 500ms or 2s"
	default:
		return text
	}
}

// faultyField returns the name of the visible field that an error is about, "" if there is none.
func (f *form) faultyField(err error) string {
	s, ok := render.Status(err)
	if !ok {
		return f.fieldIn(err.Error())
	}
	switch render.Reason(s) {
	case "INVALID_GRID":
		return "grid"
	case "INVALID_DECK":
		return "deck"
	}
	return f.fieldIn(strings.ToLower(strings.ReplaceAll(render.InvalidField(s), "_", "")))
}

// fieldIn returns the first visible field whose name on the command line or in the API is in a
// text.
func (f *form) fieldIn(text string) string {
	for _, each := range []struct{ part, name string }{
		{"rings", "rings"}, {"side", "side"}, {"depth", "alphabeta depth"}, {"depth", "engine depth"},
		{"time", "alphabeta time"}, {"time", "engine time"}, {"minflips", "minFlips"},
		{"passrule", "hexPass"}, {"passrule", "squarePass"}, {"timecontrol", "clock"}, {"--grid", "grid"},
		{"--deck", "deck"}, {"rules", "battle"},
	} {
		if strings.Contains(text, each.part) && f.find(each.name) >= 0 {
			return each.name
		}
	}
	return ""
}

// fieldError describes an error of a call. An error of a field does not repeat the path of the
// field.
func fieldError(err error) string {
	if s, ok := render.Status(err); ok && render.InvalidField(s) != "" {
		return strings.TrimPrefix(render.OneLine(s.Message()), render.InvalidField(s)+": ")
	}
	return render.Explain(err)
}
