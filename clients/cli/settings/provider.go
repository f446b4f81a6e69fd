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
	prefix  string // of the names of the flags
	options string
}

// Register adds the flags to a command. The prefix of their names, and the player, are "" if the
// command has only one provider.
func (f *Provider) Register(flags *pflag.FlagSet, prefix, player string) {
	if player != "" {
		player = " of " + player
	}
	f.prefix = prefix
	flags.Var(Text(&f.Name), prefix+"provider",
		"`name` of the server's strategy provider that computes the moves"+player+" (default: its own)")
	flags.Var(Text(&f.options), prefix+"options",
		`options for the provider`+player+" as a `JSON` object, such as '{\"style\":\"bold\"}'")
}

// Options returns the options, nil without the flag.
func (f *Provider) Options() (*structpb.Struct, error) {
	options, err := RobotOptions(f.prefix+"options", f.options)
	if err == nil && options != nil && f.Name == "" {
		err = Usagef("--%soptions is for a provider: name it with --%sprovider", f.prefix, f.prefix)
	}
	return options, err
}

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
