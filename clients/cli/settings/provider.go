package settings

import (
	"github.com/spf13/pflag"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/flipside-games/flipside/clients/cli/render"
)

// Provider are the flags of a strategy provider.
type Provider struct {
	Name    string
	flag    string // of the options
	options string
}

// Register adds the flags to a command. The prefix of their names, and the player, are "" if the
// command has only one provider.
func (f *Provider) Register(flags *pflag.FlagSet, prefix, player string) {
	if player != "" {
		player = " of " + player
	}
	f.flag = prefix + "options"
	flags.StringVar(&f.Name, prefix+"provider", "",
		"`name` of the server's strategy provider that computes the moves"+player+" (default: its own)")
	flags.StringVar(&f.options, f.flag, "",
		`options for the provider`+player+" as a `JSON` object, such as '{\"style\":\"bold\"}'")
}

// Options returns the options, nil without the flag.
func (f *Provider) Options() (*structpb.Struct, error) { return RobotOptions(f.flag, f.options) }

// RobotOptions reads the options of a robot from the value of a flag, nil for "".
func RobotOptions(flag, text string) (*structpb.Struct, error) {
	if text == "" {
		return nil, nil
	}
	options := &structpb.Struct{}
	if err := protojson.Unmarshal([]byte(text), options); err != nil {
		return nil, Usagef("--%s: not a JSON object: %s", flag, render.OneLine(err.Error()))
	}
	return options, nil
}

// Describe returns the name of a player with a strategy, and of its provider if it has one.
func (f *Provider) Describe(strategy string) string {
	if f.Name == "" {
		return strategy
	}
	return strategy + " of " + f.Name
}
