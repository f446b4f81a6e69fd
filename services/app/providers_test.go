package app

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials/insecure"
)

// providersFile is a file of providers, mounted as Kubernetes mounts a ConfigMap: it is a link into
// a folder that is a link itself. An update replaces the link of the folder.
type providersFile struct {
	*testing.T
	folder  string
	updates int
}

func newProvidersFile(t *testing.T, content string) *providersFile {
	t.Helper()
	f := &providersFile{T: t, folder: t.TempDir()}
	f.write(content)
	if err := os.Symlink("..data/providers", f.path()); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *providersFile) path() string { return filepath.Join(f.folder, "providers") }

func (f *providersFile) write(content string) {
	f.Helper()
	f.updates++
	version := strings.Repeat("v", f.updates)
	data := filepath.Join(f.folder, version)
	err := errors.Join(
		os.Mkdir(data, 0o700),
		os.WriteFile(filepath.Join(data, "providers"), []byte(content), 0o600),
		os.Symlink(version, filepath.Join(f.folder, "..new")),
		os.Rename(filepath.Join(f.folder, "..new"), filepath.Join(f.folder, "..data")),
	)
	if err != nil {
		f.Fatal(err)
	}
}

// newProviders returns the providers in a file, and those of the setting.
func newProviders(path string, log *logBuffer) *providers {
	p := &providers{
		path: path, fixed: map[string]string{"fixed": "host:1"},
		log: slog.New(slog.NewTextHandler(log, nil)),
		dial: func(_, target string) (*grpc.ClientConn, error) {
			return grpc.NewClient(target, grpc.WithTransportCredentials(insecure.NewCredentials()))
		},
	}
	p.current.Store(&map[string]provider{})
	return p
}

// names returns the names of the current providers.
func (p *providers) names() string {
	return strings.Join(slices.Sorted(maps.Keys(*p.current.Load())), " ")
}

func TestTheFileOfProvidersIsFollowed(t *testing.T) {
	file := newProvidersFile(t, "# engines\n\n one = host:2 \n")
	synctest.Test(t, func(t *testing.T) {
		log := &logBuffer{}
		p := newProviders(file.path(), log)
		if err := p.reload(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer func() {
			cancel()
			synctest.Wait()
			p.close()
		}()
		go p.follow(ctx)
		expect := func(names string) {
			t.Helper()
			time.Sleep(providersInterval)
			synctest.Wait()
			if got := p.names(); got != names {
				t.Errorf("the providers are %q, want %q", got, names)
			}
		}
		expect("fixed one")
		one, fixed := (*p.current.Load())["one"].conn, p.client("fixed")

		file.write("one=host:2\ntwo=host:3,host:4")
		expect("fixed one two")
		if p.client("two") == nil || (*p.current.Load())["one"].conn != one {
			t.Error("a new provider cannot be used, or an unchanged one has another connection")
		}

		file.write("one=host:9\nthree")
		expect("fixed one two")
		expect("fixed one two")
		problem := file.path() + `:2: invalid entry \"three\": use name=target`
		if got := strings.Count(log.String(), problem); got != 1 {
			t.Errorf("the invalid line is logged %d times: %s", got, log)
		}

		file.write("one=host:9")
		expect("fixed one")
		if one.GetState() != connectivity.Shutdown || p.client("two") != nil {
			t.Error("a changed or removed provider still has its connection")
		}
		if p.client("fixed") == nil || fixed == nil || p.client("none") != nil {
			t.Error("the provider of the setting is missing, or an unknown one exists")
		}
	})
}

func TestAMissingFileOfProvidersKeepsThem(t *testing.T) {
	file := newProvidersFile(t, "one=host:2")
	synctest.Test(t, func(t *testing.T) {
		log := &logBuffer{}
		p := newProviders(file.path(), log)
		if err := p.reload(); err != nil {
			t.Fatal(err)
		}
		defer p.close()
		if err := os.Remove(file.path()); err != nil {
			t.Fatal(err)
		}
		if err := p.reload(); err == nil || p.names() != "fixed one" {
			t.Errorf("error %v, providers %s", err, p.names())
		}
	})
}

func TestInvalidLinesOfProviders(t *testing.T) {
	for content, want := range map[string]string{
		"one":                                    `f:1: invalid entry "one": use name=target`,
		"\n=host:1":                              `f:2: invalid entry "=host:1": use name=target`,
		"one=":                                   `f:1: invalid entry "one=": use name=target`,
		"one=host":                               `f:1: invalid address "host"`,
		"one=http://host:1":                      `f:1: unknown scheme "http"`,
		"one=host:1\n#\none=host:2":              `f:3: duplicate name "one"`,
		"fixed=host:2":                           `f:1: duplicate name "fixed"`,
		strings.Repeat("n", 65) + "=host:1":      "is too long: use at most 64 characters",
		strings.Repeat("n", 64) + "=host:1":      "",
		"one = dns:///host:1\r\n# = comment\r\n": "",
	} {
		err := addProviders(map[string]string{"fixed": "host:1"}, "f", content)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: error %v, want %q", content, err, want)
		}
	}
}

func TestTheNameOfAProviderHasALimit(t *testing.T) {
	s := testSettings(t)
	name := strings.Repeat("n", maxProviderName+1)
	s.Providers = []string{name + "=127.0.0.1:1"}
	a, err := Start(t.Context(), All, s, quiet)
	if err == nil {
		a.Close()
	}
	want := `--strategy-provider: the name "` + name + `" is too long: use at most 64 characters`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestTheDaemonNeedsAUsableFileOfProviders(t *testing.T) {
	s := testSettings(t)
	s.ProvidersFile = filepath.Join(t.TempDir(), "missing")
	a, err := Start(t.Context(), All, s, quiet)
	if err == nil {
		a.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "--strategy-providers-file") {
		t.Errorf("error %v", err)
	}
}
