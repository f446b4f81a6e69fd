package cli

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// build says which build of the program this is.
type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Go      string `json:"go"`
}

// thisBuild reads what the Go tool left in the program.
func thisBuild() build {
	b := build{Version: "unknown", Go: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Version = firstOf(info.Main.Version, b.Version)
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
		Args:  takes(0, 0),
		RunE: p.do(func(context.Context, []string) error {
			return p.value(thisBuild(), func(w io.Writer) { fmt.Fprintln(w, thisBuild()) })
		}),
	}
}
