// Package arch tests which package may import which, so that what CONTRIBUTING.md says of the layout stays true. It
// looks at imports alone, and not at those of tests, which may start the real thing.
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

// A direction forbids some imports to some packages. All its fields but why are patterns: the path of a package, that
// of one in this module starting with "./". A "*" stands for part of one element, "/..." at the end for the package
// and all below it.
type direction struct {
	why    string
	of     []string // the packages it binds,
	but    []string // and those of them it does not bind
	banned []string // what they must not import,
	except []string // and what of that they may import
}

var directions = []direction{
	{
		why: "the rules are pure: no clock, no input or output, no context",
		of:  []string{"./services/internal/rules/..."},
		but: []string{"./services/internal/rules/rulestest"},
		banned: []string{
			"context", "crypto/...", "database/...", "io/...", "log/...", "net/...", "os/...", "syscall", "time", "unsafe",
		},
	},
	{
		why:    "the rules build on the standard library, themselves and the error type",
		of:     []string{"./services/internal/rules/..."},
		but:    []string{"./services/internal/rules/rulestest"},
		banned: []string{"*.*/..."},
		except: []string{"./services/internal/rules/...", "./services/internal/fault"},
	},
	{
		why: "the wire is the business of the edges",
		of:  []string{"./services/...", "./cmd/..."},
		but: []string{
			"./services/*/grpcapi", "./services/gateway/...", "./services/app/...", "./services/bench",
			"./services/internal/serve", "./services/internal/telemetry", "./services/internal/wire",
		},
		banned: []string{
			"./gen/...", "google.golang.org/grpc/...", "google.golang.org/protobuf/...", "google.golang.org/genproto/...",
			"github.com/grpc-ecosystem/...", "github.com/fullstorydev/grpchan/...", "buf.build/...",
		},
	},
	{
		why:    "databases are the business of the stores",
		of:     []string{"./..."},
		but:    []string{"./services/*/sqlstore/...", "./services/bench"}, // which measures what a database can do
		banned: []string{"database/...", "modernc.org/...", "github.com/pressly/goose/...", "github.com/jackc/..."},
	},
	{
		why:    "NATS is the business of one feed, and its server runs in tests alone",
		of:     []string{"./..."},
		but:    []string{"./services/game/natsfeed/natstest"},
		banned: []string{"github.com/nats-io/...", "./services/game/natsfeed/natstest"},
		except: []string{"github.com/nats-io/nats.go"},
	},
	{
		why:    "Game and Strategy share the rules, and know each other only on the wire",
		of:     []string{"./services/game/..."},
		banned: []string{"./services/strategy/..."},
	},
	{
		why:    "Game and Strategy share the rules, and know each other only on the wire",
		of:     []string{"./services/strategy/..."},
		banned: []string{"./services/game/..."},
	},
	{
		why:    "the domain is pure: types, decisions and the interfaces that it needs",
		of:     []string{"./services/game"},
		banned: []string{"*.*/...", "crypto/...", "database/...", "io/...", "log/...", "math/rand/...", "net/...", "os/...", "sync/..."},
		except: []string{"./services/internal/rules/...", "./services/internal/fault"},
	},
	{
		why:    "use cases do not import adapters",
		of:     []string{"./services/game/service", "./services/game/robots"},
		banned: []string{"./services/game/*", "./services/internal/serve", "./services/internal/wire"},
	},
	{
		why:    "what the services share knows none of them",
		of:     []string{"./services/internal/..."},
		banned: []string{"./services/..."},
		except: []string{"./services/internal/..."},
	},
	{
		why:    "the gateway knows the services by their API, wherever they run",
		of:     []string{"./services/gateway/..."},
		banned: []string{"./services/game/...", "./services/strategy/...", "./services/internal/rules/..."},
	},
	{
		why:    "only the composition root puts the services together",
		of:     []string{"./services/..."},
		but:    []string{"./services/app/...", "./services/gateway/..."},
		banned: []string{"./services/gateway/..."},
	},
	{
		why:    "only programs know what they are put together from",
		of:     []string{"./services/..."},
		but:    []string{"./services/app/..."},
		banned: []string{"./services/app/...", "./clients/...", "./cmd/..."},
	},
	{
		why:    "clients are made of what every client has: the generated code",
		of:     []string{"./clients/..."},
		banned: []string{"./services/...", "./cmd/..."},
	},
	{
		why:    "a main is a few lines",
		of:     []string{"./cmd/..."},
		banned: []string{"./..."},
		except: []string{"./services/app", "./clients/...", "./services/strategy/train"},
	},
}

func TestImportsGoOneWay(t *testing.T) {
	t.Parallel()
	packages, err := readImports(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if len(packages[module+"/services/internal/rules/reversi"]) == 0 {
		t.Fatal("found no imports of package reversi: is this still the way to the top of the repository?")
	}
	for _, found := range violations(packages) {
		t.Error(found)
	}
}

func TestForbiddenImportsAreFound(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		of, imported string
		forbidden    bool
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
		{"./clients/cli/session", "./services/internal/rules", true},
		{"./clients/cli/session", "./gen/go/flipside/game/v1", false},
		{"./cmd/flipsided", "./services/app", false},
		{"./cmd/flipsided", "./services/game", true},
	} {
		found := violations(map[string][]string{absolute(test.of): {absolute(test.imported)}})
		if (len(found) > 0) != test.forbidden {
			t.Errorf("%s imports %s: found %q, want something: %t", test.of, test.imported, found, test.forbidden)
		}
	}
}

// violations lists the imports that a direction forbids, as sentences in a fixed order. It takes and compares whole
// import paths.
func violations(packages map[string][]string) []string {
	var found []string
	for pkg, imports := range packages {
		for _, d := range directions {
			if !matches(d.of, pkg) || matches(d.but, pkg) {
				continue
			}
			for _, imported := range imports {
				if matches(d.banned, imported) && !matches(d.except, imported) {
					found = append(found, fmt.Sprintf("%s imports %s, but %s", pkg, imported, d.why))
				}
			}
		}
	}
	slices.Sort(found)
	return found
}

// matches tells whether an import path fits one of the patterns.
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

// absolute puts the module's path in the place of a leading dot.
func absolute(pattern string) string {
	if rest, ok := strings.CutPrefix(pattern, "./"); ok {
		return module + "/" + rest
	}
	return pattern
}

// readImports returns what each package below the top folder imports in its code. It reads the source itself rather
// than ask `go list`, so that the test's cached result knows which files it depends on.
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
