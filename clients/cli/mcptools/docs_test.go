package mcptools_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the table of tools")

const page = "../../../docs/language-models.md"

// The test generates the table of tools in docs/language-models.md.
func TestTheDocumentationListsEveryTool(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const start, end = "| tool | input | |\n| --- | --- | --- |\n", "\n\n"
	before, rest, found := strings.Cut(string(content), start)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatal("the page has no table of tools")
	}
	listed, err := connect(t, nil).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, tool := range listed.Tools {
		schema := tool.InputSchema.(map[string]any)
		properties := schema["properties"].(map[string]any)
		required, _ := schema["required"].([]any)
		var inputs []string
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			if slices.Contains(required, any(name)) {
				inputs = append(inputs, "**`"+name+"`**")
			} else {
				inputs = append(inputs, "`"+name+"`")
			}
			if properties[name].(map[string]any)["description"] == nil {
				t.Errorf("%s: %s has no description", tool.Name, name)
			}
		}
		rows = append(rows,
			fmt.Sprintf("| `%s` | %s | %s |", tool.Name, strings.Join(inputs, ", "), tool.Description))
	}
	want := before + start + strings.Join(rows, "\n") + end + after
	if *update {
		err = os.WriteFile(page, []byte(want), 0o644)
	} else if diff := cmp.Diff(want, string(content)); diff != "" {
		t.Errorf("the page differs, -update writes it (-want +got):\n%s", diff)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The configuration in the documentation starts flipside mcp.
func TestTheDocumentationHasAConfiguration(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(content), "```json\n")
	block, _, _ := strings.Cut(rest, "```")
	var config struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
			Env     map[string]string
		}
	}
	if err := json.Unmarshal([]byte(block), &config); err != nil {
		t.Fatalf("%v in %q", err, block)
	}
	server := config.MCPServers["flipside"]
	if server.Command != "flipside" || !slices.Equal(server.Args, []string{"mcp"}) {
		t.Errorf("the configuration runs %s %v", server.Command, server.Args)
	}
}
