package release

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/flipside-games/flipside/clients/cli/commands"
	"github.com/flipside-games/flipside/services/app"
)

func TestProgramsPrintTheSameVersion(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"version"}, {"--version"}} {
		var client, server bytes.Buffer
		streams := commands.Streams{Out: &client, Err: &client}
		if code := commands.Run(t.Context(), Version, args, streams, os.Getenv); code != 0 {
			t.Errorf("flipside %s: exit code %d: %s", args, code, &client)
		}
		if code := app.Main(t.Context(), Version, args, &server, &server); code != 0 {
			t.Errorf("flipsided %s: exit code %d: %s", args, code, &server)
		}
		first := client.String()
		if !strings.HasPrefix(first, "flipside "+Version+", go") ||
			server.String() != "flipsided "+Version+"\n" {
			t.Errorf("%s: the client prints %q and the server %q", args, first, &server)
		}
	}
}

func TestFilesNameThisVersion(t *testing.T) {
	t.Parallel()
	for pattern, version := range map[string]string{
		"clients/*/package.json":                        `"version": "([^"]*)"`,
		"clients/*/pyproject.toml":                      `(?m)^version = "([^"]*)"`,
		"docs/operations/kubernetes/kustomization.yaml": `newTag: (\S+)`,
	} {
		files, err := filepath.Glob(filepath.Join("..", "..", "..", filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found := regexp.MustCompile(version).FindSubmatch(text)
			if found == nil || string(found[1]) != Version {
				t.Errorf("%s has version %q, want %s", file, found, Version)
			}
		}
	}
}
