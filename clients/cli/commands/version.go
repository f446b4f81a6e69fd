package commands

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// build describes a build of the program.
type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Go      string `json:"go"`
}

// thisBuild adds the build information that the go command embeds to a version.
func thisBuild(version string) build {
	b := build{Version: version, Go: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			b.Commit = setting.Value
		}
	}
	return b
}

func (b build) String() string {
	text := fmt.Sprintf("flipside %s, %s", b.Version, b.Go)
	if b.Commit != "" {
		text += ", commit " + b.Commit
	}
	return text
}

func newVersion(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show the version of this program",
		Args:  exactArgs(0),
		RunE: p.command(func(context.Context, []string) error {
			b := thisBuild(p.version)
			return p.Print(b, b.String()+"\n")
		}),
	}
}
