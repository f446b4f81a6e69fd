// Package arch tests the imports of all packages against the layout in CONTRIBUTING.md. It ignores
// the imports of tests.
package arch

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/flipside-games/flipside"

// ban forbids packages to import others. All fields but reason are patterns of import paths; those
// in this module start with "./". A "*" matches part of one element; "/..." at the end matches the
// package and all below it.
type ban struct {
	reason   string
	packages []string
	exempt   []string // packages that the ban does not bind
	imports  []string // forbidden imports
	allowed  []string // exceptions to imports
}

var bans = []ban{
	{
		reason:   "the rules are pure: no clock, no I/O, no context",
		packages: []string{"./services/internal/rules/..."},
		exempt:   []string{"./services/internal/rules/rulestest"},
		imports: []string{
			"context", "crypto/...", "database/...", "io/...", "log/...", "net/...", "os/...", "syscall", "time", "unsafe",
		},
	},
	{
		reason:   "the rules import only the standard library, each other and the error type",
		packages: []string{"./services/internal/rules/..."},
		exempt:   []string{"./services/internal/rules/rulestest"},
		imports:  []string{"*.*/..."},
		allowed:  []string{"./services/internal/rules/...", "./services/internal/fault"},
	},
	{
		reason:   "only the edges import protobuf and gRPC",
		packages: []string{"./services/...", "./cmd/..."},
		exempt: []string{
			"./services/*/grpcapi", "./services/gateway/...", "./services/app/...", "./services/bench",
			"./services/internal/serve", "./services/internal/telemetry", "./services/internal/wire",
		},
		imports: []string{
			"./gen/...", "google.golang.org/grpc/...", "google.golang.org/protobuf/...", "google.golang.org/genproto/...",
			"github.com/grpc-ecosystem/...", "github.com/fullstorydev/grpchan/...", "buf.build/...",
		},
	},
	{
		reason:   "only stores import databases",
		packages: []string{"./..."},
		exempt:   []string{"./services/*/sqlstore/...", "./services/bench"}, // It measures databases.
		imports:  []string{"database/...", "modernc.org/...", "github.com/pressly/goose/...", "github.com/jackc/..."},
	},
	{
		reason:   "only natsfeed imports NATS, and only tests run its server",
		packages: []string{"./..."},
		exempt:   []string{"./services/game/natsfeed/natstest"},
		imports:  []string{"github.com/nats-io/...", "./services/game/natsfeed/natstest"},
		allowed:  []string{"github.com/nats-io/nats.go"},
	},
	{
		reason:   "Game and Strategy share only the rules and the wire format",
		packages: []string{"./services/game/..."},
		imports:  []string{"./services/strategy/..."},
	},
	{
		reason:   "Game and Strategy share only the rules and the wire format",
		packages: []string{"./services/strategy/..."},
		imports:  []string{"./services/game/..."},
	},
	{
		reason:   "the domain is pure: types, decisions and the interfaces that it needs",
		packages: []string{"./services/game"},
		imports:  []string{"*.*/...", "crypto/...", "database/...", "io/...", "log/...", "math/rand/...", "net/...", "os/...", "sync/..."},
		allowed:  []string{"./services/internal/rules/...", "./services/internal/fault"},
	},
	{
		reason: "use cases do not import adapters",
		packages: []string{
			"./services/game/service", "./services/game/robots", "./services/game/webhooks",
		},
		imports: []string{"./services/game/*", "./services/internal/serve", "./services/internal/wire"},
	},
	{
		reason:   "shared packages do not import services",
		packages: []string{"./services/internal/..."},
		imports:  []string{"./services/..."},
		allowed:  []string{"./services/internal/..."},
	},
	{
		reason:   "the gateway calls the services through their API",
		packages: []string{"./services/gateway/..."},
		imports:  []string{"./services/game/...", "./services/strategy/...", "./services/internal/rules/..."},
	},
	{
		reason:   "only the composition root imports the gateway",
		packages: []string{"./services/..."},
		exempt:   []string{"./services/app/...", "./services/gateway/..."},
		imports:  []string{"./services/gateway/..."},
	},
	{
		reason:   "only programs import the composition root and clients",
		packages: []string{"./services/..."},
		exempt:   []string{"./services/app/..."},
		imports:  []string{"./services/app/...", "./clients/...", "./cmd/..."},
	},
	{
		reason:   "clients import only the generated code",
		packages: []string{"./clients/..."},
		imports:  []string{"./services/...", "./cmd/..."},
	},
	{
		reason:   "the Go client stands alone",
		packages: []string{"./clients/go/..."},
		imports:  []string{"./..."},
		allowed:  []string{"./gen/go/..."},
	},
	{
		reason:   "a main only calls the composition root or a client",
		packages: []string{"./cmd/..."},
		imports:  []string{"./..."},
		allowed: []string{
			"./services/app", "./clients/...", "./services/strategy/train", "./cmd/internal/release",
		},
	},
}

func TestImports(t *testing.T) {
	t.Parallel()
	packages, err := readImports(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if len(packages[module+"/services/internal/rules/reversi"]) == 0 {
		t.Fatal("found no imports of package reversi: is the path to the top of the repository correct?")
	}
	for _, found := range violations(packages) {
		t.Error(found)
	}
}

func TestBans(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pkg, imported string
		forbidden     bool
	}{
		{"./services/internal/rules/reversi", "time", true},
		{"./services/internal/rules/reversi", "net/http", true},
		{"./services/internal/rules/reversi", "math/bits", false},
		{"./services/internal/rules/reversi", "./services/internal/fault", false},
		{"./services/internal/rules/reversi", "./services/internal/faults", true},
		{"./services/internal/rules/reversi", "github.com/google/uuid", true},
		{"./services/internal/rules/rulestest", "os", false},
		{"./services/game", "./gen/go/flipside/game/v1", true},
		{"./services/game", "google.golang.org/grpc/codes", true},
		{"./services/game", "./services/game/sqlstore", true},
		{"./services/game", "database/sql", true},
		{"./services/game", "log/slog", true},
		{"./services/game", "sync", true},
		{"./services/game", "github.com/prometheus/client_golang/prometheus", true},
		{"./services/game", "go.opentelemetry.io/otel/trace", true},
		{"./services/game", "golang.org/x/sync/singleflight", true},
		{"./services/game", "./services/internal/tokens", true},
		{"./services/game", "./services/internal/rules/games", false},
		{"./services/game", "./services/internal/fault", false},
		{"./services/game", "context", false},
		{"./services/game/service", "./services/game", false},
		{"./services/game/service", "./services/game/sqlstore", true},
		{"./services/game/service", "./services/game/robots", true},
		{"./services/game/service", "github.com/prometheus/client_golang/prometheus", false},
		{"./services/game/robots", "./services/game", false},
		{"./services/game/robots", "./services/game/service", true},
		{"./services/game/robots", "./services/game/natsfeed", true},
		{"./services/game/localfeed", "google.golang.org/grpc", true},
		{"./services/game/grpcapi", "google.golang.org/grpc/codes", false},
		{"./services/game/grpcapi", "./services/strategy", true},
		{"./services/game/grpcapi", "./services/app", true},
		{"./services/game/sqlstore", "./services/game", false},
		{"./services/game/sqlstore", "database/sql", false},
		{"./services/strategy/grpcapi", "./services/game", true},
		{"./services/internal/serve", "./services/game", true},
		{"./services/gateway", "./services/game", true},
		{"./services/gateway/web", "./services/gateway", false},
		{"./services/app", "./services/gateway", false},
		{"./services/app", "./clients/web", false},
		{"./services/gateway", "./clients/web", true},
		{"./clients/cli/session", "./services/internal/rules", true},
		{"./clients/cli/session", "./gen/go/flipside/game/v1", false},
		{"./clients/go", "./clients/cli/render", true},
		{"./clients/go", "./gen/go/flipside/game/v1", false},
		{"./cmd/flipsided", "./services/app", false},
		{"./cmd/flipsided", "./services/game", true},
	} {
		found := violations(map[string][]string{absolute(test.pkg): {absolute(test.imported)}})
		if (len(found) > 0) != test.forbidden {
			t.Errorf("%s imports %s: found %q, forbidden: %t", test.pkg, test.imported, found, test.forbidden)
		}
	}
}

// violations returns a sorted sentence for each forbidden import. packages maps import paths to
// imports.
func violations(packages map[string][]string) []string {
	var found []string
	for pkg, imports := range packages {
		for _, b := range bans {
			if !matches(b.packages, pkg) || matches(b.exempt, pkg) {
				continue
			}
			for _, imported := range imports {
				if matches(b.imports, imported) && !matches(b.allowed, imported) {
					found = append(found, fmt.Sprintf("%s imports %s, but %s", pkg, imported, b.reason))
				}
			}
		}
	}
	slices.Sort(found)
	return found
}

// matches reports whether an import path matches one of the patterns.
func matches(patterns []string, importPath string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		pattern, deep := strings.CutSuffix(absolute(pattern), "/...")
		elements := strings.Split(importPath, "/")
		length := strings.Count(pattern, "/") + 1
		if len(elements) < length || len(elements) > length && !deep {
			return false
		}
		ok, err := path.Match(pattern, strings.Join(elements[:length], "/"))
		return ok && err == nil
	})
}

// absolute replaces a leading dot by the path of the module.
func absolute(pattern string) string {
	if rest, ok := strings.CutPrefix(pattern, "./"); ok {
		return module + "/" + rest
	}
	return pattern
}

// readImports returns the imports of each package below a folder. It reads the source instead of
// calling `go list`, so that a cached test result depends on these files.
func readImports(top string) (map[string][]string, error) {
	packages := map[string][]string{}
	err := filepath.WalkDir(top, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() != ".." && strings.HasPrefix(entry.Name(), ".")):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		folder, err := filepath.Rel(top, filepath.Dir(name))
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := path.Join(module, filepath.ToSlash(folder))
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			packages[pkg] = append(packages[pkg], imported)
		}
		return nil
	})
	return packages, err
}
